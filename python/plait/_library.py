"""The C library: found, loaded, and its errors as exceptions."""
from __future__ import annotations

import glob
import os
from typing import Any, NoReturn

from ._c import ffi
from ._version import VERSION
from .errors import Error, FileError, InputError, MemoryShort

_NAME = "libplait.so." + ".".join(VERSION.split(".")[:2])


def _candidates() -> list[str]:
    """Where the library may be: what PLAIT_LIBRARY says, beside this file, or in the same prefix as this package."""
    said = os.environ.get("PLAIT_LIBRARY")
    if said:
        return [said]
    here = os.path.dirname(os.path.abspath(__file__))
    found = [os.path.join(here, _NAME)]
    folder = here
    for _ in range(6):
        folder = os.path.dirname(folder)
        for lib in ("lib", "lib64"):
            found.append(os.path.join(folder, lib, _NAME))
            found += sorted(glob.glob(os.path.join(folder, lib, "*", _NAME)))
    return [path for path in found if os.path.exists(path)] + [_NAME]


def _load() -> Any:
    problems = []
    for path in _candidates():
        try:
            # Never unloaded: threads of what it is linked with (TBB, OpenMP) live until the process ends.
            library = ffi.dlopen(path, os.RTLD_NOW | os.RTLD_NODELETE)
        except OSError as problem:
            problems.append(str(problem))
            continue
        found = ffi.string(library.plait_version()).decode()
        if found != VERSION:
            raise ImportError(f"{path} is Plait {found}; this Python package belongs to Plait {VERSION}")
        names = [name for name in ffi.list_types()[0] if name.startswith("plait_")]
        kinds = [ffi.typeof(name) for name in names]
        sized = [(kind.cname, ffi.sizeof(kind)) for kind in kinds if kind.kind == "struct" and kind.fields]
        keep = [ffi.new("char[]", name.removeprefix("struct ").encode()) for name, _ in sized]
        sizes = ffi.new("plait_struct_size[]", [(word, size) for word, (_, size) in zip(keep, sized)])
        error = ffi.new("plait_error *")
        if library.plait_compare_sizes(len(sized), sizes, error) != library.PLAIT_OK:
            raise ImportError(f"{path}: {ffi.string(error.text).decode()}")
        return library
    raise ImportError("Plait's library was not found: " + "; ".join(problems))


lib = _load()
PATH: str = next((p for p in _candidates() if os.path.exists(p)), _NAME)

_KINDS = {
    lib.PLAIT_BAD_INPUT: InputError,
    lib.PLAIT_BAD_FILE: FileError,
    lib.PLAIT_NO_MEMORY: MemoryShort,
}


def fail(error: Any) -> NoReturn:
    """Raises what a plait_error says."""
    text = ffi.string(error.text).decode("utf-8", "replace")
    raise _KINDS.get(error.status, Error)(text or "the library gave no reason")


def check(status: int, error: Any) -> None:
    """Raises if a status is another than PLAIT_OK."""
    if status:
        if not error.status:
            error.status = status
        fail(error)


def new_error() -> Any:
    return ffi.new("plait_error *")


def text(pointer: Any) -> str | None:
    """A C string; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def take_text(pointer: Any, error: Any = None) -> str:
    """A malloc'ed C string, which is freed."""
    if pointer == ffi.NULL:
        if error is not None:
            fail(error)
        raise MemoryShort("not enough memory")
    try:
        return ffi.string(pointer).decode("utf-8", "replace")
    finally:
        lib.free(pointer)


def to_bytes(words: str | os.PathLike[str]) -> bytes:
    """A path or text for C: no zero bytes inside."""
    data = os.fsencode(os.fspath(words)) if not isinstance(words, str) else words.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise InputError("a text must not have a zero byte in it")
    return data


def strings(words: list[str]) -> tuple[Any, list[Any]]:
    """A list of C strings, and what has to be kept as long as it is used."""
    kept = [ffi.new("char[]", to_bytes(w)) for w in words]
    return ffi.new("const char *[]", kept) if kept else ffi.NULL, kept
