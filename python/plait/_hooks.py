"""Functions of Python that the library calls: own shapes, own contact filter, own friction, a way to stop.

An exception in one of them ends the step (the state is as before it) and is raised where the step was asked for.
"""
from __future__ import annotations

import threading
from typing import Any, Callable

import numpy as np

from ._arrays import struct_dtype
from ._c import ffi
from .errors import InputError

CONTACT = struct_dtype("plait_sim_contact")
_HOOKS = {name: field.type for name, field in ffi.typeof("plait_sim_hooks").fields}
_FIELD = dict(ffi.typeof("plait_shape").fields)["field"].type
_NEAR = 1e-6  # of the box: differences for gradients of own shapes


class Trouble:
    """The first exception of a callback; others of the same step are forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.first: BaseException | None = None

    def keep(self, kind: Any, value: Any, traceback: Any) -> None:
        with self._lock:
            if self.first is None:
                self.first = value.with_traceback(traceback)

    def take(self) -> BaseException | None:
        with self._lock:
            value, self.first = self.first, None
        return value


class Field:
    """A shape by a signed distance of Python."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function, self.name = function, name
        self.trouble = Trouble()
        self.c = ffi.callback(_FIELD, self._call, error=1e30, onerror=self._keep)

    def _keep(self, kind: Any, value: Any, traceback: Any) -> None:
        self.trouble.keep(kind, value, traceback)

    def _distance(self, x: np.ndarray) -> float:
        out = self.function(x)
        return float(out[0] if isinstance(out, tuple) else out)

    def _call(self, c_x: Any, c_normal: Any, data: Any) -> float:
        c_normal[0], c_normal[1], c_normal[2] = 0.0, 0.0, 1.0  # what is there if something goes wrong
        if self.trouble.first is not None:
            return 1e30
        x = np.array([c_x[0], c_x[1], c_x[2]])
        out = self.function(x)
        if isinstance(out, tuple):
            distance, normal = float(out[0]), np.asarray(out[1], dtype=float)
        else:
            distance = float(out)
            h = _NEAR * max(1e-3, float(np.abs(x).max()))
            normal = np.array([self._distance(x + e) - self._distance(x - e) for e in h * np.eye(3)])
        length = float(np.sqrt(normal @ normal)) if normal.shape == (3,) else float("nan")
        if not (np.isfinite(distance) and np.isfinite(length) and length > 0):
            raise InputError(f"collider '{self.name}': a finite distance with a gradient that is not zero is expected at "
                             f"{x.tolist()}, found {distance} and {normal.tolist()}")
        normal = normal / length
        c_normal[0], c_normal[1], c_normal[2] = normal[0], normal[1], normal[2]
        return distance


def contact_of(pointer: Any) -> np.void:
    """The contact that a hook is asked about, a copy: its fields are those of `Simulation.contacts`."""
    return np.frombuffer(ffi.buffer(pointer, CONTACT.itemsize), dtype=CONTACT)[0].copy()


def filter_hook(function: Callable[[np.void], Any], trouble: Trouble) -> Any:
    def call(pointer: Any, data: Any) -> bool:
        return True if trouble.first is not None else bool(function(contact_of(pointer)))

    return ffi.callback(_HOOKS["filter"], call, error=True, onerror=trouble.keep)


def friction_hook(function: Callable[[np.void], Any], trouble: Trouble) -> Any:
    def call(pointer: Any, data: Any) -> float:
        if trouble.first is not None:
            return 0.0
        mu = float(function(contact_of(pointer)))
        if not (mu >= 0 and np.isfinite(mu)):
            raise InputError(f"friction: mu >= 0 is expected, found {mu}")
        return mu

    return ffi.callback(_HOOKS["friction"], call, error=0.0, onerror=trouble.keep)


def stop_hook(troubles: list[Trouble]) -> Any:
    """Ends a step when a callback had trouble, or on Ctrl-C, which Python notices as soon as it runs."""

    def call(data: Any) -> bool:
        return any(t.first is not None for t in troubles)

    return ffi.callback("bool(void *)", call, error=True, onerror=troubles[0].keep)
