# lib.bash: what the command-line tests share. They run in an empty folder, with PLAIT and PLAIT_SOURCE set.

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# expect CODE COMMAND...: the command must end with that exit code. Its output is left in the files out and err.
expect() {
    local want=$1 got=0
    shift
    "$@" >out 2>err || got=$?
    if [ "$got" != "$want" ]; then
        cat out err >&2
        fail "exit code $got instead of $want: $*"
    fi
}

# says FILE TEXT: the file must contain the text, as it stands.
says() {
    grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "expected in '$1': $2"; }
}

silent() {
    [ ! -s "$1" ] || { cat "$1" >&2; fail "expected nothing in '$1'"; }
}

# json FILE EXPRESSION: the file must be strict JSON, and the Python expression about it (d) true.
json() {
    python3 - "$1" "$2" <<'PYTHON' || fail "JSON in '$1': $2"
import json, sys
def refuse(x):
    raise ValueError("not JSON: " + x)
text = open(sys.argv[1], encoding="utf-8").read()
d = json.loads(text, parse_constant=refuse)
if not eval(sys.argv[2]):
    sys.exit(text)
PYTHON
}

skip() { echo "skipped: $*"; exit 77; }

# A browser and what drives it, or the test is skipped: $browser. browser_needed PACKAGE ...
browser_needed() {
    local name package
    browser=
    for name in chromium chromium-browser google-chrome; do
        if [ -z "$browser" ]; then browser=$(command -v $name || true); fi
    done
    [ -n "$browser" ] || skip "there is no chromium"
    command -v node >/dev/null || skip "there is no node"
    for package in "$@"; do
        [ -d "$PLAIT_SOURCE/test/viewer/node_modules/$package" ] || skip "there is no $package (tools/setup.sh test installs it)"
    done
}
