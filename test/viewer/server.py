# server.py PYTHON: the server of a run on disk (folder `run`, made by view.sh). PYTHON can read HDF5, or is empty.
import glob, json, os, random, re, socket, subprocess, sys, time, urllib.parse
from plait_socket import Server, WebSocket, read_frame

source, plait = os.environ["PLAIT_SOURCE"], os.environ["PLAIT"]
random.seed(6)


def frame_of(server, query):
    status, head, body = server.get("/api/frame?" + query)
    assert status == 200 and "application/octet-stream" in head, (query, status, body)
    return read_frame(body)


def listens_on_loopback_only(port):
    addresses = []
    for path in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in open(path).readlines()[1:] if os.path.exists(path) else []:
            local, state = line.split()[1], line.split()[3]
            if state == "0A" and int(local.split(":")[1], 16) == port:
                addresses.append(local.split(":")[0])
    assert addresses == ["0100007F"], addresses


def port_in_use(server):
    p = subprocess.run([plait, "view", "run", "--port", str(server.port)], capture_output=True, timeout=20)
    assert p.returncode == 2 and p.stdout == b"" and p.stderr.count(b"\n") == 1, p
    assert b"port %d is in use" % server.port in p.stderr, p.stderr


def serves_its_files(server):
    for path in glob.glob(source + "/viewer/*"):
        status, head, body = server.get("/" + os.path.basename(path))
        assert status == 200 and body == open(path, "rb").read(), path
    status, head, body = server.get("/")
    assert status == 200 and body == open(source + "/viewer/index.html", "rb").read()
    assert "text/html" in head and "Content-Security-Policy: default-src 'self'" in head and "nosniff" in head, head
    status, head, body = server.get("/three.min.js")
    assert status == 200 and b"WebGLRenderer" in body and "text/javascript" in head
    # The page fetches nothing from elsewhere.
    for path in glob.glob(source + "/viewer/*.*"):
        for url in re.findall(r"(?:https?|wss?):?//[^\s'\"`]+", open(path).read()):
            assert url.startswith(("http://www.w3.org/2000/svg", "ws://${location.host}")), (path, url)


def answers(server):
    info = json.loads(server.get("/api/info")[2])
    assert info["name"] == "drop" and info["fibres"] == 5 and info["nodes"] == 45 and not info["live"], info
    assert [c["shape"] for c in info["colliders"]] == ["plane", "sphere"], info
    times = json.loads(server.get("/api/times")[2])
    assert times["frames"] == 6 and len(times["times"]) == 6 and abs(times["times"][5] - 0.1) < 1e-12, times
    assert json.loads(server.get("/api/times?from=4")[2])["times"] == times["times"][4:]
    stats = json.loads(server.get("/api/stats")[2])
    rows = [line.split(",") for line in open("run/stats.csv").read().splitlines()]
    for name in ("time", "contacts", "iterations", "residual_rel", "kinetic", "sticking", "creep", "balance", "overlap", "seconds_solve"):
        column = [float(row[rows[0].index(name)] or 0) for row in rows[1:]]
        assert stats[name] == column, name
    body = server.get("/api/rods")[2]
    assert len(body) == 8 + 4 * 6 + 8 * 5
    status, head, body = server.get("/api/frame?index=0", method="HEAD")
    assert status == 200 and body == b""
    for query in ("", "index=6", "index=-1", "index=x", "index=1e1", "index=0&colour=red", "index=0&contacts=2",
                  "index=99999999999999999999", "index=0&colour=" + "a" * 4000):
        assert server.get("/api/frame?" + query)[0] == 404, query
    assert server.get("/api/shape?collider=2")[0] == 404
    assert server.get("/api/times?from=-3")[0] == 404
    assert server.get("/live")[0] == 404  # nothing is simulated


