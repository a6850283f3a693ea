# run_resume.sh: the same run for any number of threads, and however it is interrupted.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

# Threads.
expect 0 "$PLAIT" run drop.yaml -o one --threads 1
for threads in 2 4; do
    expect 0 "$PLAIT" run drop.yaml -o many$threads --threads $threads
    same_run one many$threads
done

# Half, then the rest: the same contents. SCENE may be given or not.
expect 0 "$PLAIT" run drop.yaml -o half --duration 0.1
expect 0 "$PLAIT" run --resume -o half --duration 0.2
same_numbers one half
expect 0 "$PLAIT" run drop.yaml -o half --force --duration 0.1
expect 0 "$PLAIT" run drop.yaml --resume -o half
same_numbers one half
says half/run.log "goes on with 'drop' at step 50"
# Once more changes nothing; another scene is refused.
cp half/trajectory.h5 before.h5
expect 0 "$PLAIT" run drop.yaml --resume -o half
cmp -s before.h5 half/trajectory.h5 || fail "a finished run was changed"
expect 2 "$PLAIT" run drop.yaml --resume -o half --set step.dt=1ms
says err "is not the scene"
sed 's/count: 3/count: 2/' drop.yaml >other.yaml
expect 2 "$PLAIT" run other.yaml --resume -o half
expect 2 "$PLAIT" run --resume -o half --set 'fibres[0].line.count=2' --duration 0.3
cmp -s before.h5 half/trajectory.h5 || fail "a run was changed by what does not fit"
expect 2 "$PLAIT" run drop.yaml -o half
says err "holds a run already"

# A checkpoint that is damaged: a message, nothing changed.
cp -r one broken
head -c 3000 one/checkpoint.h5 >broken/checkpoint.h5
expect 2 "$PLAIT" run --resume -o broken --duration 0.3
says err "broken/checkpoint.h5"
cmp -s one/trajectory.h5 broken/trajectory.h5 || fail "broken/trajectory.h5 was changed"

# A checkpoint is enough to go on from; what it lacks is begun anew, and that is said.
mkdir alone
cp half/checkpoint.h5 alone
expect 0 "$PLAIT" run --resume -o alone --duration 0.4
says err "begun anew"
expect 0 "$PLAIT" run --resume -o half --duration 0.4
same_state half alone || fail "a checkpoint alone goes elsewhere"
[ "$(tail -1 alone/stats.csv | cut -d, -f1-26)" = "$(tail -1 half/stats.csv | cut -d, -f1-26)" ] || fail "stats of alone"

# Strands that were laid are kept with the run: going on does not lay them again, and gives the same bits as if it did.
expect 0 "$PLAIT" run pony-small -o kept --duration 6ms
[ -s kept/grooms.h5 ] || fail "the strands were not kept"
cp -r kept laid && rm laid/grooms.h5 && cp -r kept hurt
expect 0 "$PLAIT" run --resume -o kept --duration 10ms
says kept/run.log "strands as they were laid"
expect 0 "$PLAIT" run --resume -o laid --duration 10ms
! grep -q "strands as they were laid" laid/run.log || fail "nothing was kept, but found"
same_numbers kept laid
cmp -s kept/grooms.h5 laid/grooms.h5 || fail "strands are kept once they were laid again"
head -c 1000 kept/grooms.h5 >hurt/grooms.h5
expect 2 "$PLAIT" run --resume -o hurt --duration 10ms
says err "hurt/grooms.h5"

# Other kernels of OpenBLAS, as on another processor: it goes on, and says so.
cp -r half elsewhere
if OPENBLAS_CORETYPE=Prescott "$PLAIT" run --resume -o elsewhere --duration 0.42 >out 2>err && grep -q "Prescott" elsewhere/run.log; then
    says err "begun with other code"
fi
expect 0 "$PLAIT" run --resume -o half --duration 0.4
! grep -q "begun with other code" err || fail "the same machine is taken for another"

