# solve.sh: plait solve: tables, JSON, exit codes, solution files.
source "$PLAIT_SOURCE/test/cli/lib.bash"

"$PLAIT" generate fibres --rods 8 --nu 0.5 --seed 1 -o a.hdf5 2>/dev/null
"$PLAIT" generate fibres --rods 12 --nu 1 --seed 2 -o b.hdf5 2>/dev/null
"$PLAIT" generate fibres --rods 8 --nu 0.5 --seed 3 --reduced -o local.hdf5 2>/dev/null

# A table for people, nothing else.
expect 0 "$PLAIT" solve a.hdf5
silent err
for title in problem contacts nu solver converged residual iterations; do
    says out "$title"
done
grep -qE '^a\.hdf5 .* yes ' out || fail "no row that converged: $(cat out)"
expect 0 "$PLAIT" solve a.hdf5 b.hdf5 local.hdf5
[ "$(grep -c ' yes ' out)" = 3 ] || fail "three rows that converged: $(cat out)"
! grep -qi 'nan' out || fail "a NaN was printed"

# JSON: the fields in their order, true of the problem.
expect 0 "$PLAIT" solve --json a.hdf5 b.hdf5 local.hdf5
silent err
json out 'isinstance(d, list) and [x["file"] for x in d] == ["a.hdf5", "b.hdf5", "local.hdf5"]'
json out 'all(list(x)[:13] == ["file", "contacts", "dofs", "nu", "solver", "converged", "residual_fb_inf",
    "residual_rel", "iterations", "seconds_solve", "seconds_total", "local_fail", "local_alt"] for x in d)'
json out 'all(x["converged"] is True and 0 <= x["residual_rel"] <= 1e-6 and x["contacts"] > 0 for x in d)'
json out 'abs(d[0]["nu"] - 3 * d[0]["contacts"] / d[0]["dofs"]) < 1e-9 and abs(d[0]["nu"] - 0.5) < 0.05'
json out 'd[2]["dofs"] is None and d[2]["nu"] is None'
json out 'all(0 < x["seconds_solve"] <= x["seconds_total"] for x in d)'

# Tolerance and limits.
expect 0 "$PLAIT" solve --json --tol 1e-9 a.hdf5
json out 'd[0]["residual_rel"] <= 1e-9'
expect 1 "$PLAIT" solve --json --solver gs --max-iterations 1 --tol 1e-14 b.hdf5
json out 'd[0]["converged"] is False and d[0]["residual_rel"] > 1e-14 and d[0]["solver"] == "gs"'
expect 1 "$PLAIT" solve --solver gs --max-iterations 1 --tol 1e-14 b.hdf5 a.hdf5
says out " no"

# Local solvers inside Gauss-Seidel, and what they count.
expect 0 "$PLAIT" solve --json --solver gs --local mfb+enum a.hdf5
json out 'd[0]["local_calls"] > d[0]["contacts"] and 0 <= d[0]["local_fail"] <= d[0]["local_calls"]'
for local in secular mfb pac dac enum; do
    expect 0 "$PLAIT" solve --json --solver gs --local $local a.hdf5
    json out 'd[0]["converged"]'
done

# Bad files: a message that names the file, the others are solved, exit code 2.
echo "this is no problem" >garbage.hdf5
head -c 3000 b.hdf5 >short.hdf5
mkdir empty
for bad in missing.hdf5 garbage.hdf5 short.hdf5; do
    expect 2 "$PLAIT" solve --json "$bad" a.hdf5
    says err "$bad"
    [ "$(wc -l <err)" = 1 ] || fail "one line of message: $(cat err)"
    json out 'len(d) == 1 and d[0]["file"] == "a.hdf5" and d[0]["converged"]'
    expect 2 "$PLAIT" solve "$bad"
    silent out
done
expect 2 "$PLAIT" solve empty
says err "no problem files"

