#!/usr/bin/python3
"""reference.py OUT: writes the reference of the package `plait` as Markdown, from its docstrings (docs/python-reference.md)."""
import inspect
import os
import sys

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
import plait  # noqa: E402  that of the build tree, not the sources beside this file
from plait import curves, plots  # noqa: E402

ORDER = ["Scene", "Simulation", "simulate", "Soft", "Hit", "Run", "Frame", "Recorder", "read_stats", "read_curves", "Problem", "Solution",
         "solve", "Rod", "Picture", "Report", "Record", "schema", "reference", "set_threads", "threads"]
ERRORS = ["Error", "InputError", "FileError", "MemoryShort", "ClosedError", "BusyError", "StepFailed"]


def signature(function):
    """As one writes a call, without the annotations, which are in the sources."""
    parts = []
    for p in inspect.signature(function).parameters.values():
        if p.name in ("self", "cls"):
            continue
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        if p.kind == p.KEYWORD_ONLY and not any(q.startswith("*") for q in parts):
            parts.append("*")
        parts.append(name if p.default is p.empty else f"{name}={p.default!r}")
    return f"({', '.join(parts)})"


def text(thing):
    """Its docstring; examples become blocks of code."""
    out, code = [], False
    for line in (inspect.getdoc(thing) or "").splitlines():
        example = line.startswith((">>>", "...")) or (code and line.strip() and not line.startswith(" "))
        if example and not code:
            out.append("")
        code = bool(example)
        out.append("    " + line if example else line.replace("``", "`"))
    return "\n".join(out)


def of_class(name, kind):
    lines = [f"## {name}", ""]
    own = kind.__init__ is not object.__init__ and name not in ("Frame", "Soft", "Solution", "Picture", "Report", "Record", "Hit")
    if own and not issubclass(kind, Exception):
        lines += [f"    plait.{name}{signature(kind.__init__)}", ""]
    lines += [text(kind), ""]
    rows = []
    for member, value in vars(kind).items():
        if member.startswith("_"):
            continue
        if isinstance(value, property):
            rows.append((f"`{member}`", value.fget))
        elif isinstance(value, (classmethod, staticmethod)):
            rows.append((f"`{name}.{member}{signature(value.__func__)}`", value.__func__))
        elif callable(value):
            rows.append((f"`{member}{signature(value)}`", value))
    for head, thing in rows:
        words = text(thing)
        lines += [f"**{head}** {words}" if words else f"**{head}**", ""]
    return lines


def page():
    lines = ["# Reference of the Python package", "",
             "Made from the docstrings by `python/reference.py`. [python.md](python.md) is the tutorial; keys of scenes are in",
             "[scenes.md](scenes.md), letters in [notation.md](notation.md). Fields of reports and options are those of the C structs of the",
             "same name in [include/plait/](../include/plait): a field that the library gets is there in Python, too.", ""]
    for name in ORDER:
        thing = getattr(plait, name)
        if inspect.isclass(thing):
            lines += of_class(name, thing)
        else:
            lines += [f"## {name}", "", f"    plait.{name}{signature(thing)}", "", text(thing), ""]
    for module in (plots, curves):
        short = module.__name__.split(".")[-1]
        lines += [f"## plait.{short}", "", text(module), ""]
        for name, thing in vars(module).items():
            if inspect.isfunction(thing) and thing.__module__ == module.__name__ and not name.startswith("_"):
                lines += [f"**`{short}.{name}{signature(thing)}`** {text(thing)}", ""]
    lines += ["## Exceptions", "", "| | is a | |", "|---|---|---|"]
    for name in ERRORS:
        kind = getattr(plait, name)
        bases = ", ".join(f"`{b.__name__}`" for b in kind.__bases__)
        lines.append(f"| `{name}` | {bases} | {' '.join(text(kind).split())} |")
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1] + ".new", "w", encoding="utf-8") as out:
        out.write(page())
    os.replace(sys.argv[1] + ".new", sys.argv[1])
