"""Scenes: what is simulated, as a builder whose keys are those of scene files."""
from __future__ import annotations

import copy
import difflib
import functools
import json
import os
from typing import Any, Callable, Sequence

import numpy as np

from . import _yaml
from ._arrays import short
from ._c import ffi
from ._library import check, fail, lib, new_error, strings, take_text, text, to_bytes
from ._record import Record
from .errors import InputError

# Names of the methods that add one entry to a list of the scene, where English does not say it by itself.
_PLURALS = {"body": "bodies"}


@functools.lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The JSON schema (draft 7) of scene files, as this library knows them."""
    return json.loads(take_text(lib.plait_scene_json_schema()))


def reference() -> str:
    """All keys of scenes with units, defaults and meaning, as Markdown."""
    return take_text(lib.plait_scene_reference())


def _sections() -> dict[str, bool]:
    """The keys at the top of a scene that hold maps; True: a map of names, to which entries are added."""
    found = {}
    for key, what in schema()["definitions"]["map-scene"]["properties"].items():
        flat = json.dumps(what)
        if '"propertyNames"' in flat and key not in ("small", "variables"):
            found[key] = True
        elif '"#/definitions/map-' in flat:
            found[key] = False
    return found


class Scene:
    """What is simulated: materials, fibres, colliders, rigid bodies, how the step is computed.

    The keys of all methods are those of scene files (docs/scenes.md, or `plait.reference()`), and so are the values: SI
    numbers, or texts with units such as ``"4 mm"``. Keys and whole sections that the library learns later work without a
    change here: a section ``things`` of scene files is filled with ``scene.thing(name, ...)``.

    >>> scene = Scene(gravity=[0, 0, -9.81])
    >>> _ = scene.material("hemp", radius="3 mm", young="10 MPa", density=1200)
    >>> _ = scene.fibres("rope", line={"length": "1 m"}, ends={"root": "pinned"})
    >>> scene.build().fibres
    1
    """

    def __init__(self, name: str | None = None, **keys: Any) -> None:
        self._tree: dict[str, Any] = {}
        self._fields: dict[str, tuple[Callable[..., Any], Any]] = {}
        self.folder = ""
        if name is not None:
            self._tree["name"] = _yaml.plain(name, "name")
        for key, value in keys.items():
            self._tree[key] = _yaml.plain(value, key)

    # ---- from elsewhere ----------------------------------------------------------------------------------------------

    @classmethod
    def from_yaml(cls, source: str | os.PathLike[str], *, text: bool = False, **overrides: Any) -> Scene:
        """Reads a scene file; text=True: `source` is the text itself.

        Includes, variables and `overrides` (``{"step.dt": "1 ms"}`` as ``**{...}``) are worked in; what is left can be
        changed like a scene that was built here.
        """
        error = new_error()
        words, kept = strings([f"{path}={_override(value)}" for path, value in overrides.items()])
        data = to_bytes(source)
        if text:
            c = lib.plait_scene_from_text(data, b"", len(kept), words, 0, ffi.NULL, error)
        else:
            c = lib.plait_scene_read(data, len(kept), words, error)
        return cls._taken(c, error)

    @classmethod
    def named(cls, name: str, **overrides: Any) -> Scene:
        """One of the scenes that are built in (`plait list`); NAME-small is its small variant."""
        error = new_error()
        words, kept = strings([f"{path}={_override(value)}" for path, value in overrides.items()])
        return cls._taken(lib.plait_scene_find(to_bytes(name), len(kept), words, error), error)

    @classmethod
    def _taken(cls, c: Any, error: Any) -> Scene:
        if c == ffi.NULL:
            fail(error)
        try:
            words = ffi.string(c.text)
        finally:
            lib.plait_scene_free(c)
        error = new_error()
        scene = cls()
        scene._tree = json.loads(take_text(lib.plait_scene_text_json(words, error), error))
        return scene

    @staticmethod
    def names() -> list[str]:
        """The scenes that are built in."""
        return [ffi.string(lib.plait_scene_name(i)).decode() for i in range(lib.plait_scene_count())]

    # ---- building ----------------------------------------------------------------------------------------------------

    def add(self, section: str, name: str, /, **keys: Any) -> str:
        """Adds an entry to a section of the scene, such as ``"materials"``; gives back its name."""
        sections = _sections()
        if not sections.get(section):
            raise InputError(f"scenes have no list '{section}'{_suggest(section, [k for k in sections if sections[k]])}")
        if not isinstance(name, str):
            raise InputError(f"{section}: a name is expected, found {short(name)}")
        entries = self._tree.setdefault(section, {})
        if not isinstance(entries, dict):
            raise InputError(f"'{section}' of this scene is a list without names; nothing can be added by name")
        if name in entries:
            raise InputError(f"{section}: the name '{name}' is given twice")
        entries[name] = {key: _yaml.plain(value, f"{section}.{name}.{key}") for key, value in keys.items()}
        return name

    def material(self, name: str, /, **keys: Any) -> str:
        """Adds a material: `radius`, `young`, `density`, `poisson`, `damping`, `contact_radius` ..."""
        return self.add("materials", name, **keys)

    def fibres(self, name: str, points: Any = None, /, **keys: Any) -> str:
        """Adds fibres: through points that are given, or by a generator (`line`, `helix`, `knot`, `scalp` ...).

        points: one fibre as n x 3, many as m x n x 3, or a list of n_i x 3. They are handed over without becoming text.
        Without `segments` a fibre has one segment between two points.
        """
        if points is not None:
            stacked, counts = _stack(points, name)
            polyline: dict[str, Any] = {"points": stacked}
            if len(counts) > 1:
                polyline["counts"] = counts
            if keys.pop("smooth", False):
                polyline["smooth"] = True
            keys = {"segments": 1 if max(counts) == 2 else 0, "polyline": polyline, **keys}
        return self.add("fibres", name, **keys)

    def collider(self, name: str, shape: Any, /, *, extent: Any = None, **keys: Any) -> str:
        """Adds a collider: a shape by its word (``"plane"``, ``"sphere"`` with `radius`, ``"mesh"`` with `file` ...).

        `shape` may also be a function of Python: f(x) gives the signed distance [m] of a point x (negative inside), or
        the distance and the unit gradient. `extent` is then the size of a box around it, in the shape's own frame. It
        is called for each point that is looked at: slow, but exact.
        """
        if callable(shape):
            from ._arrays import numbers

            size = numbers(extent, f"colliders.{name}.extent", (3,))
            if not (size > 0).all():
                raise InputError(f"colliders.{name}.extent: positive lengths are expected, found {size.tolist()}")
            given = self.add("colliders", name, shape="none", **keys)
            self._fields[name] = (shape, size / 2)
            return given
        return self.add("colliders", name, shape=shape, **keys)

    def body(self, name: str, shape: str, /, **keys: Any) -> str:
        """Adds a rigid body that moves freely: ``"sphere"``, ``"capsule"``, ``"box"``, ``"mesh"``."""
        return self.add("bodies", name, shape=shape, **keys)

    def set(self, path: str, value: Any) -> None:
        """Sets one value by its path: ``scene.set("step.dt", "1 ms")``. Maps on the way are made."""
        if not isinstance(path, str) or not all(path.split(".")):
            raise InputError(f"a path like step.dt is expected, found {short(path)}")
        at: Any = self._tree
        parts = path.split(".")
        for i, part in enumerate(parts[:-1]):
            if isinstance(at, list):
                at = _item(at, part, path)
                continue
            at = at.setdefault(part, {})
            if not isinstance(at, (dict, list)):
                raise InputError(f"'{'.'.join(parts[: i + 1])}' is no map: nothing can be set in it")
        plain = _yaml.plain(value, path)
        if isinstance(at, list):
            _item(at, parts[-1], path)
            at[int(parts[-1])] = plain
        else:
            at[parts[-1]] = plain

    def get(self, path: str, default: Any = None) -> Any:
        """What was set under a path; `default` where nothing was."""
        at: Any = self._tree
        for part in path.split("."):
            if isinstance(at, dict) and part in at:
                at = at[part]
            elif isinstance(at, list) and part.isdigit() and int(part) < len(at):
                at = at[int(part)]
            else:
                return default
        return copy.deepcopy(at)

    def friction(self, default: float | None = None, /, *pairs: Any) -> None:
        """Sets Coulomb's coefficient mu: of all pairs of materials, then ``("hair", "skin", 0.2)`` of some."""
        self._pairs("friction", pairs, default)

    def restitution(self, default: float | None = None, /, *pairs: Any) -> None:
        """Sets the restitution (0 to 1), as `friction` does for mu."""
        self._pairs("restitution", pairs, default)

    def _pairs(self, key: str, pairs: Any, everywhere: Any) -> None:
        entry = self._tree.setdefault(key, {})
        if everywhere is not None:
            entry["default"] = _yaml.plain(everywhere, f"{key}.default")
        for pair in pairs:
            entry.setdefault("pairs", []).append(_yaml.plain(list(pair), f"{key}.pairs"))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Sections of scene files: maps are set (``scene.step(dt="1 ms")``), entries of lists are added."""
        if name.startswith("_"):
            raise AttributeError(name)
        sections = _sections()
        plural = _PLURALS.get(name, name + "s")
        for key in (plural, name):
            if sections.get(key):
                return functools.partial(self.add, key)
        if name in sections:
            return functools.partial(self._set_map, name)
        if name in schema()["properties"]:
            return functools.partial(self.set, name)
        raise AttributeError(f"scenes of this library have no '{name}'{_suggest(name, list(schema()['properties']))}")

    def _set_map(self, section: str, /, **keys: Any) -> None:
        entry = self._tree.setdefault(section, {})
        for key, value in keys.items():
            entry[key] = _yaml.plain(value, f"{section}.{key}")

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) | set(schema()["properties"]))

    # ---- what becomes of it ------------------------------------------------------------------------------------------

    def build(self) -> Built:
        """The scene as the library has it; what is wrong raises InputError with the library's sentence."""
        words, arrays = _yaml.emit(self._tree)
        kept = []
        c_arrays = ffi.new("plait_scene_array[]", len(arrays.known) + 1)
        for i, array in enumerate(arrays.known):
            name = ffi.new("char[]", f"a{i}".encode())
            kept.append(name)
            c_arrays[i].name = name
            c_arrays[i].rows = array.shape[0]
            c_arrays[i].columns = array.shape[1] if array.ndim == 2 else 1
            c_arrays[i].value = ffi.cast("double *", array.ctypes.data)
        error = new_error()
        c = lib.plait_scene_from_text(to_bytes(words), to_bytes(self.folder), 0, ffi.NULL, len(arrays.known), c_arrays,
                                      error)
        if c == ffi.NULL:
            fail(error)
        return Built(c, self._fields)

    def to_yaml(self, path: str | os.PathLike[str] | None = None) -> str:
        """The text of the scene with all numbers written out; also into a file, if one is named."""
        if self._fields:
            raise InputError(f"collider '{next(iter(self._fields))}' is a function of Python: a file cannot hold it")
        words = self.build().text or ""
        if path is not None:
            temporary = f"{os.fspath(path)}.tmp"
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(words)
            os.replace(temporary, path)
        return words

    def check(self) -> list[str]:
        """What is strange about the scene: overlaps, sizes, things that do nothing. Nothing is run."""
        built = self.build()
        review, error = ffi.new("plait_review *"), new_error()
        check(lib.plait_scene_review(built.c, review, error), error)
        try:
            return [f"{ffi.string(w.path).decode()}: {ffi.string(w.text).decode()}"
                    for w in (review.warning[i] for i in range(review.warnings))]
        finally:
            lib.plait_review_free(review)

    def copy(self) -> Scene:
        """Another scene that can be changed without changing this one."""
        other = Scene()
        other._tree, other._fields, other.folder = copy.deepcopy(self._tree), dict(self._fields), self.folder
        return other

    def __repr__(self) -> str:
        words = [f"{len(self._tree[k])} {k}" for k, named in _sections().items() if named and self._tree.get(k)]
        return f"<Scene {self._tree.get('name', 'without a name')}: {', '.join(words) or 'empty'}>"


