# export_shapes.sh: shapes as triangles: closed, outwards, with the volume, the centre and the extent of what they stand for.
source "$PLAIT_SOURCE/test/cli/lib.bash"
cat >shapes.yaml <<'YAML'
name: shapes
materials: {m: {radius: 1 mm, density: 1000, young: 1 MPa}}
fibres: [{name: a, line: {from: [0, 0, 0], direction: [1, 0, 0], length: 10 cm}, segments: 4}]
colliders:
  - {name: ball, shape: sphere, radius: 2 cm, position: [0, 0, 1]}
  - {name: pill, shape: capsule, radius: 1 cm, length: 6 cm, position: [1, 0, 0]}
  - {name: brick, shape: box, size: [2 cm, 4 cm, 6 cm], position: [0, 1, 0]}
  - {name: can, shape: cylinder, radius: 2 cm, length: 5 cm, position: [0, -1, 0]}
  - {name: wire, shape: curve, radius: 1 mm, points: [[0, 0, 0], [0, 0, 0.1]], position: [-1, 0, 0]}
output: {duration: 1 ms, frame_time: 1 ms}
YAML
"$PLAIT" run shapes.yaml -o run >/dev/null 2>&1
"$PLAIT" export run --frames 0 -o shapes.obj >/dev/null
cat >look.py <<'PYTHON'
from math import pi
points, faces, name = [], {}, None
for line in open("shapes.obj"):
    word, *rest = line.split() or [""]
    if word == "v":
        points.append([float(x) for x in rest[:3]])
    elif word in ("o", "g"):
        name = rest[0]
    elif word == "f":
        faces.setdefault(name, []).append([int(x.split("/")[0]) - 1 for x in rest])
# volume and extents that are wanted, and how far inscribed facets may be below
wanted = {"ball": (4 / 3 * pi * .02 ** 3, (.04, .04, .04), (0, 0, 1)),
          "pill": (pi * .01 ** 2 * .06 + 4 / 3 * pi * .01 ** 3, (.02, .02, .08), (1, 0, 0)),
          "brick": (.02 * .04 * .06, (.02, .04, .06), (0, 1, 0)),
          "can": (pi * .02 ** 2 * .05, (.04, .04, .05), (0, -1, 0)),
          "wire": (pi * .001 ** 2 * .1, (.002, .002, .1), (-1, 0, .05))}
for key, (volume, extent, centre) in wanted.items():
    mine = [f for name, f in faces.items() if key in name]
    assert len(mine) == 1, (key, list(faces))
    found, middle, edges, low, high = 0, [0, 0, 0], {}, [9] * 3, [-9] * 3
    for face in mine[0]:
        for k in range(1, len(face) - 1):
            a, b, c = (points[i] for i in (face[0], face[k], face[k + 1]))
            a, b, c = ([x - m for x, m in zip(p, centre)] for p in (a, b, c))
            v = (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
            found += v
            for n in range(3):
                middle[n] += v * (a[n] + b[n] + c[n]) / 4
        for i, j in zip(face, face[1:] + face[:1]):
            edges[i, j] = edges.get((i, j), 0) + 1
        for i in face:
            for n in range(3):
                low[n], high[n] = min(low[n], points[i][n]), max(high[n], points[i][n])
    assert 0.9 * volume < found < 1.02 * volume, (key, found / volume)
    assert all(abs(m) < 1e-3 * found * max(extent) for m in middle), (key, middle)
    for n in range(3):
        assert 0.97 * extent[n] < high[n] - low[n] < 1.03 * extent[n] or key == "wire", (key, n, high[n] - low[n])
    if key != "wire":
        assert all(edges.get((j, i)) == count for (i, j), count in edges.items()), (key, "is not closed")
PYTHON
python3 look.py || fail "shapes as triangles"

# A folder may be given with slashes at its end: nothing but the folder is there afterwards.
mkdir slashes
(cd slashes && "$PLAIT" export ../run --format obj -o many// >/dev/null)
[ "$(ls slashes)" = many ] && [ "$(ls slashes/many | wc -l)" = 2 ] || fail "slashes at the end: $(ls -R slashes)"
! ls -A slashes slashes/many | grep tmp || fail "left behind: $(ls -AR slashes)"
