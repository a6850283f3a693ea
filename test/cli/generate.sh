# plait generate: files that can be read back, the same for the same seed, and one message for anything that is wrong.

. "$PLAIT_SOURCE/test/cli/lib.bash"

# bad WORDS ARGUMENTS...: must exit with 2, print one line with WORDS on stderr, nothing on stdout, and leave no file.
bad() {
    local words=$1 code=0
    shift
    "$PLAIT" generate "$@" >out 2>err || code=$?
    [ $code -eq 2 ] || fail "exit $code, not 2: generate $*"
    [ ! -s out ] || fail "wrote on stdout: generate $*"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line: generate $*: $(cat err)"
    grep -qF -- "$words" err || fail "no '$words' in: $(cat err)"
    rm out err
    [ -z "$(ls)" ] || fail "left behind: $(ls)"
}

bad "usage"
bad "expected 'fibres', found 'ropes'" ropes -o x.hdf5
bad "expected -o FILE" fibres
bad "--rods" fibres -o x.hdf5 --rods 1
bad "--rods" fibres -o x.hdf5 --rods many
bad "--contacts" fibres -o x.hdf5 --contacts 0
bad "give one of them" fibres -o x.hdf5 --contacts 10 --rods 10
bad "--vertices" fibres -o x.hdf5 --vertices 3
bad "--nu" fibres -o x.hdf5 --nu 0
bad "--nu" fibres -o x.hdf5 --nu nan
bad "--mu" fibres -o x.hdf5 --mu -0.3
bad "found '3min'" fibres -o x.hdf5 --dt 3min
bad "found '0ms'" fibres -o x.hdf5 --dt 0ms
bad "found 'ms'" fibres -o x.hdf5 --dt ms
bad "dt: expected a number from" fibres -o x.hdf5 --dt 1e9s
bad "--seed" fibres -o x.hdf5 --seed -1
bad "--local" fibres -o x.hdf5 --local -1
bad "--colour" fibres -o x.hdf5 --colour red
bad "no_such_folder/x.hdf5: cannot be written: No such file" fibres -o no_such_folder/x.hdf5 --rods 2

# the same seed, the same file; another seed, another
"$PLAIT" generate fibres --rods 5 --vertices 10 --seed 7 -o a.hdf5 2>err
grep -q "a.hdf5: 50 contacts, 5 rods of 10 vertices, 150 dofs, nu 1" err || fail "$(cat err)"
sleep 1 # so that a time of day in the file would show
"$PLAIT" generate fibres --rods 5 --vertices 10 --seed 7 -o b.hdf5 2>err
"$PLAIT" generate fibres --rods 5 --vertices 10 --seed 8 -o c.hdf5 2>err
cmp a.hdf5 b.hdf5 || fail "the same seed gives other files"
! cmp -s a.hdf5 c.hdf5 || fail "another seed gives the same file"

# units of time
for dt in 2ms "2 ms" 0.002 0.002s 2000us; do
    "$PLAIT" generate fibres --rods 2 --dt "$dt" -o dt.hdf5 --force 2>err
    [ -f first.hdf5 ] || cp dt.hdf5 first.hdf5
    cmp dt.hdf5 first.hdf5 || fail "--dt $dt is not 2 ms"
done

# an existing file is kept unless --force; a folder is never written over
cp a.hdf5 kept.hdf5
code=0
"$PLAIT" generate fibres --rods 3 -o a.hdf5 2>err || code=$?
[ $code -eq 2 ] && grep -q "exists already" err && cmp a.hdf5 kept.hdf5 || fail "a file was written over"
"$PLAIT" generate fibres --rods 3 -o a.hdf5 -f 2>err
! cmp -s a.hdf5 kept.hdf5 || fail "--force did not write"
mkdir folder
code=0
"$PLAIT" generate fibres --rods 3 -o folder -f 2>err || code=$?
[ $code -eq 2 ] || fail "a folder was written over"

# contacts instead of rods: exactly as many
"$PLAIT" generate fibres --contacts 1000 --nu 0.3 -o many.hdf5 2>err
"$PLAIT" info --json many.hdf5 >many.json
for line in '"contacts": 1000,' '"dofs": 9990,' '"bodies": 111,' '"form": "global"'; do
    grep -qF "$line" many.json || fail "no $line in $(cat many.json)"
done

# the reduced form of the same problem
"$PLAIT" generate fibres --rods 4 --vertices 8 -o global.hdf5 2>err
"$PLAIT" generate fibres --rods 4 --vertices 8 --reduced -o local.hdf5 2>err
"$PLAIT" info --json global.hdf5 | grep -E '"(contacts|trace_min|blocks)"' >global.txt
"$PLAIT" info --json local.hdf5 | grep -E '"(contacts|trace_min|blocks)"' >local.txt
"$PLAIT" info --json local.hdf5 | grep -q '"form": "local"' || fail "--reduced is not local"
[ "$(grep -c . global.txt)" -eq 3 ] || fail "$(cat global.txt)"
paste global.txt local.txt | tr -d ',' | awk '{ d = $2 - $4; if (d < 0) d = -d; if (d > 1e-9 * ($2 + 1)) exit 1 }' ||
    fail "global and reduced differ: $(cat global.txt local.txt)"

# heavy: contacts on the held edges have a small W_ii
"$PLAIT" generate fibres --rods 20 --heavy -o heavy.hdf5 2>err
"$PLAIT" info --json heavy.hdf5 | awk -F'[:,]' '/trace_min/ { exit !($2 < 1e-3) }' || fail "heavy is not heavy"

# a file that may not grow: a message, and nothing is left
(ulimit -f 100; expect 2 "$PLAIT" generate fibres --rods 100 -o grown.hdf5)
says err "grown.hdf5: cannot be written"
[ ! -e grown.hdf5 ] || fail "half a problem was left"
[ -z "$(ls | grep tmp)" ] || fail "temporary files were left: $(ls)"
echo "all passed"