class Built:
    """A scene in the library's memory (plait_scene). Its numbers are attributes: `fibres`, `colliders`, `gravity` ..."""

    def __init__(self, c: Any, fields: dict[str, tuple[Callable[..., Any], Any]]) -> None:
        from ._hooks import Field

        self.c = ffi.gc(c, lib.plait_scene_free)
        self.fields = []
        for name, (function, half) in fields.items():
            i = self.collider_names.index(name)
            field = Field(function, name)
            shape = self.c.collider[i].shape
            shape.kind = lib.PLAIT_SHAPE_FIELD
            shape.size = half.tolist()
            shape.field = field.c
            self.fields.append(field)

    def __getattr__(self, name: str) -> Any:
        if name in ("c", "fields"):
            raise AttributeError(name)
        return getattr(Record(self.c), name)

    @property
    def collider_names(self) -> list[str]:
        return [ffi.string(self.c.collider[i].name).decode() for i in range(self.c.colliders)]

    @property
    def rigid_names(self) -> list[str]:
        return [ffi.string(self.c.rigid[i].name).decode() for i in range(self.c.rigids)]

    @property
    def material_names(self) -> list[str]:
        return [ffi.string(self.c.material[i].name).decode() for i in range(self.c.materials)]

    @property
    def group_names(self) -> list[str]:
        return [ffi.string(self.c.group[i]).decode() for i in range(self.c.groups)]

    @property
    def text(self) -> str | None:
        return text(self.c.text)


