"""Pictures of simulations and frames, drawn by rays."""
from __future__ import annotations

import os
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ._c import ffi
from ._library import check, fail, lib, new_error, to_bytes
from .errors import InputError
from .problem import _fill

if TYPE_CHECKING:
    from .run import Run
    from .simulation import Simulation

_STYLES = {"auto": lib.PLAIT_RENDER_AUTO, "hair": lib.PLAIT_RENDER_HAIR, "plain": lib.PLAIT_RENDER_PLAIN,
           "contacts": lib.PLAIT_RENDER_CONTACTS}


class Picture:
    """`rgb` is height x width x 3 bytes; a notebook shows it, `save` writes it as PNG."""

    def __init__(self, rgb: np.ndarray) -> None:
        self.rgb = rgb

    def png(self) -> bytes:
        """The bytes of a PNG file."""
        height, width, _ = self.rgb.shape
        rows = np.concatenate([np.zeros((height, 1), np.uint8), self.rgb.reshape(height, -1)], axis=1)

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
                + chunk(b"IEND", b""))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG."""
        error, rgb = new_error(), np.ascontiguousarray(self.rgb)
        check(lib.plait_png_write(to_bytes(path), rgb.shape[1], rgb.shape[0],
                                  ffi.cast("unsigned char *", rgb.ctypes.data), error), error)

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        return f"<Picture {self.rgb.shape[1]} x {self.rgb.shape[0]}>"


def _options(given: dict[str, Any]) -> Any:
    o = ffi.new("plait_render_options *", lib.plait_default_render())
    o.width, o.height, o.samples = 960, 600, 16
    given = dict(given)
    style = given.pop("style", "auto")
    if style not in _STYLES:
        raise InputError(f"style: one of {', '.join(_STYLES)} is expected, found {style!r}")
    o.style = _STYLES[style]
    for name in ("azimuth", "elevation"):
        if given.get(name, 0) is None:
            given.pop(name)
    _fill(o, given, but=("style", "camera", "progress", "data"))
    return o


def _draw(info: Any, frame: Any, given: dict[str, Any]) -> Picture:
    o, error = _options(given), new_error()
    render = lib.plait_render_new(info, o, error)
    if render == ffi.NULL:
        fail(error)
    try:
        rgb = np.empty((o.height, o.width, 3), np.uint8)
        check(lib.plait_render_look(render, frame, error), error)
        check(lib.plait_render_frame(render, frame, ffi.NULL, ffi.cast("unsigned char *", rgb.ctypes.data), ffi.NULL,
                                     error), error)
        return Picture(rgb)
    finally:
        lib.plait_render_free(render)


def of_frame(run: Run, frame: Any, options: dict[str, Any]) -> Picture:
    return _draw(run._info, frame, options)


def of_simulation(sim: Simulation, options: dict[str, Any]) -> Picture:
    stored = ffi.new("plait_trajectory_options *", {"doubles": True, "velocities": False, "contacts": True})
    error = new_error()
    c = sim._enter()
    try:
        info = lib.plait_trajectory_info_new(sim._built.c, c, stored, error)
        if info == ffi.NULL:
            fail(error)
        frame = lib.plait_trajectory_frame_new(info)
        try:
            if frame == ffi.NULL:
                raise MemoryError("no memory for a frame")
            check(lib.plait_trajectory_frame_take(frame, info, c, error), error)
            return _draw(info, frame, options)
        finally:
            if frame != ffi.NULL:
                lib.plait_trajectory_frame_free(frame, info)
            lib.plait_trajectory_info_free(info)
    finally:
        sim._lock.release()