# What shapes a run is part of it: nothing needs to be repeated, also if it ended before its first checkpoint.
expect 0 "$PLAIT" run drop.yaml -o shaped --velocities --doubles --dump-problems 20
rm -f shaped/checkpoint.h5 shaped/stats.csv shaped/trajectory.* && cp -r shaped again && rm -rf again/problems
expect 0 "$PLAIT" run --resume -o shaped
expect 0 "$PLAIT" run drop.yaml --resume -o again
expect 0 "$PLAIT" run drop.yaml -o asked --velocities --doubles --dump-problems 20
for run in shaped again; do
    same_run asked $run
    diff -r asked/problems $run/problems || fail "problems of $run"
done
[ -e asked/problems/000060.hdf5 ] || fail "no problems were written"
expect 2 "$PLAIT" run --resume -o half --velocities --duration 0.5
says err "was begun without velocities"

# Numbers that cannot be.
python=$(hdf5_python)
if [ -n "$python" ]; then
    cat >spoil.py <<'PYTHON'
import h5py, sys
path, name, index, value = sys.argv[1:]
with h5py.File(path, "r+") as f:
    f[name][int(index)] = float(value)
PYTHON
    for change in "state 0 1e300" "state 0 -1" "state 1 -1" "state 1 0" "state 1 1e300" "state 2 -3" "state 2 1.5" "state 3 0.5" \
        "state 4 -1" "state 5 1e15" "state 5 -1" "state 5 2.5" "state 6 1" "state 7 3" "state 100 1e308" \
        "time 0 1e300" "time 0 -1" "time 0 0.1" "step 0 -5" "step 0 7" "next_frame 0 -1" "next_frame 0 1000" \
        "frames 0 -1" "frames 0 1000000" "frames 0 3" "frame_time 0 -1" "frame_time 0 1e-9" "seconds 0 -1" \
        "stats_size 0 -1" "stats_size 0 1000000000" "log_size 0 -2"; do
        rm -rf spoilt && cp -r one spoilt
        # shellcheck disable=SC2086
        "$python" spoil.py spoilt/checkpoint.h5 $change
        code=0
        timeout 60 "$PLAIT" run --resume -o spoilt --duration 0.3 >out 2>err || code=$?
        [ "$change" = "state 100 1e308" ] || [ $code = 2 ] || fail "exit code $code for $change: $(cat err)"
        [ $code -le 2 ] || fail "exit code $code for $change"
    done
else
    echo "skip: no Python with h5py; numbers of checkpoints are not spoilt"
fi

# Signals: stops in the middle of a step, says how to go on, and goes on as if nothing had happened.
expect 0 "$PLAIT" run drop.yaml -o long --duration 0.8
cat >interrupt.py <<'PYTHON'
# interrupt.py SIGNAL FOLDER COMMAND...: sends the signal soon after the first checkpoint; prints the exit code.
import os, signal, subprocess, sys, time
number, folder = getattr(signal, sys.argv[1]), sys.argv[2]
def as_in_a_terminal():
    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, signal.SIG_DFL)
p = subprocess.Popen(sys.argv[3:], stdout=open("out", "wb"), stderr=open("err", "wb"), preexec_fn=as_in_a_terminal)
while p.poll() is None and not os.path.exists(folder + "/checkpoint.h5"):
    time.sleep(0.002)
if p.poll() is None:
    p.send_signal(number)
print(p.wait(300))
PYTHON
for signal in SIGINT SIGTERM; do
    for _ in $(seq 20); do # where the machine is busy, the run may be over before the signal comes: once more
        rm -rf stopped
        result=$(python3 interrupt.py $signal stopped "$PLAIT" run drop.yaml -o stopped --duration 0.8 --json)
        [ "$result" = 0 ] || break
    done
    [ "$result" = "$([ $signal = SIGINT ] && echo 130 || echo 143)" ] || fail "$signal: $result: $(cat err)"
    json out 'd["end"] == "stopped" and 0 <= d["time"] < 0.8'
    says err "to go on: plait run --resume -o stopped"
    says stopped/run.log "stopped by a signal"
    only_files stopped "$RUN_FILES"
    expect 0 "$PLAIT" run --resume -o stopped
    same_run long stopped
done

