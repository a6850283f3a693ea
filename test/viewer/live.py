# live.py: `plait view --live`: the protocol, hands that pull, several who watch, those who mean no good, steps that fail.
import json, random, socket, time
from plait_socket import Server, WebSocket, distance, until

random.seed(11)


# ---- orders --------------------------------------------------------------------------------------------------------

def orders(server):
    ws = WebSocket(server)
    assert ws.status == 101
    state, frame = until(ws, lambda s, f: s["step"] > 20)
    assert not state["paused"] and state["contacts"] == frame.total and frame.colour == 0 and frame.contacts == []
    ws.send("pause")
    until(ws, lambda s, f: s["paused"])
    ws.send("reset")
    state, start = until(ws, lambda s, f: s["step"] == 0)
    assert state["time"] == 0 and state["paused"]
    ws.send("step")
    state, one = until(ws, lambda s, f: s["step"] == 1)
    assert abs(state["time"] - 0.002) < 1e-12 and state["paused"]
    ws.send("colour speed")
    state, frame = until(ws, lambda s, f: f.colour == 2)
    assert abs(max(frame.values) - 9.81 * 0.002) < 1e-3, max(frame.values)  # one step of falling
    ws.send("contacts 1")
    ws.send("play")
    until(ws, lambda s, f: f.total > 0 and len(f.contacts) == f.total)
    ws.send("speed 0.05")
    until(ws, lambda s, f: s["speed"] == 0.05)
    time.sleep(1.2)
    state, frame = until(ws, lambda s, f: 0 < s["rate"] < 0.06)
    ws.send("speed 1000")
    ws.send("reset")
    until(ws, lambda s, f: s["step"] < 100)
    ws.close()


def tunes(server):
    """What a page changes is what happens: the first step of falling tells gravity, and all pages are told."""
    ws, other = WebSocket(server), WebSocket(server)
    ws.send("colour speed")
    for factor in (0, 2, -1, 1):
        ws.send("pause")
        ws.send("reset")
        ws.send("tune gravity %g" % factor)
        until(ws, lambda s, f: s["step"] == 0 and s["gravity"] == factor)
        ws.send("step")
        state, one = until(ws, lambda s, f: s["step"] == 1 and f.colour == 2)
        assert abs(max(one.values) - abs(factor) * 9.81 * 0.002) < 1e-3, (factor, max(one.values))
    until(other, lambda s, f: s["gravity"] == 1)
    # It goes on from where it is: time, steps and places stay.
    ws.send("speed 1000")
    ws.send("play")
    until(ws, lambda s, f: s["time"] > 0.1)
    ws.send("pause")
    state, before = until(ws, lambda s, f: s["paused"])
    ws.send("tune friction 0.25")
    ws.send("tune stiffness 3")
    ws.send("tune damping 2")
    ws.send("tune wind 4")
    now, after = until(ws, lambda s, f: s["wind"] == 4)
    assert now["step"] >= state["step"] and not now["message"], now
    assert (now["friction"], now["stiffness"], now["damping"]) == (0.25, 3, 2)
    ws.send("step")
    now, after = until(ws, lambda s, f: s["step"] > state["step"])
    assert max(distance(a, b) for a, b in zip(before.position, after.position)) < 0.01
    for what, value in (("friction", 1), ("stiffness", 1), ("damping", 1), ("wind", 0)):
        ws.send("tune %s %g" % (what, value))
    until(ws, lambda s, f: s["wind"] == 0 and s["gravity"] == 1)
    ws.close()
    other.close()


def pulls(server):
    """A hand lifts the end of a rod to its target, and holds it there; let go, it falls."""
    ws = WebSocket(server)
    ws.send("pause")
    ws.send("reset")
    ws.send("speed 1000")
    until(ws, lambda s, f: s["paused"] and s["step"] == 0)
    ws.send("play")
    state, before = until(ws, lambda s, f: s["time"] > 0.1)
    target = [before.position[8][0], before.position[8][1], 0.04]
    ws.send("grab 0 8 %.9g %.9g %.9g" % tuple(target))
    # A fast machine does many steps before it hears of the hand: what counts is that it gets there.
    end = state["time"] + 100
    state, held = until(ws, lambda s, f: distance(f.position[8], target) < 0.004 or s["time"] > end)
    assert distance(held.position[8], target) < 0.004, (held.position[8], target)
    assert before.position[8][2] < 0.02
    target[0] += 0.02
    ws.send("move 0 %.9g %.9g %.9g" % tuple(target))
    state, moved = until(ws, lambda s, f: distance(f.position[8], target) < 0.004 or s["time"] > end)
    assert distance(moved.position[8], target) < 0.004, (moved.position[8], target)
    other = WebSocket(server)  # hands belong to those who put them there
    other.send("drop 0")
    state, still = until(ws, lambda s, f: s["time"] > state["time"] + 0.2)
    assert distance(still.position[8], target) < 0.004
    other.close()
    ws.send("drop 0")
    state, fallen = until(ws, lambda s, f: f.position[8][2] < 0.03 or s["time"] > end)
    assert fallen.position[8][2] < 0.03, fallen.position[8]
    ws.send("reset")  # lets all go, but not the hand that comes after it
    ws.send("grab 7 8 %.9g %.9g %.9g" % tuple(target))
    state, again = until(ws, lambda s, f: distance(f.position[8], target) < 0.004 or s["time"] > end)
    assert distance(again.position[8], target) < 0.004, (again.position[8], target)
    ws.close()  # and go with them
    ws = WebSocket(server)
    state, now = until(ws, lambda s, f: True)
    state, fallen = until(ws, lambda s, f: f.position[8][2] < 0.03 or s["time"] > end)
    assert fallen.position[8][2] < 0.03, fallen.position[8]
    ws.close()


