"""One elastic rod alone: statics and dynamics of the four models, without contacts."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import doubles, numbers, real, short, whole
from ._c import ffi
from ._library import check, fail, lib, new_error
from ._record import Record, Report
from .errors import InputError
from .problem import _fill
from .simulation import _ENDS, _HOLDS

_MODELS = {ffi.string(lib.plait_rod_model_name(i)).decode(): i for i in range(lib.PLAIT_ROD_MODEL_COUNT)
           if lib.plait_rod_model_name(i) != ffi.NULL}
_SCHEMES = {"nonlinear": lib.PLAIT_STEP_NONLINEAR, "linear": lib.PLAIT_STEP_LINEAR, "explicit": lib.PLAIT_STEP_EXPLICIT}


class Rod:
    """A rod through points (n x 3): hold its ends, load it, step it in time, relax it to equilibrium. SI units.

    material: fields of plait_material (radius, density, young, poisson, shear, viscosity, damping, drag). section: fields of
    plait_section (EA, EI, GJ, mass ...) instead of those that follow from the material, for sections that are no ellipse.

    >>> rod = Rod(np.linspace([0, 0, 0], [0.2, 0, 0], 21), radius=1e-3, young=1e9, root="clamped", gravity=[0, 0, -9.81])
    >>> rod.relax().converged
    True
    """

    def __init__(self, points: Any, *, model: str = "der", segments: int = 0, root: str = "free", tip: str = "free",
                 gravity: Any = (0, 0, 0), natural: str = "straight", curvature: Any = (0, 0), twist: float = 0.0,
                 section: dict[str, Any] | None = None, **material: Any) -> None:
        if model not in _MODELS:
            raise InputError(f"model: one of {', '.join(_MODELS)} is expected, found {short(model)}")
        naturals = {"straight": lib.PLAIT_NATURAL_STRAIGHT, "constant": lib.PLAIT_NATURAL_CONSTANT,
                    "polyline": lib.PLAIT_NATURAL_POLYLINE}
        if natural not in naturals:
            raise InputError(f"natural: one of {', '.join(naturals)} is expected, found {short(natural)}")
        m = ffi.new("plait_material *", lib.plait_default_material())
        if "radius" in material and np.ndim(material["radius"]) == 0:
            material = {**material, "radius": (real(material["radius"], "radius"), 0.0)}
        _fill(m, material)
        d = ffi.new("plait_rod_def *", lib.plait_default_rod_def())
        error = new_error()
        check(lib.plait_material_section(m, ffi.addressof(d, "section"), error), error)
        _fill(ffi.addressof(d, "section"), section or {})
        x = numbers(points, "points", (None, 3))
        d.model, d.point_count, d.points = _MODELS[model], len(x), doubles(x)
        d.segments = whole(segments, "segments", 0, 10**7)
        d.natural = naturals[natural]
        d.curvature = numbers(curvature, "curvature", (2,)).tolist()
        d.twist = real(twist, "twist")
        d.gravity = numbers(gravity, "gravity", (3,)).tolist()
        for e, hold in enumerate((root, tip)):
            d.end[e].kind = self._hold(hold)
        c = lib.plait_rod_new(d, error)
        if c == ffi.NULL:
            fail(error)
        self._c = ffi.gc(c, lib.plait_rod_free)

    @staticmethod
    def _hold(hold: Any) -> int:
        if not isinstance(hold, str) or hold not in _HOLDS:
            raise InputError(f"hold: one of {', '.join(_HOLDS)} is expected, found {short(hold)}")
        return _HOLDS[hold]

    @property
    def x(self) -> np.ndarray:
        """Places of the nodes [m], a copy."""
        out = np.empty((self.segments + 1, 3))
        lib.plait_rod_positions(self._c, doubles(out))
        return out

    @property
    def v(self) -> np.ndarray:
        """Velocities of the nodes [m/s], a copy."""
        out = np.empty((self.segments + 1, 3))
        lib.plait_rod_velocities(self._c, doubles(out))
        return out

    @property
    def frames(self) -> np.ndarray:
        """Material frames of the segments: m1, m2, t in rows, segments x 3 x 3."""
        out = np.zeros((self.segments, 3, 3))
        lib.plait_rod_frames(self._c, doubles(out))
        return out

    @property
    def segments(self) -> int:
        return lib.plait_rod_segments(self._c)

    @property
    def length(self) -> float:
        """Natural [m]."""
        return lib.plait_rod_length(self._c)

    @property
    def time(self) -> float:
        """[s]"""
        return lib.plait_rod_time(self._c)

    @property
    def energy(self) -> Record:
        """Every field of plait_rod_energies."""
        return Record(ffi.new("plait_rod_energies *", lib.plait_rod_energy(self._c)))

    def set_force(self, node: int, force: Any) -> None:
        """[N] on a node, a dead load."""
        f = numbers(force, "force", (3,))
        lib.plait_rod_set_force(self._c, whole(node, "node", 0, self.segments), doubles(f))

    def set_gravity(self, gravity: Any) -> None:
        """[m/s^2]"""
        g = numbers(gravity, "gravity", (3,))
        lib.plait_rod_set_gravity(self._c, doubles(g))

    def set_end(self, end: str | int, hold: str, position: Any = None, tangent: Any = None, director: Any = None) -> None:
        """Holds an end at a place from the next step on, or sets it free; what is not given stays as it is."""
        if isinstance(end, bool) or not isinstance(end, (str, int)) or end not in _ENDS:
            raise InputError(f"end: 'root' or 'tip' is expected, found {short(end)}")
        e = _ENDS[end]
        condition = ffi.new("plait_end *", lib.plait_rod_get_end(self._c, e))
        if condition.kind == lib.PLAIT_END_FREE:
            x = self.x
            along = x[-1] - x[-2] if e else x[1] - x[0]
            condition.position = x[-1 if e else 0].tolist()
            condition.tangent = (along / np.linalg.norm(along)).tolist()
        condition.kind = self._hold(hold)
        for name, value in (("position", position), ("tangent", tangent), ("director", director)):
            if value is not None:
                setattr(condition, name, numbers(value, name, (3,)).tolist())
        error = new_error()
        check(lib.plait_rod_set_end(self._c, e, condition, error), error)

    def step(self, dt: float, scheme: str = "nonlinear", **options: Any) -> Report:
        """Advances by dt [s]; options are those of plait_step_options. Not converged: the state is as before."""
        o = ffi.new("plait_step_options *", lib.plait_default_step_options())
        if scheme not in _SCHEMES:
            raise InputError(f"scheme: one of {', '.join(_SCHEMES)} is expected, found {short(scheme)}")
        _fill(o, options, but=("scheme",))
        o.scheme = _SCHEMES[scheme]
        report, error = ffi.new("plait_step_report *"), new_error()
        check(lib.plait_rod_step(self._c, real(dt, "dt"), o, report, error), error)
        return Report(report)

    def relax(self, **options: Any) -> Report:
        """Goes down in energy to a stable equilibrium under the present ends and loads; velocities become zero."""
        o = ffi.new("plait_relax_options *", lib.plait_default_relax_options())
        _fill(o, options)
        report, error = ffi.new("plait_step_report *"), new_error()
        check(lib.plait_rod_relax(self._c, o, report, error), error)
        return Report(report)

    def __repr__(self) -> str:
        name = ffi.string(lib.plait_rod_model_name(lib.plait_rod_get_model(self._c))).decode()
        return f"<Rod {name}: {self.segments} segments, {self.length:g} m, {self.time:g} s>"
