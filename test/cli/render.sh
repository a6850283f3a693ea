# render.sh: pictures and films are what they are said to be, bad input is told, nothing is left half-written.
source "$PLAIT_SOURCE/test/cli/lib.bash"

cat >three.yaml <<'YAML'
materials:
  cord: {radius: 2 mm, density: 1100 kg/m^3, young: 1 MPa, poisson: 0.4, damping: 10 ms}
  plate:
friction: {default: 0.3}
colliders:
  plate: {material: plate, shape: plane}
fibres:
  cord:
    material: cord
    model: der
    segments: 8
    spaghetti: {count: 3, direction: [1, 0, 0], length: 20 cm, height: 1 cm}
step: {dt: 4 ms}
output: {duration: 0.12 s, fps: 50, contacts: true}
YAML
"$PLAIT" run three.yaml -o runs/three >/dev/null 2>&1
draw=("$PLAIT" render --size 96x64 --samples 2)

# probe FILE ENTRIES: what ffprobe says of its stream
probe() { ffprobe -v error -count_frames -select_streams v -show_entries "stream=$2" -of csv=p=0 "$1"; }
have_ffmpeg() { command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; }

# ---- pictures

expect 0 "${draw[@]}" runs/three/
says out "three.png: frame 6 at 0.120 s, 96 x 64 pixels, 3 strands"
silent err
if have_ffmpeg; then
    [ "$(probe three.png codec_name,width,height,pix_fmt)" = "png,96,64,rgb24" ] || fail "$(probe three.png codec_name)"
fi
expect 2 "${draw[@]}" runs/three
says err "three.png exists already"
expect 0 "${draw[@]}" runs/three/trajectory.h5 --threads 2 -o again.png
cmp three.png again.png || fail "another picture with two threads"
expect 0 "${draw[@]}" runs/three --frame -1 --threads 1 --force
cmp three.png again.png || fail "another picture of the last frame"
expect 0 "${draw[@]}" runs/three --time 0.05 -o t.png
says out "frame 2 at 0.0400 s"
expect 0 "${draw[@]}" runs/three --frame 0 --camera 30,20,1.5 --colour '#3060c0' --width 2 --no-ground -o c.png
cmp -s c.png t.png && fail "another camera and colour, the same picture"
expect 0 "${draw[@]}" runs/three --frames 0:4:2 -o many.png
[ "$(ls many*)" = $'many-0000.png\nmany-0002.png\nmany-0004.png' ] || fail "$(ls many*)"
expect 0 "${draw[@]}" runs/three --style contacts -o contacts.png
grep -Eq '^[0-9]+ contacts: [0-9]+ stick \(blue\), [0-9]+ slide' out || fail "$(cat out)"
expect 0 "${draw[@]}" runs/three --style hair --children 4 -o hair.png
says out "12 strands"

# ---- light, lens, shutter, alpha

if have_ffmpeg; then
    expect 0 "${draw[@]}" runs/three -o three.exr
    [ "$(probe three.exr codec_name,width,height,pix_fmt)" = "exr,96,64,gbrapf32le" ] || fail "$(probe three.exr pix_fmt)"
    # What another program reads is what was drawn: covered and not, and no light where nothing covers.
    ffmpeg -v error -i three.exr -f rawvideo -pix_fmt gbrapf32le three.raw
    python3 - <<'PYTHON' || fail "the alpha of three.exr"
import array
x = array.array("f", open("three.raw", "rb").read())
n = 96 * 64
g, b, r, a = (x[k * n:(k + 1) * n] for k in range(4))
assert len(x) == 4 * n and min(a) == 0 and 0.5 < max(a) <= 1 and 50 < sum(v > 0.5 for v in a) < n / 2
assert all(r[i] == g[i] == b[i] == 0 for i in range(n) if a[i] == 0) and max(r) > 0.01
PYTHON
    expect 0 "${draw[@]}" runs/three --alpha -o alpha.png
    [ "$(probe alpha.png pix_fmt)" = rgba ] || fail "$(probe alpha.png pix_fmt)"
