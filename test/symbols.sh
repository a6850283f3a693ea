#!/bin/bash
# symbols.sh SHARED STATIC HEADERS: what the library is linked with and what it shows to the outside.
set -euo pipefail
shared=$1 static=$2 headers=$3
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# Apache-2.0 code that links a GPL-only library could not be given away under Apache-2.0.
gpl='libcholmod|libumfpack|libspqr|libgsl|libfftw'
needed=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || fail "readelf says nothing about $shared"
if grep -E "$gpl" <<<"$needed"; then fail "linked directly with a GPL library"; fi
all=$(ldd -r "$shared" 2>&1)
if grep -E "$gpl" <<<"$all"; then fail "a GPL library comes along"; fi
if grep -E "not found|undefined symbol" <<<"$all"; then fail "something is missing"; fi

# The shared library shows exactly what the public headers declare.
declared=$(sed -n 's/^PLAIT_API [^(]*\b\(plait_[a-z0-9_]*\)(.*/\1/p' "$headers"/*.h | sort)
exported=$(nm -D --defined-only "$shared" | awk '{print $3}' | sort)
grep -qx plait_version <<<"$declared" || fail "plait_version is not declared in $headers"
diff <(echo "$declared") <(echo "$exported") || fail "declared (<) and exported (>) names differ"

inside=$(nm -g --defined-only "$static" | awk 'NF == 3 {print $3}')
grep -qx plait_version <<<"$inside" || fail "plait_version is not in $static"
if grep -v '^plait_' <<<"$inside"; then fail "global names without the prefix plait_"; fi
echo "$(wc -l <<<"$exported") names exported, $(wc -l <<<"$needed") libraries needed"
exit $failed
