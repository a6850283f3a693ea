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
# ---- public structs and callbacks follow one rule each (docs/architecture.md, "What programs see") ----
plain() { # a header without comments, on one line
    sed -e '/^ *#/d' -e 's://.*::' "$1" | tr '\n' ' ' | sed -e 's:/\*[^*]*\*/::g'
}
listed=$(sed -n '/define PLAIT_STRUCTS/,/[^\\]$/p' "$source/include/plait/abi.h" | grep -oE 'X\(plait_[a-z_0-9]+\)' | tr -d 'X()')
structs=0 callbacks=0
for header in "$source"/include/plait/*.h; do
    name=include/plait/${header##*/}
    for struct in $(sed -n 's/^typedef struct \(plait_[a-z_0-9]*\) {.*/\1/p' "$header"); do
        structs=$((structs + 1))
        grep -qx "$struct" <<<"$listed" ||
            { echo "FAILED: $name: $struct is not in PLAIT_STRUCTS (plait/abi.h)"; failed=1; }
    done
    while IFS= read -r callback; do
        callbacks=$((callbacks + 1))
        [[ $callback =~ void\ \*data\)$ ]] || { echo "FAILED: $name: $callback: a callback ends with 'void *data'"; failed=1; }
    done < <(plain "$header" | grep -oE '\(\*[a-z_]+\)\([^()]*\)')
    while IFS= read -r function; do
        [[ $function == plait_* ]] || { echo "FAILED: $name: $function does not begin with plait_"; failed=1; }
    done < <(plain "$header" | grep -oE 'PLAIT_API [^(;]*\(' | grep -oE '[a-zA-Z_0-9]+\($' | tr -d '(')
    if grep -q 'PLAIT_API' "$header" && ! grep -q 'define PLAIT_API' "$header" && ! grep -q 'extern "C"' "$header"; then
        echo "FAILED: $name: functions without extern \"C\""
        failed=1
    fi
done
[ $structs -gt 50 ] && [ $callbacks -gt 8 ] || { echo "FAILED: $structs structs and $callbacks callbacks found"; failed=1; }
[ $count -gt 0 ] || { echo "FAILED: no headers found"; exit 1; }
echo "$count compilations"
exit $failed
