# long_tutorial.sh: docs/tutorial-groom.md as it stands: its files are written, its commands are run. Only those that wait
# for a person (view) or take minutes (films) are left out.
source "$PLAIT_SOURCE/test/cli/lib.bash"

/usr/bin/python3 - "$PLAIT_SOURCE/docs/tutorial-groom.md" >commands <<'PYTHON'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
for block in re.findall(r"^```\w+\n(.*?)^```", text, re.M | re.S):
    name = re.match(r"# (\S+)\n", block)
    if name:
        open(name.group(1), "w").write(block)
text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
for line in re.findall(r"^    ((?:plait|python3) .*)$", text, re.M):
    print(line)
PYTHON
[ "$(wc -l <commands)" -ge 12 ] || fail "commands: $(cat commands)"
export OMP_NUM_THREADS=1
plait() { "$PLAIT" "$@"; }
while read -r line; do
    case $line in *' view '* | *--video*) continue ;; esac
    echo "$line"
    (eval "$line") >out 2>err </dev/null || { cat out err; fail "exit code $? of '$line'"; }
    case $line in *' stats '*) cp out stats ;; *' import '*) cat out err >imported ;; esac
done <commands
says imported "50 strands, 650 points"
says imported "22 cm long on average"
for file in shot.png shot.usda runs/soft/trajectory.h5; do
    [ -s $file ] || fail "there is no $file"
done
# As the page shows it: 50 rods, 500 steps, none over the tolerance.
awk '$1 == "shot" && $2 == 50 && $3 == 500 && $7 == 0 {found = 1} END {exit !found}' stats || { cat stats; fail "the statistics"; }
