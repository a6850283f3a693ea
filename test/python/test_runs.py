"""Runs on disk: what is recorded is what `plait run` leaves; frames one at a time; pages; pictures; figures."""
import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import SANITIZED, make_pile

import plait

PROGRAM = os.path.join(os.environ["PLAIT_BUILD"], "plait")


def recorded(**output):
    scene = make_pile()
    scene.output(frame_time="5 ms", duration="30 ms", contacts=True, velocities=True, doubles=True, **output)
    sim = plait.Simulation(scene)
    sim.run(0.03, record="run")
    return scene, sim, plait.Run("run")


def plait_run(*arguments):
    clean = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True, env=clean)


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_same_as_plait_run():
    scene, sim, run = recorded()
    scene.to_yaml("scene.yaml")
    plait_run("run", "scene.yaml", "-o", "other")
    other = plait.Run("other")
    assert len(run) == len(other) == 7 and (run.times == other.times).all()
    for a, b in zip(run, other):
        assert (a.x == b.x).all() and (a.v == b.v).all() and a.step == b.step
        assert (a.contacts["impulse"] == b.contacts["impulse"]).all()
    assert (run[-1].x == sim.x).all()
    mine, theirs = run.stats, other.stats
    for name in ("step", "time", "contacts", "residual_rel", "kinetic", "potential", "iterations", "max_speed"):
        assert np.array_equal(mine[name], theirs[name], equal_nan=True), name
    missing = set(theirs) - set(mine) - {"memory"}
    assert not missing
    plait_run("stats", "run")  # the program reads it too


def test_frames():
    _, sim, run = recorded()
    frame = run[2]
    assert frame.time == run.times[2] == 0.01 and run.at(0.0149).index == 2 and run.at(99).index == 6
    assert run[-1].index == 6 and [f.index for f in run[1:4]] == [1, 2, 3]
    assert run.fibres == 16 and run.nodes == 176 and run.first[-1] == 176 and run.groups == ["rods"]
    x = frame.x
    assert not x.flags.owndata and frame.fibre(3).shape == (11, 3) and (frame.fibre(3) == x[33:44]).all()
    del frame
    assert np.isfinite(x).all()  # the array keeps its frame
    assert run.track(0).shape == (7, 3) and (run.track(0)[-1] == run[-1].fibre(0)[-1]).all()
    assert run.scene.get("name") == "pile" and plait.Simulation(run.scene).fibres == 16
    for bad in (7, -8):
        with pytest.raises(IndexError):
            run[bad]
    with pytest.raises(plait.InputError):
        run["first"]
    with pytest.raises(plait.FileError, match="there is a run already"):
        sim.run(0.04, record="run")
    with pytest.raises(plait.Error, match="nowhere"):
        plait.Run("nowhere")
    os.makedirs("empty")
    with pytest.raises(plait.Error):
        plait.Run("empty")


def test_a_run_that_grows():
    scene = make_pile()
    scene.output(frame_time="5 ms")
    sim = plait.Simulation(scene)
    with plait.Recorder(sim, "grows", 0.02) as recorder:
        run = plait.Run("grows")
        before = len(run)
        while sim.time < 0.02:
            recorder.after(sim.step(recorder.until))
        assert run.refresh() > before
    assert run.refresh() == 5


def test_export_and_curves():
    _, _, run = recorded()
    assert run.export("out.usda", "usda") == 1
    curves = plait.read_curves("out.usda")
    assert len(curves) == 16 and np.allclose(curves[0], run[0].fibre(0), atol=1e-6)
    scene = make_pile()
    scene.fibres("more", [c + [0, 0, 0.1] for c in curves])
    assert scene.build().fibres == 32
    with pytest.raises(plait.InputError, match="format: one of usda"):
        run.export("out.x", "x")


def test_pictures():
    _, sim, run = recorded()
    picture = sim.picture(width=64, height=40, samples=2, threads=1)
    assert picture.rgb.shape == (40, 64, 3) and picture.rgb.std() > 1
    assert picture.png().startswith(b"\x89PNG")
    picture.save("p.png")
    from matplotlib.image import imread

    assert (np.round(imread("p.png")[:, :, :3] * 255).astype(int) == picture.rgb).all()
    with open("q.png", "wb") as file:
        file.write(picture.png())
    assert (imread("q.png") == imread("p.png")).all()
    assert (run[-1].picture(width=64, height=40, samples=2).rgb == picture.rgb).all()
    for bad in (dict(width=-1), dict(style="oil"), dict(samples=0), dict(colour=[1, 2])):
        with pytest.raises(plait.InputError):
            sim.picture(**bad)


@pytest.mark.skipif(SANITIZED, reason="the program is another process")
def test_page():
    """The page holds everything: it is opened without a server, inside of another page, and shows the run."""
    _, _, run = recorded()
    page = run.show(frames=4)
    for outside in ("http://", "https://", 'src="', 'rel="stylesheet"'):
        start = page.text.split("<script>", 1)[0]
        assert outside not in start, outside
    assert "srcdoc=" in run._repr_html_() and len(page._repr_html_()) > len(page.text)
    here = os.path.join(os.environ["PLAIT_SOURCE"], "test", "viewer")
    if not shutil.which("node") or not os.path.isdir(os.path.join(here, "node_modules", "playwright-core")) \
            or not os.path.exists("/usr/bin/chromium"):
        pytest.skip("no browser to look at the page with")
    with open("notebook.html", "w") as file:
        file.write(f"<!doctype html><body>{page._repr_html_()}</body>")
    script = os.path.join(os.environ["PLAIT_SOURCE"], "test", "python", "page.mjs")
    said = subprocess.run(["node", script, here, os.path.abspath("notebook.html")], capture_output=True, text=True,
                          timeout=600)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "16 rods · 176 nodes | 0.000 s · 1 / 4 | frame 3 at 0.03" in said.stdout, said.stdout


def test_figures():
    import matplotlib.pyplot as plt

    _, sim, run = recorded()
    reports = []
    sim.run(0.04, each=lambda s, r: reports.append(r))
    for source in (run, run.stats, reports):
        assert plait.plots.stats(source, "contacts", "residual_rel").lines
        assert len(plait.plots.energies(source).lines) == 5
        ax = plait.plots.ledger(source)
        top = ax.collections[-1].get_paths()[0].vertices[:, 1]
        assert abs(top.max() - ax.lines[0].get_ydata().max()) <= 1e-6 * (1e-12 + abs(top).max()) # they add up
        assert plait.plots.certificates(source, 1e-6).lines
    assert plait.plots.contact_network(sim).collections and plait.plots.contact_network(run[-1], plane="xy").lines
    assert len(plait.plots.fibres(run[0]).lines) == 16
    plt.close("all")
    for bad in ("nothing", "solver"):
        with pytest.raises(plait.InputError):
            plait.plots.stats(run, bad)
    with pytest.raises(plait.InputError):
        plait.plots.energies([])
