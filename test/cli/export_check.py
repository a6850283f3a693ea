# export_check.py RUN FOLDER: exports of a run, read by h5py, struct, VTK and by hand, and compared with the trajectory.
#   FOLDER has all.usda, all.csv, hair/, vtp/, obj/, ply/ of all frames; other.usda, if it is there, is all.usda as
#   somebody else's reader printed it again.
import csv, glob, os, re, struct, sys
import xml.etree.ElementTree as tree
import h5py, numpy as np
from verdict import check, end

run, folder = sys.argv[1:]

with h5py.File(run + "/trajectory.h5") as h5:
    first = h5["fibres/first"][:].astype(int)
    radius, group = h5["fibres/radius"][:], h5["fibres/group"][:].astype(int)
    frames = [h5["frames"][name] for name in sorted(h5["frames"])]
    times = [float(np.ravel(f["time"])[0]) for f in frames]
    x = [f["position"][:] for f in frames]
    v = [f["velocity"][:] for f in frames]
    pose = [f["collider_pose"][:] for f in frames]
nodes, fibres = first[-1], len(first) - 1
check(len(frames) > 2 and nodes > 10, "a run worth looking at")


def files(kind, pattern):
    names = sorted(glob.glob(os.path.join(folder, kind, pattern)))
    check(len(names) == len(frames), f"{kind}: {len(names)} files for {len(frames)} frames")
    return names


# ---- csv
with open(folder + "/all.csv", newline="") as f:
    rows = list(csv.DictReader(f))
check(len(rows) == nodes * len(frames), "csv: rows")
for row in rows:
    k, fibre, node = int(row["frame"]), int(row["fibre"]), int(row["node"])
    at = first[fibre] + node
    check(float(row["time"]) == times[k], "csv: time")
    check(all(np.float32(row[c]) == x[k][at][i] for i, c in enumerate("xyz")), f"csv: position {k} {at}")
    check(all(np.float32(row["v" + c]) == v[k][at][i] for i, c in enumerate("xyz")), f"csv: velocity {k} {at}")

# ---- hair: 128 bytes of header, u16 segments, f32 points
for k, name in enumerate(files("hair", "*.hair")):
    b = open(name, "rb").read()
    strands, points, flags, _ = struct.unpack_from("<4I", b, 4)
    check(b[:4] == b"HAIR" and strands == fibres and points == nodes and flags == 3, "hair: header")
    check(struct.unpack_from("<f", b, 20)[0] == np.float32(2 * radius[0]), "hair: thickness")
    check(b[40:].startswith(b"plait, unit 1 m, z up\0"), "hair: words")
    segments = np.frombuffer(b, "<u2", strands, 128)
    check((segments == np.diff(first) - 1).all(), "hair: segments")
    p = np.frombuffer(b, "<f4", 3 * points, 128 + 2 * strands).reshape(-1, 3)
    check(len(b) == 128 + 2 * strands + 12 * points and (p == x[k]).all(), f"hair: points of frame {k}")

# ---- the list of a .pvd
parts = {}
pvd = glob.glob(folder + "/vtp/*.pvd")
check(len(pvd) == 1, "one .pvd")
for d in tree.parse(pvd[0]).getroot().iter("DataSet"):
    check(os.path.exists(os.path.join(folder, "vtp", d.get("file"))), "pvd: " + d.get("file"))
    parts.setdefault(d.get("part"), []).append(float(d.get("timestep")))
check(parts == {"0": times, "1": times}, "pvd: times")

# ---- VTK's readers
try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    print("skip: no VTK for Python; .vtp, .obj and .ply are not read by VTK")
    vtk = None


def read(reader, name):
    reader.SetFileName(name)
    reader.Update()
    return reader.GetOutput()


def points_of(data):
    return vtk_to_numpy(data.GetPoints().GetData()).astype("f4") # its OBJ reader makes doubles


