"""Random calls with random arguments: exceptions, never a crash, and never a NaN in a state. PLAIT_FUZZ_CALLS: how many."""
import inspect
import os
import random
import threading

import numpy as np
import pytest
from conftest import SANITIZED, make_pile, make_rope

import plait

CALLS = int(os.environ.get("PLAIT_FUZZ_CALLS", 1500 if SANITIZED else 6000))
SEED = int(os.environ.get("PLAIT_FUZZ_SEED", 1))
FINE = (plait.Error, TypeError, ValueError, OverflowError, AttributeError, IndexError, KeyError, OSError, MemoryError)


class Odd:
    """An object that lies about itself."""

    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return float("nan")

    def __repr__(self):
        raise RuntimeError("no words")


def any_value(r):
    n = r.choice([0, 1, 2, 3, 4, 7, 11, 41])
    kind = r.randrange(26)
    if kind < 6:
        return [r.gauss(0, 1) for _ in range(3)]
    if kind < 8:
        return r.randrange(-3, 45)
    if kind < 10:
        return r.choice([0.0, -1.0, 1e-3, 1e300, -1e308, 5e-324, float("nan"), float("inf")])
    if kind == 10:
        return np.array(np.random.default_rng(r.randrange(99)).normal(size=r.choice([(n,), (n, 3), (3, n), (n, n, 3), ()])))
    if kind == 11:
        return np.full(r.choice([(n, 3), (3,)]), r.choice([np.nan, np.inf, 1e308]))
    if kind == 12:
        return np.zeros((n, 3), dtype=r.choice(["f4", "i1", "u8", "c16", "?", "U3", "O", "M8[s]"]))
    if kind == 13:
        return np.asfortranarray(np.ones((n, 3)))[::-1]
    if kind == 14:
        return list(range(n))
    if kind == 15:
        return None
    if kind == 16:
        return r.choice(["root", "tip", "floor", "hemp", "fibre", "collider", "body", "pinned", "free", "clamped", "", "\0",
                         "ü", "a" * 5000])
    if kind == 17:
        return r.choice([2**31, -(2**31) - 1, 2**63, 2**64, -1, True])
    if kind == 18:
        return r.choice([Odd(), object(), {}, {"a": 1}, set(), b"bytes", lambda *a: None, slice(None), 1 + 2j, type])
    if kind == 19:
        return [[1, 2, 3], [4, 5]]
    if kind == 20:
        return r.choice(["0.1", [np.nan] * 3, ["1", "2", "3"], [None] * 3, [[]], (), [[1.0, 2, 3]] * n])
    if kind == 21:
        return np.float32(r.random())
    if kind == 22:
        return np.int8(r.randrange(5))
    return r.choice([1e-4, 0.01, 0.5, 1, 2, "1 mm", "3 s"])


def members(thing):
    return [name for name in dir(type(thing)) if not name.startswith("_")]


def call(r, thing, name):
    attribute = getattr(thing, name)
    if not callable(attribute):
        return attribute
    try:
        wanted = len([p for p in inspect.signature(attribute).parameters.values() if p.kind != p.VAR_KEYWORD])
    except (TypeError, ValueError):
        wanted = 2
    return attribute(*[any_value(r) for _ in range(max(0, wanted + r.choice([-1, 0, 0, 0, 0, 1])))])


def bounded(name):
    """Calls that would take long or draw; they have tests of their own."""
    return name not in ("run", "picture", "show", "export", "save", "to_yaml", "from_yaml", "each")


def test_simulations():
    r = random.Random(SEED)
    refused = {}
    made = [plait.Simulation(make_rope()), plait.Simulation(make_pile(2, 2))]
    kept = []
    for i in range(CALLS):
        sim = r.choice(made)
        name = r.choice([m for m in members(sim) if bounded(m)])
        if name == "close" and r.random() < 0.8:
            continue
        try:
            value = sim.step(r.choice([float("inf"), sim.time + 1e-3, any_value(r)])) if name == "step" else call(r, sim, name)
            if isinstance(value, np.ndarray):
                kept.append(value)
        except FINE as problem:
            refused[type(problem).__name__] = refused.get(type(problem).__name__, 0) + 1
            if isinstance(problem, plait.ClosedError):
                made[made.index(sim)] = plait.Simulation(r.choice([make_rope, make_pile])())
        if name == "set_filter" or name == "set_friction_law":
            try:
                sim.set_filter(None), sim.set_friction_law(None)
            except plait.ClosedError:
                pass
        if i % 50 == 0:
            for array in kept:
                float(np.sum(array["gap"] if array.dtype.names and "gap" in array.dtype.names else 0))
            del kept[:-20]
    for sim in made:
        try:
            assert np.isfinite(sim.save()).all()
        except plait.ClosedError:
            pass
    assert refused.get("InputError", 0) > CALLS / 20


