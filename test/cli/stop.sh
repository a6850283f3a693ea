# stop.sh: large solves end soon after SIGTERM and at --max-time, also inside a factorisation; a rod that can only be pushed along itself buckles.
source "$PLAIT_SOURCE/test/cli/lib.bash"
export OMP_NUM_THREADS=1

"$PLAIT" generate fibres --contacts 30000 --heavy -o large.hdf5 2>/dev/null

for solver in gs apgd ipm prox; do
    result=$(python3 "$PLAIT_SOURCE/test/cli/interrupt.py" SIGTERM 2 "$PLAIT" solve --json --solver $solver --tol 1e-14 --max-time 0 --threads 1 large.hdf5) || true
    [ "$result" = "143 quickly" ] || fail "SIGTERM in $solver: $result: $(cat err)"
    says err "stopped"
done

# Before there is a step: 64,000 strands take half a minute to lay.
result=$(python3 "$PLAIT_SOURCE/test/cli/interrupt.py" SIGTERM 1 "$PLAIT" run hairball --threads 1 -o never) || true
[ "$result" = "143 quickly" ] || fail "SIGTERM while a scene is read: $result: $(cat err)"
says err "stopped while the scene 'hairball' was read"
[ ! -e never ] || fail "something was written"

# A look at a scene that was stopped in its first steps says so, and no times that it does not know.
result=$(python3 "$PLAIT_SOURCE/test/cli/interrupt.py" SIGTERM 1.5 "$PLAIT" check hairball-1k --set fibres.hair.scalp.count=4000 --threads 1) || true
[ "$result" = "143 quickly" ] || fail "SIGTERM while steps are tried: $result: $(cat err)"
says err "was not looked at to the end"
silent out

# --max-time counts the processor's seconds with one thread, and holds inside a factorisation.
for solver in ipm apgd; do
    (ulimit -t 60; expect 1 "$PLAIT" solve --json --solver $solver --tol 1e-14 --max-time 1 --threads 1 large.hdf5)
    json out 'd[0]["stopped"] and not d[0]["converged"] and d[0]["residual_rel"] is not None'
done

# A straight rod without stretch, pushed along itself against a floor: to first order nothing moves its contact. It buckles, and the
# floor carries Euler's load of a rod that is clamped at one end and hinged at the other: 20.19 EI/L^2.
cat >straight.yaml <<'YAML'
gravity: [0, 0, 0]
materials:
  wire: {radius: 0.1 mm, density: 1200, young: 2 GPa, poisson: 0.4, contact_radius: 0.02 mm, damping: 50 ms}
  floor:
friction: {default: 0.3}
colliders:
  floor: {material: floor, shape: plane}
  hand: {material: floor, shape: none, position: [0, 0, 0.08002], motion: {keys: [{time: 0 s}, {time: 10 s, position: [0, 0, -0.02]}]}}
fibres:
  rod:
    material: wire
    model: superhelix
    segments: 16
    natural: {shape: curvature, curvature: [0.1, 0]}
    ends: {root: clamped, attach: hand}
    line: {from: [0, 0, 0.08002], direction: [0, 0, -1], length: 0.08}
contact: {proximity: 2e-5, self: false}
step: {dt: 1 ms, adaptive: false}
output: {duration: 0.5 s, frame_time: 0.1}
YAML
cat >euler.py <<'PYTHON'
# euler.py STATS TOLERANCE
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
near = lambda t: min(rows, key=lambda r: abs(float(r["time"]) - t))
a, b = near(0.25), near(0.5)
force = (float(b["elastic"]) - float(a["elastic"])) / (0.002 * (float(b["time"]) - float(a["time"]))) # what the hand's way costs
euler = 20.19 * 2e9 * math.pi / 4 * 0.1e-3 ** 4 / 0.08 ** 2
print("force %.4g N, Euler %.4g N" % (force, euler))
assert abs(force / euler - 1) < float(sys.argv[2]), (force, euler)
assert all(r["failed"] == "0" for r in rows)
assert any(int(r["rejections"]) > 0 for r in rows) == (sys.argv[3] == "linear") # its last resort
PYTHON
# scheme, dt [ms], tolerance: linear leaves the floor a little
for how in "balanced 1 0.01" "balanced 0.3 0.01" "balanced 5 0.01" "linear 1 0.02"; do
    read -r scheme dt tolerance <<<"$how"
    (ulimit -t 60; expect 0 "$PLAIT" run straight.yaml -f -o straight --set step.scheme=$scheme --set "step.dt=$dt ms")
    python3 euler.py straight/stats.csv $tolerance $scheme || fail "the rod does not buckle as it should: $how"
done
