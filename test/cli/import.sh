# plait import: scenes of other programs' curves that run, conversions there and back, and messages for bad files.

. "$PLAIT_SOURCE/test/cli/lib.bash"
. "$PLAIT_SOURCE/test/cli/run.bash"

expect 0 "$PLAIT" run drop.yaml -o run --duration 20ms
expect 0 "$PLAIT" export run -o all.usda
expect 0 "$PLAIT" export run --frames 0 -o start.hair
expect 0 "$PLAIT" export run --frames 0 -o start.obj
expect 0 "$PLAIT" export run --frames 1 -o one.usda

# the same points to the last bit, whichever way they went; .obj knows no thickness
expect 0 "$PLAIT" import all.usda -o a.hair
says out "a.hair: 5 strands, 45 points"
cmp a.hair start.hair
expect 0 "$PLAIT" import start.obj -o b.hair
cmp <(tail -c +129 b.hair) <(tail -c +129 start.hair)
expect 0 "$PLAIT" import start.hair -o c.usda
expect 0 "$PLAIT" import c.usda -o d.hair
cmp d.hair start.hair
for format in ply vtp csv obj; do
    expect 0 "$PLAIT" import c.usda -o e.$format
    [ -s e.$format ] || fail "no e.$format"
done
expect 0 "$PLAIT" import one.usda -o f.hair # the only sample there is, not the start
! cmp -s f.hair start.hair || fail "frame 1 is frame 0"
expect 0 "$PLAIT" import all.usda --every 2 -o g.hair
says out "3 strands, 27 points"

# a scene that runs, next to the file and from elsewhere
expect 0 "$PLAIT" import start.hair
says out "plait run start.yaml"
says start.yaml 'path: "start.hair"'
expect 0 "$PLAIT" run start.yaml --duration 4ms -o r1
mkdir sub
expect 0 "$PLAIT" import all.usda --every 2 -o sub/scene.yaml
(cd sub && "$PLAIT" run scene.yaml --duration 4ms -o r2 >/dev/null)
python=$(hdf5_python)
[ -z "$python" ] || "$python" - <<'PYTHON' || fail "the imported scene starts elsewhere"
import h5py, numpy as np
a, b = (h5py.File(f + "/trajectory.h5") for f in ("run", "r1"))
assert np.allclose(a["frames/000000/position"], b["frames/000000/position"], atol=1e-7)
c = h5py.File("sub/r2/trajectory.h5")
assert len(c["fibres/radius"]) == 3
PYTHON

# strands on a ball: --head puts a sphere below them
python3 - <<'PYTHON'
import math
with open("ball.obj", "w") as f:
    n = 40
    for i in range(n):
        z = 1 - (i + 0.5) / n
        r, a = math.sqrt(1 - z * z), 2.4 * i
        d = (r * math.cos(a), r * math.sin(a), z)
        for k in range(4):
            f.write("v " + " ".join(str(0.1 * (1 + 0.1 * k) * c) for c in d) + "\n")
        f.write("l -4 -3 -2 -1\n")
PYTHON
expect 0 "$PLAIT" import ball.obj --head
grep -qE 'shape: sphere, radius: 0\.098[0-9]*,' ball.yaml || fail "$(cat ball.yaml)"
says ball.yaml "attach: head"
expect 0 "$PLAIT" run ball.yaml --duration 4ms -o r3

# the short spelling in a scene
cat >short.yaml <<'YAML'
fibres:
  - file: start.hair
    every: 2
    ends: {root: clamped}
output: {duration: 1 ms}
YAML
expect 0 "$PLAIT" run short.yaml -o r4 --json
json out 'd["fibres"] == 3'
expect 0 "$PLAIT" run short.yaml -o r5 --json --set fibres.0.every=5 --set fibres.0.file.most=1
json out 'd["fibres"] == 1'
expect 0 "$PLAIT" run short.yaml -o r6 --json --set fibres.0.file=all.usda
json out 'd["fibres"] == 3'
expect 2 "$PLAIT" run short.yaml -o r7 --set fibres.0.file.every=5
says err "'every' is given twice"
printf 'fibres: [{line: {}, every: 2}]\n' >wrong.yaml
expect 2 "$PLAIT" run wrong.yaml -o r7
says err "'every' belongs to 'file'"

