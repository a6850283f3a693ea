"""Examples, helpers for curves, and what docstrings promise."""
import doctest
import importlib
import os
import subprocess
import sys

import numpy as np
import pytest

import plait
from plait import curves

SOURCE = os.environ["PLAIT_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "python", "examples"))


@pytest.mark.parametrize("name", ["scene", "problem", "rod"])
def test_docstrings(name):
    module = importlib.import_module(f"plait.{name}")
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


def test_a_gripper_ties_a_knot():
    import tie_knot

    sim, gripper = tie_knot.tie()
    assert gripper.tight and len(sim.contacts) >= 3
    assert {curves.knot_determinant(sim.x, seed) for seed in range(5)} == {3}
    # The same way without going through the loop ties nothing, and the rope becomes straight.
    straight, gripper = tie_knot.tie([(0.75, 0.30, 0.03), (0.45, 0.30, 0.05), (0.60, 0.02, 0.10), (1.05, 0.0, 0.0)])
    assert gripper.tight and curves.knot_determinant(straight.x) == 1
    reach = [np.linalg.norm(s.x[-1] - s.x[0]) for s in (sim, straight)]
    assert reach[1] > 1.0 > reach[0] + 0.05


def test_helpers():
    scene = plait.Scene()
    scene.material("m", radius="1 mm")
    t = np.linspace(0, np.pi, 401)
    arc = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    scene.fibres("f", [arc, np.linspace([0, 0, 0], [0, 3, 4], 6)])
    sim = plait.Simulation(scene)
    x, first = sim.x, sim.first
    assert np.allclose(curves.lengths(x, first), [np.pi, 5], rtol=1e-4)
    assert np.allclose(curves.curvatures(x, first)[1:400], 1, rtol=1e-4)
    assert np.allclose(curves.curvatures(x, first)[400:], 0, atol=1e-9)
    assert np.allclose(curves.arcs(x, first)[[0, 400, 401, 406]], [0, np.pi, 0, 5], rtol=1e-4)
    assert curves.edges(x, first).shape == (405, 3)
    assert np.allclose(curves.tips(x, first), [[-1, 0, 0], [0, 3, 4]])
    assert np.allclose(curves.roots(x, first), [[1, 0, 0], [0, 0, 0]])
    even = curves.resample(arc, 11)
    assert even.shape == (11, 3) and np.allclose(curves.lengths(even), np.pi, rtol=1e-2)
    for bad in ([0, 3], [1, 407], [0, 1, 407], [0, 407, 407]):
        with pytest.raises(plait.InputError):
            curves.lengths(x, bad)


def test_knots():
    """Of curves whose knots are known: torus knots T(2, q) have determinant q, joined trefoils 9."""
    t = np.linspace(0, 2 * np.pi, 300)[5:-5]

    def torus(q):
        r = 2 + np.cos(q * t)
        return np.stack([r * np.cos(2 * t), r * np.sin(2 * t), np.sin(q * t)], axis=1)

    eight = np.stack([(2 + np.cos(2 * t)) * np.cos(3 * t), (2 + np.cos(2 * t)) * np.sin(3 * t), np.sin(4 * t)], axis=1)
    for seed in range(4):
        assert curves.knot_determinant(eight, seed) in (1, 5)
    scene = plait.Scene()
    scene.material("m", radius="1 mm")
    scene.fibres("one", knot={"length": "0.3 m"}, segments=100)
    scene.fibres("other", knot={"length": "0.3 m", "mirror": True}, segments=100)
    sim = plait.Simulation(scene)
    one, other = sim.nodes(0), sim.nodes(1)
    assert {curves.knot_determinant(k, s) for k in (one, other) for s in range(4)} == {3}
    assert curves.knot_determinant(np.vstack([one, other + [0.31, 0, 0]])) == 9
    for q in (3, 5):
        assert curves.knot_determinant(torus(q)) in (1, q)
    assert curves.knot_determinant(np.cumsum(np.random.default_rng(3).normal(size=(4, 3)), axis=0)) == 1


def test_examples_run(tmp_path):
    folder = os.path.join(SOURCE, "python", "examples")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") and name != "tie_knot.py":  # which has a test of its own
            done = subprocess.run([sys.executable, os.path.join(folder, name)], cwd=tmp_path, capture_output=True,
                                  text=True)
            assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_is_of_these_docstrings():
    """docs/python-reference.md is what python/reference.py writes."""
    subprocess.run([sys.executable, os.path.join(SOURCE, "python", "reference.py"), "reference.md"], check=True)
    with open("reference.md", encoding="utf-8") as a, open(os.path.join(SOURCE, "docs", "python-reference.md"),
                                                           encoding="utf-8") as b:
        assert a.read() == b.read(), "run python/reference.py docs/python-reference.md"
