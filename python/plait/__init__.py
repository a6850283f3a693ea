"""Plait: thin elastic fibres and what they touch, with exact Coulomb friction."""
from __future__ import annotations

from ._library import VERSION as __version__
from ._record import Record, Report
from .errors import BusyError, ClosedError, Error, FileError, InputError, MemoryShort, StepFailed
from .scene import Scene, reference, schema
from .simulation import Simulation, simulate

__all__ = [
    "BusyError", "ClosedError", "Error", "FileError", "InputError", "MemoryShort", "Record", "Report", "Scene",
    "Simulation", "StepFailed", "__version__", "reference", "schema", "simulate",
]
