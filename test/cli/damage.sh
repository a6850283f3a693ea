# damage.sh: flipped bits and cut files: every command says so or does not need what is damaged; none ends by a signal, and
# no damaged number is taken for a good one. PLAIT_DAMAGE: how many places of each file (long_damage.sh: many).
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

"$PLAIT" run drop.yaml -o good --duration 0.1 --velocities >/dev/null
"$PLAIT" generate fibres --rods 4 --nu 0.5 -o good.hdf5 2>/dev/null
old=$(hdf5_python)
if [ -n "$old" ]; then # the same without checksums, as earlier versions wrote them
    "$old" - <<'PYTHON'
import h5py, os, shutil
def plain(source, target):
    with h5py.File(source) as a, h5py.File(target, "w", libver="earliest") as b:
        def copy(name, x):
            if isinstance(x, h5py.Group):
                b.require_group(name)
            elif x.size is not None and x.nbytes >= 4096:
                b.create_dataset(name, data=x[()], chunks=True, compression=1, shuffle=True)
            else:
                b.create_dataset(name, data=x[()], dtype=x.dtype)
        a.visititems(copy)
shutil.copytree("good", "old")
for name in ("trajectory.h5", "checkpoint.h5"):
    plain("good/" + name, "old/" + name)
plain("good.hdf5", "old.hdf5")
assert open("old/trajectory.h5", "rb").read(9)[8] == 0 and open("good/trajectory.h5", "rb").read(9)[8] >= 2
PYTHON
else
    echo "skip: no Python with h5py; files without checksums are not damaged"
fi

cat >damage.py <<'PYTHON'
import os, random, shutil, subprocess, sys
plait, count = sys.argv[1], int(sys.argv[2])
random.seed(int(sys.argv[3]))
noticed = harmless = 0

def run(*words):
    return subprocess.run([plait, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)

def damage(data):
    data = bytearray(data)
    kind = random.randrange(8)
    if kind == 0:
        return bytes(data[:random.randrange(len(data))]), "cut"
    for _ in range(1 if kind < 5 else random.randrange(2, 20)):
        at = random.randrange(len(data))
        data[at] ^= 1 << random.randrange(8) if kind < 7 else random.randrange(1, 256)
    return bytes(data), "flipped"

# strict: a command must give what it gives for the good file, or say that it cannot.
def trial(file, strict, outcome, *commands):
    global noticed, harmless
    good = open(file, "rb").read()
    right = [outcome(c) for c in commands]
    for k in range(count):
        bad, how = damage(good)
        for c, r in zip(commands, right):
            open(file, "wb").write(bad)
            result, found = outcome(c)
            where = "%s %s (%d): %s: exit code %d: %s" % (file, how, k, c, result.returncode, result.stderr.decode())
            ours = [line.startswith(b"plait: ") for line in result.stderr.splitlines()]
            if result.returncode not in (0, 2) or not all(ours) or (result.returncode == 2 and not ours):
                open("case-damaged", "wb").write(bad)
                sys.exit(where)
            if strict and result.returncode == 0 and found != r[1]:
                open("case-damaged", "wb").write(bad)
                sys.exit("not noticed: " + where)
            noticed += result.returncode == 2
            harmless += result.returncode == 0
    open(file, "wb").write(good)

def prints(words):
    result = run(*words)
    return result, result.stdout

def exports(words):
    shutil.rmtree("export", ignore_errors=True)
    os.mkdir("export")
    result = run(*words)
    made = sorted(os.listdir("export"))
    return result, [(name, open("export/" + name, "rb").read()) for name in made if not name.startswith(".")]

# The folder is copied: resuming changes it. What counts is the state in the end.
def resumes(words):
    shutil.rmtree("resumed", ignore_errors=True)
    shutil.copytree(words[0], "resumed")
    result = run("run", "--resume", "-o", "resumed", "--duration", "0.12")
    return result, open("resumed/trajectory.h5", "rb").read() if result.returncode == 0 else None

for kind in ("good", "old"):
    if not os.path.exists(kind + ".hdf5"):
        continue
    strict = kind == "good"
    trial(kind + ".hdf5", strict, prints, ("info", "--json", kind + ".hdf5"))
    trial(kind + ".hdf5", False, prints, ("solve", kind + ".hdf5"))
    trial(kind + "/trajectory.h5", strict, exports, ("export", kind, "--format", "csv", "-o", "export/x.csv"))
    trial(kind + "/trajectory.h5", strict, exports,
          ("render", kind, "--frame", "2", "--size", "16x16", "--samples", "1", "-o", "export/x.png"))
    trial(kind + "/trajectory.h5", False, prints, ("stats", kind))
    trial(kind + "/trajectory.h5", False, resumes, (kind,))
    trial(kind + "/checkpoint.h5", strict, resumes, (kind,))
print(noticed, "noticed,", harmless, "harmless")
PYTHON
python3 damage.py "$PLAIT" "${PLAIT_DAMAGE:-6}" "${PLAIT_SEED:-1}" || fail "a damaged file"
