"""One-step contact problems, for other people's engines too: M v = f + H^T r, u = H v + w, Coulomb's law."""
from __future__ import annotations

import os
from typing import Any, Callable

import numpy as np

from ._arrays import doubles, numbers, real, short, whole
from ._c import ffi
from ._library import check, fail, lib, new_error, to_bytes
from ._record import Record, Report
from .errors import InputError


class _Rows:
    """A matrix by rows as C has it, and the arrays that hold it."""

    def __init__(self, matrix: Any, name: str) -> None:
        self.shape, self.ptr, self.col, self.val = _rows_of(matrix, name)
        self.c = ffi.new("plait_sparse *")
        self.c.rows, self.c.cols = self.shape
        self.c.ptr = ffi.cast("int64_t *", self.ptr.ctypes.data)
        self.c.col = ffi.cast("int *", self.col.ctypes.data)
        self.c.val = ffi.cast("double *", self.val.ctypes.data)


def _rows_of(matrix: Any, name: str) -> tuple[tuple[int, int], np.ndarray, np.ndarray, np.ndarray]:
    """Shape, first entry of each row, columns (ascending) and values of a sparse or dense matrix."""
    if hasattr(matrix, "tocsr"):
        if len(getattr(matrix, "shape", ())) != 2 or np.dtype(matrix.dtype).kind not in "fiub":
            raise InputError(f"{name}: a matrix of real numbers is expected, found {short(matrix)}")
        rows = matrix.tocsr()
        rows = rows.copy() if rows is matrix else rows
        rows.sum_duplicates()
        rows.sort_indices()
        ptr, col, val = rows.indptr, rows.indices, rows.data
        shape = (int(rows.shape[0]), int(rows.shape[1]))
    else:
        dense = numbers(matrix, name, (None, None))
        at = np.nonzero(dense)
        ptr = np.concatenate([[0], np.cumsum(np.count_nonzero(dense, axis=1))])
        col, val, shape = at[1], dense[at], (dense.shape[0], dense.shape[1])
    if max(shape) > 2**31 - 1:
        raise InputError(f"{name}: at most 2^31 - 1 rows and columns are possible, found {shape}")
    # One entry more than there are, so that an empty matrix has an address too.
    values = np.append(np.asarray(val, dtype=np.float64), 0.0)
    columns = np.append(np.asarray(col, dtype=np.int32), np.int32(0))
    return shape, np.ascontiguousarray(ptr, dtype=np.int64), columns, values


def _csr(shape: tuple[int, int], ptr: np.ndarray, col: np.ndarray, val: np.ndarray) -> Any:
    try:
        from scipy.sparse import csr_matrix
    except ImportError as missing:
        raise ImportError("matrices are given as scipy.sparse ones: python3-scipy is missing") from missing
    return csr_matrix((val, col, ptr), shape=shape)


def _copied_array(pointer: Any, count: int, dtype: Any = np.float64) -> np.ndarray:
    if count == 0 or pointer == ffi.NULL:
        return np.zeros(0, dtype)
    return np.frombuffer(ffi.buffer(pointer, count * np.dtype(dtype).itemsize), dtype=dtype).copy()


def _mu(mu: Any, n: int | None, name: str = "mu") -> np.ndarray:
    if np.ndim(mu) == 0:
        if n is None:
            raise InputError("mu: one for each contact is expected, found one number")
        return np.full(n, real(mu, name))
    return numbers(mu, name, (n,))


def _dimension(rows: int, n: int, what: str) -> int:
    """2 or 3 rows for each contact."""
    for dimension in (3, 2):
        if rows == dimension * n:
            return dimension
    raise InputError(f"{what} has {rows} rows and mu has {n} numbers: three rows for each contact are expected (two in "
                     "the plane)")


