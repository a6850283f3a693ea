"""Scenes that several tests use."""
import os

import numpy as np
import pytest

import plait


def make_rope(**keys):
    """A rope of 40 segments, pinned at one end, above a floor."""
    scene = plait.Scene("rope")
    scene.material("hemp", radius="4 mm", young="5 MPa", density=1200, damping="2 ms")
    scene.friction(0.3)
    scene.fibres("rope", np.linspace([0, 0, 0.2], [1, 0, 0.2], 41), ends={"root": "pinned"}, **keys)
    scene.collider("floor", "plane")
    scene.step(dt="2 ms")
    return scene


def make_pile(layers=4, per_layer=4):
    """Crossed layers of short rods that fall on a floor: many contacts."""
    scene = plait.Scene("pile")
    scene.material("rubber", radius="2 mm", young="2 MPa", density=1100, damping="2 ms")
    scene.friction(0.5)
    points = []
    for layer in range(layers):
        for i in range(per_layer):
            at = 0.02 * (i - 0.5 * (per_layer - 1)) + 1e-3 * layer
            line = np.linspace([-0.05, at, 0], [0.05, at, 0], 11)
            points.append((line[:, [1, 0, 2]] if layer % 2 else line) + [0, 0, 0.003 + 0.0055 * layer])
    scene.fibres("rods", points)
    scene.collider("floor", "plane")
    scene.step(dt="1 ms")
    return scene


@pytest.fixture
def rope():
    return make_rope()


@pytest.fixture
def pile():
    return make_pile()


@pytest.fixture
def source():
    return os.environ["PLAIT_SOURCE"]


SANITIZED = bool(os.environ.get("PLAIT_SANITIZED"))
