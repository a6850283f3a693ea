#!/usr/bin/env bash
# plait check: sizes, and every warning; plait run says them too.
set -euo pipefail
. "$PLAIT_SOURCE/test/cli/lib.bash"

materials='materials: {hair: {radius: 1 mm, young: 1 MPa, density: 1000}, skin: }'
rod() { # NAME, FROM, TO
    echo "- {name: $1, material: hair, segments: 10, polyline: {points: [[$2], [$3]]}}"
}

# Nothing strange.
{ echo "$materials"; echo "fibres:"; rod a "0, 0, 0.1" "0.1, 0, 0.1"
  echo "colliders: [{name: ground, material: skin, shape: plane}]"; echo "output: {duration: 0.01, frame_time: 0.01}"; } > good.yaml
expect 0 "$PLAIT" check good.yaml
says out "1 fibres, 0 rigid bodies, 1 colliders"
says out "10 cm .. 10 cm"
says out "an estimate"
says out "warnings        none"
expect 0 "$PLAIT" check good.yaml --json
python3 - out << 'PYTHON'
import json, sys
x = json.load(open(sys.argv[1]))
assert x["fibres"] == 1 and x["nodes"] == 11 and x["warnings"] == [] and x["steps"] == 3
assert abs(x["longest"] - 0.1) < 1e-9 and abs(x["box"][3] - x["box"][0] - 0.102) < 1e-9
assert x["seconds_per_step"] > 0 and x["memory_mb"] > 1
PYTHON
expect 0 "$PLAIT" check good.yaml --no-probe
expect 1 "$PLAIT" check good.yaml --no-probe --set wind.velocity='[1, 0, 0]'
says out "no material has 'drag'"
expect 0 "$PLAIT" check good.yaml --no-probe --set wind.velocity='[1, 0, 0]' --set materials.hair.drag=1
expect 2 "$PLAIT" check nothing.yaml
expect 2 "$PLAIT" check good.yaml --set step.dt=-1

# Each warning, alone.
warns() { # FILE, WHERE, WHAT
    expect 1 "$PLAIT" check "$1"
    says out "warning: $2: "
    says out "$3"
    [ "$(grep -c '^warning' out)" = 1 ] || fail "$1: more than one warning"
    expect 1 "$PLAIT" check "$1" --json
    says out "\"path\": \"$2\""
}

{ echo "$materials"; echo "colliders: [{name: ground, material: skin, shape: plane}]"; } > empty.yaml
warns empty.yaml fibres "the scene is empty"

sed 's/frame_time: 0.01/frame_time: 0.5/' good.yaml > frames.yaml
warns frames.yaml output.frame_time "only the start will be stored"

sed 's/\[0.1, 0, 0.1\]/[15, 0, 0.1]/; s/radius: 1 mm/radius: 10 mm/' good.yaml > units.yaml
warns units.yaml fibres.a "are the units right"

{ echo "$materials"; echo "fibres:"; rod a "0, 0, 0.1" "0.1, 0, 0.1"; rod b "0.05, -0.05, 0.1005" "0.05, 0.05, 0.1005"; } > overlap.yaml
warns overlap.yaml fibres.a "overlap at the start, the worst by 1.5 mm"

{ echo "$materials"; echo "fibres:"; rod a "0, 0, 0.1" "0.1, 0, 0.1"
  echo "colliders: [{name: ball, material: skin, shape: sphere, radius: 8 cm, position: [0.15, 0, 0.1]}]"; } > inside.yaml
expect 1 "$PLAIT" check inside.yaml
says out "1 fibres are partly inside of collider 'ball'"

cat > cube.obj << 'OBJ'
v 0.05 -0.05 0.05
v 0.15 -0.05 0.05
v 0.15 0.05 0.05
v 0.05 0.05 0.05
v 0.05 -0.05 0.15
v 0.15 -0.05 0.15
v 0.15 0.05 0.15
v 0.05 0.05 0.15
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
OBJ
{ echo "$materials"; echo "fibres:"; rod a "0, 0, 0.1" "0.1, 0, 0.1"
  echo "colliders: [{name: cube, material: skin, shape: mesh, file: cube.obj}]"; } > mesh.yaml
expect 1 "$PLAIT" check mesh.yaml
says out "inside of collider 'cube'"

# Cloth, solids, bonds.
expect 0 "$PLAIT" check ceiling-jelly --no-probe
says out "1 soft solids"
says out "25 bonds, 0 ties at the start"
expect 0 "$PLAIT" check hair-on-jelly-small --no-probe --json
json out 'd["solids"] == 1 and d["ties"] == 28 and d["bonds"] == 0'
cat > glue.yaml << 'YAML'
materials: {cotton: , wall: , none: }
adhesion:
  far: {material: cotton, with: wall, stiffness: 1e6, energy: 1, initial: 1}
  lost: {material: cotton, with: none, stiffness: 1e6, energy: 1, initial: 1}
colliders: {floor: {material: wall, shape: plane, position: [0, 0, -1 m]}}
cloth: {sheet: {material: cotton, grid: {width: 2 cm, height: 2 cm, cell: 1 mm}, thickness: 2 mm}}
YAML
expect 1 "$PLAIT" check glue.yaml --no-probe
says out "are smaller than its thickness of 2 mm"
says out "nothing is made of 'none'"
says out "touches at the start, and contacts that are made later do not bond"

# A run says the same, and keeps it.
expect 0 "$PLAIT" run frames.yaml -o run
says err "warning: output.frame_time: "
says run/run.log "warning: output.frame_time: "
expect 0 "$PLAIT" run good.yaml -o quiet
! grep -q warning err || fail "a warning for nothing"