if vtk:
    vtk.vtkObject.GlobalWarningDisplayOff()
    for k, name in enumerate(files("vtp", "fibres.*.vtp")):
        d = read(vtk.vtkXMLPolyDataReader(), name)
        check((points_of(d) == x[k]).all(), f"vtp: points of frame {k}")
        check((vtk_to_numpy(d.GetPointData().GetArray("velocity")) == v[k]).all(), f"vtp: velocities of frame {k}")
        check((vtk_to_numpy(d.GetPointData().GetArray("radius")) == np.repeat(radius, np.diff(first)).astype("f4")).all(),
              "vtp: radii")
        check(list(vtk_to_numpy(d.GetCellData().GetArray("fibre"))) == list(range(fibres)), "vtp: fibres")
        check((vtk_to_numpy(d.GetCellData().GetArray("group")) == group).all(), "vtp: groups")
        check(d.GetNumberOfLines() == fibres and d.GetFieldData().GetArray("TimeValue").GetValue(0) == times[k],
              "vtp: lines and time")
        for f in range(fibres):
            ids = d.GetCell(f).GetPointIds()
            check([ids.GetId(i) for i in range(ids.GetNumberOfIds())] == list(range(first[f], first[f + 1])),
                  f"vtp: line {f}")
    bodies = [read(vtk.vtkXMLPolyDataReader(), name) for name in files("vtp", "bodies.*.vtp")]
    for k, d in enumerate(bodies):
        body = vtk_to_numpy(d.GetCellData().GetArray("body"))
        used = np.unique(np.concatenate([[d.GetCell(int(c)).GetPointId(i) for i in range(3)]
                                         for c in np.flatnonzero(body == 1)]))
        ball = points_of(d)[used].astype(float) - pose[k][1][:3] # the second collider is a ball of 3 mm
        check(np.allclose(np.linalg.norm(ball, axis=1), 3e-3, rtol=1e-4), f"vtp: the ball of frame {k}")
    for k, name in enumerate(files("obj", "*.obj")):
        d = read(vtk.vtkOBJReader(), name)
        check((points_of(d)[:nodes] == x[k]).all(), f"obj: points of frame {k}")
        check(d.GetNumberOfLines() == nodes - fibres and d.GetNumberOfPolys() == bodies[k].GetNumberOfPolys(), "obj: cells")
        check((points_of(d)[nodes:] == points_of(bodies[k])).all(), f"obj: bodies of frame {k}")
    for k, name in enumerate(files("ply", "*.ply")):
        d = read(vtk.vtkPLYReader(), name)
        check((points_of(d) == x[k]).all(), f"ply: points of frame {k}")

# ---- ply: edges, by hand
for k, name in enumerate(files("ply", "*.ply")):
    head, _, body = open(name, "rb").read().partition(b"end_header\n")
    check(f"element edge {nodes - fibres}\n".encode() in head, "ply: edges")
    size = 8 * (nodes - fibres)
    edges = np.frombuffer(body[-size:], "<i4").reshape(-1, 2)
    want = [(i, i + 1) for f in range(fibres) for i in range(first[f], first[f + 1] - 1)]
    check(len(body) == nodes * (12 + 12 + 4 + 4) + size and (edges == want).all(), "ply: edges")

# ---- abc, by the reader of test/alembic
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "alembic"))
import ogawa


def quaternion(q):
    a, b, c, w = q
    return np.array([[1 - 2 * (b * b + c * c), 2 * (a * b - c * w), 2 * (a * c + b * w)],
                     [2 * (a * b + c * w), 1 - 2 * (a * a + c * c), 2 * (b * c - a * w)],
                     [2 * (a * c - b * w), 2 * (b * c + a * w), 1 - 2 * (a * a + b * b)]])


def curves_of(archive):
    """Objects with curves, and which fibres each has, after groom_id."""
    for o in archive.walk():
        if o.schema == "AbcGeom_Curve_v2":
            geom = o.properties[".geom"]
            yield geom, np.ravel(geom[".arbGeomParams"]["groom_id"].sample())


archive = ogawa.open_archive(folder + "/all.abc")
check([o.path for o in archive.walk() if o.schema == "AbcGeom_Xform_v3"] == ["/drop", "/drop/floor", "/drop/peg"],
      "abc: xforms")
user = archive.top.children[0].properties[".xform"][".userProperties"]
check([int(user["groom_version_" + w].sample()[0, 0]) for w in ("major", "minor")] == [1, 5], "abc: groom version")
check(user["groom_tool"].sample()[0].startswith("plait "), "abc: tool")
seen = []
for geom, ids in curves_of(archive):
    seen += list(ids)
    check((np.ravel(geom["nVertices"].sample()) == np.diff(first)[ids]).all(), "abc: vertices of curves")
    check(list(np.ravel(geom["curveBasisAndType"].sample())) == [1, 0, 0, 0], "abc: linear curves")
    node = np.concatenate([np.arange(first[i], first[i + 1]) for i in ids])
    check(np.allclose(geom["P"].times(), times, rtol=0, atol=1e-9) and geom["P"].samples == len(frames), "abc: times")
    for k in range(len(frames)):
        check((geom["P"].sample(k) == x[k][node]).all(), f"abc: points of frame {k}")
        check((geom[".velocities"].sample(k) == v[k][node]).all(), f"abc: velocities of frame {k}")
        box, r = geom[".selfBnds"].sample(k)[0], radius[ids[0]]
        check(np.allclose(box, np.r_[x[k][node].min(0) - r, x[k][node].max(0) + r], atol=1e-7), f"abc: box of frame {k}")
    groom = geom[".arbGeomParams"]
    check((groom["groom_width"].sample() == np.float32(2 * radius[ids[0]])).all(), "abc: widths")
    check(groom["groom_width"].meta["geoScope"] == "con" and groom["groom_id"].meta["geoScope"] == "uni", "abc: scopes")
    check((groom["groom_group_id"].sample() == group[ids[0]]).all(), "abc: groups")
    check(groom["groom_group_name"].sample() == [["low", "high"][group[ids[0]]]], "abc: names of groups")
