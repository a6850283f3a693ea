# verdict.py: checks of a script: each that fails is printed, and told by the exit code.
import sys

bad = 0


def check(ok, what):
    global bad
    if not ok:
        bad += 1
        print("FAILED:", what)


def end():
    sys.exit(bad > 0)
