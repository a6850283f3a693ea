# plait_socket.py: HTTP and WebSocket by hand, with nothing but sockets, so that anything can be sent; and the layout of frames
# as docs/commands/view.md has it, read without any of the viewer's code.
import base64, json, os, re, signal, socket, struct, subprocess, time
from types import SimpleNamespace


class Server:
    """plait view WORDS, as a context; `host` is "127.0.0.1:PORT", `token` what all paths begin with: "/TOKEN"."""

    def __init__(self, *words):
        def as_in_a_terminal():
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.process = subprocess.Popen([os.environ["PLAIT"], "view", "--port", "0", *words], stdout=subprocess.PIPE,
                                        stderr=open("server.err", "wb"), preexec_fn=as_in_a_terminal)
        line = self.process.stdout.readline().decode()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32})/\n", line)
        assert match, (line, open("server.err").read())
        self.port = int(match.group(1))
        self.host, self.token = "127.0.0.1:%d" % self.port, match.group(2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def alive(self):
        assert self.process.poll() is None, "the server is gone: %s %s" % (self.process.returncode, open("server.err").read())
        status, _, body = self.get("/api/info")
        assert status == 200 and b'"fibres"' in body, (status, body)

    def end(self):
        """Ctrl-C; returns the exit code and the seconds it took."""
        start = time.time()
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(300), time.time() - start

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def raw(self, data, timeout=10):
        """Sends bytes, returns all that comes back until the other side closes or nothing comes any more."""
        with self.connect(timeout) as s:
            answer = b""
            try:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                while True:
                    part = s.recv(65536)
                    if not part:
                        break
                    answer += part
            except OSError:
                pass
            return answer

    def get(self, path, method="GET", host=None, headers="", token=None):
        answer = self.raw(("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n" %
                           (method, (self.token if token is None else token) + path, host or self.host, headers)).encode("latin-1"))
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head.startswith(b"HTTP/1.") else 0
        return status, head.decode("latin-1"), body


class WebSocket:
    def __init__(self, server, origin="http://%s", host=None, path="/live", hello=True, token=None):
        self.socket = server.connect()
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        origin = "Origin: %s\r\n" % (origin.replace("%s", server.host)) if origin else ""
        self.socket.sendall(("GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n%s"
                             "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n" %
                             ((server.token if token is None else token) + path, host or server.host, origin, key)).encode())
        while b"\r\n\r\n" not in self.buffer:
            part = self.socket.recv(4096)
            if not part:
                break
            self.buffer += part
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])

    def close(self):
        self.socket.close()

    def frame(self, payload, code=1, bits=0x80, mask=True, length=None):
        if isinstance(payload, str):
            payload = payload.encode()
        n = len(payload) if length is None else length
        head = bytes([bits | code]) + (bytes([n | 0x80 * mask]) if n < 126 else
                                       bytes([126 | 0x80 * mask]) + struct.pack(">H", n) if n < 65536 else
                                       bytes([127 | 0x80 * mask]) + struct.pack(">Q", n))
        key = os.urandom(4)
        body = bytes(b ^ key[i % 4] for i, b in enumerate(payload)) if mask else payload
        self.socket.sendall(head + (key if mask else b"") + body)

    send = frame

    def take(self, n):
        while len(self.buffer) < n:
            part = self.socket.recv(1 << 20)
            if not part:
                raise ConnectionError("closed")
            self.buffer += part
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def receive(self):
        """(code, payload) of the next frame."""
        a, b = self.take(2)
        n = b & 127
        if n == 126:
            n, = struct.unpack(">H", self.take(2))
        elif n == 127:
            n, = struct.unpack(">Q", self.take(8))
        return a & 15, self.take(n)

    def next(self):
        """The state (bytes of JSON) and the frame that come next; asks for another one."""
        state = None
        while True:
            code, data = self.receive()
            if code == 1:
                state = data
            elif code == 2:
                self.send("next")
                return state, read_frame(data)
            elif code == 8:
                raise ConnectionError("closed in order")


def read_frame(data):
    magic, index, nodes, contacts, time_, step = struct.unpack_from("<4sIIIdd", data)
    assert magic == b"PVF1"
    lo, hi = struct.unpack_from("<3f", data, 32), struct.unpack_from("<3f", data, 44)
    value = struct.unpack_from("<2f", data, 56)
    colour, colliders, rigids, total = struct.unpack_from("<4I", data, 64)
    q = struct.unpack_from("<%dH" % (4 * nodes), data, 80)
    at = 80 + 8 * nodes
    position = [[lo[k] + (hi[k] - lo[k]) * q[4 * i + k] / 65535 for k in range(3)] for i in range(nodes)]
    values = [value[0] + (value[1] - value[0]) * q[4 * i + 3] / 65535 for i in range(nodes)]
    poses = [struct.unpack_from("<7f", data, at + 28 * i) for i in range(colliders + rigids)]
    at += 28 * (colliders + rigids)
    contact = [struct.unpack_from("<11f", data, at + 44 * i) for i in range(contacts)]
    rest = len(data) - at - 44 * contacts
    assert rest >= 0 and rest % 12 == 0, rest
    return SimpleNamespace(index=index, time=time_, step=step, lo=lo, hi=hi, colour=colour, contacts=contact, total=total,
                           position=position, values=values, colliders=poses[:colliders], rigids=poses[colliders:])


def until(ws, what, seconds=300):
    """Frames until what(state, frame) holds; those are returned."""
    end = time.time() + seconds
    while time.time() < end:
        state, frame = ws.next()
        state = json.loads(state)
        if what(state, frame):
            return state, frame
    raise AssertionError("nothing came: %s" % state)


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5
