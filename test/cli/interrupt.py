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
