# long_kills.sh: kill -9 at any moment, again and again, also while a run starts, resumes or writes: 100 such runs give the bytes
# of one that was left alone. What shapes the run is said only when it begins. PLAIT_KILLS: how many; PLAIT_SEED: the first seed.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export OMP_NUM_THREADS=1

cat >killer.py <<'PYTHON'
# killer.py FOLDER SEED PLAIT: runs and resumes until it is finished, killing it on the way.
import os, random, subprocess, sys, time
folder, seed, plait = sys.argv[1], int(sys.argv[2]), sys.argv[3]
random.seed(seed)
kills = 0
while True:
    words = [plait, "run"]
    if os.path.exists(folder + "/scene.yaml") or os.path.exists(folder + "/checkpoint.h5"):
        words += ["--resume", "-o", folder]
    else:
        words += ["drop.yaml", "-o", folder, "--velocities", "--doubles", "--dump-problems", "30", "--duration", "0.4",
                  "--set", "output.checkpoint=0.02"] + (["--resume"] if os.path.exists(folder) and os.listdir(folder) else [])
    p = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if kills < 8:
        time.sleep(random.random() ** 2 * 0.12)
        if p.poll() is None:
            p.kill()
            kills += 1
    message = p.communicate()[1].decode()
    if p.returncode == 0:
        break
    if p.returncode != -9:
        sys.exit("seed %d, after %d kills: %d: %s" % (seed, kills, p.returncode, message))
print(kills)
PYTHON
expect 0 "$PLAIT" run drop.yaml -o calm --velocities --doubles --dump-problems 30 --duration 0.4 --set output.checkpoint=0.02
total=0
first=${PLAIT_SEED:-1}
for ((seed = first; seed < first + ${PLAIT_KILLS:-100}; seed++)); do
    kills=$(python3 killer.py killed "$seed" "$PLAIT") || fail "kill -9 with seed $seed"
    total=$((total + kills))
    same_run calm killed
    diff -r calm/problems killed/problems || fail "problems with seed $seed"
    [ ! -e killed/trajectory.h5.undo ] || fail "a journal stays"
    rm -rf killed
done
echo "$((seed - first)) runs, $total kills"
