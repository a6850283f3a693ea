"""Type hints, as mypy sees them; it takes most of a minute."""
import os
import subprocess

import pytest

from outside import plain, say

BUILD = os.environ["PLAIT_BUILD"]


def test_types(tmp_path):
    """mypy finds nothing wrong in the package, nor in a program that uses it well, and notices one that does not."""
    mypy = "/usr/bin/mypy"
    if not os.path.exists(mypy):
        pytest.skip("mypy is not installed")
    (tmp_path / "good.py").write_text("import plait\ns = plait.Scene()\nsim = plait.Simulation(s)\nt: float = sim.time\n")
    (tmp_path / "bad.py").write_text("import plait\nt: str = plait.Simulation(plait.Scene()).time\n")
    package = os.path.join(BUILD, "python", "plait")
    options = ["--ignore-missing-imports", "--no-incremental", "--cache-dir", str(tmp_path / "cache")]
    say(mypy, *options, "--exclude", "_c\\.py", package, cwd=tmp_path)
    env = {**plain(), "MYPYPATH": os.path.join(BUILD, "python")}
    say(mypy, *options, "good.py", cwd=tmp_path, env=env)
    done = subprocess.run([mypy, *options, "bad.py"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "bad.py:2" in done.stdout
