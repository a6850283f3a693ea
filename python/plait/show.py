"""A run in a notebook: the page of `plait view` with everything that it would ask its server for, in one piece of HTML."""
from __future__ import annotations

import base64
import html
import json
import os
import re
import shutil
import subprocess
import urllib.request
from typing import TYPE_CHECKING, Any

from . import _library
from ._arrays import whole
from .errors import FileError

if TYPE_CHECKING:
    from .run import Run

_MOST = 48 << 20  # bytes of frames in a page
_COLOURS = ("rod", "stretch", "speed", "force")

# In the place of the server: answers from what the page holds. Frames of colours that were left out are those of rods.
_ANSWERS = """
const held = JSON.parse(document.getElementById('plait-held').textContent);
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
history.replaceState = () => {}; // a page inside of a page has no address of its own
window.fetch = async (path) => {
  path = String(path);
  const from = /^api\\/times\\?from=(\\d+)$/.exec(path);
  if (from) return new Response(JSON.stringify({ ...held.times, times: held.times.times.slice(+from[1]) }));
  const frame = /^api\\/frame\\?index=(\\d+)&colour=(\\w+)&contacts=(\\d)$/.exec(path);
  if (frame) {
    const [, index, colour, contacts] = frame;
    const of = held.frames[`${colour}${contacts}`] || held.frames[`${colour}1`] || held.frames.rod1 || held.frames.rod0;
    return new Response(bytesOf(of[index]));
  }
  if (path in held.other) return new Response(bytesOf(held.other[path]));
  return new Response(`not in this page: ${path}`, { status: 404 });
};
"""


