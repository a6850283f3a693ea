# run.sh: plait run and plait stats: what they write, say and refuse.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

# A run: its files, its words.
expect 0 "$PLAIT" run drop.yaml
silent err
says out "runs/drop: 0.200 s simulated"
says out "11 frames, 100 steps"
only_files runs/drop "$RUN_FILES"
[ "$(wc -l <runs/drop/stats.csv)" = 101 ] || fail "stats.csv has $(wc -l <runs/drop/stats.csv) lines"
grep -qiE ',-?(nan|inf)' runs/drop/stats.csv && fail "numbers that are not finite in stats.csv"
says runs/drop/run.log "begins 'drop': 5 fibres, 2 colliders"
says runs/drop/run.log "finished at step 100"
says runs/drop/scene.yaml "name: drop"

# The same where memory that was given back is overwritten at once: nobody looks at it any more.
expect 0 env MALLOC_PERTURB_=165 "$PLAIT" run drop.yaml -o perturbed
cmp runs/drop/trajectory.h5 perturbed/trajectory.h5 || fail "memory that was given back matters"
MALLOC_PERTURB_=165 expect 0 "$PLAIT" export perturbed --format usda -o perturbed.usda

# What is there stays, unless --force says otherwise; what is not ours stays in any case.
cp -r runs/drop before
expect 2 "$PLAIT" run drop.yaml
says err "runs/drop holds a run already"
silent out
diff -r before runs/drop >/dev/null || fail "runs/drop was changed"
mkdir nothing
: >nothing/run.log # killed before it had written anything
expect 0 "$PLAIT" run drop.yaml -o nothing
says nothing/run.log "finished at step 100"
echo mine >runs/drop/notes.txt
expect 0 "$PLAIT" run drop.yaml --force --json
silent err
json out '(d["end"] == "finished" and d["frames"] == 11 and d["steps"] == 100 and d["time"] == 0.2 and d["fibres"] == 5 and
    d["nodes"] == 45 and d["contacts_max"] > 10 and d["reason"] is None and d["failures"] == 0 and d["nu_max"] > 0 and
    abs(sum(d["percent_of"].values()) - 100) < 1e-6 and d["residual_max"] <= 1e-6 and d["over_tolerance"] == 0)'
same_run runs/drop before
[ "$(cat runs/drop/notes.txt)" = mine ] || fail "--force deleted what is not its own"

# Overrides and the duration are part of the scene.
expect 0 "$PLAIT" run drop.yaml -o short --duration 50ms --set step.dt=1ms --set=output.contacts=false --threads 2
says short/scene.yaml "dt: 1ms"
says short/scene.yaml "duration: 50ms"
says out "3 frames, 50 steps" # 0, 20 and 40 ms
# ... and reading that scene gives the same run.
expect 0 "$PLAIT" run short/scene.yaml -o again/deep/down
same_run short again/deep/down

# Bad input: one message, exit code 2, nothing left behind.
ls -R >listing
bad() {
    local message=$1
    shift
    expect 2 "$PLAIT" run "$@"
    silent out
    says err "$message"
    rm -f out err
    ls -R | grep -vxE 'out|err' | cmp -s - <(grep -vxE 'out|err|listing2' listing) || fail "left behind by: $*"
}
bad "is needed"
bad "nowhere.yaml" nowhere.yaml
bad "xyzzy" xyzzy
bad "expected" drop.yaml -o x --set step.dt=fast
bad "step.tempo" drop.yaml -o x --set step.tempo=3
bad "--set needs PATH=VALUE" drop.yaml -o x --set
bad "duration" drop.yaml -o x --duration long
bad "--threads" drop.yaml -o x --threads few
bad "only one of them" drop.yaml -o x --resume --force
bad "which run" --resume
bad "no run in this folder" --resume -o x
bad "--dump-problems" drop.yaml -o x --dump-problems 0
sed 's/radius: 2 mm/radius: -2 mm/' drop.yaml >negative.yaml
ls -R >listing
bad "negative.yaml:3" negative.yaml -o x
bad "cannot make the folder" drop.yaml -o drop.yaml/x
bad "there is a file of that name" drop.yaml -o drop.yaml

