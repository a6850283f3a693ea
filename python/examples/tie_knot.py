#!/usr/bin/python3
"""A gripper ties an overhand knot into a rope and pulls it tight: a controller around a simulation.

The rope's root is held. The gripper has the tip and goes along waypoints: over the rope, below it, up through the loop, away.
After every step the controller looks at the rope: where it is stretched, the gripper waits; when the knot is tight, it stops.
"""
import sys

import numpy as np

import plait
from plait import curves

# Where the gripper goes, for a rope of 1 m along x [m].
LOOP = [(0.75, 0.30, 0.03), (0.45, 0.30, 0.05), (0.30, 0.12, 0.06), (0.28, -0.10, 0.06), (0.30, -0.10, -0.06),
        (0.36, 0.05, -0.06), (0.42, 0.10, -0.06), (0.44, 0.10, 0.07), (0.60, 0.02, 0.10), (1.05, 0.0, 0.0)]


def rope() -> plait.Scene:
    scene = plait.Scene("tie-knot", gravity=[0, 0, 0])
    scene.material("rope", radius="5 mm", young="0.5 MPa", density=1100, damping="5 ms", drag="8 1/s")
    scene.friction(0.1)
    scene.fibres("rope", np.linspace([0, 0, 0], [1, 0, 0], 81), ends={"root": "clamped", "tip": "pinned"})
    scene.step(dt="4 ms")
    scene.output(frame_time="40 ms", contacts=True)
    return scene


class Gripper:
    """Goes along waypoints at a speed, and waits while the rope is stretched."""

    def __init__(self, sim: plait.Simulation, waypoints, speed: float = 0.5, stretch: float = 0.02) -> None:
        self.left = [np.array(w, dtype=float) for w in waypoints]
        self.at, self.speed, self.stretch, self.dt = sim.x[-1].copy(), speed, stretch, 4e-3
        self.tight = False

    def __call__(self, sim: plait.Simulation, report: plait.Report) -> bool:
        taut = report.max_stretch > self.stretch
        if not self.left or (taut and len(self.left) == 1):
            self.tight = True
            return True
        if not taut:
            way = self.left[0] - self.at
            far = np.linalg.norm(way)
            self.at = self.at + way * min(1.0, self.speed * self.dt / far) if far > 0 else self.at
            if far <= self.speed * self.dt:
                self.left.pop(0)
            sim.move_ends("tip", [self.at])
        return False


def tie(waypoints=LOOP, record=None) -> tuple[plait.Simulation, Gripper]:
    sim = plait.Simulation(rope())
    gripper = Gripper(sim, waypoints)
    sim.run(20.0, each=gripper, record=record)
    return sim, gripper


if __name__ == "__main__":
    sim, gripper = tie(record=sys.argv[1] if len(sys.argv) > 1 else None)
    knot = curves.knot_determinant(sim.x)
    print(f"{sim.time:.2f} s, {len(sim.contacts)} contacts, {'tight' if gripper.tight else 'loose'}, "
          f"determinant {knot}: {'an overhand knot' if knot == 3 else 'no overhand knot'}")
