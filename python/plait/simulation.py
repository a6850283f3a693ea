"""A scene in motion, with views of its arrays and everything that can be changed while it runs."""
from __future__ import annotations

import math
import os
import threading
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _hooks
from ._arrays import doubles, integers, ints, numbers, real, short, struct_dtype, view, whole
from ._c import ffi
from ._library import check, fail, lib, new_error, text, to_bytes
from ._parts import Hit, Soft
from ._record import Report
from .errors import BusyError, ClosedError, InputError, StepFailed
from .scene import Built, Scene

if TYPE_CHECKING:
    from .problem import Problem
    from .run import Run

CONTACT = struct_dtype("plait_sim_contact")
BOND = struct_dtype("plait_sim_bond")
_ASK_EVERY = 0.05  # [s] how often a long step looks whether Ctrl-C was pressed
_KINDS = {"fibre": lib.PLAIT_PARTNER_FIBRE, "collider": lib.PLAIT_PARTNER_COLLIDER, "body": lib.PLAIT_PARTNER_RIGID}
_ENDS = {"root": 0, "tip": 1, 0: 0, 1: 1}
_HOLDS = {"free": lib.PLAIT_END_FREE, "pinned": lib.PLAIT_END_PINNED, "clamped": lib.PLAIT_END_CLAMPED,
          "edge": lib.PLAIT_END_EDGE}


