"""Runs on disk: frames are read one at a time, as they are asked for."""
from __future__ import annotations

import csv
import os
import threading
from typing import Any, Iterator, overload

import numpy as np

from ._arrays import real, short, struct_dtype, view, whole
from ._c import ffi
from ._library import check, fail, lib, new_error, text, to_bytes
from .errors import FileError, InputError
from .scene import Scene

CONTACT = struct_dtype("plait_sim_contact")


class _Life:
    """A trajectory and the frames that were made by it, which need it to go: the last of them frees it.

    Python may drop them in any order, at its end and in cycles.
    """

    def __init__(self, c: Any) -> None:
        self.c, self.users, self._lock = c, 1, threading.RLock()

    def enter(self) -> None:
        with self._lock:
            self.users += 1

    def leave(self) -> None:
        with self._lock:
            self.users -= 1
            last = self.users == 0
        if last:
            lib.plait_trajectory_free(self.c)

    def drop_frame(self, frame: Any) -> None:
        lib.plait_trajectory_frame_free(frame, lib.plait_trajectory_get_info(self.c))
        self.leave()


class Frame:
    """One frame of a run. Its arrays are the library's memory of this frame, and keep it."""

    def __init__(self, run: Run, index: int, c: Any) -> None:
        self.run, self.index, self._c = run, index, c

    @property
    def time(self) -> float:
        """[s]"""
        return self._c.time

    @property
    def step(self) -> int:
        """Steps since the start."""
        return self._c.step

    @property
    def x(self) -> np.ndarray:
        """Places of all nodes [m], n x 3."""
        return view(self._c.position, (self.run.nodes, 3), np.float64, self._c)

    @property
    def v(self) -> np.ndarray | None:
        """Velocities of all nodes [m/s], n x 3; None: they were not stored (`output.velocities`)."""
        return None if self._c.velocity == ffi.NULL else view(self._c.velocity, (self.run.nodes, 3), np.float64, self._c)

    @property
    def dt(self) -> float:
        """Length of the step that ended here [s]; 0 at the start."""
        return self._c.dt

    @property
    def directors(self) -> np.ndarray | None:
        """First director of the segment behind each node, n x 3; None: they were not stored (`output.frames`)."""
        return None if self._c.director == ffi.NULL else view(self._c.director, (self.run.nodes, 3), np.float64, self._c)

    @property
    def twist(self) -> np.ndarray | None:
        """Twist per length at the nodes [1/m], n; None: it was not stored (`output.frames`)."""
        return None if self._c.twist == ffi.NULL else view(self._c.twist, (self.run.nodes,), np.float64, self._c)

    def fibre(self, i: int) -> np.ndarray:
        """`x` of one fibre."""
        first = self.run.first
        i = whole(i, "fibre", 0, len(first) - 2)
        return self.x[first[i] : first[i + 1]]

    @property
    def contacts(self) -> np.ndarray:
        """As `Simulation.contacts`; empty if they were not stored (`output.contacts`)."""
        return view(self._c.contact, (self._c.contacts,), CONTACT, self._c)

    @property
    def collider_pose(self) -> np.ndarray:
        """Position and quaternion (x, y, z, w) of each collider, n x 7."""
        return view(self._c.collider_pose, (self.run._info.colliders, 7), np.float64, self._c)

    @property
    def body_pose(self) -> np.ndarray:
        """The same of rigid bodies."""
        return view(self._c.rigid_pose, (self.run._info.rigids, 7), np.float64, self._c)

    def soft(self, i: int) -> np.ndarray:
        """Places of the points of soft body i (cloth first, then solids) [m], n x 3."""
        i = whole(i, "soft", 0, self.run._info.softs - 1)
        return view(self._c.soft[i], (self.run._info.soft[i].shape.points, 3), np.float64, self._c)

    def picture(self, **options: Any) -> Any:
        """A picture of it, drawn by rays: `plait.Picture`."""
        from .picture import of_frame

        return of_frame(self.run, self._c, options)

    def __repr__(self) -> str:
        return f"<Frame {self.index} at {self.time:g} s>"


