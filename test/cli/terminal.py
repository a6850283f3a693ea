# terminal.py COMMAND...: what a command prints to a terminal of 120 columns on stderr.
import fcntl, os, pty, struct, subprocess, sys, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
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