# ---- those who mean no good ------------------------------------------------------------------------------------------

def strangers(server):
    for origin in (None, "http://evil.example", "null", "https://%s", "http://127.0.0.1:1", "http://%s.evil.example", "http://evil.example/%s"):
        ws = WebSocket(server, origin=origin)
        assert ws.status == 403, (origin, ws.status)
        ws.close()
    for token in ("", "/" + "0" * 32, server.token + "0", server.token[:-1]):
        ws = WebSocket(server, token=token)
        assert ws.status == 403, (token, ws.status)
        ws.close()
    ws = WebSocket(server, host="evil.example:%d" % server.port)
    assert ws.status == 403
    ws.close()
    assert server.get("/live")[0] == 426
    ws = WebSocket(server, origin="http://localhost:%d" % server.port)
    assert ws.status == 101
    ws.next()
    ws.close()


def closes(server, act):
    """The server ends a connection on which this is done, and lives on."""
    ws = WebSocket(server)
    try:
        act(ws)
        ws.socket.settimeout(60)
        while True:
            code, data = ws.receive()
            if code == 8:
                break
    except OSError as error:
        assert not isinstance(error, socket.timeout), "the connection stays open"
    ws.close()


def nonsense(server):
    for text in ("", " ", "fly", "play now", "grab", "grab 0", "grab 0 1 2 3", "grab 0 1 2 3 x", "grab 0 1 nan 0 0", "grab 0 1 inf 0 0",
                 "grab 8 1 0 0 0", "grab -1 1 0 0 0", "grab 0 45 0 0 0", "grab 0 -1 0 0 0", "grab 0.5 1 0 0 0", "grab 0 1 0 0 0 0",
                 "move 99 0 0 0", "drop x", "speed 0", "speed -1", "speed 1e9", "colour", "colour red", "tune", "tune gravity", "tune gravity x", "tune gravity 11", "tune stiffness 0", "tune colour 1",
                 "tune gravity nan", "contacts 2", "next next",
                 "grab 0 1 1e400 0 0", "play\0", "a" * 256, "speed " + "1" * 200, "{\"play\": true}"):
        closes(server, lambda ws: ws.send(text))
    closes(server, lambda ws: ws.send("a" * 300))
    closes(server, lambda ws: ws.send(b"\xff" * 70000))
    closes(server, lambda ws: ws.send("play", code=2))           # binary
    closes(server, lambda ws: ws.send("pl", bits=0))             # a part of a message
    closes(server, lambda ws: ws.send("play", bits=0xf0))        # reserved bits
    closes(server, lambda ws: ws.send(b"", code=8))
    server.alive()


def fuzz(server):
    for n in range(60):
        ws = WebSocket(server)
        try:
            for _ in range(random.randrange(1, 6)):
                what = random.randrange(4)
                if what == 0:
                    ws.socket.sendall(random.randbytes(random.randrange(1, 200)))
                elif what == 1:  # a long message that never comes
                    ws.frame(b"x" * 10, code=random.randrange(16), length=random.choice((126, 65535, 1 << 20, 1 << 40, (1 << 63) - 1, (1 << 64) - 1)))
                elif what == 2:
                    ws.frame(random.randbytes(random.randrange(0, 300)), code=random.randrange(16), bits=random.randrange(16) << 4,
                             mask=random.random() < 0.8)
                else:
                    ws.send(random.choice(("next", "play", "grab 1 3 0 0 0", "move 1 9 9 9", "drop 1", "colour force", "contacts 1")))
        except OSError:
            pass
        ws.close()
    server.alive()


def crowd(server):
    """Several watch; one of them never reads; too many are told so; those who leave make room."""
    deadline = time.time() + 300
    all_ = []
    while len(all_) < 8 and time.time() < deadline:  # those of before may be leaving still
        ws = WebSocket(server)
        code, data = ws.receive()
        if b"too many" in data:
            ws.close()
            time.sleep(0.1)
        else:
            all_.append(ws)
    assert len(all_) == 8
    extra = WebSocket(server)
    code, data = extra.receive()
    assert code == 1 and json.loads(data)["closed"] and "too many" in json.loads(data)["message"], data
    extra.socket.settimeout(60)
    while extra.socket.recv(4096):  # closed, though nothing was said
        pass
    extra.close()
    for ws in all_[1:]:
        for _ in range(3):
            ws.next()
    for ws in all_:
        ws.close()
    server.alive()


# ---- a step that fails -----------------------------------------------------------------------------------------------

def failure():
    with Server("--live", "drop.yaml", "--set", "step.max_stretch=1e-9", "-j", "1") as server:
        ws = WebSocket(server)
        state, frame = until(ws, lambda s, f: s["message"] != "")
        assert state["paused"] and "failed" in state["message"], state
        ws.send("play")
        state, frame = until(ws, lambda s, f: s["message"] != "")
        assert state["paused"]
        server.alive()
        code, seconds = server.end()  # while somebody watches
        assert code == 0 and seconds < 100, (code, seconds)


with Server("--live", "drop.yaml", "-j", "1") as server:
    orders(server)
    tunes(server)
    pulls(server)
    strangers(server)
    nonsense(server)
    fuzz(server)
    crowd(server)
    code, seconds = server.end()
    assert code == 0 and seconds < 100, (code, seconds, open("server.err").read())
failure()
