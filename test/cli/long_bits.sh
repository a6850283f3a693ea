# long_bits.sh: the small scenes byte for byte as if the processor had less (no AVX2, no fused multiply-add: GLIBC_TUNABLES), with other
# kernels of OpenBLAS, and as another compiler builds them (PLAIT_OTHER, or built with clang if there is one). What the C library and
# the compiler choose must not matter. Kernels of OpenBLAS may: these are named here, and a resumed run warns of them.
# PLAIT_SECONDS: of each scene (default 0.08); PLAIT_SCENES: only these.
source "$PLAIT_SOURCE/test/cli/lib.bash"
export OMP_NUM_THREADS=1

other=${PLAIT_OTHER:-}
if [ -z "$other" ] && command -v clang >/dev/null; then
    cmake -S "$PLAIT_SOURCE" -B other -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang >log 2>&1 &&
        ninja -C other plait >>log 2>&1 || fail "clang does not build it: $(tail -n 5 log)"
    other=$PWD/other/plait
fi
[ -n "$other" ] || echo "skip: no other compiler"

masked=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-BMI2,-ERMS
scenes=${PLAIT_SCENES:-$("$PLAIT" list --json | python3 -c 'import json, sys; print(*[x["name"] + "-small" for x in json.load(sys.stdin) if x["small"]])')}
[ -n "$scenes" ] || fail "no scenes"

# once FOLDER PROGRAM SCENE [NAME=VALUE ...]: its beginning, all digits of it, with these variables
once() {
    local folder=$1 program=$2 scene=$3
    shift 3
    env "$@" "$program" run "$scene" -f -o "$folder" --doubles --velocities --duration "${PLAIT_SECONDS:-0.08}" >out 2>err ||
        [ $? -eq 1 ] || fail "$scene: $(cat err)"
}

differ=0 kernels=
for scene in $scenes; do
    once plain "$PLAIT" "$scene"
    once masked "$PLAIT" "$scene" GLIBC_TUNABLES=$masked
    cmp plain/trajectory.h5 masked/trajectory.h5 || { differ=1; echo "$scene: another libm, other bytes"; }
    if [ -n "$other" ]; then
        once compiled "$other" "$scene"
        cmp plain/trajectory.h5 compiled/trajectory.h5 || { differ=1; echo "$scene: another compiler, other bytes"; }
    fi
    for kernel in Haswell Nehalem; do
        once blas "$PLAIT" "$scene" OPENBLAS_CORETYPE=$kernel
        cmp -s plain/trajectory.h5 blas/trajectory.h5 || kernels="$kernels $scene:$kernel"
    done
    echo "$scene: looked at"
done
echo "other kernels of OpenBLAS, other bytes:${kernels:- none}"

# Who goes on with other kernels is told.
once plain "$PLAIT" spaghetti-7-small
expect 0 env OPENBLAS_CORETYPE=Nehalem "$PLAIT" run --resume -o plain --duration 0.2
says err "Nehalem"
[ $differ = 0 ] || fail "bytes differ"
