# manual.sh: manual pages of all commands, without complaints of those who set them; and that every command has examples
# which work.
source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 0 "$PLAIT" manual -o pages
silent out
for page in plait.1 plait-run.1 plait-solve.1 plait-bench.1 plait-bench-table2.1 plait-schema.1 plait-scene.5; do
    [ -s "pages/$page" ] || fail "there is no $page"
done
expect 0 "$PLAIT" manual bench table2
cmp -s out pages/plait-bench-table2.1 || fail "'manual bench table2' is another page than the file"
expect 0 "$PLAIT" manual scene
cmp -s out pages/plait-scene.5 || fail "'manual scene' is another page than the file"
expect 2 "$PLAIT" manual slove
says err "there is no page 'slove'"
expect 2 "$PLAIT" manual run -o pages
expect 2 "$PLAIT" manual -o there/is/none
says err "there/is/none"

if command -v mandoc >/dev/null; then
    mandoc -Tlint pages/* >lint || true
    silent lint
fi
if man --version 2>/dev/null | grep -q '^man 2'; then
    for page in pages/*; do
        LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" >set 2>err
        silent err
        [ -s set ] || fail "$page is empty"
    done
fi

# Every command: its page has all options of its help, and help has examples that can be parsed.
"$PLAIT" help | sed -n '/^Commands:/,/^$/p' | awk '/^  /{print $1}' | grep -vx help >commands
"$PLAIT" bench --help | sed -n '/^Benchmarks:/,/^$/p' | awk '/^  /{print "bench " $1}' >>commands
[ "$(wc -l <commands)" -ge 24 ] || fail "commands: $(cat commands)"
while read -r command; do
    # shellcheck disable=SC2086
    "$PLAIT" $command --help >help </dev/null
    page=pages/plait-${command// /-}.1
    [ -s "$page" ] || fail "there is no $page"
    { grep -oE '^ +(-., )?--[a-z-]+' help || true; } | sed 's/.*--/--/' >options
    sed 's/\\-/-/g' "$page" >plain
    while read -r option; do says plain "$option"; done <options
    grep -q "^  plait $command" help || fail "$command --help has no examples"
    sed -n 's/^  \(plait .*\)/\1/p' help >>examples
done <commands

# The cheap examples, as they stand: in a folder with what they name.
cat >cheap <<'LIST'
plait generate fibres --rods 100 --nu 1 -o problem.hdf5
plait generate fibres --rods 20 --reduced --seed 7 -o local.hdf5
plait info problem.hdf5
plait solve problem.hdf5
plait solve problem.hdf5 -o solved.hdf5
plait solve problems --solver gs --tol 1e-8
plait solve next.hdf5 --warm solved.hdf5 --json
plait info problems --json
plait run knot-small -o runs/knot
plait stats runs/knot
plait stats runs/knot --json
plait export runs/knot --format usda
plait export runs/knot --frames 0:-1:10 -o knot-obj --format obj
plait export runs/knot --frames -1 -o knot.hair
plait plot runs/knot
plait render runs/knot -o knot.png
plait list
plait list knot >my-knot.yaml
plait list --json
plait validate --list
plait validate A1 A9 --model der
plait bench local --count 2000
plait bench rods --seconds 0.02
plait bench scaling --sizes 100,300 --nus 1 --solvers auto
plait bench friction --contacts 100 --nus 1,2 --mus 0.5 --seeds 3
plait bench threads --contacts 500 --sweeps 5 --threads 1,2
plait bench hairball --rods 20 --steps 2
plait bench stability --dt 3 --speeds 2 --duration 0.1
plait manual run
plait completion bash >plait.bash
plait schema >plait-scene.schema.json
plait import groom.hair --head -o groom.yaml
plait import groom.hair -o groom.obj
LIST
plait() { "$PLAIT" "$@"; }
export OMP_NUM_THREADS=1
mkdir problems
"$PLAIT" generate fibres --rods 5 --nu 0.5 -o problems/a.hdf5 >out 2>&1
cp problems/a.hdf5 next.hdf5
"$PLAIT" run wavy-hair-small --duration 0 -o groom >out 2>&1
"$PLAIT" export groom --frames 0 -o groom.hair >out 2>&1
while read -r line; do
    grep -qxF -- "$line" examples || fail "no help has the example '$line'"
    case $line in *' info problem.hdf5') cp problems/a.hdf5 problem.hdf5 ;; esac # a small one from here on
    case $line in *render*) line="$line --size 64x48 --samples 1" ;; esac
    (eval "$line") >out 2>err </dev/null || { cat out err; fail "exit code $? of the example '$line'"; }
done <cheap
