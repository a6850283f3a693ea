#!/bin/bash
# layers.sh SOURCE [OBJECTS]: the order of docs/architecture.md is kept. A folder of src/ includes headers of folders above
# it in that page's table, never of those below; the same for the functions it calls (OBJECTS: the folder with the object
# files), so that a declaration by hand does not help. A public header belongs to a folder too. cli/ sees public headers only.
set -euo pipefail
source=$1 objects=${2:-}
cd "$source"
failed=0 count=0
fail() { echo "FAILED: $*"; failed=1; }

# The order, as the page tells it.
mapfile -t order < <(sed -n 's/^| `src\/\([a-z]*\)\/` |.*/\1/p' docs/architecture.md)
[ ${#order[@]} -ge 8 ] || fail "docs/architecture.md has no table of folders"
declare -A rank
for i in "${!order[@]}"; do rank[${order[i]}]=$i; done
for folder in src/*/; do
    folder=$(basename "$folder")
    [ -n "${rank[$folder]:-}" ] || fail "src/$folder is not in the table of docs/architecture.md"
done

# Public headers: the folder that each belongs to, from the same page.
declare -A home
while read -r folder header; do home[$header]=$folder; done < <(
    sed -n 's/^| `src\/\([a-z]*\)\/` | \([^|]*\)|.*/\1 \2/p' docs/architecture.md |
        while read -r folder headers; do for header in $headers; do echo "$folder ${header//[\`,]/}"; done; done
)
for header in include/plait/*.h; do
    header=$(basename "$header")
    [ "$header" = plait.h ] || [ -n "${home[$header]:-}" ] || fail "no folder of docs/architecture.md has plait/$header"
done

# ---- includes ----
while IFS=: read -r file line; do
    count=$((count + 1))
    name=${line#*\"}
    name=${name%%\"*}
    folder=${file#src/}
    folder=${folder%%/*}
    used=${name%%/*}
    if [ "$used" = plait ]; then
        used=${home[${name#plait/}]:-}
        [ -n "$used" ] || { fail "$file includes $name: only programs include all"; continue; }
    fi
    [ -n "${rank[$used]:-}" ] || { fail "$file includes $name: of which folder?"; continue; }
    [ "${rank[$used]}" -le "${rank[$folder]}" ] || fail "$file includes $name, which is below it"
done < <(grep -nE '^ *# *include "' src/*/*.[ch] | sed 's/^\([^:]*\):[0-9]*:/\1:/')
while IFS=: read -r file line; do
    count=$((count + 1))
    name=${line#*\"}
    name=${name%%\"*}
    case $name in plait/* | */*) [[ $name == plait/* ]] || fail "$file includes $name: the program uses public headers only" ;; esac
done < <(grep -nE '^ *# *include "' cli/*.[ch] | sed 's/^\([^:]*\):[0-9]*:/\1:/')
[ $count -gt 100 ] || fail "only $count includes found"

# ---- solvers see W through its operator only, and laws through their table ----
solvers=$(grep -lE '^bool plait_solve_[a-z_]*\(' src/contact/*.c)
[ "$(wc -w <<<"$solvers")" -ge 9 ] || fail "only $(wc -w <<<"$solvers") files with solvers found"
for file in $solvers src/contact/newton.c src/contact/system.[ch]; do
    if grep -nE 'contact/(compliance|operator_parts|bands)\.h|->mu\b|->compliance\b|plait_block_matrix' "$file" | grep -v 'm->mu'; then
        fail "$file looks behind operator.h or law.h"
    fi
done

# ---- memory of src/contact and src/math comes from the pool of the thread, by name ----
if grep -nE '(^|[^a-zA-Z0-9_.>])(malloc|calloc|realloc|aligned_alloc|free|qsort)\(' src/contact/*.[ch] src/math/*.[ch]; then
    fail "src/contact and src/math use plait_malloc, plait_free and the like (base/pool.h)"
fi

# ---- threads are a team that is handed down (base/team.h): made at the door, in public functions, never asked of OpenMP ----
if grep -nE 'omp_(get_max|get_num|set_num)_threads|omp_get_num_procs' src/*/*.[ch] cli/*.[ch] | grep -v '^src/base/threads.c:'; then
    fail "only src/base/threads.c asks OpenMP how many threads there are"
fi
if grep -nE 'plait_default_threads\(' src/*/*.[ch] | grep -v '^src/base/'; then
    fail "a team comes from above (base/team.h), not from the default of the process"
fi
if sed -n '/pragma omp parallel/{:a;/\\$/{N;ba};F;p}' src/*/*.[ch] | grep 'pragma omp' | grep -v 'num_threads('; then
    fail "a parallel region says who takes part: num_threads(team.threads)"
fi
doors='body/rod|contact/(problem|residual|solve|system)|render/render|scene/gen_groom|sim/build|io/fclib_write|io/carry'
if grep -nE 'plait_team_of\(' src/*/*.[ch] | grep -vE "^src/(base/team\.h|($doors)\.c):"; then
    fail "a team is made by public functions only; others are given one"
fi

# ---- calls ----
if [ -n "$objects" ]; then
    source=$PWD
    names=$(cd "$objects" && for o in */*.o; do
        [ -f "$source/src/${o%.o}" ] || continue # left by a file that is gone
        nm "$o" | awk -v f="${o%%/*}" -v o="$o" \
        'NF == 3 && $2 ~ /[TDBRi]/ {print "D", $3, f, o} NF == 2 && $1 == "U" {print "U", $2, f, o}'; done)
    wrong=$(printf '%s\n' "${order[@]}" "$names" | awk '
        NF == 1 {rank[$1] = n++; next}
        $1 == "D" {home[$2] = $3; next}
        {user[$2] = user[$2] " " $3 ":" $4}
        END {for (s in user) if (s in home) {k = split(user[s], u, " ")
             for (i = 1; i <= k; i++) {split(u[i], p, ":")
                 if (rank[home[s]] > rank[p[1]]) print p[2], "calls", s, "of src/" home[s]}}}')
    [ -z "$wrong" ] || fail "calls downwards:"$'\n'"$wrong"
    echo "$(grep -c '^U' <<<"$names") calls looked at"
fi

# ---- a step knows bodies by their rows, never by what they are; who speaks to programs of fibres and colliders may ----
for file in src/sim/*.c; do
    case ${file##*/} in
        kinds.c | access.c | anchor.c | control.c | grow.c | query.c | review.c | ties.c | view.c) continue ;;
        joints.c | loads.c | measure.c | measure_fibre.c) continue ;; # of what the scene names
    esac
    if grep -nE 'plait_body_(fibre|rigid|collider|cloth|solid)\b|PLAIT_PARTNER_|plait_(fibre|rigid|collider|soft)_[a-z]' "$file"; then
        fail "$file asks what kind of body it has: that belongs to the body's row (src/body/body.h)"
    fi
done

# ---- sizes ----
# Lines of 120 columns at most.
long=$(LC_ALL=C.UTF-8 grep -nE '.{121,}' src/*/*.[ch] include/plait/*.h | cut -d: -f1,2 || true)
[ -z "$long" ] || fail "lines of more than 120 columns:"$'\n'"$long"
# Files of 600 lines, functions of 80: in everything that is code, tests and scripts too.
mapfile -t code < <(git ls-files '*.[ch]' '*.js' '*.py' '*.sh' 2>/dev/null)
[ ${#code[@]} -eq 0 ] || [ ${#code[@]} -gt 500 ] || fail "only ${#code[@]} files of code found"
while read -r lines file; do
    [ "$lines" -le 600 ] || fail "$file has $lines lines (600 at most)"
done < <([ ${#code[@]} -eq 0 ] || wc -l "${code[@]}" | grep -v ' total$')
while read -r file line lines; do fail "$file:$line: a function of $lines lines (80 at most)"; done < <(
    [ ${#code[@]} -eq 0 ] || awk -f test/functions.awk "${code[@]}" | awk '$3 > 80')
echo "$count includes looked at"
exit $failed
