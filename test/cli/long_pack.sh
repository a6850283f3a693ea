# long_pack.sh: the pack of docs/research.md, whole: the power of its pressure and its contacts, for two seeds.
source "$PLAIT_SOURCE/test/cli/lib.bash"
export OMP_NUM_THREADS=1
scene=$PLAIT_SOURCE/examples/research/pack.yaml

expect 0 "$PLAIT" run "$scene" -o pack
expect 0 "$PLAIT" run "$scene" --set fibres.pack.seed=2 -o other
expect 0 "$PLAIT" plot pack/measure.csv --x cell_fraction --y cell_pressure --log xy --fit --from 0.2 -o pack.svg
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
    print(name, power, rms, fraction, pressure, contacts)
    assert abs(power - 8.4) < 0.8 and rms < 0.12
    assert abs(contacts - 66 * fraction) < 0.15 * contacts  # Toll: 2 aspect phi + 6 phi
PYTHON