check(sorted(seen) == list(range(fibres)), "abc: all fibres")
peg = [o for o in archive.walk() if o.path == "/drop/peg"][0]
mesh = peg.children[0].properties[".geom"]
check((mesh[".faceCounts"].sample() == 3).all() and mesh[".faceIndices"].sample().max() < len(mesh["P"].sample()),
      "abc: triangles")
corner = mesh["P"].sample().astype(float)[np.ravel(mesh[".faceIndices"].sample()).reshape(-1, 3)]
volume = np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum() / 6
check(-4 / 3 * np.pi * 3e-3**3 < volume < -4 / 3 * np.pi * 3e-3**3 * 0.9, f"abc: faces are clockwise, volume {volume}")
for k in range(len(frames)):
    M = peg.properties[".xform"][".vals"].sample(k).reshape(4, 4)
    check(np.allclose(M[3, :3], pose[k][1][:3], atol=1e-12) and np.allclose(M[:3, :3].T, quaternion(pose[k][1][3:])),
          f"abc: the peg of frame {k}")

# 24 frames per second from 1001, centimetres, y up: Hermite's cubics between frames, by another formula
shot = ogawa.open_archive(folder + "/shot.abc")
for geom, ids in curves_of(shot):
    node = np.concatenate([np.arange(first[i], first[i + 1]) for i in ids])
    check(np.allclose(geom["P"].times(), [(1001 + k) / 24 for k in range(5)], rtol=0, atol=1e-12), "shot: times")
    for k in range(5):
        t = k / 24
        i = min(max(np.searchsorted(times, t + 1e-9) - 1, 0), len(times) - 2)
        h = times[i + 1] - times[i]
        s = (t - times[i]) / h
        a, b = x[i][node].astype(float), x[i + 1][node].astype(float)
        p, q = a + h / 3 * v[i][node], b - h / 3 * v[i + 1][node] # Bezier's points
        want = (1 - s)**3 * a + 3 * s * (1 - s)**2 * p + 3 * s * s * (1 - s) * q + s**3 * b
        want = 100 * np.stack([-want[:, 0], want[:, 2], want[:, 1]], 1)
        check(np.allclose(geom["P"].sample(k), want, rtol=1e-6, atol=1e-5), f"shot: points of frame {k}")
    check(np.allclose(geom[".arbGeomParams"]["groom_width"].sample(), 200 * radius[ids[0]]), "shot: widths in cm")
floor = [o for o in shot.walk() if o.path == "/drop/floor"][0]
M = floor.properties[".xform"][".vals"].sample().reshape(4, 4)
check(np.allclose(np.array([0, 0, 1]) @ M[:3, :3], [0, 1, 0]), "shot: the floor's normal is y")
for k, name in enumerate(sorted(glob.glob(folder + "/each/*.abc"))):
    for geom, ids in curves_of(ogawa.open_archive(name)):
        node = np.concatenate([np.arange(first[i], first[i + 1]) for i in ids])
        rate = 1 / (times[1] - times[0])
        check(geom["P"].samples == 1 and np.allclose(geom["P"].times(), [(1002 + k) / rate]) and
              (geom["P"].sample() == x[k + 1][node]).all(), f"each: {name}")

# ---- usda: enough of the grammar to find prims and their attributes
TOKEN = re.compile(r'"[^"\n]*"|<[^>\n]*>|[A-Za-z_!][\w:.!]*(?:\[\])?|-?[\d.]+(?:e[-+]?\d+)?|[(){}\[\]=,:]')


