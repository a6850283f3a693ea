# Mistakes in scene files and overrides: exit code 2, place and caret, nothing written.

source "$PLAIT_SOURCE/test/cli/lib.bash"

# refused WORDS ARGUMENTS...: plait run must say the words and leave nothing behind
refused() {
    local words=$1
    shift
    expect 2 "$PLAIT" run "$@" -o result
    silent out
    says err "$words"
    [ ! -e result ] || fail "a folder was made for: $*"
}

cat >good.yaml <<'YAML'
materials:
  hair: {radius: 0.5 mm}
fibres:
  rods:
    material: hair
    segments: 4
    line: {length: 5 cm}
step: {dt: 2 ms}
output: {duration: 4 ms, frame_time: 2 ms}
YAML
expect 0 "$PLAIT" run good.yaml -o good
says good/scene.yaml "name: good"

sed 's/radius/raduis/' good.yaml >bad.yaml
refused "bad.yaml:2:10: error: unknown key 'raduis'; did you mean 'radius'?" bad.yaml
says err "  hair: {raduis: 0.5 mm}"
says err "         ^~~~~~"
refused "--set step.dt=2 mm:1:9: error: expected a time [s], found a length [mm]" good.yaml --set 'step.dt=2 mm'
says err "        ^~~~"
refused "--set fibres.rod.segments=3:1:8: error: there is no 'rod' in 'fibres'; did you mean 'rods'?" good.yaml \
    --set fibres.rod.segments=3
refused "no small variant" good.yaml --set small=true
refused "there-is-none.yaml" there-is-none.yaml
refused "did you mean 'material'?" good.yaml --set fibres.rods.materiel=hair

# the effective scene of a run is a scene that gives the same again
expect 0 "$PLAIT" run good.yaml -o changed --set fibres.rods.segments=6 --set 'gravity=[0, 0, -1] m/s^2'
says changed/scene.yaml "segments: 6"
expect 0 "$PLAIT" run changed/scene.yaml -o again
cmp -s changed/scene.yaml again/scene.yaml || fail "the effective scene changes when it is run again"
