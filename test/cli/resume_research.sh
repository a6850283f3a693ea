# resume_research.sh: runs that are killed and resumed measure the same bytes: joints, rods that yield and relax, packs in cells
# that deform, paths by arc length, load steps with sliding contacts.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

cat >joints.yaml <<'YAML'
gravity: [0, 0, -9.81]
materials: {m: {radius: 1 mm, density: 1200, young: 1 MPa}, box: {density: 400}}
fibres:
  arm: {material: m, segments: 8, ends: {root: clamped}, line: {length: 8 cm}}
  hand: {material: m, segments: 8, line: {from: [8 cm, 0, 0], length: 6 cm}}
  chain: {material: m, model: mass-spring, segments: 8, line: {from: [14 cm, 0, 0], length: 6 cm}}
bodies: {bob: {material: box, shape: sphere, radius: 5 mm, position: [205 mm, 0, 0]}}
joints:
  elbow: {kind: weld, fibres: arm, to_fibres: hand}
  wrist: {kind: ball, fibres: hand, to_fibres: chain}
  end: {kind: ball, fibres: chain, to_body: bob, position: [20 cm, 0, 0]}
measure: {bob: {what: position, body: bob}, root: {what: reaction, fibres: arm, at: root}, e: {what: energy}}
step: {dt: 2 ms}
output: {duration: 0.2 s, checkpoint: 0}
YAML
for model in der superhelix corde mass-spring; do
    cat >laws-$model.yaml <<YAML
gravity: [0, 0, -9.81]
materials: {m: {radius: 1 mm, density: 1200, young: 1 MPa, yield_curvature: 3, hardening: 0.2, relaxing: 0.5,
                relaxation_time: 20 ms, along: {at: [0, 1], radius: [1, 0.6]}}}
fibres: {rod: {model: $model, segments: 12, ends: {root: clamped}, line: {length: 15 cm}}}
measure: {k: {what: curvature, fibres: rod, at: all}, m: {what: moment, fibres: rod, at: all}, e: {what: energy}}
step: {dt: 2 ms}
output: {duration: 0.2 s, checkpoint: 0}
YAML
done
scenes=$PLAIT_SOURCE/examples/research
sed 's/dt: 2 ms, adaptive: false/dt: 40 ms, adaptive: false/; s/^gravity/mode: static\ngravity/' "$scenes/capstan.yaml" >rope.yaml
sed 's/duration: 500 s/duration: 100 s/' "$scenes/snap.yaml" >path.yaml
sed 's/side: 1.5 cm/side: 1.2 cm/; s/aspect: 15/aspect: 11/; s/duration: 1.4 s/duration: 0.2 s/' "$scenes/shear.yaml" >cell.yaml

for name in joints laws-der laws-superhelix laws-corde laws-mass-spring rope path cell; do
    expect 0 "$PLAIT" run $name.yaml --set output.checkpoint=0 -o $name
    killed_run $name.yaml $name killed-$name 0.1 0.2 0.3
    echo "$name: $(wc -l <"$name/measure.csv") rows"
done
