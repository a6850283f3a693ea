# slurm.bash: a Slurm of our own, two processors on this machine, in the folder at hand: slurm_start, slurm_stop.
# slurm_start says why and returns 1 where there is none, or it cannot be started (Debian: slurm-wlm, munge; as root).
slurm_start() {
    local word host port
    for word in sbatch slurmctld slurmd munged; do
        PATH=$PATH:/usr/sbin command -v $word >/dev/null || { echo "$word is not there"; return 1; }
    done
    [ "$(id -u)" = 0 ] || { echo "only root can start Slurm"; return 1; }
    export PATH=$PATH:/usr/sbin
    slurm_folder=$PWD/slurm host=$(hostname -s) port=$((20000 + $$ % 20000))
    mkdir -p "$slurm_folder/state" "$slurm_folder/spool"
    head -c 128 /dev/urandom >"$slurm_folder/key"
    chmod 400 "$slurm_folder/key"
    munged --force --foreground --num-threads=2 --key-file="$slurm_folder/key" --socket="$slurm_folder/socket" \
        --pid-file="$slurm_folder/m.pid" --log-file="$slurm_folder/m.log" --seed-file="$slurm_folder/seed" >/dev/null 2>&1 &
    slurm_pids=$!
    cat >"$slurm_folder/slurm.conf" <<CONF
ClusterName=plait
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm_folder/socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$slurm_folder/state
SlurmdSpoolDir=$slurm_folder/spool
SlurmctldPidFile=$slurm_folder/c.pid
SlurmdPidFile=$slurm_folder/d.pid
SlurmctldLogFile=$slurm_folder/c.log
SlurmdLogFile=$slurm_folder/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
MailProg=/bin/true
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$slurm_folder/slurm.conf
    while [ ! -S "$slurm_folder/socket" ] && kill -0 "$slurm_pids" 2>/dev/null; do sleep 0.1; done
    slurmctld -D -i >/dev/null 2>&1 &
    slurm_pids="$! $slurm_pids"
    slurmd -D >/dev/null 2>&1 &
    slurm_pids="$! $slurm_pids"
    for word in $(seq 60); do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
        sleep 0.5
    done
    echo "Slurm does not start: $(tail -1 "$slurm_folder/c.log" "$slurm_folder/d.log" 2>/dev/null)"
    slurm_stop
    return 1
}

slurm_stop() {
    for word in $slurm_pids; do
        kill "$word" 2>/dev/null || true
        wait "$word" 2>/dev/null || true
    done
}