def frames_are_right(server, python):
    if python:
        code = ("import h5py, json; f = h5py.File('run/trajectory.h5', 'r'); "
                "print(json.dumps([[f['frames/%06d/position' % i][:].tolist(), "
                "f['frames/%06d/contacts/impulse' % i][:].tolist()] for i in range(6)]))")
        truth = json.loads(subprocess.run([python, "-c", code], capture_output=True, check=True).stdout)
        first = truth[0][0]
        for i, (position, impulse) in enumerate(truth):
            frame = frame_of(server, "index=%d&contacts=1" % i)
            assert frame.index == i and len(frame.position) == 45
            for k in range(3):
                error = max(abs(a[k] - b[k]) for a, b in zip(frame.position, position))
                assert error <= (frame.hi[k] - frame.lo[k]) / 131070 * 1.01 + 1e-8, (i, k, error)
            assert len(frame.contacts) == len(impulse) == frame.total
            dt = 0.002
            for c, r in zip(frame.contacts, impulse):
                assert all(abs(c[3 + k] - r[k] / dt) <= 1e-5 * max(map(abs, r)) / dt + 1e-12 for k in range(3)), (c, r)
        # stretch and speed against the definition
        length = lambda x, j: sum((x[j + 1][k] - x[j][k]) ** 2 for k in range(3)) ** 0.5
        stretch = frame_of(server, "index=5&colour=stretch").values
        last = truth[5][0]
        expected = [length(last, j) / length(first, j) - 1 for j in range(8)]  # of the first rod
        worst = [max((expected[j] for j in (i - 1, i) if 0 <= j < 8), key=abs) for i in range(9)]
        span = max(map(abs, stretch)) + 1e-12
        assert max(abs(a - b) for a, b in zip(stretch[:9], worst)) < 1e-4 * span + 1e-6, (stretch[:9], worst)
        speed = frame_of(server, "index=5&colour=speed").values
        expected = [sum((a[k] - b[k]) ** 2 for k in range(3)) ** 0.5 / 0.02 for a, b in zip(truth[5][0], truth[4][0])]
        assert max(abs(a - b) for a, b in zip(speed, expected)) < 1e-4 * max(expected), (speed, expected)
        force = frame_of(server, "index=5&colour=force")
        total = sum(force.values)
        contacts = frame_of(server, "index=5&contacts=1").contacts
        assert total > 0 and contacts and all(c[6] in (0, 1, 2) for c in contacts)
    else:
        print("no h5py: frames are not compared", file=sys.stderr)
    ball = [frame_of(server, "index=%d" % i).colliders[1] for i in (0, 5)]
    assert abs(ball[1][2] - ball[0][2] - 0.001) < 1e-6, ball  # 1 cm/s for 0.1 s
    assert frame_of(server, "index=3&contacts=0").contacts == []


def nothing_outside(server):
    secret, page = open("run/scene.yaml", "rb").read(), open(source + "/viewer/index.html", "rb").read()
    targets = ["/etc/passwd", "etc/passwd", "run/scene.yaml", "scene.yaml", "stats.csv", "trajectory.h5", "server.err"]
    ways = ["/", "/../", "/../../../../../../", "/%2e%2e/", "/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f", "/..%2f..%2f..%2f..%2f",
            "/..%5c..%5c", "/..\\..\\", "/%252e%252e/", "/%c0%ae%c0%ae/", "/....//....//", "/./././../", "//", "///../../",
            "/api/../../", "/api/%2e%2e/", "/api/frame/../../../", "/main.js/../../", "/%00/../", "/..;/", "/~/", "/file:///"]
    for way in ways:
        for target in targets:
            for path in {way + target, way + urllib.parse.quote(target, safe=""), way + target + "%00.js"}:
                status, head, body = server.get(path)
                cut = path.startswith("/%00") and body == page  # a path ends at a zero
                assert status in (0, 400, 403, 404) or cut, (path, status)
                assert b"root:" not in body and secret[:20] not in body and b"HDF" not in body, path
    for line in ("GET http://%s/../../etc/passwd HTTP/1.1", "GET file:///etc/passwd HTTP/1.1", "GET ../../etc/passwd HTTP/1.1"):
        answer = server.raw((line % server.host if "%s" in line else line).encode() + b"\r\nHost: %s\r\n\r\n" % server.host.encode())
        assert b"root:" not in answer and not answer.startswith(b"HTTP/1.1 200"), (line, answer[:200])
    server.alive()


