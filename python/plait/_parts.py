"""What a simulation hands out besides arrays: hits of queries, cloth and solids."""
from __future__ import annotations

import numpy as np

from ._record import Record


class Hit(Record):
    """What a query has found: `kind`, `index`, `arc`, `position`, `normal`, `distance`."""

    __slots__ = ()


class Soft:
    """A cloth or a solid of a simulation: `x`, `v` (n x 3) and `triangles` (m x 3), all views of the library's arrays."""

    def __init__(self, x: np.ndarray, v: np.ndarray, triangles: np.ndarray) -> None:
        self.x, self.v, self.triangles = x, v, triangles

    def __repr__(self) -> str:
        return f"<Soft of {len(self.x)} nodes, {len(self.triangles)} triangles>"