class Solution:
    """Impulses and relative velocities of a problem, n x 3 in the contacts' own frames (normal, tangent, tangent)."""

    def __init__(self, problem: Problem, r: np.ndarray, u: np.ndarray, report: Report) -> None:
        self.r, self.u, self.report, self._problem = r, u, report, problem
        self._v: np.ndarray | None = None

    @property
    def converged(self) -> bool:
        """The residual, recomputed from the problem as given, is within the tolerance."""
        return bool(self.report.converged)

    @property
    def residual(self) -> float:
        """How far it is from exact Coulomb friction, relative (docs/notation.md)."""
        return float(self.report.certificate.residual_rel)

    @property
    def v(self) -> np.ndarray:
        """Generalised velocities M^-1 (f + H^T r); only of problems that have M and H."""
        if self._v is None:
            from scipy.sparse.linalg import splu

            p = self._problem
            M, H, f = p._plane or (p.M, p.H, p.f)
            if M is None:
                raise InputError("the problem has no M and H: v is not known")
            self._v = splu(M.tocsc()).solve(f + H.T @ self.r.ravel())
        return self._v

    def __repr__(self) -> str:
        words = "converged" if self.converged else "not converged"
        return f"<Solution of {len(self.r)} contacts: {words}, residual {self.residual:.3g}, {self.report.solver}>"