class Page:
    """A page that stands alone: shown by a notebook, or written with `save`."""

    def __init__(self, text: str, height: int) -> None:
        self.text, self.height = text, height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as one file for a browser."""
        temporary = f"{os.fspath(path)}.tmp"
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(self.text)
        os.replace(temporary, path)

    def _repr_html_(self) -> str:
        return (f'<iframe style="width: 100%; height: {self.height}px; border: 0" sandbox="allow-scripts" '
                f'srcdoc="{html.escape(self.text)}"></iframe>')

    def __repr__(self) -> str:
        return f"<Page of {len(self.text) >> 10} KiB>"


def program() -> str:
    """Where the program `plait` is: PLAIT_PROGRAM, beside this package, with the library, or on the PATH."""
    said = os.environ.get("PLAIT_PROGRAM")
    library = os.path.realpath(_library.PATH)
    places = [said] if said else [os.path.join(os.path.dirname(os.path.abspath(__file__)), "plait-program"),
                                  os.path.join(os.path.dirname(library), "plait")]
    folder = os.path.dirname(library)
    for _ in range(3):
        folder = os.path.dirname(folder)
        places.append(os.path.join(folder, "bin", "plait"))
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    found = shutil.which("plait")
    if not found:
        raise FileError("the program 'plait' was not found, which has the viewer; PLAIT_PROGRAM says where it is")
    return found


class _Server:
    """`plait view` on a free port of this machine, as long as the page is collected."""

    def __init__(self, run: Run) -> None:
        path = run.path if os.path.isdir(run.path) else os.path.abspath(run.path)
        clean = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        self.child = subprocess.Popen([program(), "view", path, "--port", "0"], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, env=clean)
        assert self.child.stdout is not None and self.child.stderr is not None
        self.url = self.child.stdout.readline().strip()
        if not self.url.startswith("http://127.0.0.1:"):
            words = self.child.stderr.read().strip()
            self.close()
            raise FileError(f"plait view does not start: {words or self.url}")
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def get(self, path: str) -> bytes:
        with self._open(self.url + path, timeout=60) as answer:
            return answer.read()

    def close(self) -> None:
        self.child.terminate()
        self.child.wait()
        for pipe in (self.child.stdout, self.child.stderr):
            if pipe is not None:
                pipe.close()


def _collect(server: _Server, most: int) -> dict[str, Any]:
    """Everything that the page asks for. Of a long run every k-th frame, so that at most `most` are there."""
    info = json.loads(server.get("api/info"))
    times = json.loads(server.get("api/times?from=0"))
    other = {path: server.get(path) for path in ("api/info", "api/rods", "api/stats")}
    for kind in ("collider", "rigid", "soft"):
        for i, body in enumerate(info.get(kind + "s", [])):
            if body.get("shape") not in ("none", "plane"):
                other[f"api/shape?{kind}={i}"] = server.get(f"api/shape?{kind}={i}")
    every = max(1, -(-len(times["times"]) // most))
    chosen = list(range(0, len(times["times"]), every))
    first = len(server.get("api/frame?index=0&colour=rod&contacts=1")) if chosen else 0
    while len(chosen) > 2 and first * len(chosen) > _MOST:
        chosen = chosen[::2]
    colours = _COLOURS if first * len(chosen) * len(_COLOURS) <= _MOST else _COLOURS[:1]
    frames = {colour + "1": [server.get(f"api/frame?index={i}&colour={colour}&contacts=1") for i in chosen]
              for colour in colours}
    key = next((k for k in times if k != "times" and isinstance(times[k], int)), None)
    if key:
        times[key] = len(chosen)
    times["times"] = [times["times"][i] for i in chosen]

    def text(data: bytes) -> str:
        return base64.b64encode(data).decode()

    return {"times": times, "other": {path: text(data) for path, data in other.items()},
            "frames": {name: [text(f) for f in list_] for name, list_ in frames.items()}}


def _plain_script(server: _Server, main: str) -> str:
    """A module and all that it imports as one plain script: what stands in a page inside of a page always runs."""
    parts: list[str] = []
    seen: set[str] = set()

    def imported(match: re.Match[str]) -> str:
        names = re.sub(r"\s+as\s+", ": ", match[1])
        return f"const {{{names}}} = parts[{json.dumps(match[2])}];"

    def add(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        source = server.get(name).decode()
        for inner in re.findall(r"""^import .*?from ['"]\./([\w.-]+)['"];""", source, re.M | re.S):
            add(inner)
        source = re.sub(r"""^import \{(.*?)\} from ['"]\./([\w.-]+)['"];""", imported, source, flags=re.M | re.S)
        shown = re.findall(r"^export (?:async )?(?:const|let|class|function\*?) (\w+)", source, re.M)
        source = re.sub(r"^export ", "", source, flags=re.M)
        parts.append(f"parts[{json.dumps(name)}] = (() => {{\n{source}\nreturn {{ {', '.join(shown)} }};\n}})();")

    add(main)
    return "(() => {\n'use strict';\nconst parts = {};\n" + "\n".join(parts) + "\n})();"


def _page(server: _Server, held: dict[str, Any]) -> str:
    """The page with its style, scripts and data inside."""
    text = server.get("").decode()

    def inside(source: str) -> str:
        return "<script>" + source.replace("</script", "<\\/script") + "</script>"

    def style(match: re.Match[str]) -> str:
        return "<style>" + server.get(match[1]).decode() + "</style>"

    def script(match: re.Match[str]) -> str:
        if 'type="module"' not in match[0]:
            return inside(server.get(match[1]).decode())
        data = json.dumps(held).replace("</", "<\\/")
        return (f'<script type="application/json" id="plait-held">{data}</script>\n'
                f"{inside(_ANSWERS)}\n{inside(_plain_script(server, match[1]))}")

    text = re.sub(r'<link rel="icon"[^>]*>\n?', "", text)
    text = re.sub(r'<link rel="stylesheet" href="([^"]+)">', style, text)
    return re.sub(r'<script[^>]* src="([^"]+)"[^>]*></script>', script, text)


def show_run(run: Run, height: int = 480, frames: int = 200) -> Page:
    """The run as a page that stands alone."""
    height, frames = whole(height, "height", 100, 10000), whole(frames, "frames", 1, 10**6)
    server = _Server(run)
    try:
        return Page(_page(server, _collect(server, frames)), height)
    finally:
        server.close()
