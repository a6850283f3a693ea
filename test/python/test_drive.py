"""Driven from outside: loads, ends, targets, friction, own filter, own friction, own shape; against closed forms."""
import signal
import threading
import time

import numpy as np
import pytest
from conftest import make_pile, make_rope

import plait


def falling(count=1, **keys):
    """Rods without contacts."""
    scene = plait.Scene("falling")
    scene.material("m", radius="1 mm", young="10 MPa", density=1000)
    scene.fibres("rods", np.array([np.linspace([0, i, 0], [0.1, i, 0], 11) for i in range(count)]), **keys)
    scene.step(dt="1 ms")
    return scene


def test_gravity_and_forces():
    sim = plait.Simulation(falling(3))
    sim.set_gravity([0, 0, 0])
    sim.run(0.01)
    assert np.abs(sim.v).max() < 1e-12
    sim.set_gravity([0, 2.0, 0])
    sim.run(0.02)
    assert np.allclose(sim.v, [0, 0.02, 0], atol=1e-9)  # 10 ms of 2 m/s^2
    sim.set_gravity([0, 0, 0])
    mass = 1000 * np.pi * 1e-6 * 0.1
    nodes = np.arange(11)
    share = np.where((nodes == 0) | (nodes == 10), 0.5, 1.0)[:, None] * mass / 10  # as a density of 3 m/s^2 along x
    sim.set_force(np.full(11, 1), nodes, share * [3.0, 0, 0])
    sim.run(0.03)
    v = sim.v.reshape(3, 11, 3)
    assert np.allclose(v[1], [0.03, 0.02, 0], atol=1e-6) and np.allclose(v[[0, 2]], [0, 0.02, 0], atol=1e-9)
    sim.set_force(1, 5, [0, 0, 0])


def test_ends():
    sim = plait.Simulation(falling(3, ends={"root": "pinned"}))
    at = np.array([[0, i, 0.001] for i in range(3)], dtype=float)
    sim.move_ends("root", at)
    sim.step()
    assert np.allclose(sim.x[sim.first[:-1]], at, atol=1e-12)
    sim.move_ends("root", at[[1]] + [0, 0, 0.001], [1])
    sim.step()
    assert np.allclose(sim.nodes(1)[0], at[1] + [0, 0, 0.001], atol=1e-12)
    place = sim.nodes(2)[-1].copy()
    sim.set_end(2, "tip", "pinned")  # where it is
    sim.run(sim.time + 0.02)
    assert np.allclose(sim.nodes(2)[-1], place, atol=1e-9)
    sim.set_end(2, "tip", "free")
    sim.set_end(2, "root", "free")
    sim.run(sim.time + 0.02)
    assert np.linalg.norm(sim.nodes(2)[0] - at[2]) > 1e-4
    with pytest.raises(plait.InputError, match="is free; it cannot be moved"):
        sim.move_ends("tip", at)


def test_targets_and_reactions():
    """A box that is pushed by a collider goes along; the floor carries its weight."""
    scene = plait.Scene()
    scene.material("m", density=1000)
    scene.friction(0.4)
    scene.collider("floor", "plane")
    scene.collider("hand", "box", size=["2 cm", "10 cm", "10 cm"], position=[-0.062, 0, 0.06])  # near, not touching: else it may carry a part
    scene.body("box", "box", size=["10 cm", "10 cm", "10 cm"], density=500, position=[0, 0, 0.05])
    scene.step(dt="2 ms")
    sim = plait.Simulation(scene)
    sim.run(0.1)
    force, _ = sim.reaction("collider", "floor")
    assert np.isclose(force[2], -0.5 * 9.81, rtol=1e-3)
    sim.set_target("hand", [0.04, 0, 0.06], when=sim.time + 0.5)
    sim.run(sim.time + 0.5)
    assert np.allclose(sim.pose("hand")[0], [0.04, 0, 0.06]) and np.isclose(sim.body_pose("box")[0][0], 0.1, atol=2e-3)
    assert np.isclose(sim.body_velocity(0)[0][0], 0.2, atol=0.01)
    forces = []  # at a steady speed all contact forces carry the weight, and nothing else
    sim.set_target("hand", [0.08, 0, 0.06], when=sim.time + 0.2)
    sim.run(sim.time + 0.2, each=lambda s, r: forces.append(s.reaction("body", "box")[0]))
    assert np.allclose(np.mean(forces, axis=0), [0, 0, 0.5 * 9.81], atol=0.03 * 0.5 * 9.81)
    assert np.mean([f[0] for f in forces]) < 0.1 and sim.reaction("collider", "hand")[0][0] < 0
    sim.set_friction("m", "m", 0.0)
    sim.set_body_force("box", [1.0, 0, 0])
    before, dt = sim.body_velocity("box")[0][0], 0.1
    sim.run(sim.time + dt)
    assert np.isclose(sim.body_velocity("box")[0][0] - before, 1.0 / 0.5 * dt, rtol=0.05)
    hit = sim.ray([0, 0, 1], [0, 0, -1], 2.0)
    assert hit is not None and np.isclose(hit.distance, 0.9, atol=1e-3) or hit.kind == 1
    assert sim.nearest([0, 0, 5.0], 0.1) is None


