#!/bin/bash
# run.sh SOURCE BUILD CMAKE CC: installs into a temporary prefix and builds an example against it as a stranger would,
# with CMake and with pkg-config, shared and static. All four programs must say the same.
set -euo pipefail
source=$1 build=$2 cmake=$3 cc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
prefix=$folder/prefix
example=$source/examples/brick.c

"$cmake" --install "$build" --prefix "$prefix" >install.log
libdir=$(dirname "$(find "$prefix" -name libplait.so)")
for file in "$libdir/libplait.a" "$libdir/pkgconfig/plait.pc" "$prefix/include/plait/plait.h"; do
    [ -s "$file" ] || { echo "not installed: $file"; exit 1; }
done

"$cmake" -S "$source/test/install" -B outside -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
    -DEXAMPLE="$example" >outside.log || { cat outside.log; exit 1; }
"$cmake" --build outside >outside.log || { cat outside.log; exit 1; }

export PKG_CONFIG_PATH=$libdir/pkgconfig
flags=$(pkg-config --cflags plait)
shared=$(pkg-config --libs plait)
static=$(pkg-config --libs --static plait | sed 's/-lplait /-l:libplait.a /')
$cc -std=c17 $flags "$example" -o pc_shared $shared -lm
$cc -std=c17 $flags "$example" -o pc_static $static
version=$(pkg-config --modversion plait)

export LD_LIBRARY_PATH=$libdir
outside/with_shared >expected
cat expected
grep -q "version $version" expected
grep -q "converged" expected
for program in outside/with_static ./pc_shared ./pc_static; do
    "$program" >said
    diff expected said
done
# The first of each pair must really be the shared library, the second must not.
for program in outside/with_shared pc_shared; do
    readelf -d $program | grep -q 'libplait\.so' || { echo "$program is not linked with libplait.so"; exit 1; }
done
for program in outside/with_static pc_static; do
    ! readelf -d $program | grep -q 'libplait\.so' || { echo "$program is linked with libplait.so"; exit 1; }
done
if [ -x "$prefix/bin/plait" ]; then
    "$prefix/bin/plait" --version | grep -q "$version"
fi
if [ -x "$build/plait-mpi" ]; then
    "$prefix/bin/plait-mpi" --version | grep -q "$version"
fi
# What else a user finds: each of these once, and not empty.
for name in plait.1 plait-run.1 plait-bench-solvers.1 plait-scene.5 completions/plait site-functions/_plait \
            vendor_completions.d/plait.fish plait-scene.schema.json scenes/knot.yaml blender/plait_hair.py examples/brick.c docs/scenes.md \
            docs/pictures/gallery/knot.jpg doc/plait/README.md; do
    found=$(find "$prefix" -path "*/$name" -size +0)
    [ "$(printf '%s\n' "$found" | grep -c .)" = 1 ] || { echo "installed as $name: '$found'"; exit 1; }
done
