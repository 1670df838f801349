"""Files that are not text: damaged and re-signed archives, bytecode, arrays, containers, certificates, consumers."""
import ctypes
import io
import json
import struct
import zipfile
import zlib

from hostile.case import Case, READ, function
from shlo_reader.reader import ZSTD, hash64

SUM = function("  %r = stablehlo.add %a, %a : tensor<4xf32>\n  return %r : tensor<4xf32>", "%a: tensor<4xf32>", "tensor<4xf32>")
BYTES = ("IN", "IN --emit=shlo -o out", "verify IN", "inspect IN", "inspect IN --json", "strings IN", "roundtrip IN", "eval IN")


def zstd(data):
    ZSTD.ZSTD_compressBound.restype = ZSTD.ZSTD_compress.restype = ctypes.c_size_t
    ZSTD.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    ZSTD.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    buffer = ctypes.create_string_buffer(ZSTD.ZSTD_compressBound(len(data)))
    return buffer.raw[:ZSTD.ZSTD_compress(buffer, len(buffer), data, len(data), 1)]


def resigned(archive, change_chunk=None, change_preamble=None):
    """Changes chunks of an archive, and repairs its checksums. `change_chunk` gets (offset, stored size, size, bytes)
    of each chunk, and returns other bytes and another size, or None."""
    header_size = struct.unpack_from("<Q", archive, 32)[0]
    header, tail, moved = bytearray(archive[64:64 + header_size]), b"", 0
    at = 64 + header_size
    # Chunks follow one another, so that their records in the header can be found by their offsets.
    while at < len(archive):
        place = next((i for i in range(0, len(header) - 31, 4) if struct.unpack_from("<Q", header, i)[0] == at
                      and 0 < struct.unpack_from("<Q", header, i + 8)[0] <= len(archive) - at), None)
        if place is None:
            tail += archive[at:]
            break
        stored, size = struct.unpack_from("<QQ", header, place + 8)
        data = archive[at:at + stored]
        new = change_chunk(at, stored, size, data) if change_chunk else None
        data, size = new or (data, size)
        struct.pack_into("<QQQQ", header, place, at + moved, len(data), size, hash64(bytes(data)))
        tail += data
        moved += len(data) - stored
        at += stored
    preamble = bytearray(archive[:64])
    struct.pack_into("<QQ", preamble, 40, 64 + len(header) + len(tail), hash64(bytes(header)))
    if change_preamble:
        change_preamble(preamble)
    struct.pack_into("<Q", preamble, 56, hash64(bytes(preamble[:56])))
    return bytes(preamble) + bytes(header) + tail