class Problem:
    """A contact problem: from matrices, from a file, from a generator, or that of a simulation's last step."""

    def __init__(self, c: Any, dimension: int = 3, plane: tuple[Any, Any, Any] | None = None) -> None:
        self._c = ffi.gc(c, lib.plait_problem_free)
        self._dimension = dimension
        self._plane = plane  # M, H, f of a plane problem, which the library reduces to W

    @classmethod
    def from_dynamics(cls, M: Any, H: Any, f: Any, w: Any, mu: Any) -> Problem:
        """From M (dofs x dofs, positive definite), H (3n x dofs), f, w and mu; scipy.sparse or NumPy."""
        m, h = _Rows(M, "M"), _Rows(H, "H")
        dofs, rows = m.shape[0], h.shape[0]
        friction = _mu(mu, rows // 3 if np.ndim(mu) == 0 else None)
        n = len(friction)
        dimension = _dimension(rows, n, "H")
        if m.shape != (dofs, dofs) or h.shape[1] != dofs:
            raise InputError(f"M of {m.shape} and H of {h.shape} do not fit: M is square, H has as many columns")
        force, forced = numbers(np.ravel(f), "f", (dofs,)), numbers(np.ravel(w), "w", (rows,))
        error = new_error()
        c = lib.plait_problem_from_dynamics(dimension, n, m.c, h.c, _some(force), _some(forced), _some(friction), error)
        if c == ffi.NULL:
            fail(error)
        if dimension == 3:
            return cls(c)
        plane = (_csr(m.shape, m.ptr, m.col[:-1], m.val[:-1]), _csr(h.shape, h.ptr, h.col[:-1], h.val[:-1]), force)
        return cls(c, 2, plane)

    @classmethod
    def from_delassus(cls, W: Any, b: Any, mu: Any) -> Problem:
        """From W (3n x 3n, symmetric), b and mu: u = W r + b."""
        rows = _Rows(W, "W")
        friction = _mu(mu, rows.shape[0] // 3 if np.ndim(mu) == 0 else None)
        n = len(friction)
        dimension = _dimension(rows.shape[0], n, "W")
        if rows.shape[0] != rows.shape[1]:
            raise InputError(f"W is square, found {rows.shape}")
        free = numbers(np.ravel(b), "b", (rows.shape[0],))
        error = new_error()
        c = lib.plait_problem_from_delassus(dimension, n, rows.c, _some(free), _some(friction), error)
        if c == ffi.NULL:
            fail(error)
        return cls(c, dimension)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """Reads fclib's HDF5 or Siconos' text."""
        error = new_error()
        c = lib.plait_problem_read(to_bytes(path), ffi.NULL, error)
        if c == ffi.NULL:
            fail(error)
        return cls(c, c.dimension)

    @classmethod
    def generate(cls, **options: Any) -> Problem:
        """A made-up assembly of fibres: rods, vertices, nu, mu, dt, heavy, along, rest, local, seed (plait_fibre_options)."""
        given = ffi.new("plait_fibre_options *", lib.plait_default_fibre_options())
        _fill(given, options)
        error = new_error()
        c = lib.plait_problem_generate_fibres(given, error)
        if c == ffi.NULL:
            fail(error)
        return cls(c)

    @classmethod
    def _copied(cls, p: Any) -> Problem:
        """A copy of a problem of the library's own."""
        error, d = new_error(), p.dynamics
        mu = p.mu
        if d != ffi.NULL:
            c = lib.plait_problem_from_dynamics(3, p.n, ffi.addressof(d, "M"), ffi.addressof(d, "H"), d.f, d.w, mu, error)
        else:
            raise InputError("the problem has no dynamics")
        if c == ffi.NULL:
            fail(error)
        return cls(c)

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def info(self) -> Record:
        """Contacts, dofs, bodies, nu, groups, ranges: every field of plait_problem_info."""
        out, error = ffi.new("plait_problem_info *"), new_error()
        check(lib.plait_problem_inspect(self._c, out, error), error)
        return Record(out)

    @property
    def n(self) -> int:
        """Contacts."""
        return self._c.n

    @property
    def mu(self) -> np.ndarray:
        return _copied_array(self._c.mu, self.n)

    @property
    def b(self) -> np.ndarray:
        """Relative velocities without impulses, [3n]."""
        return _copied_array(self._c.b, 3 * self.n)

    def _matrix(self, name: str) -> Any:
        d = self._c.dynamics
        if d == ffi.NULL:
            return None
        s = getattr(d, name)
        count = s.ptr[s.rows]
        return _csr((s.rows, s.cols), _copied_array(s.ptr, s.rows + 1, np.int64), _copied_array(s.col, count, np.int32),
                    _copied_array(s.val, count))

    @property
    def M(self) -> Any:
        """scipy.sparse, a copy; None: only W is known."""
        return self._matrix("M")

    @property
    def H(self) -> Any:
        """scipy.sparse, a copy; None: only W is known."""
        return self._matrix("H")

    @property
    def f(self) -> np.ndarray | None:
        d = self._c.dynamics
        return None if d == ffi.NULL else _copied_array(d.f, d.dofs)

    @property
    def w(self) -> np.ndarray | None:
        d = self._c.dynamics
        return None if d == ffi.NULL else _copied_array(d.w, 3 * self.n)

    @property
    def W(self) -> Any:
        """The Delassus operator as scipy.sparse (3 x 3 blocks), assembled if it is not there yet."""
        error = new_error()
        check(lib.plait_problem_assemble(self._c, 0, error), error)
        from scipy.sparse import bsr_matrix

        s = self._c.W
        count = s.ptr[s.n]
        return bsr_matrix((_copied_array(s.val, 9 * count).reshape(-1, 3, 3), _copied_array(s.col, count, np.int32),
                           _copied_array(s.ptr, s.n + 1, np.int64)), shape=(3 * s.n, 3 * s.n))

    # ---- what is done with it ----------------------------------------------------------------------------------------

    def solve(self, guess: Any = None, *, progress: Callable[[Record], Any] | None = None, **options: Any) -> Solution:
        """Solves it; not converged is a report, not an exception.

        Options are those of plait_solve_options: `solver` ("auto", "gs", "admm" ...), `local`, `tol`, `max_time`,
        `max_iterations`, `threads` ... progress(record) is called now and then; False from it asks to stop.
        """
        o = ffi.new("plait_solve_options *", lib.plait_default_solve_options())
        for name, find, count in (("solver", lib.plait_solver_find, lib.PLAIT_SOLVER_COUNT),
                                  ("local", lib.plait_local_find, lib.PLAIT_LOCAL_COUNT)):
            if name in options:
                word = options.pop(name)
                number = find(to_bytes(word)) if isinstance(word, str) else count
                if number == count:
                    raise InputError(f"{name}: there is no {short(word)}; there are {', '.join(_words(name, count))}")
                setattr(o, name, number)
        _fill(o, options, but=("progress", "progress_data", "stop", "stop_data"))
        trouble: list[BaseException] = []
        hook = _progress_hook(progress, trouble)
        o.progress = hook
        s = ffi.gc(lib.plait_solution_new(self.n), lib.plait_solution_free)
        if s == ffi.NULL:
            raise MemoryError("no memory for a solution")
        if guess is not None:
            start = numbers(np.reshape(guess, (-1, 3)) if np.ndim(guess) == 1 and np.size(guess) == 3 * self.n else guess,
                            "guess", (self.n, 3))
            ffi.memmove(s.r, doubles(start), start.nbytes)
        report, error = ffi.new("plait_report *"), new_error()
        status = lib.plait_problem_solve(self._c, o, s, report, error)
        if trouble:
            raise trouble[0]
        check(status, error)
        width = self._dimension
        r = _copied_array(s.r, 3 * self.n).reshape(-1, 3)[:, :width]
        u = _copied_array(s.u, 3 * self.n).reshape(-1, 3)[:, :width]
        return Solution(self, r, u, Report(report))

    def certify(self, r: Any) -> Record:
        """How far impulses (n x 3) are from exact Coulomb friction: every field of plait_certificate."""
        given = numbers(np.reshape(r, (-1, 3)) if np.size(r) == 3 * self.n else r, "r", (self.n, 3))
        s = ffi.gc(lib.plait_solution_new(self.n), lib.plait_solution_free)
        if given.size:
            ffi.memmove(s.r, doubles(given), given.nbytes)
        out, error = ffi.new("plait_certificate *"), new_error()
        check(lib.plait_problem_certify(self._c, s, out, error), error)
        return Record(out)

    def write(self, path: str | os.PathLike[str], solution: Solution | None = None) -> None:
        """Writes fclib's HDF5, with a solution if one is given."""
        error = new_error()
        if solution is None:
            check(lib.plait_problem_write(to_bytes(path), self._c, ffi.NULL, error), error)
            return
        s = ffi.gc(lib.plait_solution_new(self.n), lib.plait_solution_free)
        for name in ("r", "u"):
            part = numbers(getattr(solution, name), name, (self.n, 3))
            if part.size:
                ffi.memmove(getattr(s, name), doubles(part), part.nbytes)
        check(lib.plait_solution_write(to_bytes(path), self._c, s, ffi.NULL, error), error)

    def __repr__(self) -> str:
        form = "W" if self._c.dynamics == ffi.NULL else "M, H"
        return f"<Problem of {self.n} contacts ({form})>"


def solve(*parts: Any, **options: Any) -> Solution:
    """Solves a contact problem: ``solve(M, H, f, w, mu)`` or ``solve(W, b, mu)``.

    Matrices are scipy.sparse or NumPy; mu is one number or one for each contact. Options as of `Problem.solve`.

    >>> s = solve([[2.0, 0, 0], [0, 2, 0], [0, 0, 2]], [-1.0, 0.1, 0], 0.5)
    >>> s.converged, abs(s.u[0, 0]) < 1e-9
    (True, True)
    """
    if len(parts) == 5:
        return Problem.from_dynamics(*parts).solve(**options)
    if len(parts) == 3:
        return Problem.from_delassus(*parts).solve(**options)
    raise InputError(f"solve(M, H, f, w, mu) or solve(W, b, mu) is expected, found {len(parts)} arguments")


def _some(array: np.ndarray) -> Any:
    """The memory of an array; of an empty one too."""
    return ffi.cast("double *", array.ctypes.data)


def _words(name: str, count: int) -> list[str]:
    function = lib.plait_solver_name if name == "solver" else lib.plait_local_name
    return [ffi.string(function(i)).decode() for i in range(count)]


def _fill(struct: Any, options: dict[str, Any], but: tuple[str, ...] = ()) -> None:
    """Sets fields of an options struct by name."""
    fields = {name: field.type for name, field in ffi.typeof(struct).item.fields if name not in but}
    for name, value in options.items():
        if name not in fields:
            raise InputError(f"there is no option '{name}'; there are {', '.join(fields)}")
        kind = fields[name]
        if kind.kind == "array":
            setattr(struct, name, numbers(value, name, (kind.length,)).tolist())
        elif kind.cname == "double":
            setattr(struct, name, real(value, name))
        elif kind.cname in ("_Bool", "bool"):
            setattr(struct, name, bool(value))
        elif kind.kind == "primitive" or kind.kind == "enum":
            setattr(struct, name, whole(value, name, 0 if "uint" in kind.cname else -(2**31),
                                        2**64 - 1 if "uint64" in kind.cname else 2**31 - 1))
        else:
            raise InputError(f"option '{name}' cannot be set from Python")


_PROGRESS = dict(ffi.typeof("plait_solve_options").fields)["progress"].type


def _progress_hook(function: Any, trouble: list[BaseException]) -> Any:
    """Also what lets Ctrl-C in: Python notices it when it runs."""

    def call(c: Any, data: Any) -> bool:
        if function is None:
            return True
        copy = ffi.new("plait_progress *", c[0])
        return function(Record(copy)) is not False

    def keep(kind: Any, value: Any, traceback: Any) -> None:
        trouble.append(value)

    return ffi.callback(_PROGRESS, call, error=False, onerror=keep)
