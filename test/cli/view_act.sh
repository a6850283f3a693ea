# view_act.sh: what one does to a live simulation in a real browser: pins, cuts, moves colliders, records a run, which resumes; scenes and
# strands of files that are opened; two runs side by side.
source "$PLAIT_SOURCE/test/cli/lib.bash"
browser_needed playwright-core axe-core

cat >act.yaml <<'YAML'
name: act
materials: {rod: {radius: 1 mm, young: 1 MPa, damping: 20 ms}, ball: }
friction: {default: 0.3}
colliders:
  ball: {material: ball, shape: sphere, radius: 4 cm, position: [0.1, 0.02, 0.05]}
fibres:
  rods: {material: rod, model: der, segments: 8, ends: {root: clamped}, line: {from: [0, 0, 0.2], direction: [1, 0, 0], length: 20 cm, count: 3, spacing: [0, 2 cm, 0]}}
step: {dt: 4 ms}
output: {duration: 0.6 s, fps: 25}
YAML
"$PLAIT" run act.yaml -o first -j 1 --set output.duration='0.2 s' >/dev/null 2>&1
"$PLAIT" run act.yaml -o second -j 1 --set output.duration='0.2 s' --set gravity='[0, 0, 0]' >/dev/null 2>&1
python3 - <<'PYTHON'
import struct
points = [(x / 10, s / 50, x / 20) for s in range(3) for x in range(5)]
with open("strands.hair", "wb") as f:
    f.write(b"HAIR" + struct.pack("<IIIIfffff", 3, 15, 2, 4, 0.002, 0, 0.5, 0.5, 0.5) + bytes(88))
    f.write(b"".join(struct.pack("<fff", *p) for p in points))
PYTHON
pictures=$(dirname "$PLAIT")/test/viewer
mkdir -p "$pictures"
export HOME=$PWD # where the browser leaves its files
node "$PLAIT_SOURCE/test/viewer/act.mjs" "$browser" "$pictures" || fail "the page"

# What was recorded is a run: it goes on, with the same steps as one that was never live.
[ -f recorded/checkpoint.h5 ] && [ -f recorded/scene.yaml ] && [ -f recorded/stats.csv ] || fail "nothing was recorded"
steps=$(wc -l <recorded/stats.csv)
end=$(tail -n 1 recorded/stats.csv | cut -d, -f2 | awk '{ print $1 + 0.2 " s" }')
expect 0 "$PLAIT" run --resume -o recorded -j 1 --duration "$end"
[ "$(wc -l <recorded/stats.csv)" -gt "$steps" ] || fail "it did not go on"
expect 0 "$PLAIT" run act.yaml -o whole -j 1 --duration "$end"
cmp <(cut -d, -f1-3 whole/stats.csv) <(cut -d, -f1-3 recorded/stats.csv) || fail "the recorded run is another one"
expect 0 "$PLAIT" stats recorded

# ---- refusals
refused() { # WORDS ARGUMENTS...
    local words=$1
    shift
    expect 2 "$PLAIT" view --port 0 "$@"
    says err "$words"
}
refused "shows one scene" --live act.yaml second
refused "for a scene that is simulated" first -o there
