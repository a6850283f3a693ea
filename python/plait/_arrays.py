"""Arrays that go in are checked; arrays that come out are views of the library's own memory."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._c import ffi
from .errors import InputError


class View:
    """Memory of the library as NumPy sees it. The owner lives at least as long as any array made of it."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, address: int, shape: tuple[int, ...], dtype: Any, owner: Any) -> None:
        dtype = np.dtype(dtype)
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": dtype.str,
            "descr": dtype.descr,
            "data": (address, True),
        }


def view(pointer: Any, shape: tuple[int, ...], dtype: Any, owner: Any) -> np.ndarray:
    """A read-only array at `pointer`, without a copy."""
    if 0 in shape or pointer == ffi.NULL:
        empty = np.zeros(shape, dtype)
        empty.flags.writeable = False
        return empty
    address = int(ffi.cast("uintptr_t", pointer))
    plain = np.dtype(dtype)
    if plain.names is None:
        return np.asarray(View(address, shape, plain, owner))
    # Structs: as bytes first, since the interface cannot say alignment and gaps of all dtypes.
    count = int(np.prod(shape)) * plain.itemsize
    return np.asarray(View(address, (count,), np.uint8, owner)).view(plain).reshape(shape)


def struct_dtype(name: str) -> np.dtype:
    """The NumPy dtype of a C struct: same names, offsets and size."""
    return _dtype(ffi.typeof(name))


def _dtype(kind: Any) -> Any:
    if kind.kind == "struct":
        names = [field for field, _ in kind.fields]
        return np.dtype({
            "names": names,
            "formats": [_dtype(inner.type) for _, inner in kind.fields],
            "offsets": [inner.offset for _, inner in kind.fields],
            "itemsize": ffi.sizeof(kind),
        })
    if kind.kind == "array":
        return (_dtype(kind.item), (kind.length,))
    if kind.kind == "enum":
        return np.dtype("u4") if ffi.sizeof(kind) == 4 else np.dtype("u8")
    if kind.kind == "primitive":
        if kind.cname in ("double", "float"):
            return np.dtype(f"f{ffi.sizeof(kind)}")
        if kind.cname in ("_Bool", "bool"):
            return np.dtype("?")
        signed = int(ffi.cast(kind, -1)) < 0
        return np.dtype(f"{'i' if signed else 'u'}{ffi.sizeof(kind)}")
    return np.dtype("u8")  # a pointer


def real(value: Any, name: str) -> float:
    """A finite number."""
    try:
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: a number is expected, found {short(value)}") from None
    if not np.isfinite(x):
        raise InputError(f"{name}: a finite number is expected, found {x}")
    return x


def whole(value: Any, name: str, low: int = -(2**31), high: int = 2**31 - 1) -> int:
    """A whole number between low and high."""
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name}: a whole number is expected, found {value}")
    try:
        x = value.__index__()
    except AttributeError:
        raise InputError(f"{name}: a whole number is expected, found {short(value)}") from None
    except TypeError:
        raise InputError(f"{name}: a whole number is expected, found {short(value)}") from None
    if not low <= x <= high:
        raise InputError(f"{name}: a whole number from {low} to {high} is expected, found {x}")
    return x


def numbers(value: Any, name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """Finite numbers of a shape (None: any length) as contiguous doubles; a copy only where they are something else."""
    wanted = " x ".join("n" if n is None else str(n) for n in shape) or "one number"
    try:
        with np.errstate(all="ignore"):
            given = np.asarray(value)
            if given.dtype.kind not in "fiub":
                raise TypeError
            array = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: numbers of shape {wanted} are expected, found {short(value)}") from None
    if array.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, array.shape)):
        found = " x ".join(map(str, given.shape)) or "one number"
        raise InputError(f"{name}: numbers of shape {wanted} are expected, found {found}")
    if not np.isfinite(array).all():
        raise InputError(f"{name}: finite numbers are expected, found {_first_bad(array)}")
    return array


def integers(value: Any, name: str, length: int | None = None) -> np.ndarray:
    """Whole numbers as contiguous C ints."""
    try:
        given = np.asarray(value)
    except ValueError:
        raise InputError(f"{name}: whole numbers are expected, found {short(value)}") from None
    if given.size == 0 and given.dtype.kind == "f":
        given = given.astype(np.int32)
    if given.dtype.kind not in "iu":
        raise InputError(f"{name}: whole numbers are expected, found {short(value)}")
    if given.ndim != 1 or (length is not None and given.shape[0] != length):
        wanted = "a list" if length is None else f"{length}"
        raise InputError(f"{name}: {wanted} of whole numbers is expected, found shape {given.shape}")
    if given.size and (int(given.min()) < -(2**31) or int(given.max()) > 2**31 - 1):
        raise InputError(f"{name}: whole numbers of at most 31 bits are expected")
    return np.ascontiguousarray(given, dtype=np.int32)


def _first_bad(array: np.ndarray) -> str:
    at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
    return f"{array[at]} at {list(at)}"


def short(value: Any) -> str:
    """A value for a message."""
    try:
        words = repr(value)
    except Exception:  # somebody's __repr__
        words = type(value).__name__
    return words if len(words) <= 60 else words[:57] + "..."


def doubles(array: np.ndarray) -> Any:
    """The memory of contiguous doubles for C; the array must live as long."""
    return ffi.cast("double *", array.ctypes.data) if array.size else ffi.NULL


def ints(array: np.ndarray) -> Any:
    return ffi.cast("int *", array.ctypes.data) if array.size else ffi.NULL