def _override(value: Any) -> str:
    """A value as --set takes it."""
    plain = _yaml.plain(value, "override")
    if isinstance(plain, str):
        return plain
    return _yaml._flow(plain.tolist() if isinstance(plain, np.ndarray) else plain, _yaml.Arrays(), "override")


def _item(at: list[Any], part: str, path: str) -> Any:
    if not part.isdigit() or int(part) >= len(at):
        raise InputError(f"{path}: the list has {len(at)} entries, numbered from 0; found '{part}'")
    return at[int(part)]


def _suggest(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(word), known, 1)
    return f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(known)}"


def _stack(points: Any, name: str) -> tuple[np.ndarray, list[int]]:
    """Points of one or many fibres behind each other, and how many each has."""
    from ._arrays import numbers

    path = f"fibres.{name}: points"
    if isinstance(points, np.ndarray) and points.dtype.kind in "fiu":
        if points.ndim == 3:
            whole = numbers(points, path, (None, None, 3))
            if whole.shape[0] == 0 or whole.shape[1] < 2:
                raise InputError(f"{path}: at least one fibre of two points is expected, found {whole.shape}")
            return whole.reshape(-1, 3).copy(), [whole.shape[1]] * whole.shape[0]
        one = numbers(points, path, (None, 3))
        parts = [one]
    else:
        try:
            entries = list(points)
        except TypeError:
            raise InputError(f"{path}: numbers of shape n x 3 are expected, found {short(points)}") from None
        deep = bool(entries) and np.ndim(np.asarray(entries[0], dtype=object)) == 2
        parts = [numbers(p, path, (None, 3)) for p in entries] if deep else [numbers(entries, path, (None, 3))]
    counts = [len(p) for p in parts]
    if not counts or min(counts) < 2:
        raise InputError(f"{path}: a fibre has at least two points, found {min(counts, default=0)}")
    return np.concatenate(parts), counts