def only_ours(server):
    for host in ("evil.example", "evil.example:%d" % server.port, "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:%d" % server.port,
                 "127.0.0.1:%d.evil.example" % server.port, "0.0.0.0:%d" % server.port, "[::1]:%d" % server.port, "@" + server.host):
        status, head, body = server.get("/api/info", host=host)
        assert status in (400, 403) and b"fibres" not in body, (host, status)
    assert server.get("/api/info", host="localhost:%d" % server.port)[0] == 200
    assert server.get("/api/info", host="LocalHost:%d" % server.port)[0] == 200
    answer = server.raw(b"GET /api/info HTTP/1.0\r\n\r\n")
    assert b"fibres" not in answer and b"200" not in answer[:20], answer[:100]
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "MKCOL", "PATCH"):
        status, head, body = server.get("/api/info", method=method)
        assert status in (0, 400, 403, 405), (method, status)
        assert b"fibres" not in body


def garbage(server):
    for n in range(60):
        data = random.randbytes(random.choice((1, 7, 40, 300, 5000)))
        if n % 3 == 1:
            data = b"GET " + data
        elif n % 3 == 2:
            data = b"GET / HTTP/1.1\r\nHost: " + server.host.encode() + b"\r\n" + data
        server.raw(data, timeout=0.3)
    server.raw(b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n")
    server.raw(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n")
    server.raw(b"POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 99999999999999999999\r\n\r\n" % server.host.encode(), timeout=0.3)
    server.raw(b"GET / HTTP/1.1\r\nHost: %s\r\nContent-Length: -5\r\n\r\n" % server.host.encode(), timeout=0.3)
    for _ in range(20):  # closed in the middle
        s = server.connect()
        s.sendall(b"GET /three.min.js HTTP/1.1\r\nHost: %s\r\n\r\n" % server.host.encode())
        if random.random() < 0.5:
            s.recv(1000)
        s.close()
    idle = [server.connect() for _ in range(8)]  # who says nothing
    server.alive()
    for s in idle:
        s.close()


def closed_soon(s, seconds):
    s.settimeout(seconds)
    try:
        while s.recv(65536):
            pass
    except ConnectionError:
        pass


def only_with_the_token(server):
    wrong = ["", "/", "/" + "0" * 32, server.token[:-1], server.token + "0", server.token.upper(), server.token[1:], "/x" + server.token]
    for token in wrong:
        for path in ("/", "/index.html", "/api/info", "/api/frame?index=0", "/main.js"):
            status, head, body = server.get(path, token=token)
            assert status in (400, 403) and b"fibres" not in body and b"<html" not in body, (token, path, status)
    assert server.get("/api/info?token=" + server.token[1:], token="")[0] == 403
    # Who is refused is not kept, even if he wants to stay.
    s = server.connect()
    s.sendall(b"GET /api/info HTTP/1.1\r\nHost: %s\r\nConnection: keep-alive\r\n\r\n" % server.host.encode())
    start = time.time()
    closed_soon(s, 20)
    assert time.time() - start < 10


def locks_nobody_out(server):
    half = b"GET %s/api/info HTTP/1.1\r\nHost: %s\r\n" % (server.token.encode(), server.host.encode())
    crowd = []
    for i in range(300):
        s = server.connect()
        if i % 3:
            s.sendall(half[:random.randrange(1, len(half))])
        crowd.append(s)
    start = time.time()
    server.alive()
    seconds = time.time() - start
    assert seconds < 20, seconds  # it was a minute
    for s in crowd:
        closed_soon(s, 60)
        s.close()
    server.alive()


def grows(server):
    subprocess.run([plait, "run", "--resume", "-o", "run", "-d", "0.2", "-j", "1"], capture_output=True, check=True)
    times = json.loads(server.get("/api/times?from=6")[2])
    assert times["frames"] == 11 and len(times["times"]) == 5, times
    assert abs(frame_of(server, "index=10").time - 0.2) < 1e-12
    assert len(json.loads(server.get("/api/stats")[2])["time"]) == 100


with Server("run") as server:
    listens_on_loopback_only(server.port)
    port_in_use(server)
    serves_its_files(server)
    answers(server)
    frames_are_right(server, sys.argv[1])
    nothing_outside(server)
    only_ours(server)
    only_with_the_token(server)
    garbage(server)
    locks_nobody_out(server)
    grows(server)
    server.alive()
    code, seconds = server.end()
    assert code == 0 and seconds < 100, (code, seconds, open("server.err").read())
with Server("run/trajectory.h5") as server:  # the file itself; its statistics are found beside it
    assert len(json.loads(server.get("/api/stats")[2])["time"]) == 100
