# groom.sh: a scene from a groom and a mesh, a draft of it, states at frames, the whole groom in files.
source "$PLAIT_SOURCE/test/cli/lib.bash"

# a square of skin, and 60 strands on it
python3 - <<'PY'
with open("skin.obj", "w") as f:
    for z in (-0.02, 0):
        for x, y in ((0, 0), (0.1, 0), (0.1, 0.06), (0, 0.06)):
            print("v", x, y, z, file=f)
    for q in ("4 3 2 1", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"):
        print("f", q, file=f)
with open("groom.obj", "w") as f:
    for i in range(60):
        for k in range(7):
            print("v", 0.005 + 0.01 * (i % 10), 0.005 + 0.01 * (i // 10), 0.0101 * k + 1e-4, file=f)
    for i in range(60):
        print("l", *range(7 * i + 1, 7 * i + 8), file=f)
PY

expect 2 "$PLAIT" new groom.obj nowhere.obj
says err "nowhere.obj"
[ ! -e scene.yaml ] || fail "a scene was written that cannot be read"
expect 2 "$PLAIT" new groom.obj skin.obj --preset soggy
expect 0 "$PLAIT" new groom.obj skin.obj --preset fur --guides 12 -o shot.yaml
says out "60 strands, about 12 are simulated; it grows on 10 cm x "
expect 2 "$PLAIT" new groom.obj skin.obj -o shot.yaml
expect 1 "$PLAIT" check shot.yaml # warnings: stiffer to hold its shape
# Names with quotes, a device that a file would take the place of, a disk that is full: the scene of before stays.
cp groom.obj "Ann's \"old\" groom.obj"
expect 0 "$PLAIT" new "Ann's \"old\" groom.obj" skin.obj -o named.yaml
expect 1 "$PLAIT" check named.yaml --no-probe # it can be read
ln -s /dev/full device.yaml
expect 2 "$PLAIT" new groom.obj skin.obj -f -o device.yaml
says err "device.yaml is a device or pipe"
cp shot.yaml before.yaml
(trap '' XFSZ; ulimit -f 1; expect 2 "$PLAIT" new groom.obj skin.obj -f -o before.yaml)
cmp -s shot.yaml before.yaml || fail "half a scene was written"

# a run with a state at every frame; its lines for a farm; from frame 2 on, softer
expect 0 "$PLAIT" run shot.yaml -o run --duration 0.125 --states 1 --farm
[ "$(grep -cE '^plait frame [0-9]+/3 [0-9]+% [0-9.]+ s/frame [0-9]+ s left$' out)" = 3 ] || fail "lines for a farm: $(cat out)"
expect 2 "$PLAIT" run --from run:77 -o soft
says err "kept no state at frame 77"
expect 2 "$PLAIT" run --from run -o soft
expect 2 "$PLAIT" run --from run:2 -o run/../run -f
says err "is the run that it begins with"
expect 0 "$PLAIT" run --from run:2 --set materials.hair.young=1GPa -o soft
says out "1 frame"
cp -r soft kept
expect 2 "$PLAIT" run --from run:2 --set fibres.groom.segments=3 -o soft -f
says err "run:2: its state does not fit the scene"
diff -r soft kept >/dev/null || fail "a run was deleted for one that could not begin"
# the same from a state as without: nothing was changed
expect 0 "$PLAIT" run --from run:2 -o same
"$PLAIT" export run --guides --frames 3 -o a.csv >/dev/null
"$PLAIT" export same --guides --frames 0 -o b.csv >/dev/null
diff <(cut -d, -f2- a.csv) <(cut -d, -f2- b.csv) >/dev/null || fail "from a state the run differs"
expect 0 "$PLAIT" run shot.yaml -o draft --duration 0.125 --draft
grep -q 'scheme: adonis' draft/scene.yaml || fail "--draft did not change the scheme"
expect 0 "$PLAIT" run shot.yaml -o draft -f --duration 0.125 --draft --set step.scheme=linear
grep -q 'scheme: linear' draft/scene.yaml || fail "--set does not come before --draft"

# all 60 strands, guides, and 200 strands
expect 0 "$PLAIT" export run --frames 3 -o all.obj
[ "$(grep -c '^l ' all.obj)" = $((60 * 6)) ] || fail "all.obj has $(grep -c '^l ' all.obj) pieces"
expect 0 "$PLAIT" export run --frames 3 --strands 200 -o more.obj
[ "$(grep -c '^l ' more.obj)" = $((200 * 6)) ] || fail "more.obj has $(grep -c '^l ' more.obj) pieces"
expect 0 "$PLAIT" export run --frames 3 --guides -o guides.obj
[ "$(grep -c '^l ' guides.obj)" = $((12 * 12)) ] || fail "guides.obj has $(grep -c '^l ' guides.obj) pieces"
expect 2 "$PLAIT" export run --guides --strands 7 -o none.obj
expect 2 "$PLAIT" export run --strands few -o none.obj
expect 2 "$PLAIT" export run --set fibres.groom.carry.frizz=1kg -o none.obj
expect 2 "$PLAIT" export run --set step.dt=1ms -o none.obj
says err "only 'carry' of its fibres can be changed here"
expect 0 "$PLAIT" render run -o picture.png --size 64x64 --samples 1
says out "60 strands"

# it comes to rest before the start: frame 0 is not the drawn pose
expect 0 "$PLAIT" run shot.yaml -o rest --duration 0 --set step.settle=0.05s --set fibres.groom.start=drawn
says err "settled for 0.0500 s"
