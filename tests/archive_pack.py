"""Packs of an archive, written again by tests: from docs/archive-format.md alone.

A pack is read to its records, some of them are changed, and a valid pack is written. XXH3 and zstd are those of the
second reader of .shlo.
"""
import hashlib
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "shlo_reader"))
import reader

RECORD = "<IBBBBQQQ32sQQ"
assert struct.calcsize(RECORD) == 80


def content_of(record, stored):
    """Returns what the stored bytes of a record decode to."""
    _, _, encoding, planes, _, _, size, *_ = record
    data = reader.unpack(stored, size) if encoding else stored
    if planes == 1:
        return data
    out, at = bytearray(size), 0
    for plane in range(planes):
        count = len(range(plane, size, planes))
        out[plane::planes] = data[at:at + count]
        at += count
    return bytes(out)


def read(path):
    """Yields (kind, ordinal, id, content) of the records, and checks all checksums."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89SHLA\r\n\x1a" and reader.hash64(data[:56]) == struct.unpack_from("<Q", data, 56)[0]
    index_at, count, size, index_sum, pack_hash, _ = struct.unpack_from("<QQQQ16sQ", data, len(data) - 56)
    index = data[index_at:index_at + 80 * count]
    assert size == len(data) and reader.hash64(index) == index_sum
    assert hashlib.sha256(data[:64] + index).digest()[:16] == pack_hash
    at = 64
    for i in range(count):
        header = data[at:at + 80]
        assert header == index[80 * i:80 * i + 80] and reader.hash64(header[:72]) == struct.unpack_from("<Q", header, 72)[0]
        record = struct.unpack(RECORD, header)
        stored = data[at + 80:at + 80 + record[5]]
        assert reader.hash64(stored) == record[9]
        yield record[1], record[7], record[8], content_of(record, stored)
        at += 80 + record[5]
    assert at == index_at


def varint(number):
    """Returns a number as .shlo files have it."""
    out = b""
    while True:
        out += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return out


def pack_hash(pack):
    """Returns the hash of the bytes of a pack, as its trailer states it."""
    return pack[-24:-8]


def bundle_header():
    """Returns the first 64 bytes of a bundle."""
    head = b"\x89SHLA\r\n\x1a" + struct.pack("<II16sQ16s", 1, 1, b"", 0, b"")
    return head + struct.pack("<Q", reader.hash64(head))


def repeated(byte, size):
    """Returns a zstd frame of a byte that is repeated: few bytes for many."""
    frame, most = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", size), 128 << 10
    for at in range(0, size, most):
        last = at + most >= size
        frame += struct.pack("<I", last | 1 << 1 | min(most, size - at) << 3)[:3] + byte
    return frame


def write(path, header, records):
    """Writes a pack of (kind, ordinal, id, content), all stored raw. `header` has the first 64 bytes of a pack. A
    content may be (byte, size): a byte that is repeated, compressed."""
    body, index = b"", b""
    for kind, ordinal, name, content in records:
        compressed, size = isinstance(content, tuple), content[1] if isinstance(content, tuple) else len(content)
        content = repeated(*content) if compressed else content
        head = struct.pack("<IBBBBQQQ32sQ", 0x524C4853, kind, int(compressed), 1, 0, len(content), size, ordinal, name,
                           reader.hash64(content))
        head += struct.pack("<Q", reader.hash64(head))
        body += head + content
        index += head
    size = 64 + len(body) + len(index) + 64
    trailer = b"\x89SHLZ\r\n\x1a" + struct.pack("<QQQQ", 64 + len(body), len(index) // 80, size, reader.hash64(index))
    trailer += hashlib.sha256(header + index).digest()[:16]
    trailer += struct.pack("<Q", reader.hash64(trailer))
    pathlib.Path(path).write_bytes(header + body + index + trailer)


def replace_data(path, name, content, change_entry):
    """Replaces the data of an id by other data, which gets its own id, and changes the text of entries."""
    header = pathlib.Path(path).read_bytes()[:64]
    records = []
    for kind, ordinal, of, data in read(path):
        if of == name:
            of, data = hashlib.sha256(content).digest(), content
        if kind == 3:
            data = change_entry(data.decode()).encode()
            of = hashlib.sha256(data).digest()
        records.append((kind, ordinal, of, data))
    write(path, header, records)
