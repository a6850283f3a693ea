"""Plait: thin elastic fibres and what they touch, with exact Coulomb friction.

A scene is built (`Scene`) or read, a `Simulation` of it is stepped, driven and looked at, a `Run` on disk is read. `solve`
is for contact problems of other engines. docs/python.md is the tutorial, docs/python-reference.md has every function.
"""
from __future__ import annotations

from . import curves, errors, plots
from ._library import VERSION as __version__
from ._record import Record, Report
from .errors import BusyError, ClosedError, Error, FileError, InputError, MemoryShort, StepFailed
from .picture import Picture
from .problem import Problem, Solution, solve
from .record import Recorder
from .rod import Rod
from .run import Frame, Run, read_curves, read_stats
from .scene import Scene, reference, schema
from .simulation import Hit, Simulation, Soft, simulate
from .threads import set_threads, threads

__all__ = [
    "BusyError", "ClosedError", "Error", "FileError", "Frame", "Hit", "InputError", "MemoryShort", "Picture", "Problem",
    "Record", "Recorder", "Report", "Rod", "Run", "Scene", "Simulation", "Soft", "Solution", "StepFailed", "__version__",
    "curves", "errors", "plots", "read_curves", "read_stats", "reference", "schema", "set_threads", "simulate", "solve", "threads",
]
