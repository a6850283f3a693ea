#!/usr/bin/env bash
# Inputs that once hung, crashed or were believed, where they are at hand: each ends with a right answer or with a message that names it.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1
cases=${PLAIT_SHARED:-}/cases
[ -d "$cases/files" ] || skip "no cases in $cases"
ulimit -t 60 # processor seconds: all of them take two

expect 0 "$PLAIT" info --json "$cases/files/explicit_zeros.hdf5.gz"
expect 0 "$PLAIT" solve --json "$cases/files/explicit_zeros.hdf5.gz"
json out 'd[0]["converged"] and 0 <= d[0]["residual_rel"] <= 1e-6'
expect 0 "$PLAIT" solve --json --tol 1e-8 "$cases/hang/hang_rover1041_b1e-80.hdf5"
json out 'd[0]["converged"] and d[0]["residual_rel"] <= 1e-8'
expect 0 "$PLAIT" run "$cases/hang/straight_superhelix_on_plane.yaml" -o straight --duration 0.01

# Where the address sanitizer looks: a crash inside of HDF5 is to end the child, as it does without it.
signals=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:handle_sigbus=0
for command in "export --format ply -o out.ply" "stats" "render -o out.png --size 64x64"; do
    code=0
    # shellcheck disable=SC2086
    ASAN_OPTIONS=$signals "$PLAIT" ${command%% *} "$cases/files/trajectory_crashes_export.h5" ${command#* } >out 2>err || code=$?
    [ "$code" -le 2 ] || fail "exit code $code: $command: $(cat err)"
    [ "$code" = 0 ] || says err "trajectory_crashes_export.h5"
done

# A checkpoint of version 1, whose runs cannot be resumed; and what is wrong with it in one of today.
expect 0 "$PLAIT" run spaghetti-7 -o run --duration 0.02
cp run/checkpoint.h5 kept.h5
cp -f "$cases/files/checkpoint_dt_next_minus_one.h5" run/checkpoint.h5
expect 2 "$PLAIT" run --resume -o run --duration 0.04
says err "run/checkpoint.h5: /plait/format: expected 'plait checkpoint 2', found 'plait checkpoint 1'"
python=$(hdf5_python)
[ -n "$python" ] || echo "skip: no Python with h5py"
while [ -n "$python" ] && read -r name at value; do # the state begins with its time and the length of its next step
    cp -f kept.h5 run/checkpoint.h5
    "$python" -c 'import h5py, sys; h5py.File("run/checkpoint.h5", "a")[sys.argv[1]][int(sys.argv[2])] = float(sys.argv[3])' "$name" "$at" "$value"
    expect 2 "$PLAIT" run --resume -o run --duration 0.04
    says err "plait: run/"
done <<'BAD'
state 1 -1
state 1 0
state 0 1e300
state 0 -1
time 0 1e300
time 0 -1
step 0 -5
next_frame 0 1e9
frames 0 1e9
BAD
cp -f kept.h5 run/checkpoint.h5
expect 0 "$PLAIT" run --resume -o run --duration 0.04