class Run:
    """A run that `plait run` or `Simulation.run(record=...)` has left, finished or not.

    `run[i]` reads frame i and nothing else; `for frame in run` holds one frame at a time. `run.stats` has a row per step.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        if not isinstance(self.path, str):
            raise InputError(f"a path is expected, found {short(path)}")
        file = os.path.join(self.path, "trajectory.h5") if os.path.isdir(self.path) else self.path
        self.folder = os.path.dirname(file) or "."
        error = new_error()
        c = lib.plait_trajectory_open(to_bytes(file), error)
        if c == ffi.NULL:
            fail(error)
        self._life = life = _Life(c)
        self._c = ffi.gc(c, lambda _: life.leave())
        self._info = lib.plait_trajectory_get_info(self._c)
        self._stats: tuple[float, dict[str, np.ndarray]] | None = None

    # ---- what does not change ----------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Of the scene."""
        return text(self._info.name) or ""

    @property
    def fibres(self) -> int:
        return self._info.fibres

    @property
    def nodes(self) -> int:
        return self._info.nodes

    @property
    def first(self) -> np.ndarray:
        """Fibre i has the nodes first[i] to first[i + 1] - 1."""
        return view(self._info.first, (self.fibres + 1,), np.int32, self._c)

    @property
    def radii(self) -> np.ndarray:
        """Contact radii of the fibres [m]."""
        return view(self._info.radius, (self.fibres,), np.float64, self._c)

    @property
    def group(self) -> np.ndarray:
        """Which of `groups` each fibre belongs to."""
        return view(self._info.group, (self.fibres,), np.int32, self._c)

    @property
    def groups(self) -> list[str]:
        return [ffi.string(self._info.group_name[i]).decode() for i in range(self._info.groups)]

    @property
    def scene(self) -> Scene:
        """The scene as it was run."""
        return Scene.from_yaml(text(self._info.scene) or "{}", text=True)

    # ---- frames ------------------------------------------------------------------------------------------------------

    @property
    def times(self) -> np.ndarray:
        """Of all frames [s]."""
        return view(lib.plait_trajectory_times(self._c), (len(self),), np.float64, self._c).copy()

    def __len__(self) -> int:
        return lib.plait_trajectory_frames(self._c)

    @overload
    def __getitem__(self, i: int) -> Frame: ...

    @overload
    def __getitem__(self, i: slice) -> list[Frame]: ...

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        index = whole(i, "frame")
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"frame {i}: there are {len(self)}, numbered from 0")
        info, error = self._info, new_error()
        memory = lib.plait_trajectory_frame_new(info)
        if memory == ffi.NULL:
            raise MemoryError(f"no memory for a frame of {self.nodes} nodes")
        self._life.enter()
        frame = ffi.gc(memory, self._life.drop_frame, size=48 * self.nodes)
        check(lib.plait_trajectory_read(self._c, index, frame, error), error)
        return Frame(self, index, frame)

    def __iter__(self) -> Iterator[Frame]:
        for i in range(len(self)):
            yield self[i]

    def at(self, time: float) -> Frame:
        """The last frame that is not later than a time."""
        return self[lib.plait_trajectory_find(self._c, real(time, "time"))]

    def refresh(self) -> int:
        """Looks for frames that were added since; gives how many there are now."""
        error = new_error()
        check(lib.plait_trajectory_refresh(self._c, error), error)
        return len(self)

    def track(self, fibre: int, node: int = -1) -> np.ndarray:
        """Where one node of a fibre is in every frame, frames x 3; a negative number counts from the tip."""
        out = np.empty((len(self), 3))
        for i, frame in enumerate(self):
            points = frame.fibre(fibre)
            out[i] = points[whole(node, "node", -len(points), len(points) - 1)]
        return out

    # ---- statistics --------------------------------------------------------------------------------------------------

    @property
    def stats(self) -> dict[str, np.ndarray]:
        """Columns of stats.csv, a row per step: `run.stats["contacts"]`. Empty cells are NaN; words stay words."""
        path = os.path.join(self.folder, "stats.csv")
        try:
            changed = os.stat(path).st_mtime_ns
        except OSError as problem:
            raise FileError(f"{path}: {problem.strerror}") from None
        if self._stats is None or self._stats[0] != changed:
            self._stats = (changed, read_stats(path))
        return self._stats[1]

    @property
    def measured(self) -> dict[str, np.ndarray]:
        """What the scene measures (`measure`), a row per step: `run.measured["hand_fz"]`. Empty cells are NaN."""
        path = os.path.join(self.folder, "measure.csv")
        if not os.path.exists(path):
            raise FileError(f"{path}: there is none: the scene has no 'measure'")
        return read_stats(path)

    # ---- to look at, to hand on --------------------------------------------------------------------------------------

    def show(self, height: int = 480, frames: int = 200) -> Any:
        """The run in a notebook: the viewer with its data in one page, which needs neither a server nor a network."""
        from .show import show_run

        return show_run(self, height, frames)

    def export(self, path: str | os.PathLike[str], format: str, **options: Any) -> int:
        """Writes it for other programs ("abc", "usda", "usdc", "hair", "vtp", "obj", "ply", "csv"); gives the number of files."""
        from .problem import _fill

        names = {ffi.string(lib.plait_export_name(i)).decode(): i for i in range(lib.PLAIT_EXPORT_COUNT)}
        if format not in names:
            raise InputError(f"format: one of {', '.join(names)} is expected, found {short(format)}")
        o = ffi.new("plait_export_options *", lib.plait_default_export_options(names[format]))
        _fill(o, options, but=("format", "progress", "data"))
        report, error = ffi.new("plait_export_report *"), new_error()
        check(lib.plait_trajectory_export(self._c, to_bytes(path), o, report, error), error)
        return report.files

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.fibres} fibres, {len(self)} frames>"


def read_stats(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """A table of statistics by columns. A last line that is still being written is left out."""
    with open(path, encoding="utf-8", newline="") as file:
        whole_lines = file.read().rpartition("\n")[0].splitlines()
    rows = list(csv.reader(whole_lines))
    if not rows:
        return {}
    columns = list(zip(*[row for row in rows[1:] if len(row) == len(rows[0])]))
    out = {}
    for i, name in enumerate(rows[0]):
        cells = columns[i] if columns else ()
        try:
            out[name] = np.array([float(c) if c else np.nan for c in cells])
        except ValueError:
            out[name] = np.array(cells, dtype=object)
    return out


def read_curves(path: str | os.PathLike[str]) -> list[np.ndarray]:
    """Strands of a .hair, .abc, .usda, .usdc or .obj file, each n x 3, in the file's unit; to be given to `Scene.fibres`."""
    error = new_error()
    c = lib.plait_curves_read(to_bytes(path), error)
    if c == ffi.NULL:
        fail(error)
    try:
        first = [c.first[i] for i in range(c.strands + 1)]
        points = np.frombuffer(ffi.buffer(c.point, 24 * first[-1]), dtype=np.float64).reshape(-1, 3).copy()
        return [points[a:b] for a, b in zip(first, first[1:])]
    finally:
        lib.plait_hair_free(c)
