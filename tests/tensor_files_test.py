#!/usr/bin/env python3
"""Damaged files of tensors, read by the tool and by a second reader. Usage: tensor_files_test.py TOOL [COUNT]

The second reader is Python's zipfile, and the specifications of .npy and safetensors in a few lines. It accepts
all files that the tool accepts, with the same names, types and values."""
import ast
import io
import json
import pathlib
import random
import re
import struct
import sys
import unittest
import zipfile

COUNT = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 500

from command_line import CommandLine, run  # noqa: E402  takes its argument from the same list

PROGRAM = """func.func @main(%a: tensor<2xi8>, %b: tensor<2x2xi32>) -> (tensor<2xi8>, tensor<2x2xi32>) {
  return %a, %b : tensor<2xi8>, tensor<2x2xi32>
}
"""
A, B = (1, -2), (3, 70000, -5, 6)
CODES = {"|i1": "b", "<i4": "<i", ">i4": ">i", "I8": "b", "I32": "<i"}
TYPES = {"b": "i8", "<i": "i32", ">i": "i32"}


def npy(descr, shape, values, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"{CODES[descr][0] if len(CODES[descr]) > 1 else ''}{len(values)}{CODES[descr][-1]}", *values)


def npz(rng):
    out = io.BytesIO()
    stream = out if rng.random() < 0.7 else Unseekable(out)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED if rng.random() < 0.4 else zipfile.ZIP_STORED) as archive:
        with archive.open("arg0.npy", "w", force_zip64=rng.random() < 0.5) as member:
            member.write(npy("|i1", "(2,)", A))
        archive.writestr("arg1.npy", npy(rng.choice(("<i4", ">i4")), "(2, 2)", B))
        if rng.random() < 0.05:
            archive.writestr("arg0.npy", npy("|i1", "(2,)", (7, 8)))
        if rng.random() < 0.05:
            archive.comment = b"comment"
    return out.getvalue()


class Unseekable(io.RawIOBase):
    def __init__(self, out):
        self.out = out

    def writable(self):
        return True

    def write(self, data):
        return self.out.write(data)


def elements(raw, code, shape):
    count = 1
    for extent in shape:
        count *= extent
    if len(raw) != count * struct.calcsize(code):
        raise ValueError("size")
    return TYPES[code], tuple(shape), struct.unpack(f"{code[0] if len(code) > 1 else ''}{count}{code[-1]}", raw)


