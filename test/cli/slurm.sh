# slurm.sh: a sweep as an array job of a real Slurm, some of whose tasks are killed, submitted again, gives the table of a
# sweep that was left alone. Skipped where Slurm is not installed (sweep.sh stands for the scheduler then).
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
source "$PLAIT_SOURCE/test/cli/slurm.bash"
export OMP_NUM_THREADS=1
runs=${SLURM_RUNS:-12}

cat >many.yaml <<YAML
scene: drop.yaml
design: random
count: $runs
keys:
  friction.default: {from: 0, to: 0.8}
  step.dt: {from: 2 ms, to: 4 ms}
  output.checkpoint: [0.1]
YAML
expect 0 "$PLAIT" sweep many.yaml -o whole
expect 0 "$PLAIT" sweep collect whole
slurm_start || { echo "skipped"; exit 0; }
trap slurm_stop EXIT
expect 0 "$PLAIT" sweep many.yaml -o array --slurm job.sh
mkdir bin && ln -s "$PLAIT" bin/plait
export PATH=$PWD/bin:$PATH
killed=0
for turn in 1 2; do # the second time nothing is killed: what was goes on, what is over is left
    expect 0 sbatch --parsable --output=task-%a.txt job.sh
    id=$(cat out)
    while squeue -h -j "$id" 2>/dev/null | grep -q .; do
        task=$(squeue -h -r -t RUNNING -j "$id" -o %K 2>/dev/null | head -1)
        if [ $turn = 1 ] && [ -n "$task" ] && [ "$killed" -lt 5 ]; then
            scancel --signal=KILL --full "${id}_$task" 2>/dev/null && killed=$((killed + 1))
        fi
        sleep 0.2
    done
done
echo "$killed tasks were killed"
expect 0 "$PLAIT" sweep collect array
cmp whole/table.csv array/table.csv || fail "the table of Slurm's array differs"
