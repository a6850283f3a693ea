#!/bin/bash
# headers.sh SOURCE CC INCLUDES: every header compiles alone, twice in a row, as C17; public ones also as C++11.
# INCLUDES is a list of folders with ':' between them.
set -uo pipefail
source=$1 cc=$2
IFS=: read -ra folders <<<"$3"
flags=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only)
private=() # what private headers may include besides
for folder in "${folders[@]}"; do
    private+=(-isystem "$folder")
done
cxx=$(command -v g++ || command -v clang++) || { echo "skip: there is no C++ compiler"; exit 77; }

failed=0 count=0
alone() { # HEADER COMPILER...
    local header=$1
    shift
    count=$((count + 1))
    # The last line: C wants at least one declaration.
    printf '#include "%s"\n#include "%s"\ntypedef int alone;\n' "$header" "$header" | "$@" "${flags[@]}" - ||
        { echo "FAILED: $header with $1"; failed=1; }
}
while IFS= read -r header; do
    alone "$header" "$cc" -x c -std=c17 -D_XOPEN_SOURCE=700 -I"$source/include" -I"$source/src" "${private[@]}" -fopenmp
done < <(find "$source/include" "$source/src" "$source/cli" -name '*.h' | sort)
while IFS= read -r header; do
    alone "$header" "$cxx" -x c++ -std=c++11 -I"$source/include"
done < <(find "$source/include" -name '*.h' | sort)
[ $count -gt 0 ] || { echo "FAILED: no headers found"; exit 1; }
echo "$count compilations"
exit $failed
