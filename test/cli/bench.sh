# bench.sh: the benchmarks on small problems: tables, JSON, plots, exit codes.
source "$PLAIT_SOURCE/test/cli/lib.bash"

"$PLAIT" generate fibres --rods 6 --nu 0.3 --seed 1 -o a.hdf5 2>/dev/null
"$PLAIT" generate fibres --rods 6 --nu 1 --seed 2 -o b.hdf5 2>/dev/null

# bench solvers: table, JSON, plots.
expect 0 "$PLAIT" bench solvers a.hdf5 b.hdf5 --solvers gs,gs:mfb+enum,auto --max-time 20
for text in gs:mfb+enum "alternate [%]" "local fail [%]" "over tol [%]" "iterations" "geo. mean of solved [ms]" "100x"; do
    says out "$text"
done
expect 0 "$PLAIT" bench solvers a.hdf5 b.hdf5 --solvers gs,gs:mfb+enum,auto --max-time 20 --json --plot p.svg
json out 'len(d["runs"]) == 6 and len(d["summary"]) == 3 and len(d["profile"]) == 3 and d["tol"] == 1e-6'
json out 'all(x["outcome"] == "solved" and x["residual_rel"] <= 1e-6 for x in d["runs"])'
json out 'd["summary"][0]["solved"] == 2 and d["summary"][0]["percent_over_tol"] == 0'
json out 'min(x["time_over_best"][0] for x in d["profile"]) == 1'
# Four-sided pyramids are not cones: the judge must see it.
expect 0 "$PLAIT" bench solvers a.hdf5 b.hdf5 --solvers gs:pyramid --max-time 0.5 --json
json out 'd["summary"][0]["solved"] == 0 and d["summary"][0]["percent_over_tol"] == 100'
json out 'd["profile"][0]["time_over_best"] == [None, None]'
python3 - <<'PYTHON'
import xml.etree.ElementTree as tree
root = tree.parse("p.svg").getroot()
text = [x.text for x in root.iter() if x.text and x.tag.endswith("text")]
assert root.tag.endswith("svg") and "gs:mfb+enum" in text and any("time" in t for t in text), text
assert len([x for x in root.iter() if x.tag.endswith("path")]) > 20
PYTHON
if command -v rsvg-convert >/dev/null; then
    expect 0 "$PLAIT" bench solvers a.hdf5 --solvers gs --plot p.png
    [ "$(head -c 4 p.png | tail -c 3)" = PNG ] || fail "p.png is no PNG"
fi
expect 2 "$PLAIT" bench solvers a.hdf5 --solvers gs --plot no/such/p.svg
says err "no/such/p.svg"
expect 2 "$PLAIT" bench solvers a.hdf5 missing.hdf5 --solvers gs
says err "missing.hdf5"
silent out
expect 2 "$PLAIT" bench solvers a.hdf5 --solvers gs,gz
says err "did you mean 'gs'"
ls | grep -q 'svg\..*\|png\..*' && fail "files left behind: $(ls)"

# Without files: problems of its own.
expect 0 "$PLAIT" bench solvers --solvers auto --max-time 2 --json
json out 'len(d["runs"]) >= 5 and len({x["problem"] for x in d["runs"]}) == len(d["runs"])'

# bench table2: the paper's eleven rows and two of ours.
expect 0 "$PLAIT" bench table2 --problems 2 --contacts 40 --max-sweeps 200 --max-time 2 --json
json out 'len(d["rows"]) == 13 and all(x["problems"] == 2 for x in d["rows"])'
json out 'd["rows"][10]["paper_name"] == "MFB + Enum" and d["rows"][10]["paper"]["mean_iterations"] == 41'
json out 'd["rows"][0]["solver"] == "gs:pyramid" and d["rows"][0]["solved"] == 0'
json out '0 < d["rows"][10]["mean_iterations"] <= 200'
json out 'd["rows"][4]["percent_alternate"] is None and d["rows"][10]["percent_alternate"] is not None'
expect 0 "$PLAIT" bench table2 --problems 1 --contacts 20 --max-sweeps 50 --plot t.svg
says out "MFB + Enum"
says out "50 sweeps"
[ -s t.svg ] || fail "t.svg was not written"

# bench scaling: sizes as asked, an exponent.
expect 0 "$PLAIT" bench scaling --sizes 60,240 --nus 0.3,1 --solvers auto --max-time 5 --json --plot s.svg
json out 'len(d["runs"]) == 4 and len(d["exponents"]) == 2'
json out '[round(x["contacts"] / 60) for x in d["runs"]] == [1, 4, 1, 4]'
json out 'all(isinstance(x["exponent"], float) for x in d["exponents"])' # times of so little work may be anything
json out 'abs(d["runs"][2]["nu"] - 1) < 0.3'
[ -s s.svg ] || fail "s.svg was not written"
expect 0 "$PLAIT" bench scaling --sizes 60,240 --nus 1 --heavy --solvers gs --max-time 1
says out "exponent"

