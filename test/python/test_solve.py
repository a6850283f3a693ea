"""plait.solve and Problem: against closed forms, against each other, and what cannot be."""
import numpy as np
import pytest
import scipy.sparse as sp

import plait


def test_one_contact():
    """A block on a floor: it sticks if the push is inside the cone, else it slides with mu r_N against the push."""
    M, H = 2.0 * np.eye(3), np.eye(3)
    s = plait.solve(M, H, [-10.0, 1.0, 0.0], np.zeros(3), [0.5], tol=1e-12)
    assert s.converged
    assert np.allclose(s.r, [[10, -1, 0]]) and np.allclose(s.u, 0, atol=1e-9) and np.allclose(s.v, 0, atol=1e-9)
    s = plait.solve(M, H, [-10.0, 8.0, 0.0], np.zeros(3), 0.5, tol=1e-12)
    assert np.allclose(s.r, [[10, -5, 0]]) and np.allclose(s.u, [[0, 1.5, 0]], atol=1e-9)
    s = plait.solve(M, H, [10.0, 8.0, 0.0], np.zeros(3), 0.5)
    assert np.allclose(s.r, 0) and np.allclose(s.v, [5, 4, 0])
    s = plait.solve(np.eye(3) / 2, [-5.0, 4.0, 0.0], 0.5, tol=1e-12)  # the second again, as W, b, mu
    assert np.allclose(s.r, [[10, -5, 0]])


def test_forms_agree():
    p = plait.Problem.generate(rods=12, vertices=8, nu=0.7, seed=5)
    ways = [p.solve(tol=1e-9), plait.solve(p.M, p.H, p.f, p.w, p.mu, tol=1e-9),
            plait.solve(p.M.tocoo(), p.H.tocsc(), p.f, p.w, p.mu, tol=1e-9),
            plait.solve(p.M.toarray(), p.H.toarray(), p.f, p.w, p.mu, tol=1e-9)]
    for s in ways:
        assert s.converged and s.residual <= 1e-9
        assert abs(s.u - (p.H @ s.v + p.w).reshape(-1, 3)).max() < 1e-8 * abs(p.b).max()
        assert (s.r == ways[0].r).all()
    s = plait.solve(p.W, p.b, p.mu, tol=1e-9)
    assert s.converged and p.certify(s.r).residual_rel < 1e-8
    W = p.H @ sp.linalg.spsolve(p.M.tocsc(), p.H.T.tocsc())
    assert abs(W - p.W).max() < 1e-10 * abs(W).max()


def test_solvers_and_options():
    p = plait.Problem.generate(rods=8, vertices=8, nu=0.5)
    for name in ("gs", "apgd", "admm", "auto"):
        assert p.solve(solver=name, tol=1e-6).converged
    rough = p.solve(solver="gs", tol=1e-14, max_iterations=2)
    assert not rough.converged and rough.residual > 0
    again = p.solve(rough.r, tol=1e-6)
    assert again.converged
    seen = []
    p.solve(solver="gs", tol=1e-15, max_iterations=200, progress=lambda record: seen.append(record.iterations))
    assert seen and seen == sorted(seen)
    stopped = p.solve(solver="gs", tol=1e-15, max_iterations=10**6, progress=lambda record: False)
    assert stopped.report.stopped

    def trouble(record):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        p.solve(solver="gs", tol=1e-15, max_iterations=1000, progress=trouble)
    one, two = p.solve(threads=1, tol=1e-8), p.solve(threads=2, tol=1e-8)
    assert (one.r == two.r).all()


def test_files():
    p = plait.Problem.generate(rods=6, vertices=6, nu=0.5)
    s = p.solve(tol=1e-8)
    p.write("p.hdf5", s)
    q = plait.Problem.read("p.hdf5")
    assert q.n == p.n and (q.mu == p.mu).all() and abs(q.M - p.M).max() == 0 and (q.f == p.f).all()
    assert q.solve(s.r, tol=1e-7).converged
    with pytest.raises(plait.FileError, match="nothing.hdf5"):
        plait.Problem.read("nothing.hdf5")
    with open("bad.hdf5", "wb") as file:
        file.write(b"no problem at all")
    with pytest.raises(plait.Error, match="bad.hdf5"):
        plait.Problem.read("bad.hdf5")