def archives(write):
    """`write(text, kind)` gives a program in another format."""
    archive = write(SUM, "shlo")
    nodes = write("".join(function("  return", f"%a: tensor<{i}xf32>", name=f"f{i}") for i in range(50)), "shlo")
    bomb = zstd(bytes(60 << 20))
    ones = zstd(b"\1" * (30 << 20))
    for nth in range(9):
        def of_nth(change, counter):
            def changed(*chunk):
                counter.append(1)
                return change(*chunk) if len(counter) == nth + 1 else None
            return changed
        changes = {
            "zeros": lambda at, stored, size, data: (bomb, 60 << 20),
            "ones": lambda at, stored, size, data: (ones, 30 << 20),
            "claims": lambda at, stored, size, data: (data, stored * 33_000),
            "claims-all": lambda at, stored, size, data: (data, 2**62),
            "varints": lambda at, stored, size, data: (b"\xff" * 9 + b"\1" + data, stored + 10),
            "large-varints": lambda at, stored, size, data: (b"\xff\xff\xff\x7f" * 9, 36),
        }
        for kind, change in changes.items():
            yield Case(f"shlo-chunk-{nth}-{kind}", resigned(nodes if nth % 2 else archive, of_nth(change, [])), BYTES)
    yield Case("shlo-all-zeros", resigned(archive, lambda *_: (bomb, 60 << 20)), BYTES)
    for offset in (24, 32, 40):
        for value in (2**32, 2**63 - 1, 2**64 - 1, 65):
            yield Case(f"shlo-preamble-{offset}-{value}", resigned(archive, None, lambda p, o=offset, v=value: struct.pack_into("<Q", p, o, v)), BYTES[:4])
    for at in range(64, 64 + struct.unpack_from("<Q", archive, 32)[0], 12):
        damaged = bytearray(archive)
        damaged[at:at + 4] = b"\xff\xff\xff\x7f"
        yield Case(f"shlo-header-{at}", resigned(bytes(damaged)), BYTES[:1] + BYTES[3:4])
    constant = write(function(f'  %c = stablehlo.constant dense<"0x{"0000803F" * 99_999}00000000"> : tensor<100000xf32>\n  return'), "shlo")
    yield Case("shlo-constant-bomb", resigned(constant, lambda at, stored, size, data: (bomb, 60 << 20) if size == 400_000 else None), BYTES)

    code = bytearray(write(SUM, "mlirbc"))
    for at in list(range(4, len(code), 9)):
        for kind, patch in {"huge": b"\x00" + b"\xff" * 8, "large": b"\xf8\xff\xff\xff"}.items():
            damaged = code[:at] + patch + code[at + len(patch):]
            yield Case(f"bytecode-{at}-{kind}", bytes(damaged), BYTES[:1] + BYTES[3:4])
    yield Case("bytecode-zeros", bytes(code[:4]) + bytes(900_000), BYTES)
    yield Case("bytecode-ones", bytes(code[:20]) + b"\xff" * 900_000, BYTES)
    yield Case("bytecode-twos", bytes(code[:5]) + b"\x03" * 900_000, BYTES)


