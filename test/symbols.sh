#!/bin/bash
# symbols.sh SHARED STATIC: what the library is linked with and what it shows to the outside.
set -euo pipefail
shared=$1 static=$2
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# Apache-2.0 code that links a GPL-only library could not be given away under Apache-2.0.
gpl='libcholmod|libumfpack|libspqr|libgsl|libfftw'
needed=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || fail "readelf says nothing about $shared"
if grep -E "$gpl" <<<"$needed"; then fail "linked directly with a GPL library"; fi
all=$(ldd "$shared")
if grep -E "$gpl" <<<"$all"; then fail "a GPL library comes along"; fi
if grep "not found" <<<"$all"; then fail "a library is missing"; fi

exported=$(nm -D --defined-only "$shared" | awk '{print $3}')
grep -qx plait_version <<<"$exported" || fail "plait_version is not exported"
if grep -v '^plait_' <<<"$exported"; then fail "exported names without the prefix plait_"; fi
inside=$(nm -g --defined-only "$static" | awk 'NF == 3 {print $3}')
grep -qx plait_version <<<"$inside" || fail "plait_version is not in $static"
if grep -v '^plait_' <<<"$inside"; then fail "global names without the prefix plait_"; fi
echo "$(wc -l <<<"$exported") names exported, $(wc -l <<<"$needed") libraries needed"
exit $failed
