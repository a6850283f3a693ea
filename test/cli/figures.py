# figures.py make FOLDER | check FOLDER RUN...: characters that move, as glTF and USD, and where their vertices must be.
#   An arm of two joints with mixed weights that bends about z and moves, below a node that is turned and scaled; a box
#   with a morph target. The expected places are found here, with numpy, from the same numbers and not from files.
import base64, json, struct, sys
import numpy as np

FPS, FRAMES = 25, 6
rng = np.random.default_rng(3)
# a bar along y, 12 vertices, triangles round it
rest = np.array([[x, y, z] for y in (0.0, 0.5, 1.0) for x, z in ((0, 0), (0.2, 0), (0.2, 0.1), (0, 0.1))]) / 10
faces = []
for ring in range(2):
    for k in range(4):
        a, b = 4 * ring + k, 4 * ring + (k + 1) % 4
        faces += [[a, a + 4, b + 4], [a, b + 4, b]]
weights = np.repeat(np.array([[1, 0], [0.25, 0.75], [0, 1]]), 4, axis=0)
morph = np.round(rng.normal(0, 0.01, rest.shape), 4).astype(np.float32).astype(float)
times = np.arange(FRAMES) / FPS
angle = 0.2 * np.arange(FRAMES)
shift = np.stack([0.01 * np.arange(FRAMES), 0 * angle, 0.002 * np.arange(FRAMES)**2], 1)
amount = np.linspace(0, 1, FRAMES)


