"""Exceptions. Their texts are the library's own sentences: what was expected, and what was found."""
from __future__ import annotations


class Error(Exception):
    """Anything that Plait refuses or cannot do; the base of all others."""


class InputError(Error, ValueError):
    """The data cannot be what the caller meant."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class MemoryShort(Error, MemoryError):
    """An allocation failed; everything is as before."""


class ClosedError(Error, RuntimeError):
    """The object was closed."""


class BusyError(Error, RuntimeError):
    """Another thread, or the step that a callback belongs to, is using the object."""


class StepFailed(Error, RuntimeError):
    """No time step down to `dt_min` worked; the state is as before it. `report` says more."""

    def __init__(self, words: str, report: object = None) -> None:
        super().__init__(words)
        self.report = report
