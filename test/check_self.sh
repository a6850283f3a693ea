#!/bin/bash
# check_self.sh PROGRAM SANITIZERS: a test frame that cannot fail would make every other test worthless. The same for the
# thread sanitizer: it must see a race.
set -uo pipefail
program=$1 sanitizers=${2:-}
failed=0
expect() { # CODE ARGUMENT...
    local code=$1
    shift
    "$program" "$@" >/dev/null 2>&1
    local got=$?
    [ $got = "$code" ] || { echo "FAILED: $* exits with $got, expected $code"; failed=1; }
}
expect 0 passes
for name in $("$program" --list | grep _fails); do
    expect 1 "$name"
    expect 1 passes "$name" skips
done
expect 77 skips
expect 0 passes skips
expect 2 no_such_case
[ "$("$program" --list | grep -c _fails)" = 8 ] || { echo "FAILED: --list"; failed=1; }
case $sanitizers in
*thread*) expect 66 race ;;
esac
exit $failed
