"""Simulations: views, state, the same bits as from a file, nothing that grows."""
import gc
import math
import resource
import sys

import numpy as np
import pytest
from conftest import SANITIZED, make_pile, make_rope

import plait
from plait._c import ffi
from plait._library import lib


def address(pointer):
    return int(ffi.cast("uintptr_t", pointer))


def test_fifteen_lines():
    scene = plait.Scene()
    scene.material("hemp", radius="4 mm", young="5 MPa", density=1200, damping="2 ms")
    scene.fibres("rope", np.linspace([0, 0, 1], [1, 0, 1], 41), ends={"root": "pinned"})
    sim = plait.Simulation(scene)
    sim.run(0.2)
    assert sim.time == 0.2 and sim.x[-1, 2] < 0.9
    assert np.allclose(sim.x[0], [0, 0, 1])


def test_views_are_the_librarys_arrays(pile):
    sim = plait.Simulation(pile)
    x, v = sim.x, sim.v
    sim.run(0.03)
    nodes = ffi.new("plait_sim_nodes *", {"size": ffi.sizeof("plait_sim_nodes")})
    lib.plait_sim_view_nodes(sim._c, nodes, ffi.NULL)
    assert x.ctypes.data == address(nodes.x) and v.ctypes.data == address(nodes.v)
    assert not x.flags.owndata and not x.flags.writeable
    assert sim.x.ctypes.data == x.ctypes.data
    assert (np.abs(v) > 0).any()  # held arrays show the present
    copy = np.empty_like(x)
    lib.plait_sim_positions(sim._c, ffi.cast("double *", copy.ctypes.data))
    assert (copy == x).all()
    at, count = ffi.new("const plait_sim_contact **"), ffi.new("int *")
    lib.plait_sim_view_contacts(sim._c, at, count, ffi.NULL)
    contacts = sim.contacts
    assert len(contacts) == count[0] == sim.report.contacts > 10
    assert contacts.ctypes.data == address(at[0])
    one = ffi.new("plait_sim_contact *")
    for i in range(len(contacts)):
        lib.plait_sim_contact_get(sim._c, i, one)
        assert list(one.impulse) == contacts["impulse"][i].tolist()
        assert list(one.index) == contacts["index"][i].tolist() and one.gap == contacts["gap"][i]
    assert contacts["impulse"].base is not None and not contacts["impulse"].flags.owndata
    assert len(sim.bonds) == len(contacts) and (sim.bonds["impulse"] == contacts["impulse"]).all()
    with pytest.raises(ValueError):
        x[0] = 1


def test_views_outlive_everything(pile):
    sim = plait.Simulation(pile)
    x = sim.x
    sim.run(0.02)
    contacts = sim.contacts
    before = x.copy(), contacts.copy()
    sim.close()
    del sim
    gc.collect()
    assert (x == before[0]).all() and (contacts == before[1]).all()


def test_python_and_yaml_give_the_same_bits():
    scenes = [make_rope(), make_pile(), make_rope(natural={"shape": "curl", "radius": "1 cm", "pitch": "3 cm"})]
    scenes[0].body("ball", "sphere", radius="3 cm", density=300, position=[0.5, 0.01, 0.1])
    scenes[1].collider("bar", "curve", radius="1 cm", points=np.array([[0, 0, -0.01], [0.1, 1 / 3, -0.01]]))
    for scene in scenes:
        a = plait.Simulation(scene)
        scene.to_yaml("scene.yaml")
        b = plait.Simulation("scene.yaml")
        c = plait.Simulation(plait.Scene.from_yaml("scene.yaml", **{"title": "again"}))
        for sim in (a, b, c):
            sim.run(0.05)
        state = a.save()
        assert (state == b.save()).all() and (state == c.save()).all()
        assert a.report.contacts == b.report.contacts