# Names that need escaping.
odd=$'od"d\\ \t\xff.hdf5'
cp a.hdf5 "$odd"
expect 0 "$PLAIT" solve --json "$odd"
json out 'd[0]["file"] == "od\"d\\ \t\ufffd.hdf5"'
rm "$odd"

# Solutions: written, not over what is there, read again as a start.
expect 0 "$PLAIT" solve a.hdf5 -o s.hdf5
[ -s s.hdf5 ] || fail "s.hdf5 was not written"
cp s.hdf5 before.hdf5
expect 2 "$PLAIT" solve b.hdf5 -o s.hdf5
says err "s.hdf5 exists already"
silent out
cmp -s s.hdf5 before.hdf5 || fail "s.hdf5 was changed"
expect 0 "$PLAIT" solve b.hdf5 --output=s.hdf5 --force
cmp -s s.hdf5 before.hdf5 && fail "s.hdf5 was not written over"
expect 0 "$PLAIT" solve --json --solver gs --tol 1e-8 b.hdf5 -o t.hdf5
expect 0 "$PLAIT" solve --json --solver gs --tol 1e-8 b.hdf5
json out 'd[0]["iterations"] > 10'
expect 0 "$PLAIT" solve --json --solver gs --tol 1e-8 t.hdf5 --warm t.hdf5
json out 'd[0]["iterations"] <= 2 and d[0]["converged"]'
expect 2 "$PLAIT" solve a.hdf5 --warm t.hdf5
says err "t.hdf5"
expect 2 "$PLAIT" solve a.hdf5 --warm missing.hdf5
says err "missing.hdf5"

# Folders.
expect 2 "$PLAIT" solve a.hdf5 b.hdf5 -o both.hdf5
says err "one file cannot hold"
[ ! -e both.hdf5 ] || fail "both.hdf5 was written"
expect 0 "$PLAIT" solve a.hdf5 b.hdf5 -o solved/
[ -s solved/a.hdf5 ] && [ -s solved/b.hdf5 ] || fail "solved/ is not complete: $(ls solved)"
expect 0 "$PLAIT" solve --json solved --warm solved --solver gs
json out 'len(d) == 2 and all(x["iterations"] <= 2 for x in d)'
expect 2 "$PLAIT" solve a.hdf5 solved/a.hdf5 -o other/
says err "would both be written"
expect 2 "$PLAIT" solve a.hdf5 -o nowhere/file.hdf5
[ ! -e nowhere ] || fail "nowhere/ was made"
[ "$(find . -name '*.hdf5' | wc -l)" = 10 ] || fail "files left behind: $(find . -name '*.hdf5')"

# Packed by gzip: the same answer, written under the name of what was packed, found again by --warm.
mkdir packed
gzip -c b.hdf5 >packed/b.hdf5.gz
expect 0 "$PLAIT" solve packed -o unpacked/
expect 0 "$PLAIT" solve b.hdf5 -o plain.hdf5
expect 2 "$PLAIT" solve b.hdf5 -o plain.hdf5.gz # it would not be packed
grep -q "plain.hdf5.gz: packed files are read, not written: expected a name like plain.hdf5" err || fail "$(cat err)"
[ ! -e plain.hdf5.gz ] || fail "a file that is not packed was written as one that is"
cmp unpacked/b.hdf5 plain.hdf5
gzip -c unpacked/b.hdf5 >guess.gz
expect 0 "$PLAIT" solve --json packed --warm unpacked --solver gs
json out 'd[0]["iterations"] <= 2 and d[0]["converged"]'
expect 0 "$PLAIT" solve --json packed/b.hdf5.gz --warm guess.gz --solver gs
json out 'd[0]["iterations"] <= 2 and d[0]["converged"]'

# A full disk is an error, not a success.
if [ -w /dev/full ]; then
    code=0
    "$PLAIT" solve a.hdf5 >/dev/full 2>err || code=$?
    [ "$code" = 2 ] || fail "exit code $code on a full disk"
    says err "cannot write"
fi
