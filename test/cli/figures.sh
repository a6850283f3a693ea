# Characters that move (glTF, USD with skeletons, Alembic, usdc) as colliders: every vertex at every frame is where numpy
# says; curves and meshes through .abc and .usdc and back; damaged files give one message.

. "$PLAIT_SOURCE/test/cli/lib.bash"
. "$PLAIT_SOURCE/test/cli/run.bash"

python=$(hdf5_python)
[ -n "$python" ] || { echo "skip: no Python with h5py and numpy"; exit 77; }
"$python" "$PLAIT_SOURCE/test/cli/figures.py" make .

scene() { # FILE NAME
    cat >"$2.yaml" <<YAML
materials:
  rod: {radius: 1 mm, density: 1000, young: 1 MPa}
fibres:
  - {name: far, line: {from: [5, 5, 5], direction: [1, 0, 0], length: 10 cm}, segments: 4}
colliders:
  - {name: figure, shape: mesh, file: $1, closed: no}
gravity: [0, 0, 0]
step: {dt: 10 ms}
output: {duration: 0.2, frame_time: 40 ms}
YAML
}
for kind in gltf glb usda; do
    scene arm.$kind $kind
    expect 0 "$PLAIT" run $kind.yaml -o run-$kind --doubles
done
"$python" "$PLAIT_SOURCE/test/cli/figures.py" check run-gltf run-glb run-usda || fail "vertices are not where they should be"

# A scene for a groom on it lasts as long as it moves.
printf 'v 0 0 %s\n' 1 1.1 1.2 >strand.obj
echo "l 1 2 3" >>strand.obj
expect 0 "$PLAIT" new strand.obj arm.glb -o new.yaml
says out "that move for"
says new.yaml "own motion moves the skin"
! grep -q "duration: 2 s" new.yaml || fail "it lasts 2 s"

# the same figure as Alembic and as USD, out and in again
for kind in abc usdc usda; do
    expect 0 "$PLAIT" export run-glb -o again.$kind
    scene again.$kind again-$kind
    expect 0 "$PLAIT" run again-$kind.yaml -o run-again-$kind --doubles
done
"$python" "$PLAIT_SOURCE/test/cli/figures.py" check run-again-abc run-again-usdc run-again-usda || fail "meshes through .abc, .usdc"

# curves: the same points in every format, to the last bit
expect 0 "$PLAIT" run drop.yaml -o run --velocities
expect 0 "$PLAIT" export run --frames 3 -o three.hair
for kind in abc usdc usda; do
    expect 0 "$PLAIT" export run --frames 3 --linear -o three.$kind
    expect 0 "$PLAIT" import three.$kind --unit m -o back-$kind.hair
    cmp <(tail -c +129 three.hair) <(tail -c +129 back-$kind.hair) || fail ".$kind: points differ"
done
# a groom with everything: .hair -> .abc -> .usdc -> .hair
"$python" - <<'PYTHON'
import numpy as np, struct
n, m = 40, 9
rng = np.random.default_rng(1)
x = np.cumsum(rng.normal(0, 1, (n, m, 3)), 1).astype("<f4")
with open("groom.hair", "wb") as f:
    f.write(b"HAIR" + struct.pack("<4I5f", n, n * m, 1 | 2 | 4 | 16, 0, 0.01, 0, 1, 0.5, 0.25) + b"\0" * 88)
    f.write(np.full(n, m - 1, "<u2").tobytes() + x.tobytes())
    f.write(rng.uniform(0.005, 0.01, n * m).astype("<f4").tobytes() + rng.uniform(0, 1, (n * m, 3)).astype("<f4").tobytes())
PYTHON
expect 0 "$PLAIT" import groom.hair -o groom.abc
expect 0 "$PLAIT" import groom.abc -o groom.usdc
expect 0 "$PLAIT" import groom.usdc --unit cm -o groom2.hair
cmp <(tail -c +129 groom.hair) <(tail -c +129 groom2.hair) || fail "points, thickness or colours changed on the way"
expect 0 "$PLAIT" import groom.abc --every 4 -o few.hair
[ "$(stat -c %s few.hair)" = $((128 + 10 * 2 + 90 * (12 + 4 + 12))) ] || fail "one strand in four: $(stat -c %s few.hair) bytes"

# carried strands: all of the file, with what is known about them, as .abc, .usdc and .hair
cat >carried.yaml <<'YAML'
materials:
  hair: {radius: 40 um, contact_radius: 1e-8, density: 1300, young: 3 GPa}
fibres:
  hair: {material: hair, segments: 4, natural: {shape: drawn}, ends: {root: clamped}, file: {path: groom.hair, every: 4}}
gravity: [0, 0, 0]
step: {dt: 1 ms}
output: {duration: 2 ms, frame_time: 1 ms}
YAML
expect 0 "$PLAIT" run carried.yaml -o carried
for kind in abc usdc usda; do
    expect 0 "$PLAIT" export carried -o carried.$kind --strands all --unit cm --linear
    expect 0 "$PLAIT" import carried.$kind --unit cm -o carried-$kind.hair
done
cmp carried-abc.hair carried-usdc.hair || fail "carried strands differ between .abc and .usdc"
PYTHONPATH="$PLAIT_SOURCE/test/alembic" "$python" - <<'PYTHON' || fail "carried strands in .abc"
import numpy as np, ogawa
geom = [o for o in ogawa.open_archive("carried.abc").walk() if o.schema == "AbcGeom_Curve_v2"][0].properties[".geom"]
groom = geom[".arbGeomParams"]
assert sorted(np.ravel(groom["groom_id"].sample())) == list(range(40)), groom["groom_id"].sample()
assert geom["P"].samples in (1, 3) and geom[".velocities"].samples in (1, 3)  # once if nothing moves
assert len(geom["nVertices"].sample()) == 40
assert groom["groom_root_uv"].sample().shape == (40, 2) and groom["groom_root_uv"].meta["geoScope"] == "uni"
width = np.ravel(geom["width"].sample())
assert len(width) == len(geom["P"].sample()) and geom["width"].meta["geoScope"] == "vtx"
assert abs(width.max() - 0.01) < 1e-6 and width.min() < 0.5 * width.max(), width  # cm, thinner at the tips
assert groom["groom_color"].sample().shape == geom["P"].sample().shape
file = np.frombuffer(open("groom.hair", "rb").read()[128 + 80:], "<f4", 40 * 9 * 3).reshape(40, 9, 3)
first = np.ravel(groom["groom_id"].sample())
x, n = geom["P"].sample(0), np.ravel(geom["nVertices"].sample())
roots = x[np.r_[0, np.cumsum(n)[:-1]]]
assert np.abs(roots - file[first, 0]).max() < 1e-4, np.abs(roots - file[first, 0]).max()
PYTHON

# cut off or changed anywhere: one message with exit code 2, or a file that is still whole
for file in groom.abc groom.usdc; do
    size=$(stat -c %s $file)
    for part in 0 7 15 60 $((size / 3)) $((size / 2)) $((size - 9)) $((size - 1)); do
        head -c $part $file >cut.${file#*.}
        code=0
        "$PLAIT" import cut.${file#*.} -o cut.hair -f >out 2>err || code=$?
        [ $code = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "$file cut at $part: exit $code, $(cat err)"
    done
done
[ ! -e cut.hair ] || fail "cut.hair was written"
for file in arm.gltf arm.glb arm.usda again.abc again.usdc; do
    head -c 700 $file >cut.${file#*.}
    scene cut.${file#*.} cut
    expect 2 "$PLAIT" check cut.yaml
    says err "cut.${file#*.}"
done
echo "all passed"
