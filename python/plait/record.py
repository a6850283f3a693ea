"""Writes what a simulation does into a folder, as `plait run` does: frames, statistics, the scene."""
from __future__ import annotations

import csv
import functools
import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from ._c import ffi
from ._library import check, fail, lib, new_error, to_bytes
from ._record import Record, Report
from .errors import FileError

if TYPE_CHECKING:
    from .simulation import Simulation


class Recorder:
    """Frames of a simulation go to FOLDER/trajectory.h5 at the scene's `output.frame_time`, steps to FOLDER/stats.csv.

    Used by `Simulation.run(record=...)`; by hand: ``with Recorder(sim, "runs/a") as r: ... r.after(sim.step(r.until))``.
    """

    def __init__(self, sim: Simulation, folder: str | os.PathLike[str], end: float) -> None:
        self.sim, self.folder, self.end = sim, os.fspath(folder), end
        path = os.path.join(self.folder, "trajectory.h5")
        if os.path.exists(path):
            raise FileError(f"{path}: there is a run already; another folder is expected")
        os.makedirs(self.folder, exist_ok=True)
        scene = sim._built.c
        self.frame_time = scene.output.frame_time
        options = ffi.new("plait_trajectory_options *", {"doubles": scene.output.doubles,
                                                          "velocities": scene.output.velocities,
                                                          "contacts": scene.output.contacts,
                                                          "frames": scene.output.frames})
        error = new_error()
        c = sim._enter()
        try:
            info = lib.plait_trajectory_info_new(scene, c, options, error)
            if info == ffi.NULL:
                fail(error)
            frame = lib.plait_trajectory_frame_new(info)
            if frame == ffi.NULL:
                lib.plait_trajectory_info_free(info)
                raise MemoryError("no memory for a frame")
            self._frame = frame
            self._info = ffi.gc(info, functools.partial(_drop, frame))
            writer = lib.plait_trajectory_create(to_bytes(path), info, error)
        finally:
            sim._lock.release()
        if writer == ffi.NULL:
            fail(error)
        self._writer: Any = writer
        self._stats: Any = open(os.path.join(self.folder, "stats.csv"), "w", encoding="utf-8", newline="")
        self._table: Any = None
        with open(os.path.join(self.folder, "scene.yaml"), "w", encoding="utf-8") as file:
            file.write(sim._built.text or "")
        self._start = self._last = time.perf_counter()
        self._begun, self._frames = sim.time, 0
        self._append()

    @property
    def until(self) -> float:
        """When the next step has to end at the latest: at the next frame, or at the end."""
        return min(self._begun + self._frames * self.frame_time, self.end)

    def _append(self) -> None:
        error = new_error()
        c = self.sim._enter()
        try:
            check(lib.plait_trajectory_frame_take(self._frame, self._info, c, error), error)
        finally:
            self.sim._lock.release()
        check(lib.plait_trajectory_append(self._writer, self._frame, error), error)
        self._frames += 1

    def after(self, report: Report) -> None:
        """After every step: a row of statistics, and a frame if it is time."""
        now = time.perf_counter()
        row = _row(report)
        row["seconds"], self._last = now - self._last, now
        row["cpu"] = float(np.sum(report.cpu))
        if self._table is None:
            self._table = csv.DictWriter(self._stats, list(row), lineterminator="\n")
            self._table.writeheader()
        self._table.writerow(row)
        if self.sim.time >= self._begun + self._frames * self.frame_time:
            self._append()

    def close(self) -> None:
        if self._writer is None:
            return
        lib.plait_trajectory_close(self._writer)
        self._writer = None
        self._stats.close()
        error = new_error()
        check(lib.plait_trajectory_write_xdmf(to_bytes(os.path.join(self.folder, "trajectory.h5")),
                                              to_bytes(os.path.join(self.folder, "trajectory.xdmf")), error), error)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_writer", None) is not None:
            lib.plait_trajectory_close(self._writer)
            self._writer = None


def _drop(frame: Any, info: Any) -> None:
    """A frame goes before what says how large it is."""
    lib.plait_trajectory_frame_free(frame, info)
    lib.plait_trajectory_info_free(info)


_LEDGER = {"ends": "work_ends", "colliders": "work_colliders", "air": "work_air", "loads": "work_loads",
           "bonds": "work_bonds", "friction": "lost_friction", "impact": "lost_impact", "damping": "lost_damping",
           "numerical": "lost_numerical", "error": "ledger_error", "scale": "ledger_scale"}  # as in stats.csv


def _row(report: Report) -> dict[str, Any]:
    """A report as cells: records inside are spread out, arrays by stages; what is not finite is left empty."""
    row: dict[str, Any] = {}
    for name in report:
        value = getattr(report, name)
        if isinstance(value, Record):
            inside = _row(value)  # type: ignore[arg-type]
            row.update({_LEDGER.get(word, word): x for word, x in inside.items()} if name == "ledger" else inside)
        elif isinstance(value, np.ndarray):
            names = [ffi.string(lib.plait_stage_name(i)).decode() for i in range(len(value))] \
                if name in ("seconds", "cpu") else [str(i) for i in range(len(value))]
            row.update({f"{name}_{word}": _cell(x) for word, x in zip(names, value)})
        else:
            row[name] = _cell(value)
    return row


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if np.isfinite(value) else ""
    return "" if value is None else value
