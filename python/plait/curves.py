"""Helpers for many fibres at once, on nodes n x 3 and `first` as simulations and runs have them; and knots."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import integers, numbers
from .errors import InputError


def _given(x: Any, first: Any) -> tuple[np.ndarray, np.ndarray]:
    x = numbers(x, "x", (None, 3))
    first = np.array([0, len(x)], dtype=np.int32) if first is None else integers(first, "first")
    if len(first) < 1 or first[0] != 0 or first[-1] != len(x) or (np.diff(first) < 2).any():
        raise InputError(f"first: it ascends from 0 to {len(x)}, by at least 2 nodes for each fibre")
    return x, first


def _inner(first: np.ndarray, n: int) -> np.ndarray:
    """Which of the differences between neighbours are edges of a fibre."""
    inner = np.ones(n - 1, dtype=bool)
    inner[first[1:-1] - 1] = False
    return inner


def edges(x: Any, first: Any = None) -> np.ndarray:
    """Edges of all fibres, behind each other: (nodes - fibres) x 3."""
    x, first = _given(x, first)
    return np.diff(x, axis=0)[_inner(first, len(x))]


def lengths(x: Any, first: Any = None) -> np.ndarray:
    """Length of each fibre [m]."""
    x, first = _given(x, first)
    size = np.zeros(len(x))
    size[:-1] = np.linalg.norm(np.diff(x, axis=0), axis=1) * _inner(first, len(x))
    return np.add.reduceat(size, first[:-1])


def arcs(x: Any, first: Any = None) -> np.ndarray:
    """Arc length of every node from the root of its fibre [m]."""
    x, first = _given(x, first)
    size = np.concatenate([[0.0], np.linalg.norm(np.diff(x, axis=0), axis=1) * _inner(first, len(x))])
    whole = np.cumsum(size)
    return whole - np.repeat(whole[first[:-1]], np.diff(first))


def curvatures(x: Any, first: Any = None) -> np.ndarray:
    """Curvature at every node [1/m], 2 tan(angle / 2) over the mean of the edges beside it; zero at ends."""
    x, first = _given(x, first)
    e = np.diff(x, axis=0)
    size = np.linalg.norm(e, axis=1)
    size = np.where(size > 0, size, np.inf)
    t = e / size[:, None]
    out = np.zeros(len(x))
    cross = np.linalg.norm(np.cross(t[:-1], t[1:]), axis=1)
    out[1:-1] = 2 * cross / (1 + np.einsum("ij,ij->i", t[:-1], t[1:]) + 1e-300) / (0.5 * (size[:-1] + size[1:]))
    out[first[:-1]] = out[first[1:] - 1] = 0
    return out


def tips(x: Any, first: Any = None) -> np.ndarray:
    """Last nodes of all fibres."""
    x, first = _given(x, first)
    return x[first[1:] - 1]


def roots(x: Any, first: Any = None) -> np.ndarray:
    """First nodes of all fibres."""
    x, first = _given(x, first)
    return x[first[:-1]]


def resample(points: Any, count: int) -> np.ndarray:
    """A polyline (n x 3) with `count` points at equal distances along it."""
    x, _ = _given(points, None)
    s = arcs(x)
    return np.stack([np.interp(np.linspace(0, s[-1], count), s, x[:, k]) for k in range(3)], axis=1)


# ---- knots -----------------------------------------------------------------------------------------------------------


def _crossings(p: np.ndarray) -> list[tuple[float, float, float]]:
    """Crossings of a closed polygon, seen along z: (where the strand above passes, where the one below does, sign)."""
    a, b = p, np.roll(p, -1, axis=0)
    n, found = len(p), []
    for i in range(n - 1):
        j = np.arange(i + 2, n if i else n - 1)
        if not len(j):
            continue
        d, e = (b[i] - a[i])[:2], (b[j] - a[j])[:, :2]
        gap = (a[j] - a[i])[:, :2]
        det = d[0] * e[:, 1] - d[1] * e[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (gap[:, 0] * e[:, 1] - gap[:, 1] * e[:, 0]) / det
            t = (gap[:, 0] * d[1] - gap[:, 1] * d[0]) / det
        for k in np.nonzero((s >= 0) & (s < 1) & (t >= 0) & (t < 1))[0]:
            z = a[i, 2] + s[k] * (b[i, 2] - a[i, 2]), a[j[k], 2] + t[k] * (b[j[k], 2] - a[j[k], 2])
            over, under = (i + s[k], j[k] + t[k]) if z[0] > z[1] else (j[k] + t[k], i + s[k])
            found.append((over, under, float(np.sign(det[k])) * (1 if z[0] > z[1] else -1)))
    return found


def knot_determinant(points: Any, seed: int = 0) -> int:
    """|Alexander polynomial at -1| of a fibre whose ends are joined far away: 1 no knot (or one it cannot tell), 3 an
    overhand knot, 5 a figure-eight knot or a cinquefoil, 9 a square or granny knot."""
    x, _ = _given(points, None)
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))  # seen from somewhere: no two crossings fall together
    centre, size = x.mean(axis=0), np.ptp(x, axis=0).max() + 1e-12
    # The ends leave straight away from the middle to a large circle, on which they meet.
    far = []
    for end, inner in ((x[-1], x[-2]), (x[0], x[1])):
        out = end - centre
        out = out if np.linalg.norm(out) > 1e-9 * size else end - inner
        far.append(centre + 40 * size * out / np.linalg.norm(out))
    middle = np.cross(far[0] - centre, far[1] - centre)
    middle = middle if np.linalg.norm(middle) > 1e-6 * size**2 else np.cross(far[0] - centre, rng.normal(size=3))
    around = centre + 60 * size * middle / np.linalg.norm(middle)
    loop = np.vstack([x, far[0][None], around[None], far[1][None]])
    crossings = _crossings(loop @ q)
    if len(crossings) < 3:
        return 1
    under = np.sort([u for _, u, _ in crossings])
    n = len(under)
    arc = {u: i for i, u in enumerate(under)}
    matrix = np.zeros((n, n))
    for row, (o, u, _) in enumerate(crossings):
        before = arc[u]  # the arc that ends here
        matrix[row, int(np.searchsorted(under, o)) % n] += 2
        matrix[row, before] -= 1
        matrix[row, (before + 1) % n] -= 1
    return int(round(abs(np.linalg.det(matrix[1:, 1:]))))