# bad files: file, line, expected, found; exit 2; nothing written
refused() { # WORDS FILE
    expect 2 "$PLAIT" import "$2" -o new.yaml
    says err "$2: "
    says err "$1"
    [ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
    [ ! -e new.yaml ] || fail "new.yaml was written"
}
refused "No such file" none.usda
refused "Is a directory" run
: >empty.obj
refused "found an empty file" empty.obj
printf 'v 0 0 0\nv 1 0\n' >v.obj
refused "line 2: expected 3 finite coordinates" v.obj
printf 'v 0 0 0\nv 1 0 0\nl 1 3\n' >l.obj
refused "line 3: expected an index of one of the 2 vertices so far, found 3" l.obj
printf 'v 0 0 0\nv 1 0 0\n' >no.obj
refused "found 2 vertices and none" no.obj
printf 'HAIR' >short.hair
refused "a .hair file begins with HAIR and has at least 128 bytes" short.hair
printf 'hello\n' >words.usda
refused "expected '#usda 1.0' at the beginning" words.usda
printf 'PXR-USDC........' >binary.usd
refused "found a damaged or cut-off file" binary.usd
printf 'PK\3\4........' >packed.usdz
refused "found USD's packed form" packed.usdz
printf 'Ogawa\0\0\1........' >open.abc
refused "found one whose writing was broken off" open.abc
printf '#usda 1.0\ndef Xform "a"\n{\n}\n' >none_there.usda
refused "expected BasisCurves" none_there.usda
printf '#usda 1.0\ndef BasisCurves "a"\n{\n    int[] curveVertexCounts = [3]\n    point3f[] points = [(0, 0, 0), (1, 0, 0)]\n}\n' >count.usda
refused "line 5: expected 3 points as curveVertexCounts says, found 2" count.usda
printf '#usda 1.0\ndef BasisCurves "a"\n{\n    point3f[] points = [(0, 0, nan)]\n}\n' >nan.usda
refused "line 4: expected a number" nan.usda
# What is written can be run: a strand without a length, a mesh that is not there, numbers that are too large.
printf 'v 0 0 0\nv 0 0 0\nl 1 2\n' >short.obj
refused_scene() { # WORDS ARGUMENTS...
    local words=$1
    shift
    expect 2 "$PLAIT" import "$@" -o new.yaml
    says err "$words"
    [ ! -e new.yaml ] || fail "new.yaml was written: import $*"
}
refused_scene "has a length" short.obj
refused_scene "none.obj: cannot open" start.hair --mesh none.obj
printf 'v 1e300 0 0\nv 1e300 1e300 0\nl 1 2\n' >far.obj
refused_scene "from the origin" far.obj
# A pipe that nobody writes to is not waited for.
mkfifo pipe.obj
refused "found a device or pipe" pipe.obj
refused_scene "found a device or pipe" start.hair --mesh pipe.obj
expect 2 "$PLAIT" render pipe.obj -o pipe.png
says err "found a device or pipe"
expect 2 "$PLAIT" import start.hair -o x.xyz
says err "a name that ends in .abc, .usda, .usdc, .hair"
expect 2 "$PLAIT" import start.hair -o start.hair -f
says err "is what is read"
expect 2 "$PLAIT" import ./start.hair -o start.hair -f
says err "is what is read"
expect 2 "$PLAIT" import start.hair
says err "start.yaml exists already; --force"
expect 2 "$PLAIT" import all.usda -o h.yaml --every 4 --head
says err "at least four roots"

for option in $("$PLAIT" import --help | grep -oE -- '--[a-z]+' | sort -u | grep -v -- --help); do
    says "$PLAIT_SOURCE/docs/commands/import.md" "$option"
done
echo "all passed"

# unit, direction and a head of the user's own: said in the scene, and told back
expect 0 "$PLAIT" import start.hair --unit mm --y-up --segments 3 -f -o unit.yaml
says out "1 unit = 0.001 m"
says unit.yaml "segments: 3"
says unit.yaml "scale: 0.001, y_up: true"
expect 0 "$PLAIT" import start.hair --scale 25 -f -o large.yaml
says err "warning: is that a head?"
expect 2 "$PLAIT" import start.hair --unit mile -f -o unit.yaml
says err "expected m, dm, cm, mm, um, in or ft, found 'mile'"
expect 2 "$PLAIT" import start.hair --unit cm --scale 1 -f -o unit.yaml
printf 'v -0.1 0 -0.1\nv 0.1 0 -0.1\nv 0 0 0.1\nf 1 2 3\n' >plate.obj
printf 'v 0 0 0\nv 0 0.1 0\nl 1 2\n' >strand.obj
expect 0 "$PLAIT" import strand.obj --unit m --y-up --mesh plate.obj -o plate.yaml
expect 0 "$PLAIT" run plate.yaml --duration 2ms -o plate
[ -z "$python" ] || "$python" - <<'PYTHON' || fail "y up: neither hair nor mesh stand as they should"
import h5py, numpy as np
f = h5py.File("plate/trajectory.h5")
x = f["frames/000000/position"][:]
assert abs(x[-1] - [0, 0, 0.1]).max() < 1e-6, x
PYTHON

# an ending that nobody knows is named, not read as something else
printf 'v 0 0 0\nv 1 0 0\nl 1 2\n' >strand.fbx
expect 2 "$PLAIT" import strand.fbx -o fbx.yaml
says err "expected curves in .hair, .abc, .usda, .usdc or .obj, found the ending '.fbx'"

# every segment is a statement of its own, as Blender wants it
[ "$(grep -c '^l ' start.obj)" = 40 ] || fail "$(grep -c '^l ' start.obj) lines instead of 40"
[ -z "$(grep '^l .* .* ' start.obj)" ] || fail "lines of more than two vertices"
