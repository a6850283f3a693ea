#!/usr/bin/python3
"""definitions.py HEADERS OUT: makes OUT, the module `plait._c`, and _version.py beside it from the
public headers.

HEADERS is the folder of plait.h. What cffi cannot read is taken out: comments, preprocessor lines, what is for C++, and
the macros of status.h. Everything else is what a C program sees, so that a new function or field is there without a line
of Python. The module holds the definitions in compiled form: whoever imports it needs neither pycparser nor a compiler.

`definitions.py HEADERS --c` prints a C program that prints the size of every struct, the offset and size of every field
and the value of every enum constant; a test compares that with what cffi has made of the definitions.
"""
import contextlib
import io
import os
import re
import sys

import cffi


def includes(folder, name="plait.h"):
    """The headers in the order in which they have to be read."""
    order = []

    def visit(header):
        with open(os.path.join(folder, header), encoding="utf-8") as file:
            for inner in re.findall(r'^#include "plait/([a-z0-9_]+\.h)"', file.read(), re.M):
                if inner not in order:
                    visit(inner)
        if header not in order:
            order.append(header)

    visit(name)
    return order


def strip(text):
    """A header as cffi reads it."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.M | re.S)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^[ \t]*#[^\n]*\n", "", text, flags=re.M)
    text = re.sub(r"\bPLAIT_PRINTF\([^)]*\)", "", text)
    text = re.sub(r"^static inline [^;{]*\{\n.*?^\}\n", "", text, flags=re.M | re.S)
    text = re.sub(r"\bPLAIT_API\b", "", text)
    return re.sub(r"\n\s*\n+", "\n", text)


def definitions(folder):
    parts = []
    for header in includes(folder):
        with open(os.path.join(folder, header), encoding="utf-8") as file:
            parts.append(strip(file.read()))
    return "void free(void *memory);\n" + "\n".join(parts)


def parse(folder):
    ffi = cffi.FFI()
    ffi.cdef(definitions(folder))
    return ffi


def version(folder):
    with open(os.path.join(folder, "version.h"), encoding="utf-8") as file:
        return ".".join(re.findall(r"^#define PLAIT_VERSION_[A-Z]+ (\d+)$", file.read(), re.M))


def layout(ffi):
    """Lines "NAME VALUE": sizes, offsets, enum constants, as cffi understands them."""
    lines = []
    typedefs, structs, unions = ffi.list_types()
    enums = set()
    for name in sorted(set(typedefs) | {"struct " + s for s in structs} | {"union " + u for u in unions}):
        if name == "free" or not name.split()[-1].startswith("plait_"):
            continue
        kind = ffi.typeof(name)
        if kind.kind in ("struct", "union") and kind.fields is not None:
            lines.append(f"sizeof({name}) {ffi.sizeof(kind)}")
            for field, inner in kind.fields:
                lines.append(f"offsetof({name}, {field}) {inner.offset}")
                lines.append(f"sizeof((({name} *)0)->{field}) {ffi.sizeof(inner.type)}")
        elif kind.kind == "enum":
            lines.append(f"sizeof({name}) {ffi.sizeof(kind)}")
            enums.update(kind.relements.items())
    for word, value in anonymous(ffi):
        enums.add((word, value))
    lines += [f"{word} {value}" for word, value in sorted(enums)]
    return lines


def anonymous(ffi):
    """Constants of enums that have no name."""
    constants = ffi._parser._int_constants
    return sorted(constants.items())


def program(ffi):
    out = ["#include <stddef.h>", "#include <stdio.h>", "#include <plait/plait.h>", "int main(void)", "{"]
    for line in layout(ffi):
        expression = line.rsplit(" ", 1)[0]
        out.append(f'    printf("{expression} %lld\\n", (long long)({expression}));')
    return "\n".join(out + ["    return 0;", "}", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, out = sys.argv[1:]
    ffi = parse(folder)
    if out == "--c":
        sys.stdout.write(program(ffi))
        return
    ffi.set_source("plait._c", None)
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_python_code(out + ".new")
    os.replace(out + ".new", out)
    with open(os.path.join(os.path.dirname(out), "_version.py"), "w", encoding="utf-8") as file:
        file.write(f'"""Which Plait this package belongs to."""\nVERSION = "{version(folder)}"\n')


if __name__ == "__main__":
    main()