def test_plane_problems():
    """Two components per contact."""
    M, H = 2.0 * np.eye(2), np.eye(2)
    s = plait.solve(M, H, [-10.0, 8.0], np.zeros(2), [0.5], tol=1e-10)
    assert s.r.shape == (1, 2) and np.allclose(s.r, [[10, -5]]) and np.allclose(s.v, [0, 1.5], atol=1e-8)


def test_what_cannot_be():
    I, z = np.eye(3), np.zeros(3)
    cases = [
        (I, I, z, z, [-0.1]), (I, I, z, z, [np.nan]), (I, I, z, z, [0.5, 0.5]), (I, I, np.full(3, np.inf), z, [0.5]),
        (I, I[:2], z, z, [0.5]), (I, np.eye(4), z, z, [0.5]), (np.eye(4), I, z, z, [0.5]), (-I, I, z, z, [0.5]),
        (I[:2], I, z, z, [0.5]), (I * np.nan, I, z, z, [0.5]), ("M", I, z, z, [0.5]), (I, I, z[:2], z, [0.5]),
        (I, I, z, z, "x"), (None, None, None, None, None), (I.astype(complex), I, z, z, [0.5]),
        (sp.csr_matrix(I) * np.nan, I, z, z, [0.5]), (I, sp.csr_matrix((3, 3)) , z, z, {"mu": 1}),
        ([[1, 10, 0], [0, 1, 0], [0, 0, 1]], I, z, z, [0.5]),
    ]
    for case in cases:
        with pytest.raises((plait.InputError, TypeError)):
            plait.solve(*case)
    for case in [(I, z, [-1.0]), (I[:2], z, [0.5]), (-I, z, [0.5]), (I, z[:1], [0.5])]:
        with pytest.raises(plait.InputError):
            plait.solve(*case)
    with pytest.raises(plait.InputError, match="solve\\(M, H, f, w, mu\\)"):
        plait.solve(I, z)
    with pytest.raises(plait.InputError, match="there is no 'magic'; there are auto, gs"):
        plait.solve(I, z, [0.5], solver="magic")
    with pytest.raises(plait.InputError, match="no option 'tolerance'"):
        plait.solve(I, z, [0.5], tolerance=1)
    with pytest.raises(plait.InputError, match="guess"):
        plait.solve(I, z, [0.5], guess=[1, 2])
    empty = plait.solve(np.eye(6), np.zeros((0, 6)), np.arange(6.0), np.zeros(0), np.zeros(0))
    assert empty.r.shape == (0, 3) and np.allclose(empty.v, np.arange(6.0))


def test_a_simulations_own_problem(pile):
    sim = plait.Simulation(pile)
    sim.run(0.03)
    p = sim.problem
    assert p.n == sim.report.contacts
    s = p.solve(tol=1e-8)
    assert s.converged
    assert plait.Simulation(pile).problem is None


def test_rods_alone():
    """A clamped rod under a small load: w = F L^3 / (3 E I)."""
    E, a, L, F = 1e9, 1e-3, 0.2, 1e-4
    rod = plait.Rod(np.linspace([0, 0, 0], [L, 0, 0], 41), radius=a, young=E, root="clamped")
    rod.set_force(40, [0, 0, F])
    assert rod.relax().converged
    assert np.isclose(rod.x[-1, 2], F * L**3 / (3 * E * np.pi * a**4 / 4), rtol=5e-3)
    rod.set_force(40, [0, 0, 0])
    before = rod.energy.bend
    rod.step(1e-3)
    assert rod.time == 1e-3 and rod.energy.bend < before
    for bad in (dict(model="spaghetti"), dict(young=-1.0), dict(radius=np.nan), dict(root="glued")):
        with pytest.raises(plait.InputError):
            plait.Rod(np.linspace([0, 0, 0], [L, 0, 0], 5), **bad)
    with pytest.raises(plait.InputError, match="points"):
        plait.Rod(np.zeros((5, 2)))
    with pytest.raises(plait.InputError):
        plait.Rod(np.zeros((5, 3)))
