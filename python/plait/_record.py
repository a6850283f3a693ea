"""C structs as Python objects: every field that the header has, by its name."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from ._arrays import _dtype
from ._c import ffi


def value_of(cdata: Any, kind: Any) -> Any:
    """A field as Python has it: numbers, texts, arrays (copies), records."""
    if kind.kind == "struct":
        copy = ffi.new(ffi.getctype(kind, "*"))  # the struct around it may go before
        copy[0] = cdata
        return Record(copy)
    if kind.kind == "array":
        if kind.item.cname == "char":
            return ffi.string(cdata).decode("utf-8", "replace")
        return np.frombuffer(ffi.buffer(cdata), dtype=_dtype(kind.item)).copy()
    if kind.kind == "pointer":
        if kind.item.cname in ("char", "char const"):
            return None if cdata == ffi.NULL else ffi.string(cdata).decode("utf-8", "replace")
        return None
    if kind.kind == "enum":
        return int(ffi.cast("int", cdata))
    return cdata


class Record:
    """A copy of a C struct. Fields are attributes; `as_dict()` has them all."""

    __slots__ = ("_c", "_fields")

    def __init__(self, c: Any) -> None:
        kind = ffi.typeof(c)
        if kind.kind == "pointer":
            kind = kind.item
        object.__setattr__(self, "_c", c)
        object.__setattr__(self, "_fields", _fields(kind))

    def __getattr__(self, name: str) -> Any:
        kind = self._fields.get(name)
        if kind is None:
            raise AttributeError(f"there is no '{name}' here; there are {', '.join(self._fields)}")
        return value_of(getattr(self._c, name), kind)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("it says what was; it cannot be changed")

    def __dir__(self) -> list[str]:
        return sorted(self._fields) + ["as_dict"]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def as_dict(self) -> dict[str, Any]:
        """All fields; records inside become dicts too."""
        out = {}
        for name in self._fields:
            value = getattr(self, name)
            out[name] = value.as_dict() if isinstance(value, Record) else value
        return out

    def __repr__(self) -> str:
        words = []
        for name, value in self.as_dict().items():
            words.append(f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(words)})"


_known: dict[Any, dict[str, Any]] = {}


def _fields(kind: Any) -> dict[str, Any]:
    if kind not in _known:
        _known[kind] = {name: field.type for name, field in kind.fields}
    return _known[kind]


class Report(Record):
    """What a step or a solve says of itself: every field of plait_sim_report or plait_report."""

    __slots__ = ()
