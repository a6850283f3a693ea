"""A tree of dicts, lists and scalars as the text of a scene file, one key on a line so that messages point at it."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from ._arrays import short
from .errors import InputError


class Arrays:
    """Numbers that stay in memory: the text only names them ("@a0")."""

    def __init__(self) -> None:
        self.known: list[np.ndarray] = []

    def add(self, array: np.ndarray, path: str) -> str:
        if not np.isfinite(array).all():
            at = [int(i) for i in np.argwhere(~np.isfinite(array))[0]]
            raise InputError(f"{path}: finite numbers are expected, found {array[tuple(at)]} at {at}")
        self.known.append(np.ascontiguousarray(array, dtype=np.float64))
        return f'"@a{len(self.known) - 1}"'


def plain(value: Any, path: str) -> Any:
    """A value as it is kept in a tree: dict, list, str, bool, int, float, None, or an array of n x 3."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.ndarray) or hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.ndim == 2 and array.shape[1] == 3 and array.dtype.kind in "fiu":
            return np.array(array, dtype=np.float64)  # a copy: later changes are not meant
        if array.dtype.kind in "fiu?bSU" and array.dtype.kind != "S":
            return plain(array.tolist(), path)
        raise InputError(f"{path}: numbers are expected, found an array of {array.dtype}")
    if isinstance(value, dict):
        out = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                raise InputError(f"{path}: keys are words, found {short(key)}")
            out[key] = plain(inner, f"{path}.{key}")
        return out
    if isinstance(value, (list, tuple)):
        return [plain(inner, f"{path}.{i}") for i, inner in enumerate(value)]
    if isinstance(value, int):
        return value
    if hasattr(value, "__index__"):
        return int(value)
    if hasattr(value, "__fspath__"):
        return str(value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{path}: a number, a text, a list or a dict is expected, found {short(value)}") from None
    if not np.isfinite(number):
        raise InputError(f"{path}: a finite number is expected, found {number}")
    return number


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _flow(value: Any, arrays: Arrays, path: str) -> str:
    if isinstance(value, np.ndarray):
        return arrays.add(value, path)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_flow(v, arrays, f'{path}.{k}')}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(v, arrays, path) for v in value) + "]"
    return _scalar(value)


def _simple(value: Any) -> bool:
    """Whether it goes on one line."""
    if isinstance(value, list):
        return all(not isinstance(v, dict) and _simple(v) for v in value)
    return not isinstance(value, dict) or not value


def _block(value: Any, indent: int, arrays: Arrays, path: str, out: list[str]) -> None:
    pad = "  " * indent
    for key, inner in value.items():
        name = f"{path}.{key}" if path else key
        word = key if key.replace("_", "a").replace("-", "a").isalnum() and key[0].isalpha() else json.dumps(key)
        if isinstance(inner, dict) and inner:
            out.append(f"{pad}{word}:")
            _block(inner, indent + 1, arrays, name, out)
        elif isinstance(inner, list) and not _simple(inner):
            out.append(f"{pad}{word}:")
            out += [f"{pad}- {_flow(item, arrays, f'{name}.{i}')}" for i, item in enumerate(inner)]
        else:
            out.append(f"{pad}{word}: {_flow(inner, arrays, name)}")


def emit(tree: dict[str, Any]) -> tuple[str, Arrays]:
    """The text of a tree, and the arrays that it names."""
    arrays = Arrays()
    out: list[str] = []
    _block(tree, 0, arrays, "", out)
    return "\n".join(out) + "\n" if out else "{}\n", arrays
