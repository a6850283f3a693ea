# The add-on for Blender, headless: see headless.py. Skips without Blender (tools/setup.sh blender installs it).

. "$PLAIT_SOURCE/test/cli/lib.bash"

command -v blender >/dev/null || { echo "skip: blender is not there (tools/setup.sh blender)"; exit 77; }
[ -z "${PLAIT_SANITIZE:-}" ] || { echo "skip: not under sanitizers"; exit 77; }
blender -b --factory-startup -noaudio --python "$PLAIT_SOURCE/test/blender/headless.py" -- \
    "$PLAIT" "$PLAIT_SOURCE/blender/plait_hair.py" "$PWD" >out 2>&1 || { tail -30 out >&2; fail "blender ended with an error"; }
grep -q "^all passed" out || { tail -30 out >&2; fail "the script in Blender did not come to its end"; }
[ -s frame.png ] || fail "no picture"
kept=$(dirname "$PLAIT")/test/blender # to be looked at
mkdir -p "$kept"
cp frame.png "$kept"
echo "all passed"
