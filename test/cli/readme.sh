# readme.sh: the commands of the front page, as they are printed there. Left out are those that wait for a person (view), need
# ffmpeg, or take minutes; `knot` is run for a tenth of its time, and its film is small.
source "$PLAIT_SOURCE/test/cli/lib.bash"
export OMP_NUM_THREADS=1
plait() {
    case $* in
    "run knot"*) "$PLAIT" "$@" --set output.duration='0.3 s' ;;
    "render "*) "$PLAIT" "$@" --size 64x48 --samples 1 ;;
    *) "$PLAIT" "$@" ;;
    esac
}

# Those below "Then, by hand", and those in the text.
python3 - "$PLAIT_SOURCE/README.md" >commands <<'PYTHON'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
outside = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
for line in re.findall(r"^    build/(plait .*)$", outside, re.M) + re.findall(r"`(plait \w+ [^`\n]+)`", outside):
    print(re.sub(r"\s{2,}#.*", "", line))
PYTHON
[ "$(wc -l <commands)" -ge 22 ] || fail "commands: $(cat commands)"

# Files that a visitor has.
sed 's/duration: .*}/duration: 20 ms}/' "$PLAIT_SOURCE/examples/rope.yaml" >my.yaml
printf 'v 0 0 %s\n' 0.10 0.15 0.2 >strand.obj
echo 'l 1 2 3' >>strand.obj
"$PLAIT" import strand.obj -o groom.hair >/dev/null 2>&1
"$PLAIT" import strand.obj -o groom.abc --unit m >/dev/null 2>&1
python3 - <<'PYTHON'
# head.glb: an octahedron.
import json, struct
points = [(.1, 0, 0), (-.1, 0, 0), (0, .1, 0), (0, -.1, 0), (0, 0, .1), (0, 0, -.1)]
faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
data = b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3H", *f) for f in faces)
text = json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [{"byteLength": len(data)}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 72}, {"buffer": 0, "byteOffset": 72, "byteLength": 48}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3", "min": [-.1] * 3, "max": [.1] * 3},
                  {"bufferView": 1, "componentType": 5123, "count": 24, "type": "SCALAR"}]}).encode()
text += b" " * (-len(text) % 4)
with open("head.glb", "wb") as f:
    f.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text)
    f.write(struct.pack("<I4s", len(data), b"BIN\0") + data)
PYTHON

done=0
while read -r line; do
    case $line in
    *' view '* | *.mp4* | *' validate '* | *' bench '* | *' help') continue ;;
    "plait run shot.yaml "*) line="$line --set small=true --set fibres.groom.file.every=1 --set output.duration='0.02 s'" ;;
    "plait run my.yaml"*) line="${line/--duration 3/--duration 0.02}" ;;
    "plait run knot") rm -r runs/knot ;; # those of the text come after those of the list
    "plait run --resume"*) line="${line/--duration 4/--duration 0.04}" ;;
    esac
    (eval "$line") >out 2>err </dev/null || { cat out err; fail "exit code $? of '$line'"; }
    done=$((done + 1))
done <commands
[ "$done" -ge 17 ] || fail "only $done commands were run of: $(cat commands)"
for file in runs/knot/trajectory.h5 knot.usda knot.webp fibres.hdf5 solved.hdf5 scene.yaml shot.yaml shot.abc; do
    [ -s $file ] || fail "there is no $file: $(ls)"
done