def usda(path):
    text = open(path).read()
    text = text[text.index("#usda 1.0") + 9:]
    check(not TOKEN.sub("", text).strip(), f"{path}: only known signs")
    tokens = TOKEN.findall(text)
    at = 0

    def value():
        nonlocal at
        t = tokens[at]
        at += 1
        if t in "([":
            out = []
            while tokens[at] not in ")]":
                out.append(value())
                at += tokens[at] == ","
            at += 1
            return out
        if t == "{":
            out = {}
            while tokens[at] != "}":
                key = value()
                assert tokens[at] == ":", tokens[at]
                at += 1
                out[key] = value()
                at += tokens[at] == ","
            at += 1
            return out
        return t.strip('"') if t[0] == '"' else float(t) if re.match(r"-?[\d.]", t) else t

    def metadata():
        nonlocal at
        out = {}
        if at < len(tokens) and tokens[at] == "(":
            at += 1
            while tokens[at] != ")":
                key = tokens[at]
                assert tokens[at + 1] == "=", key
                at += 2
                out[key] = value()
            at += 1
        return out

    def prim(path, out):
        nonlocal at
        assert tokens[at] == "def", tokens[at]
        kind, name = tokens[at + 1], tokens[at + 2].strip('"')
        at += 3
        me = out[path + "/" + name] = {"prim": kind}
        metadata()
        assert tokens[at] == "{"
        at += 1
        while tokens[at] != "}":
            if tokens[at] == "def":
                prim(path + "/" + name, out)
                continue
            while tokens[at + 1] != "=":
                at += 1
            key = tokens[at]
            at += 2
            me[key] = value()
            me[key + " metadata"] = metadata()
        at += 1

    out = {"stage": metadata()}
    while at < len(tokens):
        prim("", out)
    return out


def check_usda(path, meshes=False): # meshes: bodies are nothing else
    d = usda(path)
    stage = d["stage"]
    root = "/" + stage["defaultPrim"]
    rate = stage["timeCodesPerSecond"]
    check(root in d and d[root]["prim"] == "Xform", f"{path}: default prim")
    check(stage["metersPerUnit"] == 1 and stage["upAxis"] == "Z", f"{path}: units")
    check(stage["startTimeCode"] == 0 and stage["endTimeCode"] == len(frames) - 1, f"{path}: time codes")
    check(all(abs(k / rate - t) < 1e-9 for k, t in enumerate(times)), f"{path}: rate")
    curves = [p for p in d.values() if p.get("prim") == "BasisCurves"]
    check(len(curves) == group.max() + 1, f"{path}: groups")
    for g, p in enumerate(curves):
        members = np.flatnonzero(group == g)
        at = np.concatenate([np.arange(first[f], first[f + 1]) for f in members])
        check((p["type"], p["basis"], p["wrap"]) == ("cubic", "catmullRom", "pinned"), f"{path}: kind of curves")
        check(p["curveVertexCounts"] == list(np.diff(first)[members]), f"{path}: counts")
        check(np.float32(p["widths"][0]) == np.float32(2 * radius[members[0]]), f"{path}: widths")
        check(p["widths metadata"] == {"interpolation": "constant"}, f"{path}: interpolation")
        check(len(p["primvars:displayColor"]) == 1, f"{path}: colour")
        for key, want in (("points", x), ("velocities", v)):
            samples = p[key + ".timeSamples"]
            check(list(samples) == list(range(len(frames))), f"{path}: time samples of {key}")
            for k in range(len(frames)):
                check((np.array(samples[k]).astype("f4") == want[k][at]).all(), f"{path}: {key} of frame {k}")
        for k, (low, high) in p["extent.timeSamples"].items():
            inside = x[int(k)][at]
            check((low <= inside).all() and (inside <= high).all(), f"{path}: extent of frame {k}")
    ball = d[root + "/colliders/peg"]
    check(ball["prim"] == ("Mesh" if meshes else "Sphere"), f"{path}: ball")
    if meshes:
        size = np.linalg.norm(np.array(ball["points"]), axis=1)
        check(np.allclose(size, 0.003, rtol=1e-4) and max(ball["faceVertexIndices"]) < len(size), f"{path}: ball")
    else:
        check(ball["radius"] == 0.003, f"{path}: ball")
    for k, at in ball["xformOp:translate.timeSamples"].items():
        check(np.allclose(at, pose[int(k)][1][:3], rtol=1e-12), f"{path}: motion of the ball")
    check(ball["xformOpOrder"] == ["xformOp:translate", "xformOp:orient"], f"{path}: order")
    floor = d[root + "/colliders/floor"]
    check(floor["prim"] == "Mesh" and len(floor["points"]) == 4 and floor["faceVertexCounts"] == [3, 3], f"{path}: floor")


check_usda(folder + "/all.usda")
if os.path.exists(folder + "/other.usda"):
    check_usda(folder + "/other.usda")
if os.path.exists(folder + "/binary.usda"):  # all.usdc as somebody else's reader printed it
    check_usda(folder + "/binary.usda", True)
end()