fi
expect 0 "${draw[@]}" runs/three --frames 0:2:2 -o many.exr
[ "$(ls many*.exr)" = $'many-0000.exr\nmany-0002.exr' ] || fail "$(ls many*)"
python3 -c '
import sys
sys.stdout.buffer.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n" + bytes([90, 120, 200, 129]) * 32)' >sky.hdr
expect 0 "${draw[@]}" runs/three --environment sky.hdr --environment-turn 90 -o sky.png
cmp -s sky.png three.png && fail "other light, the same picture"
expect 0 "${draw[@]}" runs/three --frame 2 --aperture 0.05 --focus 0.2 --shutter 0.5 --denoise -o lens.png
expect 0 "${draw[@]}" runs/three --frame 2 --aperture 0.05 --focus 0.2 --shutter 0.5 --denoise --threads 2 -o lens2.png
cmp lens.png lens2.png || fail "another picture with two threads"
head -c 60 sky.hdr >cut.hdr

# ---- strands of a file: two, of two and of three points

python3 - <<'PYTHON'
import struct
points = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (1, 1, 2)]
with open("two.hair", "wb") as f:
    f.write(b"HAIR" + struct.pack("<IIIIfffff", 2, 5, 3, 0, 0.01, 0, 0.5, 0.5, 0.5) + bytes(88))
    f.write(struct.pack("<HH", 1, 2) + b"".join(struct.pack("<fff", *p) for p in points))
PYTHON
expect 0 "${draw[@]}" two.hair --children 1
says out "two.png: frame 0 at 0 s, 96 x 64 pixels, 2 strands"

# ---- films

if have_ffmpeg; then
    expect 0 "${draw[@]}" runs/three --video film.mp4
    says out "film.mp4: 7 frames at 50.0 per second"
    got=$(probe film.mp4 codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames)
    [ "$got" = "h264,96,64,yuv420p,50/1,7" ] || fail "film: $got"
    expect 0 "${draw[@]}" runs/three --video slow.mp4 --frames 1:5:2 --fps 10
    got=$(probe slow.mp4 r_frame_rate,nb_read_frames)
    [ "$got" = "10/1,3" ] || fail "film: $got"
    expect 0 "${draw[@]}" runs/three --video film.gif
    [ "$(probe film.gif codec_name,nb_read_frames)" = gif,7 ] || fail "$(probe film.gif codec_name,nb_read_frames)"
    expect 2 "${draw[@]}" runs/three --video film.mp4
    says err "exists already"
    # An ffmpeg that fails is told, and what it began is gone.
    mkdir bin
    printf '#!/bin/sh\necho "no such encoder" >&2\nfor last; do :; done\n: >"$last"\nexit 1\n' >bin/ffmpeg
    chmod +x bin/ffmpeg
    expect 2 env PATH="$PWD/bin:$PATH" "${draw[@]}" runs/three --video bad.mp4
    says err "bad.mp4: ffmpeg failed: no such encoder"
fi
expect 2 env PATH=/nowhere "${draw[@]}" runs/three --video none.mp4
says err "ffmpeg, which is not on the PATH"
says err "apt install ffmpeg"
says err "name the film .webp"

# WebP films need no other program. What is in one is read here by the layout of its chunks.
expect 0 env PATH=/nowhere "${draw[@]}" runs/three --video film.webp --size 97x63
says out "film.webp: 7 frames at 50.0 per second, 97 x 63 pixels"
expect 0 env PATH=/nowhere "${draw[@]}" runs/three --video slow.webp --frames 1:5:2 --fps 24 --size 97x63
expect 0 env PATH=/nowhere "${draw[@]}" runs/three --video again.webp --frames 1:5:2 --fps 24 --size 97x63 --threads 2
cmp slow.webp again.webp || fail "another film with two threads"
cat >webp.py <<'PYTHON'
import struct, sys
data = open(sys.argv[1], "rb").read()
assert data[:4] == b"RIFF" and data[8:12] == b"WEBP" and struct.unpack("<I", data[4:8])[0] + 8 == len(data)
three = lambda at: int.from_bytes(data[at:at + 3], "little")
at, frames, total, size = 12, 0, 0, None
while at < len(data):
    kind, length = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
    body = at + 8
    if kind == b"VP8X":
        assert data[body] & 2  # an animation
        size = (three(body + 4) + 1, three(body + 7) + 1)
    if kind == b"ANIM":
        assert data[body + 4:body + 6] == b"\0\0"  # for ever
    if kind == b"ANMF":
        frames, total = frames + 1, total + three(body + 12)
        assert 2 * three(body) + three(body + 6) + 1 <= size[0] and 2 * three(body + 3) + three(body + 9) + 1 <= size[1]
    at = body + length + length % 2
