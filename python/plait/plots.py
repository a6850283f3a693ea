"""Figures with matplotlib: statistics, energies, certificates, contact networks, fibres."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from .errors import InputError
from .run import Frame, Run
from .simulation import Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _axes(ax: Any, **options: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(**options)[1]


def _table(source: Any) -> dict[str, np.ndarray]:
    """Columns of a run, of a dict of columns, or of a list of reports."""
    if isinstance(source, Run):
        return source.stats
    if isinstance(source, dict):
        return source
    from .record import _row

    rows = [_row(report) for report in source]
    if not rows:
        raise InputError("there are no reports to draw")
    return {name: np.array([np.nan if row[name] == "" else row[name] for row in rows], dtype=object)
            for name in rows[0]}


def _column(table: dict[str, np.ndarray], name: str) -> np.ndarray:
    if name not in table:
        raise InputError(f"there is no column '{name}'; there are {', '.join(table)}")
    try:
        return table[name].astype(float)
    except ValueError:
        raise InputError(f"column '{name}' has words, no numbers") from None


def stats(source: Run | dict[str, np.ndarray] | Sequence[Any], *columns: str, ax: Axes | None = None) -> Axes:
    """Columns of the statistics against time; without names: contacts, iterations and milliseconds per step."""
    table = _table(source)
    ax = _axes(ax)
    for name in columns or ("contacts", "iterations"):
        ax.plot(_column(table, "time"), _column(table, name), label=name.replace("_", " "))
    ax.set_xlabel("time [s]")
    ax.legend()
    return ax


def energies(source: Run | dict[str, np.ndarray] | Sequence[Any], ax: Axes | None = None) -> Axes:
    """Kinetic, elastic and potential energy, what friction has taken, and their sum [J]."""
    table = _table(source)
    ax = _axes(ax)
    time = _column(table, "time")
    parts = {name: _column(table, name) for name in ("kinetic", "elastic", "potential")}
    parts["potential"] = parts["potential"] - parts["potential"][0]
    parts["taken by friction"] = np.cumsum(np.nan_to_num(_column(table, "dissipated")))
    for name, values in parts.items():
        ax.plot(time, values, label=name)
    ax.plot(time, sum(parts.values()), "k--", lw=1, label="sum")
    ax.set(xlabel="time [s]", ylabel="energy [J]")
    ax.legend()
    return ax


def ledger(source: Run | dict[str, np.ndarray] | Sequence[Any], ax: Axes | None = None) -> Axes:
    """Where energy went so far [J], in layers; dashed, what must be their sum: all that was given, less what bodies have more."""
    table = _table(source)
    ax = _axes(ax)
    time = _column(table, "time")

    def so_far(name: str) -> np.ndarray:
        steps = np.nan_to_num(_column(table, name))
        steps[0] = 0
        return np.cumsum(steps)

    taken = {"friction": so_far("lost_friction"), "impacts": so_far("lost_impact"), "damping": so_far("lost_damping"),
             "the steps themselves": so_far("lost_numerical"), "the air": -so_far("work_air")}
    given = sum(so_far(name) for name in ("given", "work_ends", "work_colliders", "work_loads", "work_bonds", "recovery"))
    bodies = _column(table, "kinetic") + _column(table, "elastic") + _column(table, "potential")
    ax.stackplot(time, *taken.values(), labels=list(taken))
    ax.plot(time, given - (bodies - bodies[0]), "k--", lw=1, label="what must be their sum")
    ax.set(xlabel="time [s]", ylabel="energy [J]")
    ax.legend()
    return ax


def certificates(source: Run | dict[str, np.ndarray] | Sequence[Any], tol: float | None = None,
                 ax: Axes | None = None) -> Axes:
    """The residual of every step, as the judge has recomputed it; with the tolerance, if it is given."""
    table = _table(source)
    ax = _axes(ax)
    residual = _column(table, "residual_rel")
    ax.semilogy(_column(table, "time"), np.where(residual > 0, residual, np.nan), ".", ms=3)
    if tol is not None:
        ax.axhline(tol, color="k", lw=1, ls="--", label=f"tolerance {tol:g}")
        ax.legend()
    ax.set(xlabel="time [s]", ylabel="residual")
    return ax


def contact_network(source: Simulation | Frame, ax: Axes | None = None, plane: str = "xz") -> Axes:
    """Contacts as points in a plane of the world, joined by fibres; size by impulse, colour by stick, slide, open."""
    at = ["xyz".index(letter) for letter in plane]
    contacts, x, first = source.contacts, source.x, _first(source)
    ax = _axes(ax)
    for a, b in zip(first, first[1:]):
        ax.plot(x[a:b, at[0]], x[a:b, at[1]], color="0.8", lw=0.8, zorder=1)
    impulse = np.linalg.norm(contacts["impulse"], axis=1)
    normal = np.einsum("ij,ij->i", contacts["impulse"], contacts["normal"])
    tangent = np.sqrt(np.maximum(impulse**2 - normal**2, 0))
    state = np.where(normal <= 0, 0, np.where(tangent < 0.999 * contacts["mu"] * normal, 1, 2))
    size = 4 + 60 * impulse / impulse.max() if len(impulse) and impulse.max() > 0 else np.full(len(impulse), 4.0)
    for which, name, colour in ((1, "sticks", "C0"), (2, "slides", "C3"), (0, "open", "0.6")):
        if (state == which).any():
            p = contacts["position"][state == which]
            ax.scatter(p[:, at[0]], p[:, at[1]], s=size[state == which], color=colour, label=name, zorder=2)
    ax.set(xlabel=f"{plane[0]} [m]", ylabel=f"{plane[1]} [m]", aspect="equal")
    if len(contacts):
        ax.legend()
    return ax


def fibres(source: Simulation | Frame, ax: Axes | None = None, **options: Any) -> Axes:
    """Fibres as lines in space."""
    x, first = source.x, _first(source)
    ax = _axes(ax, subplot_kw={"projection": "3d"})
    for a, b in zip(first, first[1:]):
        ax.plot(x[a:b, 0], x[a:b, 1], x[a:b, 2], **options)
    ax.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    low, high = x.min(axis=0), x.max(axis=0)
    ax.set_box_aspect(np.maximum(high - low, 0.05 * (high - low).max() + 1e-12))
    return ax


def _first(source: Any) -> np.ndarray:
    return source.run.first if isinstance(source, Frame) else source.first