# kill -9, again and again, at any moment: also while it starts, resumes or writes a checkpoint.
cat >killer.py <<'PYTHON'
# killer.py FOLDER SEED PLAIT: runs and resumes until it is finished, killing it on the way.
import os, random, subprocess, sys, time
folder, seed, plait = sys.argv[1], int(sys.argv[2]), sys.argv[3]
random.seed(seed)
kills = 0
while True:
    begin = not os.path.exists(folder + "/scene.yaml")  # killed before it had a scene: there is nothing to resume
    words = [plait, "run", "drop.yaml", "-o", folder, "--duration", "0.8", "--set", "output.checkpoint=0.02"]
    p = subprocess.Popen(words + ([] if begin else ["--resume"]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if kills >= 16:
        message = p.communicate()[1].decode()
        if p.returncode:
            sys.exit("after %d kills: %d: %s" % (kills, p.returncode, message))
        break
    time.sleep(random.random() * 0.1)
    if p.poll() is None:
        p.kill()
        kills += 1
    message = p.communicate()[1].decode()
    if p.returncode == 0:
        break
    if p.returncode != -9:
        sys.exit("after %d kills: %d: %s" % (kills, p.returncode, message))
print(kills, "kills")
PYTHON
expect 0 "$PLAIT" run drop.yaml -o calm --duration 0.8 --set output.checkpoint=0.02
for seed in 1 2; do
    python3 killer.py killed$seed $seed "$PLAIT" || fail "kill -9 with seed $seed"
    only_files killed$seed "$RUN_FILES"
    same_run calm killed$seed
done

# A full disk at some moment: a message, and once there is room it goes on.
for size in 60 160; do
    rm -rf full
    code=0
    (ulimit -f $size && exec "$PLAIT" run drop.yaml -o full --duration 0.8 --set output.checkpoint=0.02) >out 2>err || code=$?
    [ "$code" = 2 ] || fail "exit code $code with files of at most $size KiB: $(cat err)"
    says err "cannot be written: File too large"
    expect 0 "$PLAIT" run drop.yaml --resume -o full --duration 0.8 --set output.checkpoint=0.02
    same_run calm full
    only_files full "$RUN_FILES"
done

# One process per folder.
"$PLAIT" run drop.yaml -o busy --duration 20 >/dev/null 2>&1 &
busy=$!
while [ ! -e busy/checkpoint.h5 ]; do sleep 0.05; done
expect 2 "$PLAIT" run --resume -o busy
says err "another plait is running"
expect 2 "$PLAIT" run drop.yaml -o busy --force
says err "another plait is running"
expect 0 "$PLAIT" stats busy # while it goes on
kill $busy
wait $busy || true

# A step that cannot work: the capsule replays it, and the run goes on with better settings.
hopeless="--set step.reject=0 --set step.dt_min=1ms"
# shellcheck disable=SC2086
expect 1 "$PLAIT" run drop.yaml -o failing $hopeless --json
json out 'd["end"] == "failed" and d["reason"] and d["failures"] == 1 and 0 < d["time"] < 0.2'
says err "failing/failure/failure.txt"
only_files failing/failure "checkpoint.h5 failure.txt problem.hdf5 scene.yaml"
says failing/failure/failure.txt "plait solve failing/failure/problem.hdf5"
says failing/failure/failure.txt "plait run --resume -o failing/failure"
says failing/run.log "a step failed"
[ "$(tail -1 failing/stats.csv | cut -d, -f4)" = 1 ] || fail "the failed step is not in stats.csv"
expect 0 "$PLAIT" solve failing/failure/problem.hdf5
cp -r failing/failure capsule
expect 1 "$PLAIT" run --resume -o capsule # the same again, anywhere
says err "capsule/failure/failure.txt"
same_state capsule/failure failing/failure || fail "the capsule went elsewhere"
expect 0 "$PLAIT" run --resume -o capsule --set step.reject=0.1
says out "0.200 s simulated"
[ ! -e capsule/failure ] || fail "capsule/failure is still there"
expect 1 "$PLAIT" run --resume -o failing
expect 0 "$PLAIT" run --resume -o failing --set step.reject=0.1
[ ! -e failing/failure ] || fail "failing/failure is still there"
same_state failing capsule || fail "run and capsule go different ways"
says failing/run.log "the scene is not as it was before"