class Simulation:
    """A scene in motion.

    `x` and `v` are the library's own arrays: they show the present state after every step without a copy, and cannot be
    written. `contacts` and `bonds` are arrays of the last step. Arrays stay readable after `close()`.

    One thread at a time uses a simulation (another one gets BusyError); the interpreter is free while it steps.
    """

    def __init__(self, scene: Scene | str | os.PathLike[str], threads: int = 0) -> None:
        self._lock = threading.Lock()
        self._c: Any = None
        if isinstance(scene, (str, os.PathLike)):
            scene = Scene.from_yaml(scene)
        if not isinstance(scene, Scene):
            raise InputError(f"a Scene or the path of one is expected, found {short(scene)}")
        threads = whole(threads, "threads", 0, 4096)
        self._built: Built = scene.build()
        error = new_error()
        c = lib.plait_sim_new(self._built.c, error)
        if c == ffi.NULL:
            fail(error)
        self._c = ffi.gc(c, lib.plait_sim_free)
        self._raise_trouble()
        self._own = _hooks.Trouble()
        self._hooks: dict[str, Any] = {}
        self._nodes: Any = None
        self._shown = False  # somebody has x or v: they are kept up to date
        self._skins: dict[int, Any] = {}  # the same of cloth and solids
        self._report: Report | None = None
        self._error = error
        self._last = ffi.NULL
        self._stop = _hooks.stop_hook([self._own] + [f.trouble for f in self._built.fields])
        lib.plait_sim_set_threads(self._c, threads)
        lib.plait_sim_set_stop_interval(self._c, _ASK_EVERY)
        lib.plait_sim_set_stop(self._c, self._stop, ffi.NULL)

    # ---- who may use it ----------------------------------------------------------------------------------------------

    def _enter(self) -> Any:
        """Takes the simulation for this thread; whoever called gives it back."""
        if not self._lock.acquire(blocking=False):
            raise BusyError("the simulation is in use: by another thread, or by the step that calls this function")
        if self._c is None:
            self._lock.release()
            raise ClosedError("the simulation was closed")
        return self._c

    def _raise_trouble(self) -> None:
        for trouble in [f.trouble for f in self._built.fields] + ([self._own] if hasattr(self, "_own") else []):
            first = trouble.take()
            if first is not None:
                raise first

    def close(self) -> None:
        """Gives its memory back, as soon as no array made of it is left."""
        if self._c is None:
            return
        if not self._lock.acquire(blocking=False):
            raise BusyError("the simulation is in use: by another thread, or by the step that calls this function")
        self._c = None
        self._nodes = None
        self._lock.release()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- steps -------------------------------------------------------------------------------------------------------

    def step(self, until: float = math.inf) -> Report:
        """One time step, at most until a time; gives its report.

        A step that fails is told by `report.failed`; the state is then as before. Ctrl-C ends it in the middle, with
        the state as before.
        """
        c = self._enter()
        try:
            return self._step(c, until)
        finally:
            self._lock.release()

    def _step(self, c: Any, until: float) -> Report:
        out = ffi.new("plait_sim_report *")
        careful = bool(self._hooks or self._built.fields)
        before = self._state(c) if careful else None
        status = lib.plait_sim_step(c, until, out, self._error)
        if before is not None and (self._own.first or any(f.trouble.first for f in self._built.fields)):
            error = new_error()
            check(lib.plait_sim_set_state(c, doubles(before), before.size, error), error)
            self._refresh(c)
            self._raise_trouble()
        if status:
            check(status, self._error)
        if self._shown:
            lib.plait_sim_view_nodes(c, self._nodes, ffi.NULL)
        for i, skin in self._skins.items():
            lib.plait_sim_view_skin(c, i, skin, ffi.NULL)
        if out.stopped or self._own.first is not None:
            self._raise_trouble()
        report = Report(out)
        self._report = report
        return report

    def run(self, until: float, each: Callable[[Simulation, Report], Any] | None = None, *,
            record: str | os.PathLike[str] | None = None, steps: int | None = None) -> Report | None:
        """Steps until a time is reached, and calls `each(sim, report)` after every step; True from it ends the run.

        record: a folder for a trajectory (with the scene's `output.frame_time` between frames) and statistics, as
        `plait run` leaves them: `plait.Run` reads it. steps: at most so many. A step that fails raises StepFailed.
        """
        until = real(until, "until")
        most = math.inf if steps is None else whole(steps, "steps", 0, 2**62)
        if record is not None:
            from .record import Recorder

            with Recorder(self, record, until) as recorder:
                return self._run(until, each, most, recorder)
        return self._run(until, each, most, None)

    def _run(self, until: float, each: Any, most: float, recorder: Any) -> Report | None:
        report, done = None, 0
        while self.time < until and done < most:
            report = self.step(recorder.until if recorder else until)
            if report.failed:
                raise StepFailed(f"the step at {self.time:g} s failed: {report.reason}", report)
            done += 1
            if recorder:
                recorder.after(report)
            if each is not None and each(self, report) is True:
                break
        return report

    @property
    def report(self) -> Report | None:
        """Of the last step."""
        return self._report

    @property
    def time(self) -> float:
        """[s]"""
        c = self._enter()
        try:
            return lib.plait_sim_time(c)
        finally:
            self._lock.release()

    @property
    def steps(self) -> int:
        """Accepted since the start."""
        c = self._enter()
        try:
            return lib.plait_sim_steps(c)
        finally:
            self._lock.release()

    # ---- arrays ------------------------------------------------------------------------------------------------------

    def _refresh(self, c: Any) -> None:
        if self._nodes is None:
            self._nodes = ffi.new("plait_sim_nodes *", {"size": ffi.sizeof("plait_sim_nodes")})
        error = new_error()
        check(lib.plait_sim_view_nodes(c, self._nodes, error), error)

    def _node_view(self, which: str) -> np.ndarray:
        c = self._enter()
        try:
            self._refresh(c)
            self._shown = True
            return view(getattr(self._nodes, which), (self._nodes.nodes, 3), np.float64, c)
        finally:
            self._lock.release()

    @property
    def x(self) -> np.ndarray:
        """Places of all nodes [m], n x 3; the library's own array, which every step brings up to date."""
        return self._node_view("x")

    @property
    def v(self) -> np.ndarray:
        """Velocities of all nodes [m/s], n x 3; as `x`."""
        return self._node_view("v")

    @property
    def first(self) -> np.ndarray:
        """Fibre i has the nodes first[i] to first[i + 1] - 1."""
        c = self._enter()
        try:
            return view(lib.plait_sim_first_node(c), (lib.plait_sim_fibres(c) + 1,), np.int32, c)
        finally:
            self._lock.release()

    @property
    def radii(self) -> np.ndarray:
        """Contact radii of the fibres [m]."""
        c = self._enter()
        try:
            return view(lib.plait_sim_radii(c), (lib.plait_sim_fibres(c),), np.float64, c)
        finally:
            self._lock.release()

    @property
    def fibres(self) -> int:
        """How many there are."""
        c = self._enter()
        try:
            return lib.plait_sim_fibres(c)
        finally:
            self._lock.release()

    def nodes(self, fibre: int) -> np.ndarray:
        """`x` of one fibre."""
        first = self.first
        i = whole(fibre, "fibre", 0, len(first) - 2)
        return self.x[first[i] : first[i + 1]]

    def cloth(self, which: Any) -> Soft:
        """Nodes and triangles of a cloth, by name or number; every step brings them up to date, as `x`."""
        return self._soft("cloth", which)

    def solid(self, which: Any) -> Soft:
        """Nodes of a solid and the triangles of its skin, by name or number; as `cloth`."""
        return self._soft("solid", which)

    def _soft(self, kind: str, which: Any) -> Soft:
        scene = self._built.c
        names = [ffi.string(getattr(scene, kind)[i].name).decode() for i in range(getattr(scene, kind + "s"))]
        if isinstance(which, str):
            if which not in names:
                raise InputError(f"there is no {kind} '{which}'; there are {', '.join(names) or 'none'}")
            which = names.index(which)
        skin = whole(which, kind, 0, len(names) - 1) + (scene.cloths if kind == "solid" else 0)
        c = self._enter()
        try:
            out = self._skins.get(skin) or ffi.new("plait_sim_skin_nodes *", {"size": ffi.sizeof("plait_sim_skin_nodes")})
            error = new_error()
            check(lib.plait_sim_view_skin(c, skin, out, error), error)
            self._skins[skin] = out
            shape = (out.skin.nodes, 3)
            return Soft(view(out.x, shape, np.float64, c), view(out.v, shape, np.float64, c),
                        view(out.skin.triangle, (out.skin.triangles, 3), np.int32, c))
        finally:
            self._lock.release()

    @property
    def contacts(self) -> np.ndarray:
        """Contacts of the last step as one structured array of the library: `contacts["impulse"]` is n x 3, a view.

        Fields: kind, index, arc (of both partners), position, normal, gap, impulse, velocity, mu. It is overwritten by
        the contacts of a later step when these are looked at; `.copy()` keeps it.
        """
        return self._list_view("plait_sim_contact", lib.plait_sim_view_contacts, CONTACT)

    @property
    def bonds(self) -> np.ndarray:
        """What the contacts of the last step remember, in the same order: impulse, area, number, law, holds."""
        return self._list_view("plait_sim_bond", lib.plait_sim_view_bonds, BOND)

    def _list_view(self, kind: str, function: Any, dtype: np.dtype) -> np.ndarray:
        c = self._enter()
        try:
            error, at, count = new_error(), ffi.new(f"const {kind} **"), ffi.new("int *")
            check(function(c, at, count, error), error)
            return view(at[0], (count[0],), dtype, c)
        finally:
            self._lock.release()

    # ---- state -------------------------------------------------------------------------------------------------------

    @staticmethod
    def _state(c: Any) -> np.ndarray:
        state = np.empty(lib.plait_sim_state_size(c))
        lib.plait_sim_get_state(c, doubles(state))
        return state

    def save(self, path: str | os.PathLike[str] | None = None) -> np.ndarray:
        """The whole state as numbers, to `restore`: it goes on bit for bit. Also into a checkpoint file, if named."""
        c = self._enter()
        try:
            if path is not None:
                error = new_error()
                point = lib.plait_checkpoint_new(c, error)
                if point == ffi.NULL:
                    fail(error)
                words = ffi.new("char[]", to_bytes(self._built.text or ""))
                own = point.scene
                point.scene = words
                try:
                    check(lib.plait_checkpoint_write(to_bytes(path), point, error), error)
                finally:
                    point.scene = own
                    lib.plait_checkpoint_free(point)
            return self._state(c)
        finally:
            self._lock.release()

    def restore(self, state: Any) -> None:
        """Goes back to what `save` gave, or to a checkpoint file. Loads and targets are not part of a state."""
        c = self._enter()
        try:
            error = new_error()
            if isinstance(state, (str, os.PathLike)):
                point = lib.plait_checkpoint_read(to_bytes(state), error)
                if point == ffi.NULL:
                    fail(error)
                try:
                    check(lib.plait_sim_set_state(c, point.state, point.size, error), error)
                finally:
                    lib.plait_checkpoint_free(point)
            else:
                array = numbers(state, "state", (None,))
                check(lib.plait_sim_set_state(c, doubles(array), array.size, error), error)
            if self._shown:
                self._refresh(c)
            for i, skin in self._skins.items():
                lib.plait_sim_view_skin(c, i, skin, ffi.NULL)
        finally:
            self._lock.release()

    # ---- loads and constraints ---------------------------------------------------------------------------------------

    def _call(self, function: Any, *arguments: Any) -> None:
        c = self._enter()
        try:
            error = new_error()
            check(function(c, *arguments, error), error)
        finally:
            self._lock.release()

    def _index(self, which: Any, kind: str) -> int:
        """A collider, body or material by number or name."""
        names = {"collider": self._built.collider_names, "body": self._built.rigid_names,
                 "material": self._built.material_names}[kind]
        if isinstance(which, str):
            if which not in names:
                raise InputError(f"there is no {kind} '{which}'; there are {', '.join(names) or 'none'}")
            return names.index(which)
        return whole(which, kind, 0, len(names) - 1)

    def set_gravity(self, gravity: Any) -> None:
        """[m/s^2] of everything, from the next step on."""
        self._call(lib.plait_sim_set_gravity, doubles(a := numbers(gravity, "gravity", (3,))))
        del a

    def set_wind(self, wind: Any) -> None:
        """[m/s] Fibres with drag are pulled along."""
        self._call(lib.plait_sim_set_wind, doubles(a := numbers(wind, "wind", (3,))))
        del a

    def set_friction(self, a: Any, b: Any, mu: float, restitution: float = 0.0) -> None:
        """Of two materials, by name or number."""
        self._call(lib.plait_sim_set_friction, self._index(a, "material"), self._index(b, "material"), real(mu, "mu"),
                   real(restitution, "restitution"))

    def set_force(self, fibre: Any, node: Any, force: Any) -> None:
        """[N] on nodes, in the world, until it is set again. One fibre and node, or lists of them and n x 3 forces."""
        if np.ndim(fibre) == 0 and np.ndim(node) == 0:
            f = numbers(force, "force", (3,))
            self._call(lib.plait_sim_set_node_force, whole(fibre, "fibre"), whole(node, "node"), doubles(f))
            return
        f = numbers(force, "force", (None, 3))
        fibres = integers(np.full(len(f), fibre) if np.ndim(fibre) == 0 else fibre, "fibre", len(f))
        nodes = integers(np.full(len(f), node) if np.ndim(node) == 0 else node, "node", len(f))
        if len(f):
            self._call(lib.plait_sim_set_node_forces, len(f), ints(fibres), ints(nodes), doubles(f))

    def set_end(self, fibre: int, end: str | int, hold: str, position: Any = None, tangent: Any = None,
                director: Any = None) -> None:
        """Holds an end ("root" or "tip") as "pinned" or "clamped" at a place, or sets it "free".

        What is not given stays as it was: at the start where the end is.
        """
        e = self._end(end)
        if hold not in _HOLDS:
            raise InputError(f"hold: one of {', '.join(_HOLDS)} is expected, found {short(hold)}")
        given = {name: numbers(value, name, (3,)) for name, value in
                 (("position", position), ("tangent", tangent), ("director", director)) if value is not None}
        c = self._enter()
        try:
            i = whole(fibre, "fibre", 0, lib.plait_sim_fibres(c) - 1)
            rod = lib.plait_sim_rod(c, i)
            before = lib.plait_rod_get_end(rod, e)
            condition = ffi.new("plait_end *", before)
            if before.kind == lib.PLAIT_END_FREE and hold != "free":
                at = self._end_place(c, i, e)
                condition.position, condition.tangent = at[0], at[1]
            condition.kind = _HOLDS[hold]
            for name, array in given.items():
                setattr(condition, name, array.tolist())
            error = new_error()
            check(lib.plait_sim_set_end(c, i, e, condition, error), error)
        finally:
            self._lock.release()

    def _end(self, end: Any) -> int:
        if isinstance(end, bool) or not isinstance(end, (str, int, np.integer)) or end not in _ENDS:
            raise InputError(f"end: 'root' or 'tip' is expected, found {short(end)}")
        return _ENDS[end]

    @staticmethod
    def _end_place(c: Any, fibre: int, end: int) -> tuple[list[float], list[float]]:
        """Where an end is now, and its tangent."""
        rod = lib.plait_sim_rod(c, fibre)
        x = np.empty((lib.plait_rod_segments(rod) + 1, 3))
        lib.plait_rod_positions(rod, doubles(x))
        tangent = x[-1] - x[-2] if end else x[1] - x[0]
        return x[-1 if end else 0].tolist(), (tangent / np.linalg.norm(tangent)).tolist()

    def move_ends(self, end: str | int, positions: Any, fibres: Any = None) -> None:
        """Ends that are held go to n x 3 places: at the end of the next step they are there. fibres: all, or a list."""
        e = self._end(end)
        at = numbers(positions, "positions", (None, 3))
        if fibres is None:
            fibres = np.arange(self.fibres, dtype=np.int32)
        which = integers(fibres, "fibres", len(at))
        if len(at):
            self._call(lib.plait_sim_move_ends, e, len(at), ints(which), doubles(at))

    def set_body_force(self, body: Any, force: Any = (0, 0, 0), couple: Any = (0, 0, 0)) -> None:
        """[N], [N m] on a rigid body, at its centre of mass, in the world, until it is set again."""
        f, t = numbers(force, "force", (3,)), numbers(couple, "couple", (3,))
        self._call(lib.plait_sim_set_rigid_force, self._index(body, "body"), doubles(f), doubles(t))

    def set_target(self, collider: Any, position: Any, rotation: Any = (0, 0, 0, 1), when: float | None = None) -> None:
        """A collider leaves its script and goes straight to a pose (quaternion x y z w), where it is at time `when`.

        Without `when`: at the end of a step of the scene's `dt` from now.
        """
        at, q = numbers(position, "position", (3,)), numbers(rotation, "rotation", (4,))
        when = self.time + self._built.c.stepping.dt if when is None else real(when, "when")
        self._call(lib.plait_sim_set_collider_target, self._index(collider, "collider"), doubles(at), doubles(q), when)

    # ---- hooks -------------------------------------------------------------------------------------------------------

    def set_filter(self, function: Callable[[np.void], Any] | None) -> None:
        """Which contacts there are: called with every contact about to be solved, False lets the two pass through.

        The same contact must get the same answer: a step may be tried more than once. None: all touch.
        """
        self._set_hook("filter", function, _hooks.filter_hook)

    def set_friction_law(self, function: Callable[[np.void], float] | None) -> None:
        """mu of every contact by a function of it, instead of by materials. None: as materials say."""
        self._set_hook("friction", function, _hooks.friction_hook)

    def _set_hook(self, name: str, function: Any, make: Any) -> None:
        if function is not None and not callable(function):
            raise InputError(f"{name}: a function of a contact is expected, found {short(function)}")
        c = self._enter()
        try:
            hooks = dict(self._hooks)
            hooks.pop(name, None)
            if function is not None:
                hooks[name] = make(function, self._own)
            all_of = ffi.new("plait_sim_hooks *", {"size": ffi.sizeof("plait_sim_hooks"), **hooks})
            error = new_error()
            check(lib.plait_sim_set_hooks(c, all_of, error), error)
            self._hooks = hooks
        finally:
            self._lock.release()

    # ---- what is where -----------------------------------------------------------------------------------------------

    def pose(self, collider: Any) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation (quaternion x y z w) of a collider now."""
        return self._pose(lib.plait_sim_collider_pose, self._index(collider, "collider"), 4)

    def body_pose(self, body: Any) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation (quaternion x y z w) of a rigid body now."""
        return self._pose(lib.plait_sim_rigid_pose, self._index(body, "body"), 4)

    def body_velocity(self, body: Any) -> tuple[np.ndarray, np.ndarray]:
        """Velocity [m/s] and spin [rad/s] of a rigid body now."""
        return self._pose(lib.plait_sim_rigid_velocity, self._index(body, "body"), 3)

    def _pose(self, function: Any, i: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        c = self._enter()
        try:
            a, b = np.empty(3), np.empty(size)
            function(c, i, doubles(a), doubles(b))
            return a, b
        finally:
            self._lock.release()

    def reaction(self, kind: str, which: Any, about: Any = (0, 0, 0)) -> tuple[np.ndarray, np.ndarray]:
        """Sum of the contact forces of the last step on a "fibre", "collider" or "body": force [N], couple [N m]."""
        if kind not in _KINDS:
            raise InputError(f"kind: one of {', '.join(_KINDS)} is expected, found {short(kind)}")
        i = whole(which, "fibre") if kind == "fibre" else self._index(which, kind)
        at, force, couple = numbers(about, "about", (3,)), np.empty(3), np.empty(3)
        self._call(lib.plait_sim_get_reaction, _KINDS[kind], i, doubles(at), doubles(force), doubles(couple))
        return force, couple

    def nearest(self, x: Any, reach: float) -> Hit | None:
        """The nearest surface within `reach` of a point; None: there is none."""
        at, hit = numbers(x, "x", (3,)), ffi.new("plait_sim_hit *")
        return self._find(lib.plait_sim_find_nearest, hit, doubles(at), self._positive(reach, "reach"), hit)

    def ray(self, x: Any, direction: Any, far: float) -> Hit | None:
        """The first surface on a ray, not farther than `far` [m]; None: it meets nothing."""
        at, along = numbers(x, "x", (3,)), numbers(direction, "direction", (3,))
        if not along.any():
            raise InputError("direction: a vector that is not zero is expected")
        hit = ffi.new("plait_sim_hit *")
        return self._find(lib.plait_sim_find_ray, hit, doubles(at), doubles(along), self._positive(far, "far"), hit)

    @staticmethod
    def _positive(value: Any, name: str) -> float:
        x = real(value, name)
        if x < 0:
            raise InputError(f"{name}: a length is expected, found {x}")
        return x

    def _find(self, function: Any, hit: Any, *arguments: Any) -> Hit | None:
        c = self._enter()
        try:
            found = function(c, *arguments)
            self._raise_trouble()
            return Hit(hit) if found else None
        finally:
            self._lock.release()

    @property
    def problem(self) -> Problem | None:
        """The contact problem of the last step (M, H, f, w, mu), a copy; None: there was no contact."""
        from .problem import Problem

        c = self._enter()
        try:
            p = lib.plait_sim_problem(c)
            return None if p == ffi.NULL else Problem._copied(p)
        finally:
            self._lock.release()

    # ---- to look at --------------------------------------------------------------------------------------------------

    def picture(self, **options: Any) -> Any:
        """A picture of the present state, drawn by rays: `plait.Picture`. Options are those of plait_render_options."""
        from .picture import of_simulation

        return of_simulation(self, options)

    def _repr_png_(self) -> bytes:
        return self.picture(width=640, height=400, samples=8).png()

    def __repr__(self) -> str:
        if self._c is None:
            return "<Simulation, closed>"
        name = text(self._built.c.name) or ""
        return f"<Simulation {name}: {self.fibres} fibres, {self.time:g} s, {self.steps} steps>"


def simulate(scene: Scene | str, until: float, **options: Any) -> Simulation:
    """A simulation of a scene that has been run until a time; options as of `Simulation.run`."""
    sim = Simulation(scene)
    sim.run(until, **options)
    return sim


__all__ = ["Simulation", "Soft", "Hit", "simulate"]
