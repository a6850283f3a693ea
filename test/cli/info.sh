# plait info: what it says of good files, and one message and exit code 2 for every bad one.

. "$PLAIT_SOURCE/test/cli/lib.bash"

"$PLAIT" generate fibres --rods 6 --vertices 10 --nu 0.5 --mu 0.4 -o good.hdf5 2>/dev/null

# refused WORDS FILE: exit 2, one line with the file's name and WORDS, nothing on stdout
refused() {
    local code=0
    "$PLAIT" info "$2" >out 2>err || code=$?
    [ $code -eq 2 ] || fail "exit $code, not 2: info $2"
    [ ! -s out ] || fail "wrote on stdout: info $2"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line for $2: $(cat err)"
    grep -qF -- "$2" err && grep -qF -- "$1" err || fail "no '$1' or '$2' in: $(cat err)"
}

refused "No such file" there_is_no_such.hdf5
mkfifo pipe.hdf5
refused "found a device or pipe" pipe.hdf5
: >empty.hdf5
refused "found an empty file" empty.hdf5
echo "hello" >words.hdf5
refused "neither an HDF5 signature nor a number" words.hdf5
gzip -c words.hdf5 >words.hdf5.gz
refused "neither an HDF5 signature nor a number" words.hdf5.gz
gzip -c words.hdf5.gz >twice.hdf5.gz
refused "packed by gzip twice" twice.hdf5.gz
gzip -c empty.hdf5 >empty.gz
refused "found an empty file" empty.gz
gzip -c good.hdf5 >whole.hdf5.gz
size=$(stat -c %s whole.hdf5.gz)
for keep in 2 9 11 300 $((size / 2)) $((size - 8)) $((size - 1)); do # in the header, the data, the checksum, the length
    head -c "$keep" whole.hdf5.gz >cut.gz
    refused "found one that is cut off" cut.gz
done
for at in 3 $((size / 2)) $((size - 6)) $((size - 2)); do # a flag that does not exist, data, checksum, length
    cp whole.hdf5.gz bent.gz
    printf '\377' | dd of=bent.gz bs=1 seek="$at" conv=notrunc status=none
    refused "whole file packed by gzip, found" bent.gz
done
head -c 3000 good.hdf5 | gzip -c >short.hdf5.gz
refused "cut off or damaged" short.hdf5.gz
head -c 3000 good.hdf5 >short.hdf5
refused "cut off or damaged" short.hdf5
printf '3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1\n' >short.dat
refused "line 6" short.dat
printf '3\n1\n0\n3\n3\n3\t3\n1 0 0 0 nan 0 0 0 1\n0 0 0\n1\n' >nan.dat
refused "found 'nan'" nan.dat

# one file: line by line
"$PLAIT" info good.hdf5 >out
for line in "contacts        30" "dofs            180" "bodies          6" "mu              0.4" \
    "description     plait"; do
    grep -qF "$line" out || fail "no '$line' in $(cat out)"
done

# several: a table; a bad one among them does not hide the others, but is told
printf '3\n1\n0\n3\n3\n3\t3\n4 0 0\n0 4 0\n0 0 4\n-1 0 0\n0.5\n' >text.dat
code=0
"$PLAIT" info good.hdf5 words.hdf5 text.dat >out 2>err || code=$?
[ $code -eq 2 ] || fail "exit $code with a bad file among good ones"
grep -q "^good.hdf5 *global *30 " out && grep -q "^text.dat *local *1 " out || fail "$(cat out)"
grep -q "words.hdf5" err || fail "$(cat err)"

# JSON that other programs can read
"$PLAIT" info --json good.hdf5 text.dat >out.json
if command -v python3 >/dev/null; then
    python3 - <<'PYTHON' || fail "JSON: $(cat out.json)"
import json
good, text = json.load(open("out.json"))
assert good["contacts"] == 30 and good["dofs"] == 180 and good["bodies"] == 6 and good["form"] == "global"
assert abs(good["nu"] - 0.5) < 1e-12 and good["mu_min"] == 0.4 and good["asymmetry"] == 0
assert text["contacts"] == 1 and text["dofs"] is None and text["form"] == "local" and text["trace_min"] == 12
PYTHON
fi

# one triangle of M, and nothing of the other
printf '3\n1\n0\n3\n3\n3\t3\n2 0 0 0.3 3 0 0.1 0.2 4\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n-2 1.4 0.9\n0 0 0\n0.4\n' >half.dat
"$PLAIT" info half.dat >out 2>err || fail "half: $(cat err)"
grep -q '^M is a half  *the upper triangle alone' out || fail "half: $(cat out)"
printf '3\n1\n0\n3\n3\n3\t3\n2 0.3 0.1 0.3 3 0.2 0.1 0.2 4\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n-2 1.4 0.9\n0 0 0\n0.4\n' >whole.dat
"$PLAIT" info whole.dat >out 2>err || fail "whole: $(cat err)"
! grep -q 'M is a half' out || fail "whole: $(cat out)"

# without a file
code=0
"$PLAIT" info >out 2>err || code=$?
[ $code -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "no files: $(cat err)"
echo "all passed"
