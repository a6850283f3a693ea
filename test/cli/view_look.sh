# view_look.sh: views, groups, strands, pictures, films, address, keys and a phone, in a real browser; accessibility by axe-core.
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
pictures=$(dirname "$PLAIT")/test/viewer
mkdir -p "$pictures"
export HOME=$PWD # where the browser leaves its files
node "$PLAIT_SOURCE/test/viewer/look.mjs" "$browser" "$pictures" || fail "the page"
