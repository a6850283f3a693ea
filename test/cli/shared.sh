#!/usr/bin/env bash
# Recorded problems of other people, where they are at hand: the default solver at 1e-8, at most 10 s each. At least all
# but two are solved, and every one of the fibre problems with 1,000 contacts at 1e-6. Two files have one triangle of M only:
# their answers are good ones for the symmetric M, and not called so for M as given.
set -euo pipefail

folder=${PLAIT_SHARED:-}/problems
if [ ! -d "$folder/real" ]; then
    echo "skipped: no recorded problems in $folder"
    exit 77
fi

"$PLAIT" solve "$folder"/real/*.hdf5 "$folder"/real-global/*.hdf5 --tol 1e-8 --max-time 10 --threads 1 --json > real.json || [ $? -eq 1 ]
"$PLAIT" solve "$folder"/fibre/fiber_1k*.hdf5 --tol 1e-6 --threads 1 --json > fibre.json

python3 - << 'PYTHON'
import json
real, fibre = json.load(open("real.json")), json.load(open("fibre.json"))
half = [x for x in real if x["dynamics"] > 1e-8]
assert len(half) == 2 and all(not x["converged"] and x["residual_rel"] < 1e-8 for x in half), half
missed = [x for x in real if not x["converged"] and x not in half]
for x in missed:
    print("not solved to 1e-8: %s, residual %g after %g s" % (x["file"], x["residual_rel"], x["seconds_solve"]))
print("%d of %d recorded problems, %d of %d fibre problems" % (
    len(real) - len(missed), len(real), sum(x["converged"] for x in fibre), len(fibre)))
assert len(real) >= 40 and len(missed) <= 2
assert len(fibre) == 6 and all(x["converged"] for x in fibre)
assert all(x["residual_rel"] <= 1e-4 for x in missed)
PYTHON
