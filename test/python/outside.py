"""Programs as users run them: without what points to the build tree."""
import os
import subprocess


def plain():
    """The environment without what points to the build tree."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_PRELOAD", "PLAIT_LIBRARY")}


def say(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **{"env": plain(), **options})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
