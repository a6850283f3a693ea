# run.bash: what the tests of `plait run` share: a small scene, and looking at runs with somebody else's code.

# Rods that fall on a floor and on each other.
cat >drop.yaml <<'YAML'
name: drop
materials:
  rod: {radius: 2 mm, density: 1000, young: 1 MPa, damping: 5 ms}
fibres:
  - {name: low, line: {from: [-5 cm, 0, 5 mm], direction: [1, 0, 0.02], length: 10 cm, count: 3, spacing: [0, 1 cm, 0]}, segments: 8}
  - {name: high, line: {from: [0, -3 cm, 15 mm], direction: [0, 1, 0.02], length: 10 cm, count: 2, spacing: [1 cm, 0, 0]}, segments: 8}
colliders:
  - {name: floor, shape: plane}
  - {name: peg, shape: sphere, radius: 3 mm, position: [2 cm, 1 cm, 0], motion: {drives: [{kind: linear, velocity: [0, 0, 1 cm/s]}]}}
step: {dt: 2 ms}
output: {duration: 0.2, frame_time: 20 ms, contacts: true}
YAML

# A Python that can read HDF5, or nothing.
hdf5_python() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import h5py' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
}

# same_run A B: frames byte by byte, statistics but for the seconds, the state.
same_run() {
    cmp "$1/trajectory.h5" "$2/trajectory.h5" || fail "trajectories of $1 and $2 differ"
    same_numbers "$1" "$2"
}
same_state() { h5diff -q "$1/checkpoint.h5" "$2/checkpoint.h5" /state; }
same_numbers() {
    cmp <(cut -d, -f1-26 "$1/stats.csv") <(cut -d, -f1-26 "$2/stats.csv") || fail "statistics of $1 and $2 differ"
    cmp "$1/trajectory.xdmf" "$2/trajectory.xdmf" || fail "XDMF of $1 and $2 differs"
    cmp "$1/scene.yaml" "$2/scene.yaml" || fail "scenes of $1 and $2 differ"
    same_state "$1" "$2" || fail "states of $1 and $2 differ"
    h5diff -q "$1/trajectory.h5" "$2/trajectory.h5" || fail "contents of the trajectories of $1 and $2 differ"
}

# only_files FOLDER NAMES: these and no others.
only_files() {
    [ "$(cd "$1" && find . -mindepth 1 | sed 's|^./||' | sort | tr '\n' ' ')" = "$2 " ] || fail "in $1: $(ls -R "$1")"
}
RUN_FILES="checkpoint.h5 run.log scene.yaml stats.csv trajectory.h5 trajectory.xdmf"

# killed_run SCENE WHOLE FOLDER DELAY...: the scene is run in FOLDER with a checkpoint after every step, killed after each of the
# delays [s] and resumed; in the end what it measured has the same bytes as in WHOLE, a run that was left alone.
killed_run() {
    local scene=$1 whole=$2 folder=$3 delay pid file words
    shift 3
    for delay in "$@" end; do
        words="$scene --set output.checkpoint=0 -o $folder"
        [ ! -f "$folder/scene.yaml" ] || words="--resume -o $folder"
        [ "$delay" != end ] || break
        # shellcheck disable=SC2086
        "$PLAIT" run $words >/dev/null 2>&1 &
        pid=$!
        sleep "$delay"
        kill -9 $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
    done
    # shellcheck disable=SC2086
    expect 0 "$PLAIT" run $words
    for file in measure.csv measure.h5; do
        cmp "$whole/$file" "$folder/$file" || fail "$file of $scene, killed and resumed"
    done
}
