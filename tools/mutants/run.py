#!/usr/bin/env python3
"""run.py: plants one-line mistakes in src/ and looks whether a test notices.

    tools/mutants/run.py [--count N] [--seed S] [--file PATTERN]... [--list] [--again] [--json FILE] [--tree FOLDER]

The checkout is only read. In FOLDER there is a copy of it, built twice: once instrumented, to learn which tests
execute which line, and once as it is, to plant. A mistake is drawn (N of them, evenly over the lines of src/
that could be wrong), its file compiled, and the tests that execute its line are linked and run, the quickest first,
until one fails: the mistake is `killed`. A crash and a hang kill too: a test may take twenty times the processor seconds that
it took, and then some. A mistake that the compiler refuses or warns of, or that compiles to the same code, is none:
another one is drawn. What no test executes is `uncovered`, what all of them pass has `survived`.

Answers are kept in FOLDER, so that a run that was stopped goes on where it was; --again runs survivors once more. Tests
that look at the clock are left out. Ends with 0 if 90 % are killed.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True  # the checkout is only read
import plant

SOURCE = Path(__file__).resolve().parents[2]
LEFT_OUT = "cli_(bench|signals|view.*|validate|checkout|mutants)|check_self"
PRINTING = ["src/scene/schema_print.c", "src/scene/yaml_message.c"]  # text for people, and nothing else
HOOK = b"\nif(COVERED)\n    include(${COVERED})\nendif()\n"  # of CMakeLists.txt in the copy
WANTED = 0.9


def options():
    p = argparse.ArgumentParser(description="Plants one-line mistakes in src/ and looks whether a test notices.")
    p.add_argument("--count", type=int, default=120, help="mistakes (default 120)")
    p.add_argument("--seed", type=int, default=1, help="of the draw (default 1)")
    p.add_argument("--file", action="append", default=[], help="draw from these files only, e.g. 'src/sim/*'")
    p.add_argument("--list", action="store_true", help="say what would be planted, and end")
    p.add_argument("--quick", action="store_true",
                   help="no instrumented build: the tests that watch a file are those of tools/mutants/watch.json")
    p.add_argument("--part", default="1/1", help="K/N: every N-th mistake, from the K-th on (default 1/1: all)")
    p.add_argument("--again", action="store_true", help="run those that survived once more")
    p.add_argument("--json", help="write the answers to this file too")
    p.add_argument("--patience", type=float, default=300,
                   help="processor seconds of tests that one mistake is worth (default 300: mostly all of them)")
    p.add_argument("--slowest", type=float, default=600,
                   help="tests that take longer than so many processor seconds are left out (default 600)")
    p.add_argument("--jobs", type=int, default=1, help="processes of the compiler (default 1)")
    p.add_argument("--tree", help="working folder (default: plait-mutants-USER in the folder for temporary files)")
    return p.parse_args()


# ---- the draw --------------------------------------------------------------------------------------------------------


def draw(o, root):
    """All lines in an order drawn at random, with one of the mistakes that can be made in each."""
    lines = {}
    for path in sorted(root.glob("src/**/*.c")):
        file = str(path.relative_to(root))
        if file in PRINTING or (o.file and not any(fnmatch.fnmatch(file, f) for f in o.file)):
            continue
        for m in plant.mistakes(file, path.read_text()):
            lines.setdefault((m.file, m.line), []).append(m)
    places = sorted(lines)
    rng = random.Random(o.seed)
    rng.shuffle(places)
    return [rng.choice(lines[place]) for place in places]


# ---- the tree --------------------------------------------------------------------------------------------------------


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def need(command, **more):
    done = run(command, **more)
    if done.returncode:
        sys.exit(f"mutants: {' '.join(map(str, command[:4]))}...: {done.stdout[-2000:]}")


def copy_sources(tree):
    """The files of the checkout, as they are now; what did not change keeps its time."""
    command = ["git", "-C", SOURCE, "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    names = [n for n in listed.stdout.decode().split("\0") if n and (SOURCE / n).is_file()]
    tree.mkdir(parents=True, exist_ok=True)
    for name in names:
        to, text = tree / name, (SOURCE / name).read_bytes()
        if name == "CMakeLists.txt":
            text += HOOK
        if not to.exists() or to.read_bytes() != text:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(text)
            shutil.copymode(SOURCE / name, to)
    for old in [p for folder in ("src", "test", "cli", "include") for p in (tree / folder).rglob("*") if p.is_file()]:
        if str(old.relative_to(tree)) not in set(names) and "node_modules" not in old.parts:
            old.unlink()


def configure(tree, folder, covered=()):
    """A build folder beside the sources; `covered` files count their lines."""
    extra = tree / "covered.cmake"
    flags = ["-DCMAKE_BUILD_TYPE=Release"]
    if covered:
        listed = "\n".join(f"    {name}" for name in covered)
        write(extra, f"set_property(SOURCE\n{listed}\n    APPEND PROPERTY COMPILE_OPTIONS --coverage -Wno-error)\n")
        flags += [f"-DCOVERED={extra}"]
        flags += [f"-DCMAKE_{what}_LINKER_FLAGS=--coverage" for what in ("EXE", "SHARED")]
    if not (tree / folder / "build.ninja").exists():  # later ninja calls it
        need(["cmake", "-G", "Ninja", "-S", tree, "-B", tree / folder, "--log-level=WARNING", *flags])


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Test:
    def __init__(self, entry):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name = entry["name"]
        self.command = entry["command"]
        self.labels = set(properties.get("LABELS", []))
        self.folder = properties.get("WORKING_DIRECTORY")
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        self.target = f"test_{self.name}" if "unit" in self.labels else "plait"

    def run(self, limit):
        """(exit code, processor seconds); a hang is -1."""
        environment = {**os.environ, "OMP_NUM_THREADS": "2", **self.environment}
        shared = SOURCE.parent / "shared"
        environment.setdefault("PLAIT_SHARED", str(shared))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, preexec_fn=limits, start_new_session=True)
        try:
            code = process.wait(60 + 60 * limit)  # of the clock: only what sleeps for ever gets there
        except subprocess.TimeoutExpired:
            code = -1
        finally:  # also when we are stopped ourselves
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


    def what_passes(self):
        """A test that fails already tells nothing: the cases of a unit test that pass. None: all; []: it is of no use."""
        if self.run(600)[0] == 0:
            return None
        program, passing = self.command, []
        if "unit" in self.labels:
            listed = subprocess.run([*program, "--list"], stdout=subprocess.PIPE, text=True).stdout.split()
            for case in listed:
                self.command = [*program, case]
                passing += [case] if self.run(600)[0] == 0 else []
        say(f"  {self.name} fails without a mistake; used: {' '.join(passing) or 'nothing'}")
        self.command = program
        return passing


def tests_of(build):
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    entries = json.loads(shown.stdout)["tests"]
    tests = [Test(e) for e in entries if "command" in e and not re.fullmatch(LEFT_OUT, e["name"])]
    return [t for t in tests if {"unit", "cli"} & t.labels and "long" not in t.labels]


# ---- which test executes which line ----------------------------------------------------------------------------------


def lines_executed(build, files):
    """{file: {line: times}} since the counters were last removed."""
    objects = build / "CMakeFiles/plait_objects.dir"
    data = [objects / (f + ".gcda") for f in files if (objects / (f + ".gcda")).exists()]
    if not data:
        return {}
    command = ["gcov", "--json-format", "--stdout", *data]
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=build)
    hits = {}
    for document in shown.stdout.decode().splitlines():
        for entry in json.loads(document)["files"] if document.startswith("{") else []:
            name = next((f for f in files if entry["file"].endswith("/" + f)), None)
            if name:
                mine = hits.setdefault(name, {})
                for line in entry["lines"]:
                    mine[line["line_number"]] = max(mine.get(line["line_number"], 0), line["count"])
    return hits


def digest(*paths):
    h = hashlib.sha256()
    for path in sorted(paths):
        h.update(path.read_bytes() if path.is_file() else b"")
    return h.hexdigest()[:16]


def learn(o, tree, files):
    """{test: {"seconds": s, "lines": {file: [lines executed]}}} and {file: [lines that can be]}; kept between runs."""
    kept = tree.parent / "map.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    sources = digest(*tree.glob("src/**/*.[ch]"), *tree.glob("cli/*"), *tree.glob("test/*.h")) + " ".join(files)
    if known.get("sources") != sources:
        known = {"sources": sources, "tests": {}, "lines": {}}
    configure(tree, "build-cover", files)
    build = tree / "build-cover"
    need(["ninja", f"-j{o.jobs}", "-C", build, "unit", "plait"])  # ctest names the commands of what is there only
    tests = tests_of(build)
    of = {t.name: [*tree.glob(f"test/unit/{t.name}.c"), *tree.glob(f"test/cli/{t.name[4:]}.sh")] for t in tests}
    stamp = {name: digest(*paths) for name, paths in of.items()}
    missing = [t for t in tests if known["tests"].get(t.name, {}).get("stamp") != stamp[t.name]]
    for number, test in enumerate(missing, 1):
        for old in build.rglob("*.gcda"):
            old.unlink()
        code, seconds = test.run(o.slowest)
        hits = lines_executed(build, files) if code in (0, 1) else {}
        for file, lines in hits.items():
            known["lines"][file] = sorted(set(known["lines"].get(file, [])) | set(lines))
        known["tests"][test.name] = {"stamp": stamp[test.name], "code": code, "seconds": seconds,
                                     "lines": {f: [n for n, c in lines.items() if c] for f, lines in hits.items()}}
        say(f"  {number}/{len(missing)} {test.name}: {seconds:.1f} s" + (f", exit {code}" if code else ""))
        kept.write_text(json.dumps(known))
    return known


def watching(tests):
    """What learn() would give, from the list of tests that watch a file: the first pattern that fits."""
    watch = json.loads((SOURCE / "tools/mutants/watch.json").read_text())
    unknown = {name for names in watch.values() for name in names} - set(tests)
    if unknown:
        sys.exit(f"mutants: watch.json names tests that are not there: {' '.join(sorted(unknown))}")
    return {"watch": watch, "tests": {name: {"seconds": 5, "code": 0, "lines": {}} for name in tests}}


def covering(known, mistake):
    """Names of the tests that execute the line, the quickest first. A line inside a statement belongs to its start."""
    if "watch" in known:
        return next((names for pattern, names in known["watch"].items() if fnmatch.fnmatch(mistake.file, pattern)), [])
    there = set(known["lines"].get(mistake.file, []))
    line = mistake.line
    while line > mistake.line - 6 and line not in there:
        line -= 1
    names = [n for n, t in known["tests"].items() if line in t["lines"].get(mistake.file, [])]
    return sorted(names, key=lambda n: known["tests"][n]["seconds"])


# ---- one mistake -----------------------------------------------------------------------------------------------------


def judge(o, tree, mistake, known, tests):
    """{"outcome": ..., "by": the test}."""
    build, path = tree / "build", tree / mistake.file
    names = covering(known, mistake)
    if not names:
        return {"outcome": "uncovered"}
    text = path.read_text()
    target = f"CMakeFiles/plait_objects.dir/{mistake.file}.o"
    need(["ninja", f"-j{o.jobs}", "-C", build, target])
    right = digest(build / target)
    try:
        path.write_text(mistake.apply(text))
        if run(["ninja", f"-j{o.jobs}", "-C", build, target]).returncode:
            return {"outcome": "none"}  # the compiler notices
        if digest(build / target) == right:
            return {"outcome": "none"}  # the same code
        spent = 0
        for number, name in enumerate(names):
            if spent > o.patience:
                return {"outcome": "survived", "tests": number, "of": len(names)}
            test = tests[name]
            if run(["ninja", f"-j{o.jobs}", "-C", build, test.target]).returncode:
                return {"outcome": "none"}
            code, seconds = test.run(10 + 20 * known["tests"][name]["seconds"])
            spent += seconds
            if code != 0:
                return {"outcome": "killed", "by": name, "how": how(code)}
        return {"outcome": "survived", "tests": len(names)}
    finally:
        path.write_text(text)


def hung(code):
    return code in (-1, -9, -24, 137, 152)


def how(code):
    return "hang" if hung(code) else "crash" if code < 0 or code > 128 else "failed"


def say(text):
    print(text, flush=True)


def describe(m):
    old, new = " ".join(m.old.split()), " ".join(m.new.split())
    return f"{m.file}:{m.line}:{m.column} {m.kind}: {old or '(nothing)'} -> {new or '(nothing)'}"


# ---- all of them -----------------------------------------------------------------------------------------------------


def table(results):
    """By folder and by kind: killed of planted."""
    rows = {}
    for r in results:
        for key in ("/".join(r["file"].split("/")[:2]), r["kind"], "together"):
            row = rows.setdefault(key, {"planted": 0, "killed": 0, "survived": 0, "uncovered": 0})
            row["planted"] += 1
            row[r["outcome"]] += 1
    order = sorted(rows, key=lambda k: (k == "together", not k.startswith("src/"), k))
    text = ["| where, what | planted | killed | survived | uncovered | killed |", "|---|---|---|---|---|---|"]
    for key in order:
        r = rows[key]
        text.append(f"| {key} | {r['planted']} | {r['killed']} | {r['survived']} | {r['uncovered']} | "
                    f"{100 * r['killed'] / r['planted']:.0f} % |")
    return "\n".join(text)


def main():
    o = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if o.list:
        for m in draw(o, SOURCE)[: o.count]:
            say(describe(m))
        return 0
    user = os.environ.get("USER") or str(os.getuid())
    folder = Path(o.tree) if o.tree else Path(tempfile.gettempdir()) / f"plait-mutants-{user}"
    if SOURCE in [folder.resolve(), *folder.resolve().parents]:
        sys.exit(f"mutants: --tree {folder} is in the checkout, which is only read")
    tree = folder.resolve() / "source"
    say(f"copy and build in {tree}")
    copy_sources(tree)
    part, parts = map(int, o.part.split("/"))
    reserve = draw(o, tree)[part - 1 :: parts][: o.count + o.count // 3 + 10]  # some will be none
    if not reserve:
        sys.exit("mutants: there is nothing to plant in these files")
    known = None if o.quick else learn(o, tree, sorted({m.file for m in reserve}))
    configure(tree, "build")
    need(["ninja", f"-j{o.jobs}", "-C", tree / "build", "unit", "plait"])
    tests = {t.name: t for t in tests_of(tree / "build")}
    known = known or watching(tests)
    for name, test in known["tests"].items():
        if name in tests and test["code"] and not hung(test["code"]) and "passing" not in test:
            test["passing"] = tests[name].what_passes()
            (folder / "map.json").write_text(json.dumps(known))
        passing = test.get("passing")
        if name not in tests or hung(test["code"]) or passing == []:
            test["lines"] = {}
        elif passing:
            tests[name].command += passing
    kept = folder / "answers.json"
    answers = json.loads(kept.read_text()) if kept.exists() else {}
    results = []
    for m in reserve:
        if len(results) == o.count:
            break
        key = f"{m.name} {m.kind} {m.old.strip()}>{m.new.strip()} {digest(tree / m.file)}"
        answer = answers.get(key)
        if not answer or (o.again and answer["outcome"] in ("survived", "uncovered")):
            begin = time.time()
            answer = answers[key] = judge(o, tree, m, known, tests)
            answer["seconds"] = round(time.time() - begin, 1)
            kept.write_text(json.dumps(answers, indent=1))
        if answer["outcome"] == "none":
            continue
        results.append({"file": m.file, "line": m.line, "column": m.column, "kind": m.kind, "old": m.old.strip(),
                        "new": m.new.strip(), **answer})
        say(f"{len(results)}/{o.count} {answer['outcome']:9} {describe(m)}" +
            (f"  ({answer['by']}: {answer['how']})" if "by" in answer else ""))
    if o.json:
        Path(o.json).write_text(json.dumps({"seed": o.seed, "results": results}, indent=1) + "\n")
    say("\n" + table(results))
    left = [r for r in results if r["outcome"] != "killed"]
    for r in left:
        say(f"{r['outcome']}: {r['file']}:{r['line']} {r['kind']}: {r['old']} -> {r['new'] or '(nothing)'}")
    return 0 if len(left) <= (1 - WANTED) * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