# Contact problems.
expect 0 "$PLAIT" run drop.yaml -o dumped --dump-problems 25
only_files dumped/problems "000025.hdf5 000050.hdf5 000075.hdf5 000100.hdf5"
expect 0 "$PLAIT" solve --json dumped/problems
json out 'len(d) == 4 and all(x["converged"] and x["contacts"] > 10 and x["dofs"] > 0 for x in d)'

# Statistics: rows of several runs, JSON, what cannot be read.
expect 0 "$PLAIT" stats runs/drop dumped/
silent err
for title in rods contacts "nu max" "% > tol" "max residual" iterations rejected s/step "CPU s/step" s/frame predict observe "- numerical"; do
    says out "$title"
done
[ "$(grep -cE '^(drop|dumped) ' out)" = 6 ] || fail "rows: $(cat out)"
expect 0 "$PLAIT" stats --json runs/drop dumped
json out 'len(d) == 2 and d[0]["folder"] == "runs/drop" and d[0]["fibres"] == 5 and d[0]["steps"] == 100'
json out 'abs(d[0]["simulated_seconds"] - 0.2) < 1e-12 and abs(d[0]["seconds_per_frame"] / d[0]["seconds_per_step"] - 20) < 1e-6'
python3 - <<'PYTHON' || fail "plait stats does not agree with stats.csv"
import csv, json, sys
rows = list(csv.DictReader(open("runs/drop/stats.csv")))
d = json.load(open("out"))[0]
def near(a, b): assert abs(a - b) <= 1e-9 * abs(b) + 1e-15, (a, b)
contacts = [int(r["contacts"]) for r in rows]
near(d["contacts_mean"], sum(contacts) / len(rows))
assert d["contacts_max"] == max(contacts)
near(d["residual_max"], max(float(r["residual_rel"]) for r in rows))
near(d["iterations_mean"], sum(int(r["iterations"]) for r in rows if r["contacts"] != "0") / sum(c > 0 for c in contacts))
near(d["seconds_per_step"], sum(float(r["seconds"]) for r in rows) / len(rows))
near(d["seconds_per_step_of"]["solve"], sum(float(r["seconds_solve"]) for r in rows) / len(rows))
for i, r in enumerate(rows):
    assert int(r["step"]) == i + 1 and r["failed"] == "0" and (r["smallest_gap"] == "") == (r["contacts"] == "0"), r
    stages = sum(float(v) for k, v in r.items() if k.startswith("seconds_"))
    assert stages <= float(r["seconds"]) * 1.05 + 1e-4, r
    near(float(r["cpu"]), sum(float(v) for k, v in r.items() if k.startswith("cpu_")))
near(d["cpu_per_step"], sum(float(r["cpu"]) for r in rows) / len(rows))
assert d["cpu_per_step"] > 0
PYTHON
expect 2 "$PLAIT" stats nowhere runs/drop
says err "nowhere/stats.csv"
says out "drop"
mkdir empty
: >empty/stats.csv
expect 2 "$PLAIT" stats empty
says err "empty/stats.csv: expected a row of titles"
sed '5s/,[^,]*/,x7/2' runs/drop/stats.csv >empty/stats.csv
expect 2 "$PLAIT" stats empty
says err "empty/stats.csv:5: expected a number"
head -c 5000 runs/drop/stats.csv >empty/stats.csv # a row that is being written
expect 0 "$PLAIT" stats empty

# The trajectory, read by h5py: shapes, times, names; it shows what happens.
python=$(hdf5_python)
if [ -n "$python" ]; then
    expect 0 "$PLAIT" run drop.yaml -o wide --velocities --doubles
    "$python" - <<'PYTHON' || fail "h5py does not find what should be there"
