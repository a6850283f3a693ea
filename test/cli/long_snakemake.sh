# long_snakemake.sh: a sweep by the rules that it writes for Snakemake, killed and begun again, gives the table of one that was left
# alone. Skipped where Snakemake is not installed.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1
command -v snakemake >/dev/null || { echo "snakemake is not there: skipped"; exit 0; }

cat >many.yaml <<YAML
scene: drop.yaml
keys:
  friction.default: {from: 0, to: 0.8, count: 10}
  step.dt: [2 ms, 4 ms]
  output.checkpoint: [0.1]
YAML
expect 0 "$PLAIT" sweep many.yaml -o whole
expect 0 "$PLAIT" sweep collect whole
expect 0 "$PLAIT" sweep many.yaml -o rules --snakefile Snakefile
mkdir bin && ln -s "$PLAIT" bin/plait
export PATH=$PWD/bin:$PATH
for delay in 3 4; do
    snakemake --cores 2 --rerun-incomplete --nolock >killed.txt 2>&1 &
    pid=$!
    sleep $delay
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
done
expect 0 snakemake --cores 2 --rerun-incomplete --nolock
cmp whole/table.csv rules/table.csv || fail "the table of Snakemake's rules differs"