def test_own_filter_and_friction(rope):
    """Who lets everything pass falls through the floor; who says mu = 0 slides."""
    sim = plait.Simulation(rope)
    asked = []
    sim.set_filter(lambda contact: asked.append(contact["kind"].tolist()) or False)
    sim.run(0.4)
    assert sim.x[-1, 2] < -0.05 and len(asked) > 0 and sorted(asked[0]) == [0, 1]
    sim.set_filter(None)

    def slope(law):
        scene = plait.Scene(gravity=[2.0, 0, -9.81])
        scene.material("m", density=1000)
        scene.friction(0.5)
        scene.collider("floor", "plane")
        scene.body("box", "box", size=["10 cm"] * 3, density=500, position=[0, 0, 0.05])
        scene.step(dt="2 ms")
        sim = plait.Simulation(scene)
        sim.set_friction_law(law)
        sim.run(0.2)
        return sim.body_velocity("box")[0][0]

    assert abs(slope(None)) < 1e-4
    assert np.isclose(slope(lambda c: 0.0), 0.4, rtol=1e-2)  # 2 m/s^2 for 0.2 s
    assert np.isclose(slope(lambda c: 0.1), (2 - 0.981) * 0.2, rtol=2e-2)


@pytest.mark.parametrize("gradient", [True, False])
def test_own_shape(gradient):
    """A sphere as a function of Python is the library's sphere."""

    def ball(x):
        distance = np.linalg.norm(x) - 0.1
        return (distance, x / np.linalg.norm(x)) if gradient else distance

    ends = []
    for own in (True, False):
        scene = plait.Scene()
        scene.material("m", radius="2 mm", young="2 MPa", density=1100, damping="2 ms")
        scene.friction(0.8)
        scene.fibres("rod", np.linspace([-0.05, 0, 0.103], [0.05, 0, 0.103], 8))
        if own:
            scene.collider("ball", ball, extent=[0.2, 0.2, 0.2])
        else:
            scene.collider("ball", "sphere", radius="10 cm")
        scene.step(dt="1 ms")
        sim = plait.Simulation(scene, threads=2)
        sim.run(0.03)
        assert sim.report.contacts > 0
        ends.append(sim.x.copy())
    assert np.abs(ends[0] - ends[1]).max() < 1e-4
    with pytest.raises(plait.InputError, match="is a function of Python"):
        scene = plait.Scene()
        scene.collider("ball", ball, extent=[1, 1, 1])
        scene.to_yaml()


def test_trouble_in_callbacks_changes_nothing(pile):
    sim = plait.Simulation(pile)
    sim.run(0.02)
    before = sim.save()

    def bad(contact):
        raise KeyError("mine")

    for install in (sim.set_filter, sim.set_friction_law):
        install(bad)
        with pytest.raises(KeyError, match="mine"):
            sim.step()
        assert (sim.save() == before).all()
        install(None)
    sim.set_friction_law(lambda c: float("nan"))
    with pytest.raises(plait.InputError, match="mu >= 0 is expected, found nan"):
        sim.step()
    sim.set_friction_law(lambda c: sim.x)  # it belongs to the step now
    with pytest.raises(plait.BusyError):
        sim.step()
    sim.set_friction_law(None)
    assert (sim.save() == before).all()
    sim.run(0.03)
    other = plait.Simulation(pile)
    other.run(0.02)
    other.restore(before)  # a state that was set shows its contacts after the next step
    other.run(0.03)
    assert (other.save() == sim.save()).all()
    for answer in (float("nan"), "far", (1.0, [0, 0, 0]), (1.0, [np.inf, 0, 0]), (1.0, [1, 0]), None):
        scene = make_rope()
        scene.collider("odd", lambda x: answer, extent=[2.0, 2.0, 2.0])  # noqa: B023
        with pytest.raises((plait.InputError, TypeError, ValueError)):
            plait.Simulation(scene).run(0.1)


