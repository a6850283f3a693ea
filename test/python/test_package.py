"""The package as users get it: installed by CMake, as a wheel in a fresh virtual environment."""
import os
import subprocess
import sys

import pytest

from outside import plain, say

SOURCE, BUILD = os.environ["PLAIT_SOURCE"], os.environ["PLAIT_BUILD"]
TRIAL = """
import sys, numpy as np, plait
scene = plait.Scene()
scene.material("hemp", radius="4 mm", young="5 MPa", density=1200)
scene.fibres("rope", np.linspace([0, 0, 1], [1, 0, 1], 21), ends={"root": "pinned"})
sim = plait.Simulation(scene)
sim.run(0.02)
from plait import _library, show
print(plait.__file__, _library.PATH, show.program(), sim.steps > 0)
"""


def test_installed(tmp_path):
    prefix = str(tmp_path / "prefix")
    say("cmake", "--install", BUILD, "--prefix", prefix)
    packages = os.path.join(prefix, "lib", "python%d.%d" % sys.version_info[:2], "dist-packages")
    assert os.path.exists(os.path.join(packages, "plait", "py.typed"))
    assert not any(n.startswith("libplait") for n in os.listdir(os.path.join(packages, "plait")))
    said = say(sys.executable, "-c", TRIAL, env={**plain(), "PYTHONPATH": packages}, cwd=tmp_path).split()
    assert all(word.startswith(prefix) for word in said[:3]) and said[3] == "True"
    # /usr/local and /usr are where Debian's Python looks of itself.
    where = say("/usr/bin/python3", "-c", "import sys; print(sys.path)")
    assert "/usr/local/lib/python%d.%d/dist-packages" % sys.version_info[:2] in where


def test_wheel(tmp_path):
    pytest.importorskip("venv")
    path = say(sys.executable, os.path.join(SOURCE, "python", "wheel.py"), BUILD, str(tmp_path / "dist")).strip()
    made = subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "fresh"], cwd=tmp_path, env=plain(),
                          capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"no virtual environments here: {made.stdout}{made.stderr}")
    python = str(tmp_path / "fresh" / "bin" / "python")
    say(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", path, cwd=tmp_path)
    said = say(python, "-c", TRIAL, cwd=tmp_path).split()
    assert all(word.startswith(str(tmp_path / "fresh")) for word in said[:3]) and said[3] == "True"
    assert "0." in say(str(tmp_path / "fresh" / "bin" / "plait"), "--version")
