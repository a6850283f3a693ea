# shot.sh: a shot that begins before time 0: the animation of the skin, frames of the run, states, exports.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

# A board that goes up by 1 cm a frame from frame -3 on, and stands still from frame 2 on.
for k in 0 1 2 3 4 5; do
    printf 'v 0 0 0.0%d\nv 0.1 0 0.0%d\nv 0.1 0.1 0.0%d\nv 0 0.1 0.0%d\nf 1 2 3\nf 1 3 4\n' $k $k $k $k >board.$k.obj
done
cat >shot.yaml <<'YAML'
materials: {hair: {radius: 0.1 mm, density: 1.3 g/cm^3, young: 1 GPa, damping: 5 ms}, skin: }
colliders:
  board: {material: skin, shape: mesh, file: board.0.obj, frame_time: 40 ms, frame_start: -120 ms,
    frames: [board.0.obj, board.1.obj, board.2.obj, board.3.obj, board.4.obj, board.5.obj]}
fibres:
  tuft: {material: hair, segments: 6, line: {from: [3 cm, 4 cm, 0], direction: [0.5, 0, 1], length: 4 cm, count: 2, spacing: [0, 2 cm, 0]},
    ends: {root: clamped, attach: board}}
step: {dt: 4 ms}
output: {start: -120 ms, duration: 0.24, fps: 25, states: 1, velocities: true}
YAML
expect 0 "$PLAIT" run shot.yaml -o whole --farm
says out "plait frame -2/3 17%"
says out "plait frame 3/3 100%"
ls whole/states | tr '\n' ' ' | grep -qx -- "-00001 -00002 -00003 000000 000001 000002 000003 " || fail "states: $(ls whole/states)"

# Stopped before 0 and after it; from a frame before 0.
expect 0 "$PLAIT" run shot.yaml -o parts --duration 0.08
expect 0 "$PLAIT" run --resume -o parts --duration 0.16
expect 0 "$PLAIT" run --resume -o parts --duration 0.24
same_numbers whole parts
expect 0 "$PLAIT" run --from whole:-2 -o from
same_state whole from || fail "from frame -2 it goes elsewhere"
expect 2 "$PLAIT" run --from whole:-4 -o other
says err "kept no state at frame -4"
expect 2 "$PLAIT" run shot.yaml -o other --set output.start=-100ms
says err "whole number of frames"

# Roots are where the skin is, in every frame; exports have the numbers of the shot.
expect 0 "$PLAIT" export whole -o nodes.csv
awk -F, 'NR > 1 && $4 == 0 { frame = $2 / 0.04 + 3; up = 0.01 * (frame < 5 ? frame : 5); n++
         if (($7 - up)^2 > 1e-16) { print; bad = 1 } } END { exit bad || n != 14 }' nodes.csv || fail "roots are not on the skin"
expect 0 "$PLAIT" export whole -o all --format obj --start 1001
ls all | tr '\n' ' ' | grep -qx "all.0998.obj all.0999.obj all.1000.obj all.1001.obj all.1002.obj all.1003.obj all.1004.obj " ||
    fail "files: $(ls all)"
expect 0 "$PLAIT" export whole -o some --format obj --start 1001 --frames 1000-1002
for k in 1000 1001 1002; do cmp some/some.$k.obj all/all.$k.obj || fail "frame $k"; done
expect 0 "$PLAIT" export whole -o first --format obj --frames 998-999
cmp first/first.0998.obj all/all.0998.obj || fail "the first frame"
expect 2 "$PLAIT" export whole -o no --format obj --start 1001 --frames 997-1000
says err "frames from 998 to 1004"
expect 0 "$PLAIT" export whole -o half.csv --fps 50
[ "$(tail -n +2 half.csv | cut -d, -f2 | sort -gu | head -2 | tr '\n' ' ')" = "-0.12 -0.1 " ] || fail "times at 50 per second"
