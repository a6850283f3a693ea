"""Notebooks run from the first cell to the last, and are kept without outputs."""
import json
import os
import shutil
import subprocess
import sys

import pytest

SOURCE = os.environ["PLAIT_SOURCE"]
FOLDER = os.path.join(SOURCE, "python", "notebooks")
NAMES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".ipynb"))


@pytest.mark.parametrize("name", NAMES)
def test_without_outputs(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
    assert "assert " in "".join(cells[-1]["source"])


def test_the_rope_has_fifteen_lines():
    with open(os.path.join(FOLDER, "rope.ipynb"), encoding="utf-8") as file:
        first = next(c for c in json.load(file)["cells"] if c["cell_type"] == "code")
    assert len([line for line in first["source"] if line.strip()]) <= 15


@pytest.mark.parametrize("name", NAMES)
def test_executed(name, tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    (tmp_path / "in").mkdir()
    shutil.copy(os.path.join(FOLDER, name), tmp_path / "in")  # it is run where it lies, and writes there
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(tmp_path),
         "--ExecutePreprocessor.timeout=1200", "--ExecutePreprocessor.kernel_name=python3",
         str(tmp_path / "in" / name)],
        capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PLAIT_RODS": "3000", "MPLBACKEND": "module://matplotlib_inline.backend_inline",
             "JUPYTER_RUNTIME_DIR": str(tmp_path), "IPYTHONDIR": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1"})
    assert done.returncode == 0, done.stderr[-4000:]
    with open(tmp_path / name, encoding="utf-8") as file:
        outputs = [o for c in json.load(file)["cells"] for o in c.get("outputs", [])]
    kinds = {kind for o in outputs for kind in o.get("data", {})}
    assert "image/png" in kinds
    if name in ("rope.ipynb", "knots.ipynb"):
        assert any("srcdoc" in "".join(o["data"].get("text/html", "")) for o in outputs if "data" in o)
