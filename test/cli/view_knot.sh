# view_knot.sh: with the hands of `plait view --live` a knot can be tied.
source "$PLAIT_SOURCE/test/cli/lib.bash"
PYTHONPATH=$PLAIT_SOURCE/test/viewer PYTHONDONTWRITEBYTECODE=1 python3 "$PLAIT_SOURCE/test/viewer/knot.py" || fail "no knot"
