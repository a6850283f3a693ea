# view_look.sh: views, groups, strands, ties, pictures, films, address, keys and a phone, in a real browser; accessibility by axe-core.
source "$PLAIT_SOURCE/test/cli/lib.bash"
browser_needed playwright-core axe-core

cat >catch.yaml <<'YAML'
name: catch
materials: {rod: {radius: 1 mm, young: 1 MPa}}
fibres:
  thick: {segments: 8, ends: {root: clamped}, line: {from: [0, 0, 0.2], direction: [1, 0, 0], length: 20 cm, count: 3, spacing: [0, 3 cm, 0]}}
  thin: {segments: 8, ends: {root: clamped}, line: {from: [0, 0, 0.3], direction: [1, 1, 0], length: 20 cm, count: 3, spacing: [0, 3 cm, 0]}}
output: {duration: 0.2 s, fps: 25}
YAML
"$PLAIT" run catch.yaml -o catch --velocities -j 1 >/dev/null 2>&1
"$PLAIT" run knot-small -o knot --velocities -j 1 >/dev/null 2>&1
"$PLAIT" run net-small -o net -j 1 --set output.duration='0.04 s' --set output.contacts=true >/dev/null 2>&1
/usr/bin/python3 - <<'PY'
import struct
strands, points = 11000, 10
with open("many.hair", "wb") as f:
    f.write(b"HAIR" + struct.pack("<IIII6f", strands, strands * points, 2, points - 1, 1e-4, 0, 0.3, 0.2, 0.1, 0)[:36].ljust(124, b"\0"))
    for i in range(strands):
        for k in range(points):
            f.write(struct.pack("<3f", 0.001 * (i % 110) + 0.002 * k, 0.001 * (i // 110), 0.01 * k))
PY
pictures=$(dirname "$PLAIT")/test/viewer
mkdir -p "$pictures"
export HOME=$PWD # where the browser leaves its files
node "$PLAIT_SOURCE/test/viewer/look.mjs" "$browser" "$pictures" || fail "the page"