# ... with several seeds and frictions: rows are of seeds, runs are single ones.
expect 0 "$PLAIT" bench scaling --sizes 60 --nus 0.3,1 --mus 0.3,0.5 --seeds 2 --solvers auto --max-time 5
says out "2 of 2"
expect 0 "$PLAIT" bench scaling --sizes 60,120 --nus 0.3 --mus 0.3,0.5 --seeds 2 --solvers auto --max-time 5 --json
json out 'len(d["runs"]) == 8 and [x["mu"] for x in d["exponents"]] == [0.3, 0.5]'
json out '[round(x["contacts"] / 60) for x in d["runs"]] == [1, 1, 2, 2, 1, 1, 2, 2]'

# bench cluster: one rank sends nothing; what is said of many is the model of docs/parallel.md.
expect 0 "$PLAIT" bench cluster --work 100 --alone 10 --latency 2 --bandwidth 10 --sizes 1e6 --ranks 1,8 --json
json out "d['rows'][0]['exchange'] == 0 and abs(d['rows'][0]['iteration'] - 0.1) < 1e-12 and d['rows'][0]['speedup'] == 1"
json out "abs(d['rows'][1]['exchange'] - 2 * (7 * 2e-6 + 24 * 1.75 * 1e6 / 8 / 1e10)) < 1e-12 and d['rows'][1]['messages'] == 15"
json out "abs(d['rows'][1]['sums'] - (3 * 2e-6 + 8 * (3 * 32 + 1) * 8 / 1e10)) < 1e-12"
json out "abs(d['rows'][1]['step'] - (10 + 100 * d['rows'][1]['iteration'] + 2000 * 1e6 / 1e10)) < 1e-9"
printf 'rank,bodies,contacts,cut\n0,5,600,60\n1,5,400,40\n' >ranks.csv # two ranks, a tenth of the contacts cut
expect 0 "$PLAIT" bench cluster --work 100 --run . --sizes 1e6 --ranks 2,4 --json
json out "abs(d['rows'][0]['elsewhere'] - 0.1) < 1e-12 and abs(d['rows'][1]['elsewhere'] - 0.3) < 1e-12"
expect 2 "$PLAIT" bench cluster --work 100 --run nowhere
says err "nowhere/ranks.csv"

# bench roofline: a product cannot read less than its factors, nor an iteration less than its product.
expect 0 "$PLAIT" bench roofline --sizes 100,400 --nus 1 --json
json out 'len(d["rows"]) == 2 and d["triad_bytes_per_second"] > 1e8'
json out 'all(100 < x["product_bytes"] / x["contacts"] < x["iteration_bytes"] / x["contacts"] < 1e5 for x in d["rows"])'
json out 'all(x["memory_per_contact"] > 1000 for x in d["rows"])'
expect 0 "$PLAIT" bench roofline --sizes 60 --nus 1
says out "Triad"

# bench friction: rows as asked, counts of seeds.
expect 0 "$PLAIT" bench friction --contacts 60 --nus 1,2 --mus 0.3 --seeds 2 --max-time 5 --json
json out '[(x["nu"], x["heavy"], x["seeds"]) for x in d["rows"]] == [(1, False, 2), (1, True, 2), (2, False, 2), (2, True, 2)]'
json out 'all(x["solved"] == 2 and x["worst_residual"] <= 1e-6 and x["median_seconds"] <= x["worst_seconds"] for x in d["rows"])'
expect 0 "$PLAIT" bench friction --contacts 60 --nus 1 --mus 0.5 --seeds 1 --plain --max-time 5
says out "1 of 1"

# bench units: the same iterations whatever b and W are multiplied with.
expect 0 "$PLAIT" bench units --contacts 20 --b 0,-300,300 --W -200,200
awk '/^(auto|gs|spg|apgd|admm|newton-ac|newton-mfb|prox|cadoux|ipm) / {for (k = 3; k <= 6; k++) bad += $k != $2 || !($2 > 0)} END {exit bad > 0}' out ||
    fail "units: $(cat out)"
[ "$(grep -cE '^(auto|gs|spg|apgd|admm|newton-ac|newton-mfb|prox|cadoux|ipm) ' out)" -ge 10 ] || fail "units: $(cat out)"
! grep -q failed out || fail "units: $(cat out)"

# bench threads: equal results.
expect 0 "$PLAIT" bench threads --contacts 600 --sweeps 5 --threads 1,2,3 --json
json out 'd["equal"] is True and len({x["hash"] for x in d["runs"]}) == 1 and [x["threads"] for x in d["runs"]] == [1, 2, 3]'
json out 'all(x["sweeps"] == 5 for x in d["runs"])'
expect 0 "$PLAIT" bench threads --contacts 600 --sweeps 5
says out "equal to the last bit"

