# research.sh: the scenes of docs/research.md give what closed forms say; what is measured has the same bytes after kills.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1
scenes=$PLAIT_SOURCE/examples/research

for name in capstan three-point buckling snap; do
    [ "$(wc -l <"$scenes/$name.yaml")" -le 30 ] || fail "$name.yaml has more than 30 lines"
    expect 0 "$PLAIT" run "$scenes/$name.yaml" -o $name
done
for mu in 0 0.1; do # the first part of it; test/cli/long_knots.sh has all turns and frictions
    expect 0 "$PLAIT" run "$scenes/knot.yaml" --set variables.mu=$mu --set output.duration=12 -o knot-$mu
done
[ "$(wc -l <"$scenes/knot.yaml")" -le 30 ] || fail "knot.yaml has more than 30 lines"
# a small part of the pack; test/cli/long_pack.sh has all of it
expect 0 "$PLAIT" run "$scenes/pack.yaml" --set variables.side=12mm --set variables.aspect=12 --set fibres.pack.segments=6 \
    --set fibres.pack.pack.fraction=0.12 --set output.duration=0.36 -o pack
[ "$(wc -l <"$scenes/pack.yaml")" -le 30 ] || fail "pack.yaml has more than 30 lines"
python3 - <<'PYTHON' || fail "a scene of docs/research.md is off"
import csv, math

def rows(name):
    return [{k: float(v) if v else math.nan for k, v in r.items()} for r in csv.DictReader(open(f"{name}/measure.csv"))]

def near(what, a, b, relative):
    print(f"{what}: {a:.6g}, expected {b:.6g}")
    assert abs(a - b) <= relative * abs(b), what

EI, S = 200e9 * math.pi * 0.5e-3**4 / 4, 0.1
for r in rows("three-point")[2:]:
    near("three points", r["nose_fz"], -48 * EI * r["middle_z"] / S**3, 0.005)
    near("its moment", r["moment"], r["nose_fz"] * S / 4, 0.01)

def integrals(k):  # complete elliptic, by the arithmetic-geometric mean
    a, b, power, sum_ = 1.0, math.sqrt(1 - k * k), 0.5, 0.5 * k * k
    for _ in range(30):
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        power *= 2
        sum_ += power * c * c
    K = math.pi / (2 * a)
    return K, K * (1 - sum_)

EI, L = 1.3e6 * math.pi * 1e-12 / 4, 0.2
for r in rows("buckling")[4:]:
    low, high, short = 0.0, 0.999, 1 - r["end_x"] / L
    for _ in range(60):
        k = (low + high) / 2
        K, E = integrals(k)
        low, high = (k, high) if 2 * (1 - E / K) < short else (low, k)
    near(f"column, shortened by {short:.3f}", -r["press_fx"] * L * L / EI, 4 * K * K, 0.003)

# A loose overhand knot: F R^2 / B is 1/2 and a little without friction, and 0.85 mu sqrt(R / h) more with it.
import statistics
found = []
for mu in ("0", "0.1"):
    late = [r for r in rows(f"knot-{mu}") if r["time"] > 8]
    R = statistics.mean(0.8 - r["ends"] for r in late) / (2 * math.pi)
    found.append(statistics.median(r["hand_fx"] for r in late) * R * R / (1e7 * math.pi * 1e-12 / 4))
near("knot without friction", found[0], 0.58, 0.1)
near("knot, what friction adds", found[1] - found[0], 0.85 * 0.1 * math.sqrt(R / 1e-3), 0.12)

# A dense random pack has 2 aspect phi + 6 phi contacts per fibre (Toll 1998); what goes through the sides of the cell is what
# all contacts carry.
last = rows("pack")[-1]
near("volume fraction", last["cell_fraction"], 0.12 * math.exp(3 * 0.36), 0.03)
near("contacts per fibre", last["contacts_per_fibre"], (2 * 12 + 6) * last["cell_fraction"], 0.2)
near("stress of the pack", last["cell_pressure"],
     -sum(last["all_" + k] for k in ("xx", "yy", "zz")) / 3 / last["cell_volume"], 0.02)
assert last["cell_pressure"] > 100, last["cell_pressure"]

# Snap-through: what the force has done is what the arch stores; the force has two folds, and between them it is not stable.
path, work, most = rows("snap"), 0.0, 0.0
for a, b in zip(path, path[1:]):
    work += 1e-5 * (a["force"] + b["force"]) / 2 * (a["crown_z"] - b["crown_z"])
    near("work on the arch", work, b["energy_elastic"] - path[0]["energy_elastic"], 0.02)
near("all of it", work, path[-1]["energy_elastic"] - path[0]["energy_elastic"], 0.005)
slope = [b["force"] - a["force"] for a, b in zip(path, path[1:])]
folds = sum(p * q < 0 for p, q in zip(slope, slope[1:]))
assert folds == 2, folds
for r, s in zip(path, slope):
    assert s > 0 or r["stable_1"] < 0, r
assert path[0]["stable_1"] > 0 and path[-1]["stable_1"] > 0
for r in rows("capstan")[-100:]:
    angle = math.pi - math.atan2(-r["hand_fx"], r["hand_fz"])
    near("capstan", math.hypot(r["hand_fx"], r["hand_fz"]) / 0.1, math.exp(0.3 * angle), 0.01)
PYTHON

# Killed and resumed, with a checkpoint after every step: the same bytes in both files.
killed_run "$scenes/buckling.yaml" buckling killed 0.1 0.15 0.2 0.3 0.5
expect 0 "$PLAIT" plot buckling/measure.csv --x end_x --y press_fx -o force.svg
[ -s force.svg ] || fail "no chart"
