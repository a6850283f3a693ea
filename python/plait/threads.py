"""How many threads are used where nobody says."""
from __future__ import annotations

from typing import Any

from ._arrays import whole
from ._library import lib


def set_threads(count: Any) -> None:
    """The default from now on, in all threads of the process; 0: as OpenMP decides. Results never depend on it."""
    lib.plait_set_default_threads(whole(count, "threads", 0, 4096))


def threads() -> int:
    """How many that are."""
    return lib.plait_default_threads()