def matrix(t=(0, 0, 0), q=(0, 0, 0, 1), s=(1, 1, 1)):
    """Columns: x' = M x. q = (x, y, z, w)."""
    x, y, z, w = np.array(q) / np.linalg.norm(q)
    R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                  [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                  [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    M = np.eye(4)
    M[:3, :3] = R * np.array(s)
    M[:3, 3] = t
    return M


def turn_z(a):
    return (0, 0, np.sin(a / 2), np.cos(a / 2))


top = dict(t=(0.1, 0.2, 0.3), q=(0.5, 0.5, 0.5, 0.5), s=(2, 2, 2))
bind = [matrix(), matrix(t=(0, 0.05, 0))]  # of the joints, in the skeleton


def arm(k):
    root = matrix(t=shift[k])
    joints = [root, root @ matrix(t=(0, 0.05, 0), q=turn_z(angle[k]))]
    x = np.c_[rest, np.ones(len(rest))]
    out = sum(weights[:, [j]] * (x @ (matrix(**top) @ joints[j] @ np.linalg.inv(bind[j])).T) for j in range(2))
    return out[:, :3]


def box(k):
    x = rest + amount[k] * morph
    return x * np.array([1, 1, 1]) + [1, 0, 0]


def gltf(path):
    blob, views, accessors = b"", [], []

    def add(x, kind, component="f4", normalized=False):
        nonlocal blob
        x = np.asarray(x)
        data = np.ascontiguousarray(x.astype("<" + component)).tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        blob += data + b"\0" * (-len(data) % 4)
        code = {"f4": 5126, "u2": 5123, "u1": 5121}[component]
        accessors.append({"bufferView": len(views) - 1, "componentType": code, "count": len(x), "type": kind})
        if normalized:
            accessors[-1]["normalized"] = True
        return len(accessors) - 1

    joints = np.tile([0, 1, 0, 0], (len(rest), 1))
    full = np.c_[weights, np.zeros((len(rest), 2))]
    index = add(np.ravel(faces), "SCALAR", "u2")
    position = add(rest, "VEC3")
    prims = [{"attributes": {"POSITION": position, "JOINTS_0": add(joints, "VEC4", "u1"), "WEIGHTS_0": add(full, "VEC4")},
              "indices": index}]
    target = add(morph, "VEC3")
    boxes = [{"attributes": {"POSITION": position}, "indices": index, "targets": [{"POSITION": target}]}]
    inverse = add(np.stack([np.linalg.inv(b).T for b in bind]).reshape(2, 16), "MAT4")
    time = add(times, "SCALAR")
    ends = add(times[[0, -1]], "SCALAR")
    rotation = add([turn_z(a) for a in angle], "VEC4")
    translation = add(shift, "VEC3")
    weight = add(amount[[0, -1]], "SCALAR")
    scene = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 4]}],
        "nodes": [{"children": [1, 3], "translation": top["t"], "rotation": top["q"], "scale": top["s"]},
                  {"children": [2]}, {"translation": [0, 0.05, 0]}, {"mesh": 0, "skin": 0, "translation": [9, 9, 9]},
                  {"mesh": 1, "matrix": list(matrix(t=(1, 0, 0)).T.ravel())}],
        "meshes": [{"primitives": prims}, {"primitives": boxes, "weights": [0]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": inverse}],
        "animations": [{"samplers": [{"input": time, "output": rotation}, {"input": time, "output": translation},
                                     {"input": ends, "output": weight}],
                        "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                                     {"sampler": 1, "target": {"node": 1, "path": "translation"}},
                                     {"sampler": 2, "target": {"node": 4, "path": "weights"}}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}]}
    if path.endswith(".glb"):
        text = json.dumps(scene).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob
        open(path, "wb").write(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)
        return
    scene["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
    open(path, "w").write(json.dumps(scene, indent=1))


def usda(path):
    def vectors(x):
        return "[" + ", ".join("(" + ", ".join(repr(float(v)) for v in row) + ")" for row in x) + "]"

    def rows(M):
        return "(" + ", ".join("(" + ", ".join(repr(float(v)) for v in row) + ")" for row in M.T) + ")"

    def samples(f):
        return "{\n" + ",\n".join(f"{k}: {f(k)}" for k in range(FRAMES)) + "\n}"

    def quat(q):
        return "(" + ", ".join(repr(float(v)) for v in (q[3], q[0], q[1], q[2])) + ")"

    text = f"""#usda 1.0
(
    defaultPrim = "body"
    metersPerUnit = 1
    upAxis = "Z"
    timeCodesPerSecond = {FPS}
)
def SkelRoot "body" (
    prepend apiSchemas = ["SkelBindingAPI"]
)
{{
    double3 xformOp:translate = {vectors([top["t"]])[1:-1]}
    quatf xformOp:orient = {quat(top["q"])}
    float3 xformOp:scale = {vectors([top["s"]])[1:-1]}
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
    rel skel:skeleton = </body/bones>
    def Skeleton "bones"
    {{
        uniform token[] joints = ["upper", "upper/lower"]
        uniform matrix4d[] bindTransforms = [{rows(bind[0])}, {rows(bind[1])}]
        uniform matrix4d[] restTransforms = [{rows(bind[0])}, {rows(bind[1])}]
        rel skel:animationSource = </body/moves>
    }}
    def SkelAnimation "moves"
    {{
        uniform token[] joints = ["upper/lower", "upper"]
        float3[] translations.timeSamples = {samples(lambda k: vectors([(0, 0.05, 0), shift[k]]))}
        quatf[] rotations.timeSamples = {samples(lambda k: "[" + quat(turn_z(angle[k])) + ", (1, 0, 0, 0)]")}
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
    }}
    def Mesh "skin"
    {{
        int[] faceVertexCounts = {[3] * len(faces)}
        int[] faceVertexIndices = {[int(i) for f in faces for i in f]}
        point3f[] points = {vectors(rest)}
        matrix4d primvars:skel:geomBindTransform = {rows(np.eye(4))}
        int[] primvars:skel:jointIndices = {[0, 1] * len(rest)} (elementSize = 2 interpolation = "vertex")
        float[] primvars:skel:jointWeights = {[float(w) for w in np.ravel(weights)]} (elementSize = 2 interpolation = "vertex")
    }}
}}
def Xform "aside"
{{
    double3 xformOp:translate = (1, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "box"
    {{
        int[] faceVertexCounts = {[3] * len(faces)}
        int[] faceVertexIndices = {[int(i) for f in faces for i in f]}
        point3f[] points.timeSamples = {samples(lambda k: vectors(rest + amount[k] * morph))}
    }}
}}
"""
    open(path, "w").write(text)


if sys.argv[1] == "make":
    for name in ("arm.gltf", "arm.glb"):
        gltf(sys.argv[2] + "/" + name)
    usda(sys.argv[2] + "/arm.usda")
else:
    import h5py

    for run in sys.argv[2:]:
        with h5py.File(run + "/trajectory.h5") as h5:
            moved = [h5["frames"][n]["vertex/000000"][:] for n in sorted(h5["frames"])]
        assert len(moved) == FRAMES, (run, len(moved))
        for k in range(FRAMES):
            want = np.concatenate([arm(k), box(k)])
            assert moved[k].shape == want.shape, (run, moved[k].shape, want.shape)
            worst = np.abs(moved[k] - want).max()
            assert worst < 2e-6, f"{run}: frame {k}: {worst}"
        print(run, "ok")
