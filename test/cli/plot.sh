# plait plot: charts are well-formed, show what stats.csv says, and keep to the rules about files.

. "$PLAIT_SOURCE/test/cli/lib.bash"
. "$PLAIT_SOURCE/test/cli/run.bash"

CHARTS="all contacts dt energy iterations ledger residual seconds speed stretch"
expect 0 "$PLAIT" run drop.yaml -o run
expect 0 "$PLAIT" plot run
silent err
says out "run/plots: 9 charts of 100 steps"
only_files run/plots "$(printf '%s.svg\n' $CHARTS | sort | tr '\n' ' ' | sed 's/ $//')"
python3 - <<'PYTHON' || fail "charts"
import csv, re, xml.etree.ElementTree as tree
rows = list(csv.DictReader(open("run/stats.csv")))
svg = "{http://www.w3.org/2000/svg}"
for name in "all contacts dt energy iterations ledger residual seconds speed stretch".split():
    root = tree.parse(f"run/plots/{name}.svg").getroot()
    text = open(f"run/plots/{name}.svg").read()
    assert root.tag == svg + "svg" and "nan" not in text and "inf" not in text, name
# the first line of the chart of contacts: its points against the numbers of the table
root = tree.parse("run/plots/contacts.svg").getroot()
lines = [p.get("d") for p in root.iter(svg + "path") if p.get("fill") == "none" and p.get("stroke-linejoin")]
points = [tuple(map(float, m)) for m in re.findall(r"[ML]([\d.]+) ([\d.]+)", lines[-1])] # the first is drawn last
contacts = [float(r["contacts"]) for r in rows]
assert len(points) == len(contacts), (len(points), len(contacts))
x, y = zip(*points)
scale = (y[contacts.index(max(contacts))] - y[contacts.index(min(contacts))]) / (max(contacts) - min(contacts))
assert scale < -1, scale
for k in range(len(rows)):
    assert abs(y[k] - y[0] - scale * (contacts[k] - contacts[0])) < 0.02, k
assert all(a < b for a, b in zip(x, x[1:]))
# the stages of a step are stacked to their sum
areas = [p.get("d") for p in tree.parse("run/plots/seconds.svg").getroot().iter(svg + "path") if p.get("fill-opacity")]
assert len(areas) == 7
PYTHON

# what is there stays
expect 2 "$PLAIT" plot run
says err "exists already; --force"
expect 0 "$PLAIT" plot run --force -o elsewhere/charts
[ -f elsewhere/charts/energy.svg ] || fail "$(ls -R elsewhere)"
if command -v rsvg-convert >/dev/null; then
    expect 0 "$PLAIT" plot run --format png -o png
    [ "$(head -c 8 png/all.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "all.png is no PNG"
fi
# without rsvg-convert: told, and nothing half-written
expect 2 env PATH=/nowhere "$PLAIT" plot run --format png -o none
says err "needs the program rsvg-convert"
[ -z "$(ls none)" ] || fail "left: $(ls none)"

# a run that goes on: the row that is being written is left out; a step that failed is not drawn
mkdir part
head -c 4000 run/stats.csv >part/stats.csv
expect 0 "$PLAIT" plot part
# bad input
expect 2 "$PLAIT" plot there-is-none
says err "stats.csv: cannot be read: No such file"
head -1 run/stats.csv >part/stats.csv
expect 2 "$PLAIT" plot part -f
says err "found none yet"
sed 's/^step,time/step,tame/' run/stats.csv >part/stats.csv
expect 2 "$PLAIT" plot part -f
says err "stats.csv:1: expected a column 'time'"
sed '3s/,/,x/' run/stats.csv >part/stats.csv
expect 2 "$PLAIT" plot part -f
says err "stats.csv:3: expected a number in column 2"
expect 2 "$PLAIT" plot run --format gif
says err "svg or png is expected, found 'gif'"

for option in $("$PLAIT" plot --help | grep -oE -- '--[a-z]+' | sort -u | grep -v -- --help); do
    says "$PLAIT_SOURCE/docs/commands/plot.md" "$option"
done
echo "all passed"
