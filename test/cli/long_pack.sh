# long_pack.sh: the pack of docs/research.md, whole: the power of its pressure and its contacts, for two seeds.
source "$PLAIT_SOURCE/test/cli/lib.bash"
export OMP_NUM_THREADS=1
scene=$PLAIT_SOURCE/examples/research/pack.yaml

expect 0 "$PLAIT" run "$scene" -o pack
expect 0 "$PLAIT" run "$scene" --set fibres.pack.seed=2 -o other
expect 0 "$PLAIT" plot pack/measure.csv --x cell_fraction --y cell_pressure --log xy --fit --from 0.2 -o pack.svg
expect 0 "$PLAIT" plot pack/measure.csv --x cell_fraction --y cell_pressure --log xy --fit --from 0.25 --onset 0.1667 -o beyond.svg
says out "(cell_fraction - 0.1667)^k"
python3 - <<'PYTHON' || fail "the pack"
import csv, math
for name in ("pack", "other"):
    points = []
    for r in csv.DictReader(open(f"{name}/measure.csv")):
        points.append([float(r[k]) for k in ("cell_fraction", "cell_pressure", "contacts_per_fibre")])
    dense = [(math.log(f), math.log(p)) for f, p, _ in points if f > 0.2]
    mx, my = (sum(v) / len(dense) for v in zip(*dense))
    power = sum((x - mx) * (y - my) for x, y in dense) / sum((x - mx) ** 2 for x, _ in dense)
    rms = math.sqrt(sum((y - my - power * (x - mx)) ** 2 for x, y in dense) / len(dense))
    fraction, pressure, contacts = points[-1]
    # what is beyond the onset at 5 / aspect ratio: van Wyk's third power
    beyond = [(math.log(f - 5 / 30), math.log(p)) for f, p, _ in points if f > 0.25]
    bx, by = (sum(v) / len(beyond) for v in zip(*beyond))
    cubic = sum((x - bx) * (y - by) for x, y in beyond) / sum((x - bx) ** 2 for x, _ in beyond)
    print(name, power, rms, cubic, fraction, pressure, contacts)
    assert abs(cubic - 3) < 0.3
    assert abs(power - 8.4) < 0.8 and rms < 0.12
    assert abs(contacts - 66 * fraction) < 0.15 * contacts  # Toll: 2 aspect phi + 6 phi
PYTHON

# A pack under pressure is sheared; a fibre is drawn through a pack that a lid presses with one force or with two of them.
expect 0 "$PLAIT" run "$PLAIT_SOURCE/examples/research/shear.yaml" -o shear
for press in 50 100; do
    expect 0 "$PLAIT" run "$PLAIT_SOURCE/examples/research/pull-out.yaml" --set "variables.press=$press mN" -o pull-$press
done
python3 - <<'PYTHON' || fail "the pack that is sheared, or the fibre that is drawn"
import csv
from statistics import mean

def rows(name, start, stop=1e9):
    found = [{k: float(v) if v else 0 for k, v in r.items()} for r in csv.DictReader(open(f"{name}/measure.csv"))]
    return [r for r in found if start < r["time"] <= stop]

rest = rows("shear", 0.5, 0.6)
assert abs(mean(r["cell_szz"] for r in rest) + 200) < 2
late = rows("shear", 1)
ratio = mean(r["cell_szx"] for r in late) / -mean(r["cell_szz"] for r in late)
print("shear stress over pressure", ratio)
assert 0.7 < ratio < 1.6
assert late[-1]["turned_zx"] > rest[-1]["turned_zx"] + 0.1  # fibres lean over
force = [mean(r["hand_fx"] for r in rows(f"pull-{p}", 1.1)) for p in (50, 100)]
print("drawn with", force)
assert abs(force[1] / force[0] - 2) < 0.3 and abs(force[0] - 0.021) < 0.005
PYTHON