def arrays(write):
    program = function("  return %a : tensor<4xf32>", "%a: tensor<4xf32>", "tensor<4xf32>")
    dynamic = program.replace("4xf32", "?xf32")
    commands = ("eval IN --inputs=input", "eval IN --inputs=input --json", "eval dynamic --inputs=input", "eval IN --args=@input", "eval dynamic --arg=0=@input")

    def case(name, data):
        return Case(f"arrays-{name}", program, commands, {"input": data, "dynamic": dynamic})

    def npy(shape, data=b"", descr="<f4"):
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
        return b"\x93NUMPY\x02\0" + struct.pack("<I", len(header)) + header.encode() + data

    def npz(members, method=zipfile.ZIP_DEFLATED):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        return buffer.getvalue()
    zeros = npy(f"({12 << 20},)", bytes(48 << 20))
    yield case("bomb.npz", npz({"arg0.npy": zeros}))
    yield case("bombs.npz", npz({f"arg{i}.npy": zeros for i in range(5)}))
    yield case("bomb-of-wrong-size.npz", npz({"arg0.npy": npy("(4,)", bytes(48 << 20))}))
    bomb = bytearray(npz({"arg0.npy": npy("(4,)", bytes(16))}))
    central = bomb.rindex(b"PK\1\2")
    for size in (2**31, 2**32 - 2):
        struct.pack_into("<I", bomb, central + 24, size)
        yield case(f"claims-{size}.npz", bytes(bomb))
    yield case("many.npz", npz({f"arg{i}.npy": npy("()", bytes(4)) for i in range(4000)}))
    for shape in ("(" + "1, " * 200_000 + ")", f"({2**62},)", f"({2**40}, {2**40})", "(" + "9" * 100_000 + ",)", "(" * 100_000, f"({2**40}, 0)"):
        yield case(f"shape-{shape[:20].strip('(, )')}-{len(shape)}.npy", npy(shape))
    yield case("header.npy", b"\x93NUMPY\x02\0" + struct.pack("<I", 2**32 - 1) + b"{" * 900_000)
    yield case("type.npy", npy("(4,)", bytes(16), "<f4" * 100_000))

    def tensors(header, data=b"", size=None):
        header = header if isinstance(header, bytes) else json.dumps(header).encode()
        return struct.pack("<Q", len(header) if size is None else size) + header + data
    yield case("claims.safetensors", tensors({}, size=2**63))
    yield case("nested.safetensors", tensors(b'{"arg0":' * 100_000 + b"}" * 100_000))
    yield case("lists.safetensors", tensors(b'{"a":' + b"[" * 400_000 + b"]" * 400_000 + b"}"))
    yield case("shape.safetensors", tensors({"arg0": {"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 2**60]}}))
    yield case("overlap.safetensors", tensors({f"arg{i}": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]} for i in range(9000)}, bytes(16)))
    yield case("ranks.safetensors", tensors({"arg0": {"dtype": "F32", "shape": [1] * 200_000, "data_offsets": [0, 4]}}, bytes(4)))
    yield case("digits.safetensors", tensors(b'{"arg0": {"dtype": "F32", "shape": [' + b"9" * 500_000 + b'], "data_offsets": [0, 16]}}', bytes(16)))


def others(write):
    def field(number, data):
        def varint(value):
            out = b""
            while value >= 128:
                out, value = out + bytes([value & 127 | 128]), value >> 7
            return out + bytes([value])
        return varint(number << 3 | 2) + varint(len(data)) + data
    nested = b""
    for _ in range(300):
        nested = field(2, field(2, field(1, b"f") + nested))
    yield Case("saved-model-nested", b"\x08\x01" + field(2, nested), BYTES)
    yield Case("saved-model-many", b"\x08\x01" + field(2, field(2, field(1, b"n")) * 50_000), BYTES)
    yield Case("saved-model-claims", b"\x08\x01\x12\xff\xff\xff\xff\x0f" + b"\x12" * 1000, BYTES)
    yield Case("saved-model-groups", b"\x08\x01" + b"\x13" * 500_000, BYTES)
    yield Case("jax-tables", struct.pack("<I", 16) + b"\0" * 12 + struct.pack("<I", 2**31 - 1) * 100_000, BYTES)
    yield Case("gzip", b"\x1f\x8b\x08\0" + bytes(6) + zlib.compress(bytes(9 << 20))[2:], BYTES)
    signs = ("prove IN other --check=certificate", "prove IN other --check=certificate --json")
    for name, text in {"nested": "[" * 400_000, "objects": '{"predicate":' * 50_000, "many": json.dumps({"predicateType": "x", "subject": [{"name": "a", "digest": {"sha256": "0" * 64}}] * 8000}),
                       "numbers": '{"version": ' + "9" * 800_000 + "}"}.items():
        yield Case(f"certificate-{name}", SUM, signs, {"other": SUM, "certificate": text})
        commands = ("IN --consumers=consumers --for=plugin==1", "IN --consumers=consumers --for=plugin==1 --json")
        yield Case(f"consumers-{name}", SUM, commands, {"consumers": text})
    yield Case("consumers-long", SUM, ("IN --consumers=consumers --for=plugin==1", "IN --consumers=consumers --for=" + "x" * 50_000), {"consumers": json.dumps(
        {"consumers": [{"package": "plugin", "version": f"{i}." * 200 + "1", "stablehlo": "1.4.0", "dialects": ["chlo"] * 20} for i in range(400)]})})
    yield Case("flags", SUM, ("IN --target=" + "9" * 50_000, "IN --window=backward=" + "9" * 300 + "d", "IN --today=" + "9" * 999, "eval IN --args=" + "[" * 50_000,
                              "eval IN --args=dense<0>:tensor<" + "9x" * 40_000 + "f32>", "prove IN IN --inputs=4000000000", "prove IN IN --evaluate-only --inputs=1000000000",
                              "prove IN IN --evaluate-only --seed=18446744073709551615", "eval IN --inputs=random:" + "9" * 999, "IN --fold --fold-limit=1000000000000",
                              "eval IN --threads=100000 --inputs=random:1", "IN --max-depth=4000000000", "reduce IN --still=true --max-tests=4000000000"))


FAMILIES = (archives, arrays, others)
