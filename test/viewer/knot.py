# knot.py: a rope is tied by hand: the server is told where the hands are, as the page does it.
import json, os
from plait_socket import Server, WebSocket, distance, until

rope = os.environ["PLAIT_SOURCE"] + "/examples/rope.yaml"

def knot():
    """An overhand knot: the end goes over the rope, behind it, and through the loop; pulled, the rope stays short."""
    with Server("--live", rope, "-j", "1") as server:
        ws = WebSocket(server)
        ws.send("speed 1000")
        state, frame = ws.next()
        last = len(frame.position) - 1
        ws.send("grab 0 0 -0.3 0 0")
        ws.send("grab 1 25 -0.11 0 0")
        path = [(0.3, 0, 0), (0.2, 0.15, 0.02), (0, 0.25, 0.03), (-0.12, 0.22, 0.04), (-0.19, 0.1, 0.05), (-0.2, -0.03, 0.05),
                (-0.19, -0.08, 0.03), (-0.17, -0.08, -0.05), (-0.14, 0.02, -0.06), (-0.13, 0.05, -0.05), (-0.13, 0.05, 0.06),
                (-0.1, 0.05, 0.12), (0, 0.03, 0.12), (0.1, 0.02, 0.08)]
        ws.send("grab 2 %d %g %g %g" % (last, *path[0]))
        at, speed = list(path[0]), 0.5
        t = json.loads(state)["time"]
        for number, goal in enumerate(path[1:]):
            if number == 4:
                ws.send("grab 3 40 -0.08 0.08 0")  # the loop stays open
            while distance(at, goal) > 1e-3:
                state, frame = ws.next()
                now = json.loads(state)
                assert not now["message"], now["message"]
                step = min(speed * (now["time"] - t), distance(at, goal))
                t = now["time"]
                at = [a + (g - a) / max(1e-9, distance(at, goal)) * step for a, g in zip(at, goal)]
                ws.send("move 2 %.6g %.6g %.6g" % tuple(at))
        ws.send("drop 1")
        ws.send("drop 3")
        ws.send("move 0 -0.6 0 0")
        ws.send("move 2 0.6 0 0")
        state, frame = until(ws, lambda s, f: s["time"] > t + 2 or s["message"], 600)
        assert not state["message"], state["message"]
        x = frame.position
        ends, length = distance(x[0], x[last]), sum(distance(x[i], x[i + 1]) for i in range(last))
        print("knot: ends %.3f m apart, length %.3f m, %d contacts, %.1f s simulated" % (ends, length, frame.total, state["time"]))
        assert frame.total > 0 and 0.6 < ends / length < 0.95, (ends, length)


knot()