assert frames >= 2  # those that look the same may be one
print(*size, total)
PYTHON
[ "$(python3 webp.py film.webp)" = "97 63 140" ] || fail "film.webp: $(python3 webp.py film.webp)"
[ "$(python3 webp.py slow.webp)" = "97 63 125" ] || fail "slow.webp: $(python3 webp.py slow.webp)"
expect 2 env PATH=/nowhere "${draw[@]}" runs/three --video film.webp
says err "exists already"
mkdir locked.webp
expect 2 "${draw[@]}" runs/three --video locked.webp --force
says err "locked.webp"
[ -z "$(ls -d ./*.tmp* 2>/dev/null)" ] || fail "left: $(ls)"

# ---- refusals: exit 2 and one line

refused() { # WORDS ARGUMENTS...
    local words=$1
    shift
    expect 2 "${draw[@]}" "$@" -o refused.png
    says err "$words"
    silent out
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line: $(cat err)"
}
mkdir empty
: >nothing.h5
head -c 140 two.hair >shorter.hair
refused "No such file" there_is_none.h5
refused "expected a trajectory.h5" empty
refused "nothing.h5" nothing.h5
refused "shorter.hair" shorter.hair
refused "expected 0 to 6" runs/three --frame 7
refused "expected 0 to 6" runs/three --frame -8
refused "found '3:9'" runs/three --frames 3:9
refused "expected A:B" runs/three --frames 3
refused "expected A:B" runs/three --frames 1:2:3:4
refused "expected WIDTHxHEIGHT" runs/three --size 100
refused "1 to 16384" runs/three --size 0x100
refused "did you mean 'plain'" runs/three --style plane
refused "did you mean 'brown'" runs/three --colour browm
refused "expected AZIMUTH" runs/three --camera 1
refused "two different points" runs/three --camera 1,2,3:1,2,3
refused "a direction" runs/three --up 0,0,0
refused "only one of" runs/three --frame 1 --time 0.1
refused "samples" runs/three --samples 0
refused "No such file" runs/three --environment none.hdr
refused "cut off" runs/three --environment cut.hdr
refused "no Radiance picture" runs/three --environment three.yaml
refused "--shutter" runs/three --shutter 2
expect 2 "${draw[@]}" runs/three -o no/such/folder/a.png
says err "there is no folder 'no/such/folder'"
expect 2 "${draw[@]}" runs/three --video a.avi
says err "ends in .mp4, .webp or .gif"
expect 2 "${draw[@]}" runs/three --video a.mp4 --size 97x64
says err "even width"
expect 2 "$PLAIT" render
silent out

sed 's/, contacts: true//' three.yaml >bare.yaml
"$PLAIT" run bare.yaml -o runs/bare --set output.duration='0.02 s' >/dev/null 2>&1
refused "output.contacts=true" runs/bare --style contacts

# ---- Ctrl-C: nothing is left

cat >interrupt.py <<'PYTHON'
import os, signal, subprocess, sys, time
def as_in_a_terminal():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
def seconds(pid): # of the processor, with those of its children: who reads files works in one
    try:
        fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
        children = open("/proc/%d/task/%d/children" % (pid, pid)).read().split()
    except OSError:
        return 0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK") + sum(seconds(int(c)) for c in children)
p = subprocess.Popen(sys.argv[1:], stdout=open("out", "wb"), stderr=open("err", "wb"), preexec_fn=as_in_a_terminal)
while p.poll() is None and seconds(p.pid) < 1:
    time.sleep(0.02)
if p.poll() is not None:
    sys.exit("over too soon, with %d: %s" % (p.returncode, open("err").read()))
p.send_signal(signal.SIGINT)
print(p.wait(300))
PYTHON
[ "$(python3 interrupt.py "$PLAIT" render runs/three --samples 4000 -o stopped.png)" = 130 ] || fail "Ctrl-C: $(cat err)"
says err "stopped"
if have_ffmpeg; then
    [ "$(python3 interrupt.py "$PLAIT" render runs/three --samples 4000 --video stopped.mp4)" = 130 ] || fail "$(cat err)"
fi
left=$(find . -name '*stopped*' -o -name '*refused*' -o -name '*.tmp*' -o -name 'bad.mp4*' -o -name 'none.mp4*')
[ -z "$left" ] || fail "left behind: $left"
