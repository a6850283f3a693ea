# export_soft_check.py RUN FOLDER: cloth and solids in vtp/, obj/, ply/ and other.usda (all.usda as tinyusdz printed it
# again), read by VTK and compared with the trajectory: every node and triangle of every frame.
import glob, os, re, sys
import h5py, numpy as np
from verdict import check, end

run, folder = sys.argv[1:]

with h5py.File(run + "/trajectory.h5") as h5:
    names = [h5["softs"][k]["name"][()].decode() for k in sorted(h5["softs"])]
    triangle = [h5["softs"][k]["triangle"][:].astype(int) for k in sorted(h5["softs"])]
    frames = [h5["frames"][k] for k in sorted(h5["frames"])]
    x = [[f["soft"][k][:] for k in sorted(f["soft"])] for f in frames]
    fibre_nodes = len(frames[0]["position"])
check(names == ["sheet", "ball"] and len(frames) == 4, "a run worth looking at")


# Corners of the triangles of a body in a frame: [triangles, 3, 3].
def want(k, b):
    return x[k][b][triangle[b]]


# All of them must be among those that were read, in the same order of corners.
def same(read, k, b, what):
    rows = {(np.roll(t, s, axis=0).astype(np.float32) + np.float32(0)).tobytes() for t in read for s in range(3)}
    mine = [(t.astype(np.float32) + np.float32(0)).tobytes() for t in want(k, b)]  # 0: -0 is as good
    check(all(m in rows for m in mine), f"{what}: triangles of {names[b]} in frame {k}")


try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None
    print("skip: no VTK for Python; .vtp, .obj and .ply are not read by VTK")


def polygons(reader, name):
    reader.SetFileName(name)
    reader.Update()
    d = reader.GetOutput()
    p = vtk_to_numpy(d.GetPoints().GetData()).astype(float)
    faces = vtk_to_numpy(d.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    return p[faces], d


if vtk:
    for kind, pattern, reader in (("obj", "*.obj", vtk.vtkOBJReader), ("ply", "*.ply", vtk.vtkPLYReader),
                                  ("vtp", "bodies.*.vtp", vtk.vtkXMLPolyDataReader)):
        files = sorted(glob.glob(os.path.join(folder, kind, pattern)))
        check(len(files) == len(frames), f"{kind}: {len(files)} files")
        for k, name in enumerate(files):
            read, d = polygons(reader(), name)
            for b in range(2):
                same(read, k, b, kind)
            if kind == "ply":
                check(len(read) == sum(map(len, triangle)), "ply: faces")
                check(d.GetNumberOfPoints() == fibre_nodes + sum(map(len, x[k])), "ply: vertices")

# ---- .usda, as somebody else's reader printed it again
if os.path.exists(folder + "/other.usda"):
    text = open(folder + "/other.usda").read()
    number = r"[-+0-9.e]+"
    for b, name in enumerate(names):
        part = text[text.index(f'def Mesh "{name}"'):]
        part = part[:part.index("def ", 4)] if "def " in part[4:] else part
        index = np.array(re.search(r"faceVertexIndices = \[([^]]*)\]", part)[1].split(","), int).reshape(-1, 3)
        samples = re.search(r"points.timeSamples = \{(.*?)\n\s*\}", part, re.S)[1]
        blocks = re.findall(r"\[(.*?)\]", samples, re.S)
        check(len(blocks) == len(frames), f"usda: {len(blocks)} samples of {name}")
        for k, block in enumerate(blocks):
            p = np.array(re.findall(number, block), float).reshape(-1, 3)
            check(p.shape == x[k][b].shape and np.allclose(p[index], want(k, b), atol=1e-7), f"usda: {name}, frame {k}")
end()
