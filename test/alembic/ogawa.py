"""Reads Alembic archives (Ogawa), by the description of the format and not by Plait's code.

    archive = ogawa.open("groom.abc")
    for o in archive.walk():                 # objects: path, schema, properties (name -> Property)
        o.properties[".geom"]["P"].sample(3)

Only what the tests need: no strings of wide characters, no data of several dimensions.
"""
import mmap
import struct

import numpy as np

PODS = {0: "u1", 1: "u1", 2: "i1", 3: "<u2", 4: "<i2", 5: "<u4", 6: "<i4", 7: "<u8", 8: "<i8", 9: "<f2", 10: "<f4", 11: "<f8"}
STRING = 12


class File:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        assert self.bytes[:5] == b"Ogawa", "not an Ogawa file"
        assert self.bytes[5] == 0xFF, "the file was not closed"
        assert struct.unpack(">H", self.bytes[6:8])[0] == 1, "an unknown version of Ogawa"
        self.root = self.group(self.number(8))

    def number(self, at):
        assert at + 8 <= len(self.bytes), "a place behind the end"
        return struct.unpack_from("<Q", self.bytes, at)[0]

    def group(self, at):
        if at == 0:
            return []
        count = self.number(at)
        assert at + 8 + 8 * count <= len(self.bytes), "a group that goes on behind the end"
        return list(struct.unpack_from("<%dQ" % count, self.bytes, at + 8))

    @staticmethod
    def is_data(place):
        return bool(place >> 63)

    def data(self, place):
        assert self.is_data(place), "data are expected, found a group"
        at = place & ~(1 << 63)
        if at == 0:
            return b""
        size = self.number(at)
        assert at + 8 + size <= len(self.bytes), "data that go on behind the end"
        return memoryview(self.bytes)[at + 8 : at + 8 + size]


def read_meta(text):
    pairs = [p.split("=", 1) for p in bytes(text).decode().split(";") if p]
    return {p[0]: p[1] for p in pairs}


class Property:
    def __init__(self, archive, name, meta, kind, pod, extent, samples, change, sampling, place):
        self.archive, self.name, self.meta, self.kind, self.pod, self.extent = archive, name, meta, kind, pod, extent
        self.samples, self.change, self.sampling = samples, change, sampling
        self.places = archive.file.group(place)
        self.children = archive.read_properties(self.places) if kind == "compound" else {}

    def __getitem__(self, name):
        return self.children[name]

    def __contains__(self, name):
        return name in self.children

    def sample(self, i=0):
        """Sample i: an array [values][extent], or the text(s)."""
        assert 0 <= i < max(self.samples, 1)
        first, last = self.change
        if first == 0 and last == 0 or i < first:
            stored = 0
        elif i >= last:
            stored = last - first + 1
        else:
            stored = i - first + 1
        data = self.archive.file.data(self.places[stored * (2 if self.kind == "array" else 1)])
        if len(data) == 0:
            return np.zeros((0, self.extent))
        assert len(data) > 16, "a sample without a key"
        if self.pod == STRING:
            return bytes(data[16:]).decode().split("\0")[:-1]
        numbers = np.frombuffer(data[16:], PODS[self.pod])
        assert len(numbers) % self.extent == 0
        values = numbers.reshape(-1, self.extent)
        assert self.kind == "array" or len(values) == 1
        return values

    def key(self, i=0):
        step = 2 if self.kind == "array" else 1
        return bytes(self.archive.file.data(self.places[i * step])[:16])

    def times(self):
        """Times of the samples [s]."""
        period, stored = self.archive.samplings[self.sampling]
        if period > 1e300:
            return list(stored)
        return [stored[i % len(stored)] + period * (i // len(stored)) for i in range(self.samples)]


class Object:
    def __init__(self, archive, path, meta, place):
        self.archive, self.path, self.meta = archive, path, meta
        self.schema = meta.get("schema", "")
        places = archive.file.group(place)
        self.properties = archive.read_properties(archive.file.group(places[0]))
        self.children = []
        headers = bytes(archive.file.data(places[-1]))
        assert len(headers) >= 32, "an object without its hashes"
        headers, at, k = headers[:-32], 0, 1
        while at < len(headers):
            (size,) = struct.unpack_from("<I", headers, at)
            name = headers[at + 4 : at + 4 + size].decode()
            at += 4 + size
            index = headers[at]
            at += 1
            meta = archive.metas[index] if index != 255 else None
            if index == 255:
                (size,) = struct.unpack_from("<I", headers, at)
                meta = read_meta(headers[at + 4 : at + 4 + size])
                at += 4 + size
            self.children.append(Object(archive, path + "/" + name, meta, places[k]))
            k += 1
        assert k == len(places) - 1, "%d children, %d headers" % (len(places) - 2, k - 1)

    def walk(self):
        yield self
        for c in self.children:
            yield from c.walk()


class Archive:
    def __init__(self, path):
        self.file = File(path)
        version, library, top, meta, times, metas = self.file.root
        self.version, self.library = (struct.unpack("<i", self.file.data(p))[0] for p in (version, library))
        assert self.version == 0 and self.library >= 9999
        self.meta = read_meta(self.file.data(meta))
        self.samplings, self.most = self.read_times(bytes(self.file.data(times)))
        self.metas = self.read_metas(bytes(self.file.data(metas)))
        self.top = Object(self, "", {}, top)

    def walk(self):
        yield from self.top.walk()

    @staticmethod
    def read_times(data):
        at, out, most = 0, [], []
        while at < len(data):
            samples, period, count = struct.unpack_from("<IdI", data, at)
            at += 16
            out.append((period, struct.unpack_from("<%dd" % count, data, at)))
            most.append(samples)
            at += 8 * count
        return out, most

    @staticmethod
    def read_metas(data):
        out, at = [{}], 0
        while at < len(data):
            out.append(read_meta(data[at + 1 : at + 1 + data[at]]))
            at += 1 + data[at]
        return out

    def read_properties(self, places):
        out = {}
        if not places or not self.file.is_data(places[-1]):
            return out
        data, at, k = bytes(self.file.data(places[-1])), 0, 0
        while at < len(data):
            (info,) = struct.unpack_from("<I", data, at)
            at += 4
            width = (1, 2, 4)[info >> 2 & 3]

            def number():
                nonlocal at
                at += width
                return int.from_bytes(data[at - width : at], "little")

            kind = ("compound", "scalar", "array", "array")[info & 3]
            samples, change, sampling = 0, (0, 0), 0
            if kind != "compound":
                samples = number()
                if info & 0x200:
                    change = (number(), number())
                elif not info & 0x800:
                    change = (1, samples - 1)
                if info & 0x100:
                    sampling = number()
            size = number()
            name = data[at : at + size].decode()
            at += size
            index = info >> 20 & 0xFF
            meta = self.metas[index] if index != 255 else None
            if index == 255:
                size = number()
                meta = read_meta(data[at : at + size])
                at += size
            out[name] = Property(self, name, meta, kind, info >> 4 & 15, info >> 12 & 255, samples, change, sampling, places[k])
            k += 1
        assert k == len(places) - 1, "%d properties, %d headers" % (len(places) - 1, k)
        return out


def open_archive(path):
    return Archive(path)
