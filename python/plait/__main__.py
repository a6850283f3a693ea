"""`python3 -m plait ...` is the program `plait ...`."""
from __future__ import annotations

import os
import sys

from .show import program


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
