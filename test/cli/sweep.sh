# sweep.sh: many runs of one scene; a sweep that is killed gives the same table; failures are kept.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

cat >mu.yaml <<YAML
scene: drop.yaml
keys:
  friction.default: [0, 0.3, 0.6]
  step.dt: [2 ms, 4 ms]
  output.checkpoint: [0.01]
YAML
expect 0 "$PLAIT" sweep mu.yaml --list --json
json out 'len(d) == 6 and d[3]["values"]["step.dt"] == "4 ms" and d[3]["outcome"] == "open"'
expect 0 "$PLAIT" sweep mu.yaml -j 2 -o whole
says out "6 finished now"
expect 0 "$PLAIT" sweep collect whole
[ "$(wc -l <whole/table.csv)" = 7 ] || fail "a row for each run and one of titles"
python3 - <<'PYTHON' || fail "the table"
import csv
rows = list(csv.DictReader(open("whole/table.csv")))
assert [r["friction.default"] for r in rows] == ["0", "0", "0.3", "0.3", "0.6", "0.6"]
assert all(r["outcome"] == "finished" and abs(float(r["time:last"]) - 0.2) < 1e-12 for r in rows)
assert [int(r["step:last"]) for r in rows] == [100, 50] * 3
assert len({r["kinetic:last"] for r in rows}) > 3  # values matter
PYTHON
expect 0 "$PLAIT" sweep collect whole -o table.h5
if command -v h5dump >/dev/null; then # by a program that we did not write: the same numbers
    for column in kinetic:last friction.default; do
        h5dump -y -d "/$column" -m %.17g table.h5 | sed -n '/DATA {/,/}/p' | grep -v '[{}]' | tr -d ' ' | tr ',' '\n' | sed '/^$/d' >dumped
        python3 - "$column" <<'PYTHON' || fail "table.h5 differs from table.csv"
import csv, sys
want = [float(r[sys.argv[1]]) for r in csv.DictReader(open("whole/table.csv"))]
assert [float(x) for x in open("dumped")] == want, want
PYTHON
    done
fi
# a run of the sweep is the run that one would do by hand
expect 0 "$PLAIT" run drop.yaml --set friction.default=0.3 --set 'step.dt=4 ms' --set output.checkpoint=0.01 -o hand
same_numbers whole/0003 hand

# Again: nothing is done twice.
expect 0 "$PLAIT" sweep mu.yaml -o whole
says out "6 were over, 0 finished now"

# Killed, as often as it takes; then the same bytes.
for delay in 0.05 0.1 0.15 0.2 0.3 0.4; do
    "$PLAIT" sweep mu.yaml -j 2 -o killed >/dev/null 2>&1 &
    pid=$!
    sleep $delay
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
done
expect 0 "$PLAIT" sweep mu.yaml -j 2 -o killed
expect 0 "$PLAIT" sweep collect killed
cmp whole/table.csv killed/table.csv || fail "a killed sweep gives another table"

# One task of a cluster at a time, as the Slurm script calls it; this stands for the scheduler.
expect 0 "$PLAIT" sweep mu.yaml -o array --slurm job.sh
mkdir bin && ln -s "$PLAIT" bin/plait
for task in 0 1 2 3 4 5; do
    PATH=$PWD/bin:$PATH SLURM_ARRAY_TASK_ID=$task expect 0 bash job.sh
done
grep -q '^#SBATCH --array=0-5$' job.sh || fail "the array has six tasks"
expect 0 "$PLAIT" sweep collect array -o -
cmp whole/table.csv out || fail "the cluster's table differs"
expect 0 "$PLAIT" sweep mu.yaml -o array --snakefile Snakefile
says Snakefile "range(6)"

# What fails is kept, listed, and can be done again; the others finish.
cat >bad.yaml <<YAML
scene: drop.yaml
design: list
runs:
  - {output.duration: 0.02}
  - {output.duration: 0.1, step.max_stretch: 1e-9, step.dt_min: 1 ms}
YAML
expect 1 "$PLAIT" sweep bad.yaml -o bad
says err "run 1 failed: see bad/0001/messages.txt"
expect 1 "$PLAIT" sweep collect bad -o -
says out "1,failed"
[ -s bad/0001/failure/failure.txt ] || fail "what is needed to see the failure again is kept"
expect 0 "$PLAIT" sweep bad.yaml -o bad
says out "2 were over"
expect 1 "$PLAIT" sweep bad.yaml -o bad --again
says out "1 were over, 0 finished now, 1 did not finish"
expect 2 "$PLAIT" sweep mu.yaml -o bad
says err "another sweep"
expect 2 "$PLAIT" sweep mu.yaml --only 6 -o whole
says err "runs 0 to 5"
expect 2 "$PLAIT" sweep collect nowhere
expect 2 "$PLAIT" sweep collect whole -c kinetic:lsat
says err "found 'lsat'"
expect 0 "$PLAIT" sweep collect whole -c kinetic:max,contacts:sum -o -
says out "kinetic:max,contacts:sum"

# The table as a chart.
expect 0 "$PLAIT" plot whole/table.csv --x friction.default --y kinetic:last --by step.dt
says out "6 points, 2 lines"
python3 -c 'import xml.dom.minidom as m; m.parse("whole/table.svg")' || fail "the chart is no XML"
says whole/table.svg "step.dt 4 ms"
expect 2 "$PLAIT" plot whole/table.csv --x friction.defualt --y kinetic:last --force
says err "did you mean 'friction.default'"
expect 2 "$PLAIT" plot whole/table.csv --x friction.default
expect 2 "$PLAIT" plot whole --x friction.default --y time