# bench local: the exact solvers solve what has a solution.
expect 0 "$PLAIT" bench local --count 300 --json
json out 'len(d["solvers"]) == 24'
json out 'all(x["percent_solved"] == 100 for x in d["solvers"] if x["solver"] == "secular" and x["family"] != "singular")'
json out 'all(x["percent_solved"] < 90 for x in d["solvers"] if x["solver"] == "duriez06")'
json out 'all(x["ns_per_call"] > 1 for x in d["solvers"])'
expect 0 "$PLAIT" bench local --count 50
says out "secular"

# bench peers with a program that only talks like one.
cat >peer <<'SCRIPT'
#!/bin/bash
while [[ $1 == --* ]]; do shift 2; done
printf '%s\tfast\tsolved\t1e-9\t3\t1e-8\n' "$1"
printf '%s\tlost\ttimeout\t10\t3\t1e-3\n' "$1"
printf '%s\tgone\tcrashed\t0\t0\tinf\n' "$1"
SCRIPT
chmod +x peer
expect 0 "$PLAIT" bench peers a.hdf5 b.hdf5 --peer ./peer --json
json out 'len(d["runs"]) == 2 and len(d["peer_runs"]) == 6 and d["peer_runs"][2]["residual_rel"] is None'
json out '[x["best_peer"] for x in d["best"]] == ["fast", "fast"] and all(x["ratio"] > 1 for x in d["best"])'
json out '[(x["peer"], x["solved"], x["both"]) for x in d["summary"]] == [("fast", 2, 2), ("lost", 0, 0), ("gone", 0, 0), ("best", 2, 2)]'
expect 0 "$PLAIT" bench peers a.hdf5 --peer ./peer
says out "(1.0e-03)"
says out "crashed"
says out "best of them"
printf '#!/bin/bash\necho "something else"\n' >peer
expect 2 "$PLAIT" bench peers a.hdf5 --peer ./peer
says err "./peer"
expect 2 "$PLAIT" bench peers a.hdf5 --peer ./none
says err "no such program"

# bench table2 on files.
expect 0 "$PLAIT" bench table2 a.hdf5 b.hdf5 --max-sweeps 100 --max-time 2 --json
json out 'all(x["problems"] == 2 for x in d["rows"])'

# bench stability: the nonlinear response survives what the others do not.
expect 0 "$PLAIT" bench stability --dt 0.5,25 --speeds 8 --duration 1 --json --plot map.svg
json out 'len(d["runs"]) == 8'
json out '[x["stable"] for x in d["runs"] if x["response"] == "adonis"] == [True, True]'
json out '[x["stable"] for x in d["runs"] if x["response"] == "impulse"] == [False, False]'
json out '[x["stable"] for x in d["runs"] if x["response"] == "linear-start"] == [True, False]'
json out 'all(x["stretch"] < 0.05 for x in d["runs"] if x["response"] == "adonis")'
python3 -c 'import xml.etree.ElementTree as t; assert len(list(t.parse("map.svg").getroot())) > 10'
expect 0 "$PLAIT" bench stability --dt 10 --speeds 2 --schemes adonis --duration 0.2
says out "adonis"
# Runs that were kept are not run again: what is in the file is believed. A line that was cut off is not.
expect 0 "$PLAIT" bench stability --dt 10 --speeds 2 --schemes adonis --duration 0.2 --keep kept.csv
sed 's/^\(0.2.*,adonis,2,10,1,[^,]*\),[^,]*,/\1,0.123,/' kept.csv >known.csv
printf '0.2000001,adonis,4' >>known.csv
expect 0 "$PLAIT" bench stability --dt 5,10 --speeds 2 --schemes adonis --duration 0.2 --keep known.csv --json
json out '[x["stretch"] == 0.123 for x in d["runs"]] == [False, True]'
[ "$(wc -l <known.csv)" = 3 ] || fail "known.csv has not three lines"
sed -i '2s/adonis,2/adonis,two/' known.csv
expect 2 "$PLAIT" bench stability --dt 5,10 --speeds 2 --schemes adonis --duration 0.2 --keep known.csv
says err "known.csv:2: expected a run of the stability map"
expect 2 "$PLAIT" bench stability --schemes adoni
says err "did you mean adonis"

# bench hairball: a few rods, a few steps.
expect 0 "$PLAIT" bench hairball --rods 20,40 --dt 10,5 --schemes linear,adonis --steps 3 --json
json out 'len(d["runs"]) == 8 and all(x["completed"] and x["steps"] == 3 for x in d["runs"])'
json out 'all(x["stretch"] < 0.01 for x in d["runs"] if x["response"] == "adonis")'
expect 0 "$PLAIT" bench hairball --rods 20 --steps 2
says out "kB / contact"
expect 2 "$PLAIT" bench hairball --rods 0
