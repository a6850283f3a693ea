# plait export: cloth and solids in every format, read back by programs that are not ours.

. "$PLAIT_SOURCE/test/cli/lib.bash"
. "$PLAIT_SOURCE/test/cli/run.bash"

cat >soft.yaml <<'YAML'
materials: {it: {radius: 1 mm}}
friction: {default: 0.3}
colliders: {floor: {shape: plane}}
cloth: {sheet: {grid: {width: 6 cm, height: 4 cm, cell: 1 cm, pattern: irregular}, position: [0, 0, 5 mm], velocity: [0.2, 0, 0]}}
solids: {ball: {sphere: {radius: 1.5 cm, cell: 1 cm}, position: [0, 0, 3 cm], density: 500}}
fibres: {rod: {segments: 4, line: {from: [5 cm, 0, 1 cm], direction: [0, 1, 0], length: 3 cm}}}
step: {dt: 5 ms}
output: {duration: 60 ms, fps: 50}
YAML
expect 0 "$PLAIT" run soft.yaml -o run --velocities
expect 0 "$PLAIT" export run --format usda -o all.usda
for format in vtp obj ply; do
    expect 0 "$PLAIT" export run --format $format -o $format
done
if [ -d "$PLAIT_SOURCE/test/usd/node_modules/tinyusdz" ] && command -v node >/dev/null; then
    node "$PLAIT_SOURCE/test/usd/read.js" all.usda >other.usda || fail "tinyusdz does not read our .usda"
else
    echo "skip: tinyusdz is not there (npm ci in test/usd); .usda is not read"
fi
python=$(hdf5_python)
if [ -n "$python" ]; then
    "$python" "$PLAIT_SOURCE/test/cli/export_soft_check.py" run . || fail "exports differ from the trajectory"
else
    echo "skip: no Python with h5py; the exports are not compared with the trajectory"
fi
if command -v pvpython >/dev/null; then
    QT_QPA_PLATFORM=offscreen pvpython "$PLAIT_SOURCE/test/cli/export_soft_paraview.py" run vtp/vtp.pvd >pv.log 2>&1 ||
        { cat pv.log >&2; fail "ParaView does not read cloth and solids from .xdmf or .pvd"; }
else
    echo "skip: pvpython is not there; .xdmf and .pvd are not opened by ParaView"
fi