def read_npz(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    if archive.testzip() or len(set(archive.namelist())) != len(archive.namelist()):
        raise ValueError("damaged")
    out = []
    for name in archive.namelist():
        raw = archive.read(name)
        if raw[:6] != b"\x93NUMPY" or not name.endswith(".npy"):
            raise ValueError("no array")
        at = 10 if raw[6] == 1 else 12
        size = struct.unpack_from("<H" if at == 10 else "<I", raw, 8)[0]
        header = ast.literal_eval(raw[at:at + size].decode("latin-1").strip())
        if set(header) != {"descr", "fortran_order", "shape"} or not isinstance(header["shape"], tuple):
            raise ValueError("header")
        kind, shape, values = elements(raw[at + size:], CODES[header["descr"]], header["shape"])
        if header["fortran_order"] and len(shape) == 2:
            values = tuple(values[i + j * shape[0]] for i in range(shape[0]) for j in range(shape[1]))
        out.append((name[:-4], kind, shape, values))
    return out


def unique(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("repeated key")
    return dict(pairs)


def read_safetensors(data):
    size = struct.unpack_from("<Q", data)[0]
    text, rest = data[8:8 + size], data[8 + size:]
    if len(text) != size or size > 100_000_000 or text[:1] != b"{":
        raise ValueError("header")
    header = json.loads(text.decode("utf-8"), object_pairs_hook=unique)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError("metadata")
    at, out = 0, []
    for name, tensor in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = tensor["data_offsets"]
        if set(tensor) != {"dtype", "shape", "data_offsets"} or begin != at:
            raise ValueError("hole")
        if any(type(number) is not int or number < 0 for number in (begin, end, *tensor["shape"])):
            raise ValueError("number")
        at = end
        out.append((name, *elements(rest[begin:end], CODES[tensor["dtype"]], tensor["shape"])))
    if at != len(rest):
        raise ValueError("trailing bytes")
    return out


def printed(kind, shape, values):
    def nested(shape, values):
        if not shape:
            return str(values[0])
        step = len(values) // shape[0]
        return "[" + ", ".join(nested(shape[1:], values[i * step:(i + 1) * step]) for i in range(shape[0])) + "]"
    text = str(values[0]) if len(set(values)) == 1 else nested(shape, values)
    return f"dense<{text}> : tensor<{'x'.join(map(str, (*shape, kind)))}>\n"


def results(tensors):
    names = [re.fullmatch(r"arg(0|1)", name) for name, *_ in tensors]
    by_name = all(names) and len({name[0] for name in names}) == len(tensors)
    order = sorted(tensors) if by_name else tensors
    return "".join(printed(*tensor[1:]) for tensor in order)


def mutated(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(data))
        if rng.random() < 0.5:  # in a header
            marks = [m.start() for m in re.finditer(rb"PK|NUMPY|dtype|shape|offsets|arg", bytes(data))]
            at = min(len(data) - 1, rng.choice(marks or [0]) + rng.randrange(48))
        how = rng.randrange(7)
        if how <= 1:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 2:
            data[at] = rng.randrange(256)
        elif how == 3:
            del data[at:at + rng.randint(1, 6)]
        elif how == 4:
            data[at:at] = rng.randbytes(rng.randint(1, 6))
        elif how == 5:
            data += rng.choice((b"\0", b"PK\5\6" + bytes(18), rng.randbytes(4)))
        else:
            start, size = rng.randrange(len(data)), rng.randint(1, 50)
            data[at:at + size] = data[start:start + size]
        data = data or bytearray(b"x")
    return bytes(data)


def safetensors(rng):
    header = {"arg0": {"dtype": "I8", "shape": [2], "data_offsets": [0, 2]}, "arg1": {"dtype": "I32", "shape": [2, 2], "data_offsets": [2, 18]}}
    if rng.random() < 0.3:
        header["__metadata__"] = {"format": "np"}
    if rng.random() < 0.3:
        field = header[rng.choice(("arg0", "arg1"))]
        field.update(rng.choice(({"dtype": "U8"}, {"shape": [1]}, {"shape": [2, 1]}, {"data_offsets": [1, 3]}, {"data_offsets": [0, 18]}, {"more": 1})))
    text = json.dumps(header)
    if rng.random() < 0.1:
        text = text.replace('"arg1"', '"arg0"')
    text = text.encode() + rng.choice((b"", b"   ", b"\0", b"\n"))
    return struct.pack("<Q", len(text)) + text + struct.pack("<2b", *A) + struct.pack("<4i", *B) + rng.choice((b"", b"", b"", b"x"))


class TensorFiles(CommandLine):
    def compare(self, make, read, ending):
        rng = random.Random(41)
        program, path = self.dir / "program.mlir", self.dir / f"in.{ending}"
        program.write_text(PROGRAM)
        accepted = 0
        for i in range(COUNT):
            data = make(rng)
            if i % 8:
                data = mutated(rng, data)
            path.write_bytes(data)
            done = run("eval", program, "--inputs", path)
            self.assertIn(done.returncode, (0, 3), (i, done.stderr))
            if done.returncode:
                continue
            accepted += 1
            try:
                expected = results(read(data))
            except Exception as error:  # pylint: disable=broad-except
                self.fail(f"file {i} is accepted, but has no meaning: {error!r}")
            self.assertEqual(done.stdout.decode(), expected, i)
        self.assertGreater(accepted, COUNT // 20)

    def test_npz(self):
        self.compare(npz, read_npz, "npz")

    def test_safetensors(self):
        self.compare(safetensors, read_safetensors, "safetensors")

    def test_each_defect(self):
        program, path = self.dir / "program.mlir", self.dir / "in"
        program.write_text(PROGRAM)
        good = io.BytesIO()
        with zipfile.ZipFile(good, "w") as archive:
            archive.writestr("arg0.npy", npy("|i1", "(2,)", A))
            archive.writestr("arg1.npy", npy("<i4", "(2, 2)", B))
        good = good.getvalue()
        value = good.index(struct.pack("<i", 70000))
        for data, why in ((good, ""), (good[:value] + b"\1" + good[value + 1:], "'arg1.npy' in the ZIP archive is damaged [checksum]"),
                          (good + b"x", "the ZIP archive does not end with its directory"),
                          (good.replace(b"arg1.npy", b"arg0.npy"), "the ZIP archive has two members 'arg0.npy'")):
            path.write_bytes(data)
            self.check(3 if why else 0, "eval", program, "--inputs", path, err=why)


if __name__ == "__main__":
    unittest.main()
