# plait export: every format, read back by programs that are not ours; names, refusals, and nothing half-written.

. "$PLAIT_SOURCE/test/cli/lib.bash"
. "$PLAIT_SOURCE/test/cli/run.bash"

expect 0 "$PLAIT" run drop.yaml -o run --velocities
mkdir ex
for format in usda csv abc usdc; do
    expect 0 "$PLAIT" export run --format $format -o ex/all.$format
    silent err
    says out "11 frames, 1 file"
done
for format in hair vtp obj ply; do
    expect 0 "$PLAIT" export run/trajectory.h5 --format $format -o ex/$format
    says out "ex/$format: 11 frames"
done

# tinyusdz reads the .usda and prints it again
if [ -d "$PLAIT_SOURCE/test/usd/node_modules/tinyusdz" ] && command -v node >/dev/null; then
    node "$PLAIT_SOURCE/test/usd/read.js" ex/all.usda >ex/other.usda || fail "tinyusdz does not read our .usda"
    node "$PLAIT_SOURCE/test/usd/read.js" ex/all.usdc >ex/binary.usda || fail "tinyusdz does not read our .usdc"
    [ "$(head -1 ex/other.usda)" = "# meshes 1" ] || fail "tinyusdz: $(head -1 ex/other.usda), not the floor's mesh"
else
    echo "skip: tinyusdz is not there (npm ci in test/usd); .usda is read by our own test only"
fi
# usd-core, where there is one
if python3 -c 'import pxr' 2>/dev/null; then
    python3 - <<'PYTHON' || fail "usd-core does not read our .usda"
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open("ex/all.usda")
curves = [p for p in stage.Traverse() if p.IsA(UsdGeom.BasisCurves)]
assert len(curves) == 2 and len(UsdGeom.BasisCurves(curves[0]).GetPointsAttr().GetTimeSamples()) == 11
PYTHON
fi
# shots: another rate, numbers from 1001, another unit and way up, a file per frame
expect 0 "$PLAIT" export run --frames 1001-1005 --fps 24 --unit cm --y-up -o ex/shot.abc
says out "5 frames, 1 file"
expect 0 "$PLAIT" export run --frames 1002-1003 --start 1001 --each --format abc -o ex/each
only_files ex/each "each.1002.abc each.1003.abc"
expect 0 "$PLAIT" export run --frames 2 --each --format usda -o ex/each-usda
only_files ex/each-usda "each.0002.usda"
python=$(hdf5_python)
if [ -n "$python" ]; then
    "$python" "$PLAIT_SOURCE/test/cli/export_check.py" run ex || fail "exports differ from the trajectory"
else
    echo "skip: no Python with h5py; the exports are not compared with the trajectory"
fi
if command -v pvpython >/dev/null; then
    QT_QPA_PLATFORM=offscreen pvpython "$PLAIT_SOURCE/test/cli/export_paraview.py" run ex/vtp/vtp.pvd 45 5 11 >pv.log 2>&1 ||
        { cat pv.log >&2; fail "ParaView does not read .xdmf or .pvd"; }
else
    echo "skip: pvpython is not there; .xdmf and .pvd are not opened by ParaView"
fi

# names: after the run, in the working folder
expect 0 "$PLAIT" export run --format usda
[ -f run.usda ] || fail "no run.usda: $(ls)"
expect 0 "$PLAIT" export run/ --format obj --frames 2
only_files run-obj "run.0002.obj"
expect 0 "$PLAIT" export run --format vtp --frames 4:8:2 -o some
only_files some "bodies.0004.vtp bodies.0006.vtp bodies.0008.vtp fibres.0004.vtp fibres.0006.vtp fibres.0008.vtp some.pvd"
expect 0 "$PLAIT" export run --frames -1 -o last.hair
expect 0 "$PLAIT" export run --frames 10 -o ten.hair
cmp last.hair ten.hair
cmp last.hair ex/hair/hair.0010.hair
expect 0 "$PLAIT" export run --frames ::5 -o few.csv
[ "$(cut -d, -f1 few.csv | sort -u | tr '\n' ' ')" = "0 10 5 frame " ] || fail "frames $(cut -d, -f1 few.csv | sort -u)"
expect 0 "$PLAIT" export run --frames :1 --linear -o linear.usda
says linear.usda 'uniform token type = "linear"'

# what is there stays, unless --force is given; other files in a folder stay in any case
expect 2 "$PLAIT" export run --format usda
says err "run.usda exists already; --force writes over it"
expect 0 "$PLAIT" export run --format usda --force
echo mine >some/mine.txt
expect 2 "$PLAIT" export run --format vtp --frames 6 -o some
says err "exists already; --force"
expect 0 "$PLAIT" export run --format vtp --frames 6 -o some -f
says some/mine.txt mine
[ "$(grep -c DataSet some/some.pvd)" = 2 ] || fail "some.pvd: $(cat some/some.pvd)"

# refusals: one message, nothing left behind
mkdir folder.csv
before=$(find . | sort)
refused() { # WORDS ARGUMENTS...
    local words=$1
    shift
    expect 2 "$PLAIT" export "$@"
    says err "$words"
    [ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
    silent out
}
refused "--format is missing" run
refused "did you mean 'usda'" run --format usd
refused "there are: abc, usda" run --format fbx
refused "frames from 1001 to 1011" run --format abc --frames 1005-1012 --start 1001
refused "frames from 1 to 5 are there" run --format abc --frames 1-6 --fps 20
refused "a whole number" run --format abc --start x
refused "expected m, dm" run --format abc --unit parsec
refused "a folder is expected" run --format abc --each -o many.abc
refused "frames from 0 to 10" run --format csv --frames 11
refused "frames from 0 to 10" run --format csv --frames 5:4
refused "found '1:x'" run --format csv --frames 1:x
refused "found nothing" run --format csv --frames ''
refused "found '1:2:0'" run --format csv --frames 1:2:0
refused "a folder is expected" run --format obj -o many.obj
refused "a name that ends in .usda" run --format usda -o here
refused "a folder is expected, found a file" run --format obj -o drop.yaml
refused "found a folder" run --format csv -o folder.csv -f
refused "No such file" run --format csv -o no/such/folder/x.csv
refused "cannot be made" run --format obj -o no/such/folder
refused "there-is-none: cannot be read" there-is-none --format csv
refused "drop.yaml" drop.yaml --format csv
[ "$(find . | sort)" = "$before" ] || fail "left behind: $(diff <(find . | sort) <(echo "$before"))"

# a file that cannot be written to its end is told, and nothing is left
code=0
bash -c 'trap "" XFSZ; ulimit -f 8; exec "$0" export run --format csv -o big.csv' "$PLAIT" >out 2>err || code=$?
[ $code = 2 ] || fail "file too large: exit $code"
says err "big.csv: cannot be written: File too large"
[ -z "$(ls | grep big)" ] || fail "left behind: $(ls)"

for command in export; do
    expect 0 "$PLAIT" help $command
    cp out first
    expect 0 "$PLAIT" $command --help
    cmp -s first out || fail "help $command differs"
    for option in $(grep -oE -- '--[a-z]+' out | sort -u | grep -v -- --help); do
        says "$PLAIT_SOURCE/docs/commands/$command.md" "$option"
    done
done
echo "all passed"
