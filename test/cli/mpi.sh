# mpi.sh: plait-mpi: the same files as plait, bit for bit, for any number of ranks; and how it ends. The library and plait
# themselves know no MPI. Skips where MPI is not installed (tools/setup.sh mpi).
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
build=$(dirname "$PLAIT")
mpi=$build/plait-mpi

# What plait and the library are linked with.
for file in "$PLAIT" "$build"/libplait.so; do
    if ldd "$file" | grep -E 'libmpi\.so|libopen-rte|libdmumps-'; then fail "$file is linked with MPI"; fi
done
if nm -u "$build"/libplait.a 2>/dev/null | grep ' MPI_'; then fail "the library calls MPI"; fi
[ -x "$mpi" ] || { echo "skip: there is no plait-mpi (tools/setup.sh mpi installs what it needs)"; exit 77; }
command -v mpirun >/dev/null || { echo "skip: there is no mpirun (tools/setup.sh mpi installs it)"; exit 77; }
if ldd "$mpi" | grep -E 'mumps.*_seq|mpiseq'; then fail "plait-mpi has a second MPI, that of the sequential MUMPS"; fi

# All ranks here, more of them than processors, nothing over the network.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo \
    OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_NUM_THREADS=1 \
    PLAIT_MPI_LEAST=50

# One-step problems.
expect 0 "$PLAIT" generate fibres --rods 40 --nu 0.5 -o p.hdf5
expect 0 "$PLAIT" solve p.hdf5 -o one.hdf5
for ranks in 2 3; do
    expect 0 mpirun -n $ranks "$mpi" solve p.hdf5 -o many$ranks.hdf5 --json
    json out "d[0]['converged']"
    cmp one.hdf5 many$ranks.hdf5 || fail "$ranks ranks give another solution"
done
expect 0 mpirun -n 2 "$mpi" solve p.hdf5 -j 2 -o threads.hdf5
cmp one.hdf5 threads.hdf5 || fail "2 ranks with 2 threads give another solution"

# A run, and one that goes on with another number of ranks, and alone.
expect 0 "$PLAIT" run pony-small --duration 0.02 -o one
expect 0 mpirun -n 2 "$mpi" run pony-small --duration 0.02 -o two
same_run one two
says two/ranks.csv "rank,bodies,contacts,cut,products,solves,messages,bytes,wait,cpu,memory"
[ "$(wc -l <two/ranks.csv)" = 3 ] || fail "ranks.csv has not a row for each rank"
awk -F, 'NR > 1 && !($5 > 20 && $8 > 0) {exit 1}' two/ranks.csv || { cat two/ranks.csv; fail "a rank has done nothing"; }
expect 0 "$PLAIT" stats two
says out "cut"
expect 0 mpirun -n 3 "$mpi" run pony-small --duration 0.008 -o parts
expect 0 "$PLAIT" run --resume -o parts --duration 0.016
expect 0 mpirun -n 2 "$mpi" run --resume -o parts --duration 0.02
same_numbers one parts

# Bad input: one message, exit code 2, as ever.
expect 2 mpirun -n 2 "$mpi" run pony-small --set step.dt=-1 -o bad
[ "$(grep -c 'error: ' err)" = 1 ] || { cat err; fail "the message comes not once"; }
expect 2 mpirun -n 2 "$mpi" solve nothing.hdf5
PLAIT_MPI_LEAST=few expect 2 mpirun -n 2 "$mpi" solve p.hdf5
says err "PLAIT_MPI_LEAST"

# A rank that is killed: everybody ends, and --resume goes on to the same.
expect 0 "$PLAIT" run pony-small --set output.checkpoint=0 --duration 0.06 -o whole
for attempt in 1 2 3; do # until it was not too late
    mpirun -n 2 "$mpi" run pony-small --set output.checkpoint=0 --duration 0.06 -o killed --force >out 2>err &
    run=$!
    for _ in $(seq 600); do
        [ ! -f killed/checkpoint.h5 ] || break
        sleep 0.05
    done
    worker=$(pgrep -P $run | tail -1 || true)
    [ -z "$worker" ] || kill -9 "$worker" || true
    wait $run || break
done
says err "signal 9"
expect 0 mpirun -n 2 "$mpi" run --resume -o killed
same_numbers whole killed
