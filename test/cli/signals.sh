# signals.sh: Ctrl-C: what there is so far is reported, nothing is half-written, no process stays behind.
source "$PLAIT_SOURCE/test/cli/lib.bash"

"$PLAIT" generate fibres --rods 200 --nu 2 --heavy -o hard.hdf5 2>/dev/null
"$PLAIT" generate fibres --rods 8 --nu 0.3 -o easy.hdf5 2>/dev/null

cat >interrupt.py <<'PYTHON'
# interrupt.py SIGNAL SECONDS COMMAND...: sends the signal when the command and its children have worked for so many processor
# seconds; prints the exit code (negative: killed), and whether it stopped without much more work. No clock on the wall is
# looked at: the machine may be busy.
import os, signal, subprocess, sys, time
number = getattr(signal, sys.argv[1])
def as_in_a_terminal():
    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, signal.SIG_DFL)
def seconds(pid):
    """Of a process and its children, living and gone."""
    try:
        fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
        children = open("/proc/%d/task/%d/children" % (pid, pid)).read().split()
    except (OSError, IndexError):
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(seconds(int(c)) for c in children)
p = subprocess.Popen(sys.argv[3:], stdout=open("out", "wb"), stderr=open("err", "wb"), preexec_fn=as_in_a_terminal)
while p.poll() is None and seconds(p.pid) < float(sys.argv[2]):
    time.sleep(0.02)
if p.poll() is not None:
    print("over too soon, with", p.returncode)
    sys.exit()
before = seconds(p.pid)
p.send_signal(number)
try:
    code = p.wait(300)
except subprocess.TimeoutExpired:
    p.kill()
    print("did not stop")
    sys.exit()
used = os.times()
print(code, "quickly" if used.children_user + used.children_system - before < 5 else "slowly")
PYTHON
interrupt() { result=$(python3 interrupt.py "$@"); }

# One problem that no one solves to 1e-15: the best so far is reported.
interrupt SIGINT 2 "$PLAIT" solve --json --solver spg --tol 1e-16 --max-time 0 hard.hdf5 -o solution.hdf5
[ "$result" = "130 quickly" ] || fail "Ctrl-C: $result: $(cat err)"
json out 'len(d) == 1 and d[0]["stopped"] and not d[0]["converged"] and d[0]["residual_rel"] is not None'
says err "stopped"
[ "$(find . -type f | sort | tr '\n' ' ')" = "./easy.hdf5 ./err ./hard.hdf5 ./interrupt.py ./out " ] ||
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
cat >terminal.py <<'PYTHON'
import os, pty, sys, subprocess
master, slave = pty.openpty()
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
text = b""
while True:
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    text += part
p.wait()
sys.stdout.buffer.write(text)
PYTHON
"$PLAIT" generate fibres --rods 40 --nu 2 --heavy -o smaller.hdf5 2>/dev/null
python3 terminal.py "$PLAIT" solve --solver spg --tol 1e-16 --max-time 3 --threads 1 smaller.hdf5 >progress
says progress "residual"
says progress "iterations"
[ "$(tail -c 4 progress)" = $'\r\033[K' ] || fail "the line stays: $(tail -c 20 progress | od -c)"
expect 1 "$PLAIT" solve --verbose --solver spg --tol 1e-16 --max-time 3 --threads 1 smaller.hdf5
says err "residual"
