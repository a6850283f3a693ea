"""run.py FILE [NAME...]: the tests of one file in a temporary folder; exits with 77 if pytest or NumPy is not there."""
import os
import sys
import tempfile

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

if __name__ == "__main__":
    chosen = ["-k", " or ".join(sys.argv[2:])] if len(sys.argv) > 2 else []
    file = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        code = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", os.path.dirname(file), "--durations=3", *chosen,
                            file])
        os.chdir("/")
    sys.exit(77 if code == pytest.ExitCode.NO_TESTS_COLLECTED and chosen else int(code))
