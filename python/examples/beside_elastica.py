#!/usr/bin/python3
"""Three examples of PyElastica in Plait: lines, CPU seconds, and how right the answers are (docs/python.md has the table)."""
import inspect
import time

import numpy as np

import plait


def cantilever():
    """A clamped arc of 45 degrees, radius 1 m, with a square section, under 6 N across: its equilibrium."""
    a, E, t = 0.01, 1e9, np.linspace(0, np.pi / 4, 51)
    arc = np.stack([1 - np.cos(t), np.sin(t), 0 * t], axis=1)
    square = {"EA": E * a**2, "EI": [E * a**4 / 12] * 2, "GJ": E / 2 * 0.1406 * a**4}
    rod = plait.Rod(arc, radius=a / 2, young=E, density=1000, root="clamped", natural="polyline", section=square)
    for load in np.linspace(0, 6, 7)[1:]:
        rod.set_force(50, [0, 0, load])
        report = rod.relax()
    return f"tip rises to {rod.x[-1, 2]:.4f} m, residual {report.residual:.0e}"


def rod_rod():
    """Two parallel rods of 50 cm; one comes at 5 cm/s and hits the other."""
    scene = plait.Scene("rod-rod", gravity=[0, 0, 0])
    scene.material("soft", radius="1 cm", young=3e5, density=1750, poisson=0.5)
    scene.fibres("one", np.linspace([0, 0, 0.2], [0, 0.5, 0.2], 41), velocity=[0, 0, -0.05])
    scene.fibres("two", np.linspace([0, 0, 0], [0, 0.5, 0], 41))
    scene.step(dt="5 ms")
    sim = plait.Simulation(scene, threads=1)
    sim.run(10.0)
    v = [sim.v[:41, 2].mean(), sim.v[41:, 2].mean()]
    return f"momentum {sum(v):.6f} of -0.05, gap {sim.x[:41, 2].mean() - sim.x[41:, 2].mean():.5f} m of 0.02"


def plectoneme():
    """A rod of 1 m is twisted five times while its ends come nearer: it winds round itself."""
    scene = plait.Scene("plectoneme", gravity=[0, 0, 0])
    scene.material("m", radius="2.5 cm", young=1e6, poisson=0.5, density=1 / (np.pi * 0.025**2), drag="2 1/s")
    scene.friction(0)
    scene.collider("hand", "none", position=[0, 1, 0])
    y = np.linspace(0, 1, 37)
    points = np.stack([0 * y, y, 1e-3 * np.sin(np.pi * y)], axis=1)
    scene.fibres("rod", points, ends={"root": "clamped", "tip": "clamped", "attach_tip": "hand"})
    scene.step(dt="10 ms")
    sim = plait.Simulation(scene, threads=1)

    def turn(sim, report):
        angle, near = 2 * np.pi * min(sim.time / 25, 1) * 5, 1 - 0.6 * min(sim.time / 25, 1)
        sim.set_target("hand", [0, near, 0], [0, np.sin(angle / 2), 0, np.cos(angle / 2)], sim.time + 0.01)

    sim.run(30.0, each=turn)
    return f"{len(sim.contacts)} contacts, stretch {sim.report.max_stretch:.3f}, residual {sim.report.certificate.residual_rel:.0e}"


if __name__ == "__main__":
    for example in (cantilever, rod_rod, plectoneme):
        lines = [line for line in inspect.getsource(example).splitlines()[2:] if line.strip()]
        start = time.process_time()
        said = example()
        print(f"{example.__name__:11s} {len(lines):3d} lines {time.process_time() - start:7.2f} s of CPU: {said}", flush=True)
