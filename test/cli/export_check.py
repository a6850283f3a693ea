# export_check.py RUN FOLDER: exports of a run, read by h5py, struct, VTK and by hand, and compared with the trajectory.
#   FOLDER has all.usda, all.csv, hair/, vtp/, obj/, ply/ of all frames; other.usda, if it is there, is all.usda as
#   somebody else's reader printed it again.
import csv, glob, os, re, struct, sys
import xml.etree.ElementTree as tree
import h5py, numpy as np

run, folder = sys.argv[1:]
bad = 0


def check(ok, what):
    global bad
    if not ok:
        bad += 1
        print("FAILED:", what)


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


def check_usda(path):
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
    check(ball["prim"] == "Sphere" and ball["radius"] == 0.003, f"{path}: ball")
    for k, at in ball["xformOp:translate.timeSamples"].items():
        check(np.allclose(at, pose[int(k)][1][:3], rtol=1e-12), f"{path}: motion of the ball")
    check(ball["xformOpOrder"] == ["xformOp:translate", "xformOp:orient"], f"{path}: order")
    floor = d[root + "/colliders/floor"]
    check(floor["prim"] == "Mesh" and len(floor["points"]) == 4 and floor["faceVertexCounts"] == [3, 3], f"{path}: floor")


check_usda(folder + "/all.usda")
if os.path.exists(folder + "/other.usda"):
    check_usda(folder + "/other.usda")
sys.exit(bad > 0)