def test_scenes():
    r = random.Random(SEED + 1)
    keys = ["radius", "young", "density", "damping", "position", "size", "line", "polyline", "ends", "segments", "model",
            "natural", "shape", "file", "motion", "velocity", "dt", "tol", "name", "material", "points", "counts"]
    for _ in range(CALLS // 4):
        scene = r.choice([make_rope(), plait.Scene()])
        for _ in range(3):
            try:
                what = r.randrange(6)
                some = {r.choice(keys): any_value(r) for _ in range(r.randrange(3))}
                if what == 0:
                    scene.fibres(r.choice(["a", "rope", any_value(r)]), any_value(r), **some)
                elif what == 1:
                    scene.collider("c", r.choice(["sphere", "plane", "mesh", "curve", any_value(r)]), **some)
                elif what == 2:
                    scene.set(r.choice(["step.dt", "fibres.rope.ends", "a..b", "", any_value(r)]), any_value(r))
                elif what == 3:
                    getattr(scene, r.choice(["step", "solver", "material", "body", "wind", "cloth", "nothing"]))(**some)
                elif what == 4:
                    scene.friction(any_value(r), any_value(r))
                else:
                    plait.Scene.from_yaml(str(any_value(r)), text=True)
                scene.build()
            except FINE:
                pass
            except RuntimeError as problem:
                assert "no words" in str(problem)


def test_problems_and_rods():
    r = random.Random(SEED + 2)
    p = plait.Problem.generate(rods=3, vertices=4, nu=0.3)
    rod = plait.Rod(np.linspace([0, 0, 0], [0.1, 0, 0], 9), young=1e7, radius=1e-3)
    parts = [p.M, p.H, p.f, p.w, p.mu]
    for _ in range(CALLS // 4):
        try:
            what = r.randrange(5)
            if what == 0:
                given = list(parts)
                given[r.randrange(5)] = any_value(r)
                plait.solve(*given, max_iterations=20)
            elif what == 1:
                plait.solve(any_value(r), any_value(r), any_value(r), max_iterations=20)
            elif what == 2:
                p.solve(guess=any_value(r), max_iterations=5,
                        **{r.choice(["tol", "threads", "anderson", "solver", "stop", "x"]): r.choice([0, 1, any_value(r)])})
            elif what == 3:
                p.certify(any_value(r))
            else:
                name = r.choice([m for m in members(rod) if bounded(m)])
                call(r, rod, name)
        except FINE:
            pass
        except RuntimeError as problem:
            assert "no words" in str(problem)
    assert p.solve(tol=1e-6).converged


def test_threads():
    """Several threads use the same simulations: BusyError or a value, nothing else."""
    sims = [plait.Simulation(make_pile(2, 3)), plait.Simulation(make_rope())]
    wrong = []

    def work(seed):
        r = random.Random(seed)
        for _ in range(CALLS // 40):
            sim = r.choice(sims)
            try:
                what = r.randrange(6)
                (sim.step, lambda: sim.x.sum(), lambda: sim.contacts["gap"].sum(), sim.save,
                 lambda: sim.set_gravity([0, 0, -9]), lambda: sim.set_filter(None))[what]()
            except plait.Error:
                pass
            except BaseException as problem:
                wrong.append(problem)

    threads = [threading.Thread(target=work, args=(SEED + i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


@pytest.mark.parametrize("path", ["nothing.h5", "", "\0", "/", "x" * 5000])
def test_paths(path):
    for use in (plait.Run, plait.Problem.read, plait.Scene.from_yaml, plait.read_curves,
                plait.Simulation(make_rope()).restore):
        with pytest.raises((plait.Error, OSError, ValueError)):
            use(path)
