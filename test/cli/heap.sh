#!/usr/bin/env bash
# Whichever allocation of a command fails, it says "memory" and ends with 2 and no half-written file, or it does all it should.
set -euo pipefail
. "$PLAIT_SOURCE/test/cli/lib.bash"

if grep -qE '__(asan|tsan)_init' "$PLAIT" || ! cc -shared -fPIC -O1 -o heap.so "$PLAIT_SOURCE/test/failing_heap.c" 2>err; then
    echo "skipped: the heap of this program cannot be replaced"
    exit 77
fi
export OMP_NUM_THREADS=1
most=${PLAIT_HEAP_FAILURES:-25} # of each command

cat > scene.yaml << 'YAML'
materials: {hair: {radius: 1 mm, young: 1 MPa, density: 1000}, skin: }
fibres:
- {name: a, material: hair, segments: 6, polyline: {points: [[0, 0, 0.0011], [0.1, 0, 0.0011]]}}
- {name: b, material: hair, segments: 6, polyline: {points: [[0.05, -0.05, 0.0032], [0.05, 0.05, 0.0032]]}}
colliders: [{name: ground, material: skin, shape: plane}, {name: ball, material: skin, shape: sphere, radius: 1 cm, position: [0, 0.2, 0]}]
output: {duration: 0.004, frame_time: 0.002}
YAML
"$PLAIT" run scene.yaml -o run --dump-problems 2 >/dev/null
problem=$(ls run/problems/*.hdf5 | head -1)
wrong=0

# each NAME RESULT COMMAND...: RESULT is the file that it makes.
each() {
    local name=$1 result=$2 n total step code tried=0 refused=0
    shift 2
    rm -rf result && mkdir result
    HEAP_COUNT=$PWD/count LD_PRELOAD=$PWD/heap.so expect 0 "$@"
    total=$(cat count)
    [ "$total" -gt 3 ] || fail "$name: $total allocations only"
    cp "$result" right
    step=$((1 + total / most))
    for ((n = 1; n <= total; n += step)); do
        rm -rf result && mkdir result
        code=0
        FAIL_AT=$n LD_PRELOAD=$PWD/heap.so timeout 60 "$@" >out 2>err || code=$?
        tried=$((tried + 1))
        # What was written before must be whole.
        if [ $code = 2 ] && grep -q memory err && { [ -z "$(ls result)" ] || same "$result"; }; then
            refused=$((refused + 1))
        elif [ $code != 0 ] || ! same "$result"; then
            echo "$name: allocation $n of $total: exit code $code, $(ls result | tr '\n' ' ')$(head -2 err)"
            wrong=$((wrong + 1))
        fi
    done
    echo "$name: $total allocations, $tried tried, $refused refused"
}

same() {
    cmp -s "$1" right
}

each solve result/solved.hdf5 "$PLAIT" solve "$problem" -o result/solved.hdf5 --threads 1
each export result/run.usda "$PLAIT" export run --format usda -o result/run.usda
each obj result/frame.obj "$PLAIT" export run --format obj --frames 1 -o result/frame.obj
each render result/frame.png "$PLAIT" render run --frame 1 -o result/frame.png --size 32x32 --samples 1 --threads 1

# A packed problem, and strands that guides carry: with maps of their length on the skin.
gzip -c "$problem" >packed.hdf5.gz
printf 'v %s\n' '0 0 0' '1 0 0' '1 1 0' '0 1 0' >skin.obj
printf 'f 1 2 3\nf 1 3 4\n' >>skin.obj
printf '%s\n' 1 0.9 0.8 0.9 >length.csv
for i in 0 1 2 3 4 5; do
    printf 'v 0.%d 0.5 0\nv 0.%d 0.51 0.01\nv 0.%d 0.52 0.02\n' $((i + 2)) $((i + 2)) $((i + 2))
done >groom.obj
printf 'l %s\n' '1 2 3' '4 5 6' '7 8 9' '10 11 12' '13 14 15' '16 17 18' >>groom.obj
cat >hair.yaml <<'YAML'
materials: {hair: {radius: 50 um, young: 4 GPa, density: 1300}, skin: }
colliders: {skin: {material: skin, shape: mesh, file: skin.obj}}
fibres: {groom: {material: hair, file: {path: groom.obj, every: 2}, segments: 4, ends: {root: clamped, attach: skin},
  maps: {length: {values: length.csv}}, carry: {guides: 2, frizz: 0.1 mm}}}
output: {duration: 0.004, frame_time: 0.002}
YAML
"$PLAIT" run hair.yaml -o hair >/dev/null 2>&1
most=$((most / 3))
each packed result/solved.hdf5 "$PLAIT" solve packed.hdf5.gz -o result/solved.hdf5 --threads 1
each carried result/hair.usda "$PLAIT" export hair --format usda --strands 12 -o result/hair.usda
each strands result/hair.png "$PLAIT" render hair --frame 1 -o result/hair.png --size 32x32 --samples 1 --threads 1
[ $wrong = 0 ] || fail "$wrong wrong outcomes"

# The viewer ends with 2 and the word, or serves and ends when it is told to.
LD_PRELOAD='' python3 - "$most" << 'PYTHON'
import os, re, signal, subprocess, sys, urllib.request

def view(n):
    e = dict(os.environ, LD_PRELOAD=os.getcwd() + "/heap.so", HEAP_COUNT="count", FAIL_AT=str(n))
    p = subprocess.Popen([os.environ["PLAIT"], "view", "run", "--port", "0"], env=e, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+", p.stdout.readline())
    if address:
        try:
            urllib.request.urlopen(address.group(0), timeout=20).read()
        except OSError:
            pass # told by the exit code, or nothing to tell
        p.send_signal(signal.SIGINT)
    err = p.communicate(timeout=60)[1]
    return p.returncode, err

assert view(0)[0] == 0
total = int(open("count").read())
wrong = [(n, x) for n in range(1, total + 1, 1 + total // int(sys.argv[1])) for x in [view(n)]
         if not (x[0] == 0 or (x[0] == 2 and "memory" in x[1]))]
print("view: %d allocations" % total)
assert total > 10 and not wrong, wrong
PYTHON