def test_each_can_drive(rope):
    """A controller between steps: the tip is held at a height by a force."""
    sim = plait.Simulation(rope)

    def controller(s, report):
        error = 0.3 - s.x[-1, 2]
        s.set_force(0, 40, [0, 0, float(np.clip(40 * error - 2.0 * s.v[-1, 2], -5, 5))])

    sim.run(1.5, each=controller)
    assert abs(sim.x[-1, 2] - 0.3) < 0.05


def test_threads_cannot_meet(pile):
    """A second thread gets BusyError while the first one steps; nothing is broken."""
    sim = plait.Simulation(pile)
    sim.run(0.02)
    inside, leave = threading.Event(), threading.Event()

    def wait(contact):
        inside.set()
        leave.wait(60)
        return True

    sim.set_filter(wait)
    thread = threading.Thread(target=sim.step)
    thread.start()
    assert inside.wait(60)
    for use in (sim.step, sim.close, sim.save, lambda: sim.x, lambda: sim.contacts, lambda: sim.set_gravity([0, 0, 0])):
        with pytest.raises(plait.BusyError):
            use()
    leave.set()
    thread.join()
    sim.set_filter(None)
    sim.step()


def test_the_interpreter_is_free_while_stepping():
    """Other threads of Python run during a step: they count while one long call is inside of the library."""
    p = plait.Problem.generate(rods=300, vertices=20, nu=1.0)
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    before = counted[0]
    thread.start()
    p.solve(tol=1e-10, max_iterations=300)
    during = counted[0] - before
    done.set()
    thread.join()
    assert during > 10


def test_interrupt():
    """Ctrl-C in a long step raises KeyboardInterrupt, and the state is as before."""
    scene = make_pile(12, 12)
    scene.solver(tol=1e-15, max_iterations=10**8, max_time=0)
    scene.step(dt="1 ms", reject=1e9)
    sim = plait.Simulation(scene, threads=1)
    state = sim.save()

    def alarm(number, frame):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                state = sim.save()
                sim.step()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert sim.steps in (int(state[2]), int(state[2]) + 1)
    sim.x  # it can still be used


def test_many_simulations_at_once():
    """Different simulations step in different threads, with the same bits as alone."""
    alone = plait.Simulation(make_pile(), threads=1)
    alone.run(0.02)
    sims = [plait.Simulation(make_pile(), threads=1) for _ in range(4)]
    threads = [threading.Thread(target=s.run, args=(0.02,)) for s in sims]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for s in sims:
        assert (s.save() == alone.save()).all()


def test_cloth_and_solids():
    """Sections of the schema that no method is named after: cloth falls, its nodes are views that steps bring up to date."""
    scene = falling()
    scene.cloth("sheet", grid={"width": 0.15, "height": 0.25, "cell": 0.05}, position=[0, 0, 1])
    scene.output(frame_time="5 ms")
    sim = plait.Simulation(scene)
    sheet = sim.cloth("sheet")
    sim.run(0.01, record="sheet")
    assert sheet.x.shape == (24, 3) and sheet.triangles.shape == (30, 3) and len(sim.x) == 11
    assert np.allclose(sheet.v[:, 2], -0.0981, atol=1e-6) and sheet.x.ctypes.data == sim.cloth(0).x.ctypes.data
    assert sheet.triangles.min() == 0 and sheet.triangles.max() == 23
    assert np.allclose(plait.Run("sheet")[-1].soft(0), sheet.x, atol=1e-6)
    with pytest.raises(plait.InputError, match="there is no cloth 'flag'; there are sheet"):
        sim.cloth("flag")
    with pytest.raises(plait.InputError):
        sim.solid(0)