import h5py, numpy as np
t, w = h5py.File("runs/drop/trajectory.h5"), h5py.File("wide/trajectory.h5")
assert t["plait/format"][()] == b"plait trajectory 1"
assert t["scene/text"][()].decode() == open("runs/drop/scene.yaml").read()
assert list(t["groups"]) == [b"low", b"high"] and list(t["materials"]) == [b"rod"]
assert list(t["fibres/first"]) == [0, 9, 18, 27, 36, 45] and list(t["fibres/group"]) == [0, 0, 0, 1, 1]
assert np.allclose(t["fibres/radius"], 0.002)
assert t["colliders/000000/shape"][()] == b"plane" and t["colliders/000001/name"][()] == b"peg"
assert t["colliders/000001/size"][0] == 0.003
assert list(t["frames"]) == ["%06d" % k for k in range(11)]
for k in range(11):
    a, b = t["frames/%06d" % k], w["frames/%06d" % k]
    assert a["time"][0] == k * 0.02 and a["step"][0] == 10 * k, (k, a["time"][0])
    assert a["position"].shape == (45, 3) and a["position"].dtype == np.float32 and b["position"].dtype == np.float64
    assert np.all(a["position"][()] == b["position"][()].astype(np.float32))
    assert b["velocity"].shape == (45, 3) and "velocity" not in a
    pose = a["collider_pose"][()]
    assert pose.shape == (2, 7) and np.allclose(pose[1], [0.02, 0.01, 0.0002 * k, 0, 0, 0, 1], atol=1e-12)
    c = a["contacts"]
    n = len(c["mu"])
    for name, shape in dict(kind=(n, 2), index=(n, 2), arc=(n, 2), position=(n, 3), normal=(n, 3), gap=(n,), impulse=(n, 3),
                            velocity=(n, 3)).items():
        assert c[name].shape == shape, (name, c[name].shape)
    assert np.allclose(np.linalg.norm(c["normal"], axis=1), 1, atol=1e-5) if n else True
assert n > 10 and (w["frames/000000/position"][:, 2] - w["frames/000010/position"][:, 2]).max() > 0.002
heights = w["frames/000010/position"][:, 2]
assert heights.min() > 0.0015, heights.min()  # nothing has sunk into the floor
def finite(name, x):
    assert not isinstance(x, h5py.Dataset) or x.dtype.kind != "f" or np.all(np.isfinite(x[()])), name
t.visititems(finite), w.visititems(finite)
PYTHON
fi

# Meshes that move and rigid bodies are in the frames.
cat >low.obj <<'OBJ'
v -1 -1 0
v 1 -1 0
v 0 1 0
f 1 2 3
OBJ
sed 's/ 0$/ 1/' low.obj >high.obj
cat >moving.yaml <<'YAML'
materials: {stuff: {radius: 2 mm, young: 1 MPa, density: 1000}}
fibres: [{line: {from: [0, 0, 5 cm], direction: [1, 0, 0], length: 10 cm}, segments: 4}]
colliders: [{name: lift, shape: mesh, file: low.obj, frames: [low.obj, high.obj], frame_time: 10 s, scale: 10 cm}]
bodies: [{name: ball, shape: sphere, radius: 1 cm, position: [0, 0, 20 cm], velocity: [1, 0, 0]}]
output: {duration: 40 ms, frame_time: 20 ms}
YAML
expect 0 "$PLAIT" run moving.yaml --velocities
if [ -n "$python" ]; then
    "$python" - <<'PYTHON' || fail "h5py does not find what moves"
