# signals.sh: Ctrl-C: what there is so far is reported, nothing is half-written, no process stays behind.
source "$PLAIT_SOURCE/test/cli/lib.bash"

"$PLAIT" generate fibres --rods 200 --nu 2 --heavy -o hard.hdf5 2>/dev/null
"$PLAIT" generate fibres --rods 8 --nu 0.3 -o easy.hdf5 2>/dev/null

interrupt() { result=$(python3 "$PLAIT_SOURCE/test/cli/interrupt.py" "$@"); }

# One problem that no one solves to 1e-15: the best so far is reported.
interrupt SIGINT 2 "$PLAIT" solve --json --solver spg --tol 1e-16 --max-time 0 hard.hdf5 -o solution.hdf5
[ "$result" = "130 quickly" ] || fail "Ctrl-C: $result: $(cat err)"
json out 'len(d) == 1 and d[0]["stopped"] and not d[0]["converged"] and d[0]["residual_rel"] is not None'
says err "stopped"
[ "$(find . -type f | sort | tr '\n' ' ')" = "./easy.hdf5 ./err ./hard.hdf5 ./out " ] ||
    fail "files left behind: $(find . -type f)"

# As a table; what was solved before stays solved; the rest is not begun.
interrupt SIGINT 2 "$PLAIT" solve --solver spg --tol 1e-16 --max-time 0 hard.hdf5 easy.hdf5
[ "$result" = "130 quickly" ] || fail "Ctrl-C: $result: $(cat err)"
says out "hard.hdf5"
grep -q "easy.hdf5" out && fail "went on after Ctrl-C"
interrupt SIGTERM 2 "$PLAIT" solve --solver spg --tol 1e-16 --max-time 0 hard.hdf5
[ "$result" = "143 quickly" ] || fail "SIGTERM: $result: $(cat err)"

# auto listens too.
interrupt SIGINT 1 "$PLAIT" solve --json --tol 1e-16 --max-time 0 hard.hdf5
[ "$result" = "130 quickly" ] || fail "auto: $result: $(cat err)"

# A benchmark reports what it has, and its children are gone.
cp hard.hdf5 "unique-$$.hdf5"
interrupt SIGINT 3 "$PLAIT" bench solvers --json --solvers gs,spg --tol 1e-16 --max-time 1000 "unique-$$.hdf5"
[ "$result" = "130 quickly" ] || fail "bench: $result: $(cat err)"
json out 'd["benchmark"] == "solvers" and len(d["summary"]) == 2'
for _ in $(seq 300); do # they are on their way out
    pgrep -f "unique-$$.hdf5" >left || break
    sleep 0.1
done
[ ! -s left ] || fail "left behind: $(cat left)"

# The time limit holds by itself: by far within a minute of the processor.
(ulimit -t 60; expect 1 "$PLAIT" solve --json --solver spg --tol 1e-16 --max-time 1 --threads 1 hard.hdf5)
json out 'd[0]["stopped"]'

# On a terminal there is a line of progress, and it is wiped away at the end.
"$PLAIT" generate fibres --rods 40 --nu 2 --heavy -o smaller.hdf5 2>/dev/null
python3 "$PLAIT_SOURCE/test/cli/terminal.py" "$PLAIT" solve --solver spg --tol 1e-16 --max-time 3 --threads 1 smaller.hdf5 >progress
says progress "residual"
says progress "iterations"
[ "$(tail -c 4 progress)" = $'\r\033[K' ] || fail "the line stays: $(tail -c 20 progress | od -c)"
expect 1 "$PLAIT" solve --verbose --solver spg --tol 1e-16 --max-time 3 --threads 1 smaller.hdf5
says err "residual"
