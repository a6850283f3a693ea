#!/bin/bash
# examples.sh SOURCE LIBRARY CC: every example of examples/ compiles without a warning against the public headers alone, and
# runs; those that can judge what they did return 0 only if it was right.
set -euo pipefail
source=$1 library=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0 count=0
for example in "$source"/examples/*.c; do
    name=$(basename "$example" .c)
    count=$((count + 1))
    if ! "$cc" -std=c17 -O1 -Wall -Wextra -Wpedantic -Werror -I"$source/include" "$example" -o "$name" "$library" \
        -Wl,-rpath,"$(dirname "$library")" -lm; then
        echo "FAILED: $name does not compile"
        failed=1
        continue
    fi
    [ "$name" = solve_file ] && continue # needs a file; cli_solve does the same
    OMP_WAIT_POLICY=passive "./$name" || { echo "FAILED: $name says that it went wrong"; failed=1; }
done
[ $count -ge 6 ] || { echo "FAILED: only $count examples found"; failed=1; }
exit $failed