def test_named_scenes_go_through_python():
    assert len(plait.Scene.names()) > 15
    for name in ("knot", "whip") if SANITIZED else ("knot", "pony", "spaghetti-7", "whip", "double-loop"):
        scene = plait.Scene.named(name + "-small")
        error = plait._library.new_error()
        c = ffi.gc(lib.plait_scene_find((name + "-small").encode(), 0, ffi.NULL, error), lib.plait_scene_free)
        built = scene.build()
        assert built.fibres == c.fibres and built.colliders == c.colliders
        for i in range(0, c.fibres, max(1, c.fibres // 5)):
            n = c.fibre[i].points
            assert ffi.buffer(c.fibre[i].point, 24 * n)[:] == ffi.buffer(built.c.fibre[i].point, 24 * n)[:]
        assert bytes(ffi.buffer(ffi.addressof(c.stepping), ffi.sizeof("plait_stepping"))) == bytes(
            ffi.buffer(ffi.addressof(built.c.stepping), ffi.sizeof("plait_stepping")))


def test_save_and_restore(pile):
    sim = plait.Simulation(pile)
    sim.run(0.02)
    state = sim.save("point.h5")
    sim.run(0.04)
    later = sim.save()
    held = sim.x
    sim.restore(state)
    assert sim.time == 0.02 and (held == sim.x).all()
    sim.run(0.04)
    assert (sim.save() == later).all()
    sim.restore("point.h5")
    assert (sim.save() == state).all()
    other = plait.Simulation(make_rope())
    with pytest.raises(plait.InputError, match="the state has"):
        other.restore(state)
    with pytest.raises(plait.InputError):
        sim.restore(np.full(state.size, np.nan))


def test_run(rope):
    sim = plait.Simulation(rope)
    times = []
    sim.run(1.0, each=lambda s, report: times.append(s.time) or s.time > 0.0199)
    assert len(times) == 10 and sim.steps == 10
    sim.run(1.0, steps=5)
    assert sim.steps == 15
    report = sim.step(until=sim.time + 1e-3)
    assert math.isclose(report.dt, 1e-3) and report.step == 16 and report.converged
    assert set(report) >= {"failed", "contacts", "certificate", "kinetic"}
    assert report.certificate.residual_rel >= 0
    with pytest.raises(plait.InputError, match="a step must end after"):
        sim.step(until=0)
    with pytest.raises(plait.InputError, match="a step must end after"):
        sim.step(until=float("nan"))


def test_a_step_that_fails():
    scene = make_rope()
    scene.step(dt="2 ms", dt_min="2 ms", max_stretch=1e-9)
    scene.set("fibres.rope.velocity", [0, 0, -3])
    sim = plait.Simulation(scene)
    with pytest.raises(plait.StepFailed) as caught:
        sim.run(0.5)
    assert caught.value.report.failed and caught.value.report.reason
    assert sim.time < 0.5


def test_closed(rope):
    sim = plait.Simulation(rope)
    with sim:
        sim.step()
    for use in (sim.step, sim.save, lambda: sim.x, lambda: sim.contacts, lambda: sim.time,
                lambda: sim.set_gravity([0, 0, 0])):
        with pytest.raises(plait.ClosedError):
            use()
    sim.close()
    assert "closed" in repr(sim)


def test_threads_give_the_same_bits(pile):
    states = []
    for threads in (1, 2, 3):
        sim = plait.Simulation(pile, threads=threads)
        sim.run(0.03)
        states.append(sim.save())
    assert (states[0] == states[1]).all() and (states[0] == states[2]).all()


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_nothing_grows():
    """Create, step, look, free, many times: the resident memory stands still."""
    scene = make_rope()
    cycles = 100 if SANITIZED else 1000
    level = 0
    for i in range(cycles + 300):
        sim = plait.Simulation(scene, threads=1)
        sim.step()
        assert sim.x.shape == (41, 3) and len(sim.contacts) >= 0
        sim.set_filter(lambda contact: True)
        sim.close()
        if i == 300:
            gc.collect()
            level = memory()
    gc.collect()
    if not SANITIZED:  # which keeps freed memory for a while
        assert memory() - level < 2**20


def test_a_step_is_thin():
    """What Python does for a step, counted in calls: a few, whatever is in the scene. (About 2 us; docs/python.md)"""
    for scene, until in ((make_rope(), 0.01), (make_pile(), 0.02)):
        sim = plait.Simulation(scene, threads=1)
        sim.run(until)
        x, calls = sim.x, []
        sys.setprofile(lambda frame, event, argument: calls.append(event) if "call" in event else None)
        try:
            for _ in range(20):
                sim.step()
        finally:
            sys.setprofile(None)
        assert len(calls) / 20 <= 16, len(calls) / 20
        assert (x == sim.x).all()
