# view_browser.sh: the page of `plait view` in a real browser. Pictures stay in the build tree, beside the program: test/viewer/*.png.
source "$PLAIT_SOURCE/test/cli/lib.bash"
browser_needed playwright-core

"$PLAIT" run pony-small -o pony --velocities --set output.contacts=true -j 1 >/dev/null 2>&1
"$PLAIT" run knot-small -o knot -j 1 >/dev/null 2>&1
pictures=$(dirname "$PLAIT")/test/viewer
mkdir -p "$pictures"
export HOME=$PWD # where the browser leaves its files
node "$PLAIT_SOURCE/test/viewer/browser.mjs" "$browser" "$pictures" || fail "the page"
