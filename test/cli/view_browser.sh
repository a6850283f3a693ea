# view_browser.sh: the page of `plait view` in a real browser. Pictures stay in the build tree, beside the program: test/viewer/*.png.
source "$PLAIT_SOURCE/test/cli/lib.bash"
skip() { echo "skipped: $*"; exit 77; }

browser=
for name in chromium chromium-browser google-chrome; do
    if [ -z "$browser" ]; then browser=$(command -v $name || true); fi
done
[ -n "$browser" ] || skip "there is no chromium"
command -v node >/dev/null || skip "there is no node"
[ -d "$PLAIT_SOURCE/test/viewer/node_modules/playwright-core" ] || skip "there is no playwright-core (tools/setup.sh test installs it)"

"$PLAIT" run pony-small -o pony --velocities --set output.contacts=true -j 1 >/dev/null 2>&1
"$PLAIT" run knot-small -o knot -j 1 >/dev/null 2>&1
pictures=$(dirname "$PLAIT")/test/viewer
mkdir -p "$pictures"
export HOME=$PWD # where the browser leaves its files
node "$PLAIT_SOURCE/test/viewer/browser.mjs" "$browser" "$pictures" || fail "the page"