import h5py, numpy as np
t = h5py.File("runs/moving/trajectory.h5")
assert t["colliders/000000/animated"][0] == 1 and t["colliders/000000/triangle"].shape == (1, 3)
assert t["rigids/000000/shape"][()] == b"sphere" and t["rigids/000000/size"][0] == 0.01
for k in range(3):
    f, time = t["frames/%06d" % k], 0.02 * k
    assert np.allclose(f["vertex/000000"][:, 2], 0.1 * time / 10, atol=1e-7), f["vertex/000000"][()]
    assert np.allclose(f["rigid_pose"][0, :2], [time, 0], atol=1e-9) and abs(f["rigid_pose"][0, 6] - 1) < 1e-9
    assert abs(f["rigid_pose"][0, 2] - 0.2 + 4.905 * time**2) < 1e-3, f["rigid_pose"][()]
    assert np.allclose(f["rigid_motion"][0], [1, 0, -9.81 * time, 0, 0, 0], atol=1e-6)
PYTHON
fi

# The XDMF file: well-formed, and all it names is there with these dimensions.
python3 - <<'PYTHON' || fail "trajectory.xdmf"
import xml.etree.ElementTree as xml
root = xml.parse("runs/drop/trajectory.xdmf").getroot()
frames = root.find("Domain/Grid").findall("Grid")
assert len(frames) == 11 and [float(f.find("Time").get("Value")) for f in frames] == [k * 0.02 for k in range(11)]
open("items", "w").writelines("%s %s\n" % (i.text.strip().split(":")[1], i.get("Dimensions")) for i in root.iter("DataItem"))
assert all(i.text.startswith("trajectory.h5:/") for i in root.iter("DataItem"))
PYTHON
if [ -n "$python" ]; then
    "$python" - <<'PYTHON' || fail "trajectory.xdmf and trajectory.h5 differ"
import h5py
t = h5py.File("runs/drop/trajectory.h5")
lines = open("items").read().splitlines()
assert len(lines) > 50
for line in lines:
    name, *extent = line.split()
    assert t[name].size == eval("*".join(extent)), line
PYTHON
fi

# ParaView itself, where it is installed.
if command -v pvpython >/dev/null; then
    cat >look.py <<'PYTHON'
import os
from paraview.simple import Xdmf3ReaderS
from paraview import servermanager
reader = Xdmf3ReaderS(FileName=[os.path.abspath("runs/drop/trajectory.xdmf")])
reader.UpdatePipelineInformation()
assert len(reader.TimestepValues) == 11
reader.UpdatePipeline(reader.TimestepValues[10])
data = servermanager.Fetch(reader)
blocks, at = [], data.NewIterator()
at.InitTraversal()
while not at.IsDoneWithTraversal():
    blocks.append(at.GetCurrentDataObject())
    at.GoToNextItem()
assert blocks[0].GetNumberOfPoints() == 45 and blocks[0].GetNumberOfCells() == 5
assert blocks[0].GetCell(4).GetNumberOfPoints() == 9
assert blocks[1].GetNumberOfPoints() > 10 and blocks[1].GetPointData().GetArray("impulse")
print("seen")
PYTHON
    timeout 60 pvpython --force-offscreen-rendering look.py >seen 2>&1 || true
    says seen "seen"
fi

# On a terminal there is a bar, and it is wiped away.
python3 "$PLAIT_SOURCE/test/cli/terminal.py" "$PLAIT" run drop.yaml -o bar --duration 3 >bar.txt # long enough for some updates
for word in "drop [#" "/3.00 s, " "left" "contacts" "residual"; do
    says bar.txt "$word"
done
[ "$(tail -c 4 bar.txt)" = $'\r\033[K' ] || fail "the bar stays"

# The pages tell of every option, and of no other.
for command in run stats; do
    expect 0 "$PLAIT" $command --help
    { cat out; "$PLAIT" help $command; } | grep -oE -- '--[a-z][a-z-]*' | sort -u | grep -vx -- --help >there
    grep -oE -- '--[a-z][a-z-]*' "$PLAIT_SOURCE/docs/commands/$command.md" | sort -u | cmp - there || fail "docs/commands/$command.md"
done

# A full disk is an error, not a success; what was there can be gone on with.
if [ -w /dev/full ]; then
    code=0
    "$PLAIT" run drop.yaml -o full >/dev/full 2>err || code=$?
    [ "$code" = 2 ] || fail "exit code $code with a full disk"
fi
