"""What cffi has made of the headers is what the compiler makes of them."""
import os
import subprocess
import sys

import numpy as np

import plait
from plait._arrays import struct_dtype
from plait._c import ffi
from plait._library import lib

SOURCE = os.environ["PLAIT_SOURCE"]
HEADERS = os.path.join(SOURCE, "include", "plait")
sys.path.insert(0, os.path.join(SOURCE, "python"))
import definitions  # noqa: E402


def test_sizes_offsets_constants():
    ffi_of_headers = definitions.parse(HEADERS)
    with open("layout.c", "w") as file:
        file.write(definitions.program(ffi_of_headers))
    subprocess.run([os.environ["PLAIT_CC"], "-std=c17", "-I", os.path.join(SOURCE, "include"), "layout.c", "-o",
                    "layout"], check=True)
    said = subprocess.run(["./layout"], check=True, capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": ""}).stdout.splitlines()
    known = definitions.layout(ffi_of_headers)
    assert len(known) > 1000
    assert said == known


def test_the_module_is_of_these_headers():
    """The compiled definitions of the package say the same as the headers do now."""
    fresh = definitions.parse(HEADERS)
    for line in definitions.layout(fresh):
        if line.startswith("sizeof(plait_") and "->" not in line:
            name, size = line[len("sizeof("):].split(") ")
            assert ffi.sizeof(name) == int(size), name


def test_every_function_is_there():
    names = [n for n in dir(lib) if n.startswith("plait_")]
    assert len(names) > 100
    for name in names:
        getattr(lib, name)


def test_dtypes():
    contact = struct_dtype("plait_sim_contact")
    assert contact.itemsize == ffi.sizeof("plait_sim_contact")
    for name, field in ffi.typeof("plait_sim_contact").fields:
        assert contact.fields[name][1] == field.offset
        assert contact.fields[name][0].itemsize == ffi.sizeof(field.type)
    assert contact["kind"].base == np.uint32 and contact["index"].base == np.int32


def test_version():
    assert plait.__version__ == definitions.version(HEADERS)
