#!/usr/bin/python3
"""wheel.py BUILD OUT: packs the package of a build tree, with the library and the program inside, as OUT/plait-*.whl.

A wheel is a zip file with a list of its files and their hashes; nothing is needed but Python, and no network. The library in it
needs the shared libraries that it was linked with (README.md, "What it needs"): the wheel is for machines like this one.
"""
import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)  # the same files give the same wheel


def version(package):
    with open(os.path.join(package, "_version.py"), encoding="utf-8") as file:
        return file.read().split('"')[-2]


def stripped(path, folder):
    """A copy without symbols for debuggers, which nobody looks at in a wheel."""
    out = os.path.join(folder, os.path.basename(path) + ".stripped")
    if subprocess.run(["strip", "--strip-unneeded", "-o", out, path], check=False, stderr=subprocess.DEVNULL).returncode:
        out = path
    with open(out, "rb") as file:
        data = file.read()
    if out != path:
        os.remove(out)
    return data


def contents(build, out):
    """Pairs of a name in the wheel and its bytes."""
    package = os.path.join(build, "python", "plait")
    for name in sorted(os.listdir(package)):
        path = os.path.join(package, name)
        if name.startswith("libplait.so"):
            yield "plait/" + name, stripped(os.path.realpath(path), out)
        elif os.path.isfile(path):
            with open(path, "rb") as file:
                yield "plait/" + name, file.read()
    program = os.path.join(build, "plait")
    if os.path.exists(program):
        yield "plait/plait-program", stripped(program, out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    number = version(os.path.join(build, "python", "plait"))
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"plait-{number}.dist-info"
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "LICENSE"), "rb") as file:
        licence = file.read()
    files = list(contents(build, out))
    files += [
        (f"{info}/LICENSE", licence),
        (f"{info}/METADATA", "\n".join([
            "Metadata-Version: 2.1", "Name: plait", f"Version: {number}",
            "Summary: Thin elastic fibres and what they touch, with exact Coulomb friction", "License: Apache-2.0",
            "Requires-Python: >=3.11", "Requires-Dist: numpy", "Requires-Dist: cffi", "Provides-Extra: all",
            "Requires-Dist: scipy; extra == 'all'", "Requires-Dist: matplotlib; extra == 'all'", "", ""]).encode()),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: plait\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
        (f"{info}/entry_points.txt", b"[console_scripts]\nplait = plait.__main__:main\n"),
    ]
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},"
                     f"{len(data)}\n" for name, data in files) + f"{info}/RECORD,,\n"
    path = os.path.join(out, f"plait-{number}-{tag}.whl")
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files + [(f"{info}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = (0o100755 if name.endswith("-program") or ".so" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    os.replace(path + ".new", path)
    print(path)


if __name__ == "__main__":
    main()
