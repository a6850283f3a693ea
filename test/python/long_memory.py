"""10,000 simulations are made, stepped and freed without growth; a million contacts are shown without a copy."""
import gc

import numpy as np
from conftest import make_pile, make_rope
from test_simulation import address, memory

import plait
from plait._c import ffi
from plait._library import lib


def test_ten_thousand():
    scenes = [make_rope(), make_pile(2, 3)]
    level = 0
    for i in range(11000):
        sim = plait.Simulation(scenes[i % 2], threads=1)
        sim.step()
        assert len(sim.x) > 0 and len(sim.contacts) >= 0
        sim.set_filter(lambda contact: True)
        sim.restore(sim.save())
        sim.close()
        if i == 1000:
            gc.collect()
            level = memory()
    gc.collect()
    grown = memory() - level
    print(f"10,000 cycles: resident memory has grown by {grown / 1024:.0f} KiB")
    assert grown < 2**20


def test_a_million_contacts():
    rods = 91000
    side = int(np.ceil(np.sqrt(rods)))
    i = np.arange(rods)
    root = np.stack([0.02 * (i % side), 0.02 * (i // side), np.full(rods, 0.45e-3)], axis=1)
    scene = plait.Scene("many")
    scene.material("m", radius="0.5 mm", young="1 MPa", density=1000)
    scene.friction(0.3)
    scene.fibres("r", root[:, None] + np.linspace([0, 0, 0], [0.018, 0, 0], 11), model="mass-spring")
    scene.collider("floor", "plane")
    scene.step(dt="1 ms")
    scene.solver(tol=1e-4)
    sim = plait.Simulation(scene)
    report = sim.step()
    first = sim.contacts
    before = memory()
    contacts = sim.contacts
    at, count = ffi.new("const plait_sim_contact **"), ffi.new("int *")
    lib.plait_sim_view_contacts(sim._c, at, count, ffi.NULL)
    impulse = contacts["impulse"]
    assert len(contacts) == report.contacts == count[0] > 1e6
    assert contacts.ctypes.data == first.ctypes.data == address(at[0]) and not impulse.flags.owndata
    assert memory() - before < 2**20  # contacts.nbytes is 144 MB
    weight = impulse[:, 2].sum() / report.dt
    assert np.isfinite(weight)
