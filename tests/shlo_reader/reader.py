"""A second reader of .shlo files: the whole file, in memory, written from docs/shlo-format.md alone.

`read(bytes)` returns a Program or raises ValueError. Nothing here is derived from lib/serialize/shlo, so that the
document and the code check each other.
"""
import collections
import ctypes
import ctypes.util
import hashlib
import struct

from schema_rows import ATTRS, ELEMENTS, OPS, TYPES

DYNAMIC = -(1 << 63)
Node = collections.namedtuple("Node", "kind fields")  # the kind's row, the fields by name


class Op:
    """An op: its row or None, its name, attributes by name, operands and results as value numbers of its body."""
    loc = None


class Block:
    """A block: its arguments as value numbers, and its ops."""


class Program:
    """The content of a file. `outer` is the builtin.module."""


def need(condition, what):
    if not condition:
        raise ValueError(what)


def library(name):
    return ctypes.CDLL(ctypes.util.find_library(name) or f"lib{name}.so")


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH, ZSTD = library("xxhash"), library("zstd")
XXHASH.XXH3_64bits.argtypes = XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
XXHASH.XXH3_64bits.restype, XXHASH.XXH3_128bits.restype = ctypes.c_uint64, Hash128
ZSTD.ZSTD_getFrameContentSize.argtypes = ZSTD.ZSTD_findFrameCompressedSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
for function in (ZSTD.ZSTD_getFrameContentSize, ZSTD.ZSTD_findFrameCompressedSize, ZSTD.ZSTD_decompress):
    function.restype = ctypes.c_uint64


def hash64(data):
    return XXHASH.XXH3_64bits(data, len(data))


def hash128(data):
    h = XXHASH.XXH3_128bits(data, len(data))
    return h.low, h.high


def unpack(stored, size):
    """Returns the content of a chunk or constant."""
    need(len(stored) <= size <= 33000 * len(stored), "the size of a chunk is impossible")
    if len(stored) == size:
        return stored
    need(ZSTD.ZSTD_getFrameContentSize(stored, len(stored)) == size, "the frame declares a different size")
    need(ZSTD.ZSTD_findFrameCompressedSize(stored, len(stored)) == len(stored), "not exactly one frame")
    out = ctypes.create_string_buffer(size)
    need(ZSTD.ZSTD_decompress(out, size, stored, len(stored)) == size, "the frame is damaged")
    return out.raw


# --- The header: FlatBuffers ------------------------------------------------------------------------

class Table:
    """A FlatBuffers table."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.vtable = at - struct.unpack_from("<i", data, at)[0]
        self.slots = (struct.unpack_from("<H", data, self.vtable)[0] - 4) // 2

    def field(self, slot):
        """Returns the offset of a field, or None if it is absent."""
        if slot >= self.slots:
            return None
        offset = struct.unpack_from("<H", self.data, self.vtable + 4 + 2 * slot)[0]
        return self.at + offset if offset else None

    def vector(self, slot, form):
        """Returns the structs of a vector as tuples. `form` has the padding of FlatBuffers."""
        at = self.field(slot)
        if at is None:
            return []
        at += struct.unpack_from("<I", self.data, at)[0]
        count, size = struct.unpack_from("<I", self.data, at)[0], struct.calcsize(form)
        return [struct.unpack_from(form, self.data, at + 4 + i * size) for i in range(count)]

    def tables(self, slot):
        """Returns the tables of a vector."""
        at = self.field(slot)
        if at is None:
            return []
        at += struct.unpack_from("<I", self.data, at)[0]
        count = struct.unpack_from("<I", self.data, at)[0]
        places = range(at + 4, at + 4 + 4 * count, 4)
        return [Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]

    def string(self, slot):
        letters = self.vector(slot, "<B")
        return bytes(l[0] for l in letters).decode() if self.field(slot) is not None else None


# --- Columns ----------------------------------------------------------------------------------------

class Column:
    """A column of varints, and the state of its references."""

    def __init__(self, data, start=1):
        self.data, self.at, self.next, self.expected = data, 0, start, 1

    def varint(self):
        value = 0
        for i in range(10):
            need(self.at < len(self.data), "a column ends within a varint")
            byte = self.data[self.at]
            self.at += 1
            need(i < 9 or byte <= 1, "a varint exceeds 64 bits")
            value |= (byte & 127) << (7 * i)
            if byte < 128:
                return value
        raise ValueError("a varint exceeds ten bytes")

    def zigzag(self):
        code = self.varint()
        return (code >> 1) ^ -(code & 1)

    def take(self, size):
        need(size <= len(self.data) - self.at, "a column is too short")
        self.at += size
        return self.data[self.at - size:self.at]

    def mention(self, number):
        self.next = max(self.next, number + 1)
        return number

    def tracked(self, code=None):
        code = self.varint() if code is None else code
        return self.mention(self.next if code == 0 else code - 1)

    def stepped(self):
        code = self.varint()
        if code == 0:
            return self.mention(self.next)
        number = self.expected + ((code - 1 >> 1) ^ -(code - 1 & 1))
        self.expected = number + 1
        return self.mention(number)


def columns(chunk, headers, names):
    """Returns the header varints of a chunk and its columns by name."""
    cursor = Column(chunk)
    numbers = [cursor.varint() for _ in range(headers)]
    sizes = [cursor.varint() for _ in names]
    parts = {name: Column(cursor.take(size)) for name, size in zip(names, sizes)}
    need(cursor.at == len(chunk), "trailing bytes in a chunk")
    return numbers, parts


def finish(parts):
    for name, column in parts.items():
        need(column.at == len(column.data), f"trailing bytes in column '{name}'")


def get(items, number, what, zero=False):
    """Returns the item of a number; None for 0 where `zero` allows it."""
    need((0 if zero else 1) <= number <= len(items), f"no {what} {number}")
    return items[number - 1] if number else None


# --- Sections ---------------------------------------------------------------------------------------

def read_strings(chunk, strings):
    (count,), parts = columns(chunk, 1, ("lengths", "bytes"))
    for _ in range(count):
        strings.append(parts["bytes"].take(parts["lengths"].varint()))
    finish(parts)


def read_payloads(chunk, payloads, external):
    planes = {2: "planes2", 4: "planes4", 8: "planes8"}
    (count,), parts = columns(chunk, 1, ("sizes", "bytes", *planes.values()))
    sizes = [parts["sizes"].varint() for _ in range(count)]
    total = collections.Counter(code >> 1 for code in sizes if not code & 1)
    plane = {size: parts[name].take(size * total[size]) for size, name in planes.items()}
    used, left = collections.Counter(), list(external)
    for code in sizes:
        size = code >> 1
        if code & 1:
            need(left and len(left[0]) == size, "an external constant is missing or differs in size")
            payloads.append(left.pop(0))
        elif size in planes:
            payloads.append(plane[size][used[size]::total[size]])
            used[size] += 1
        else:
            payloads.append(parts["bytes"].take(size))
    need(not left, "an external constant is not used")
    finish(parts)


def read_nodes(chunk, p, start):
    """Reads types and attributes. `start` has the counters of strings and payloads."""
    (types, attrs), parts = columns(chunk, 2, ("kinds", "ints", "counts", "items", "floats", "strings", "types",
                                               "attrs", "payloads"))
    parts["strings"].next, parts["payloads"].next = start

    def attr(optional=False):
        code = parts["attrs"].varint()
        return get(p.attrs, len(p.attrs) + 1 - code if code else 0, "attribute", optional)

    one = {
        "kInt": parts["ints"].zigzag,
        "kFloat": lambda: struct.unpack("<d", parts["floats"].take(8))[0],
        "kString": lambda: get(p.strings, parts["strings"].stepped(), "string", True) or b"",
        "kType": lambda: get(p.types, parts["types"].varint(), "type"),
        "kAttr": attr,
        "kOptAttr": lambda: attr(True),
        "kPayload": lambda: get(p.payloads, parts["payloads"].tracked(), "payload"),
    }
    item = {"kInts": parts["items"].zigzag, "kFloats": one["kFloat"], "kStrings": one["kString"],
            "kTypes": one["kType"], "kAttrs": attr, "kNamed": lambda: (one["kString"](), attr())}
    read = {**one, **{name: (lambda r=r: [r() for _ in range(parts["counts"].varint())]) for name, r in item.items()}}
    goal = (len(p.types) + types, len(p.attrs) + attrs)
    for _ in range(types + attrs):
        code = parts["kinds"].varint()
        table, out = (ATTRS, p.attrs) if code & 1 else (TYPES, p.types)
        need(code >> 1 in table, f"no kind {code >> 1}")
        kind = table[code >> 1]
        node = Node(kind, {f.name: read[f.type]() for f in kind.fields})
        check_node(node, p.version)
        out.append(node)
    need((len(p.types), len(p.attrs)) == goal, "the numbers of types and attributes differ")
    finish(parts)


def element_bytes(type_):
    """Returns the size of an element in a payload."""
    kind, fields = type_
    if kind.name == "kComplex":
        return 2 * element_bytes(fields["element"])
    if kind.name == "kInteger":
        return (fields["width"] + 7) // 8
    if kind.name.startswith("kUniformQuantized"):
        return element_bytes(fields["storage"])
    width = next((e.width for e in ELEMENTS.values() if e.mnemonic == kind.mnemonic), None)
    need(width, f"elements of {kind.name}")
    return (width + 7) // 8


def check_node(node, version):
    """Checks the fields of a node, as section 4 requires."""
    kind, f = node
    if kind.cases:
        need(f["value"] in kind.cases, "no such enum case")
        need(kind.cases[f["value"]][1] <= version <= kind.cases[f["value"]][2], "a case of another version")
    for size in f.get("shape", ()):
        need(size >= 0 or size == DYNAMIC, "a negative dimension")
    if kind.name == "kInteger":
        forms = {("signless", "signed", "unsigned")[f["signedness"]]: f["width"]}
        need(1 <= f["width"] < 1 << 24, "an impossible width")
        need(not any(forms.get(e.form) == e.width for e in ELEMENTS.values()), "a width that has a kind of its own")
    elif kind.name == "kIntegerAttr":
        width = 8 * element_bytes(f["type"])
        need(len(f["value"]) == (width + 63) // 64, "the words of an integer")
    elif kind.name == "kFloatAttr":
        need(len(f["bits"]) == (2 if f["type"].kind.name in ("kF80", "kF128") else 1), "the words of a float")
    elif kind.name == "kElements":
        count = 1
        for size in f["type"].fields["shape"]:
            need(size >= 0, "elements of a dynamic shape")
            count *= size
        count = 1 if f["splat"] else count
        need(len(f["payload"]) == count * element_bytes(f["type"].fields["element"]), "the bytes of elements")
    elif kind.name == "kDenseArray":
        need(len(f["payload"]) % element_bytes(f["element"]) == 0, "the bytes of an array")
    elif kind.name == "kDict":
        names = [name for name, _ in f["entries"]]
        need(names == sorted(set(names)), "a dictionary that is not sorted")
    elif kind.name.startswith("kUniformQuantized") and "scales" in f:
        need(len(f["scales"]) == len(f["zero_points"]), "scales and zero points differ in number")
    if kind.location:
        for name in ("child", "callee", "caller"):
            need(f.get(name) is None or f[name].kind.location, "a location that is not one")
        need(all(l.kind.location for l in f.get("locations", ())), "a location that is not one")


def revision_of(row, shape, version):
    """Returns the revision of a row that a signature names."""
    public = row.name.split(".")[0] in ("stablehlo", "func")
    named = [r for r in row.revisions if public and r.until >= 41]
    codes = {**{r.since: r for r in row.revisions if r not in named}, **dict(enumerate(named, 1))}
    need(shape in codes, f"{row.name} has no revision {shape}")
    need(codes[shape].since <= version <= codes[shape].until, f"{row.name} has a revision of another version")
    return codes[shape]


def read_signatures(chunk, p):
    (count,), parts = columns(chunk, 1, ("ops", "shapes", "operands", "regions", "successors", "results", "types",
                                         "extras", "names", "slots"))
    for _ in range(count):
        s = Op()
        wire_id, shape = parts["ops"].varint(), parts["shapes"].varint()
        need(wire_id == 0 or wire_id in OPS, f"no op {wire_id}")
        s.row = OPS.get(wire_id)
        s.revision = revision_of(s.row, shape, p.version) if s.row else None
        s.name = s.row.name.encode() if s.row else get(p.strings, shape, "string")
        s.operands = parts["operands"].varint()
        code = parts["regions"].varint()
        s.regions, s.in_body = code >> 1, code & 1
        code = parts["successors"].varint()
        s.successors, s.terminator = code >> 1, code & 1
        s.types = [parts["types"].varint() for _ in range(parts["results"].varint())]
        s.extras = [get(p.strings, parts["names"].tracked(), "string") for _ in range(parts["extras"].varint())]
        need(s.extras == sorted(set(s.extras)), "the names of discardable attributes are not sorted")
        s.slots = [parts["slots"].varint() for _ in (s.revision.slots if s.row else ())]
        p.signatures.append(s)
    finish(parts)


def read_resources(chunk, p):
    (count,), parts = columns(chunk, 1, ("keys", "payloads", "alignments"))
    for _ in range(count):
        p.resources.append((get(p.strings, parts["keys"].varint(), "string"),
                            get(p.payloads, parts["payloads"].varint(), "payload"), parts["alignments"].varint()))
        need(p.resources[-1][2] <= 31, "an impossible alignment")
    keys = [key for key, _, _ in p.resources]
    need(keys == sorted(set(keys)), "the keys of resources are not sorted")
    finish(parts)


# --- Op streams -------------------------------------------------------------------------------------

class Stream:
    """Section 6 or a page."""

    def __init__(self, chunk, p):
        (self.ops, *start), self.c = columns(chunk, 3, ("signatures", "attrs", "operands", "far", "regions",
                                                        "arguments", "lengths", "types", "successors"))
        self.c["signatures"].next, self.c["attrs"].next = start
        self.p, self.in_order, self.bodies = p, [], []

    def body(self, regions=None):
        """Reads the regions of a function op, or the one outermost op. Returns them."""
        self.blocks, self.types, self.stack, self.users = [], [None], [], []
        self.c["operands"].next = 1
        self.depth = 0
        self.bodies.append(self.blocks)
        found = [self.region() for _ in range(regions)] if regions is not None else self.op()
        for op in self.users:
            for value in op.operands:
                need(0 < value < len(self.types), "no such value")
            op.operand_types = [self.types[v] for v in op.operands]
            need(all(0 < s <= len(self.blocks) for s in op.successors), "no such block")
        return found

    def define(self, type_):
        self.types.append(type_)
        self.stack.append(len(self.types) - 1)
        return self.stack[-1]

    def region(self):
        self.depth += 1
        need(self.depth <= 500, "regions nest too deep")
        height, blocks = len(self.stack), []
        for _ in range(self.c["regions"].varint()):
            block = Block()
            self.blocks.append(block)
            block.number = len(self.blocks)
            blocks.append(block)
        for block in blocks:
            kinds = [get(self.p.types, self.c["types"].varint(), "type") for _ in range(self.c["arguments"].varint())]
            block.arguments = [self.define(t) for t in kinds]
            block.types, block.ops = kinds, []
            length = self.c["lengths"].varint()
            while len(block.ops) != length - 1:
                block.ops.append(self.op())
                if length == 0 and block.ops[-1].signature.terminator:
                    break
        del self.stack[height:]
        self.depth -= 1
        return blocks

    def operand(self):
        column = self.c["operands"]
        code = column.varint()
        if code == 0:
            return self.c["far"].varint()
        if code & 1:
            number = column.tracked(code >> 1)
            need(number in self.blocks[0].arguments, "not an argument of the entry")
            return number
        need(code // 2 <= len(self.stack), "an operand outside of the stack")
        return self.stack[-(code // 2)]

    def op(self):
        p, op = self.p, Op()
        op.signature = s = get(p.signatures, self.c["signatures"].tracked(), "signature")
        op.name, op.row, op.revision = s.name, s.row, s.revision
        self.in_order.append(op)
        self.users.append(op)
        op.slots, op.extras = {}, {}
        for slot, code in zip(s.revision.slots if s.row else (), s.slots):
            if code != 1:
                op.slots[slot[0]] = get(p.attrs, code - 1 if code else self.c["attrs"].tracked(), "attribute")
        for name in s.extras:
            op.extras[name] = get(p.attrs, self.c["attrs"].tracked(), "attribute")
        op.operands = [self.operand() for _ in range(s.operands)]
        op.successors = [self.c["successors"].varint() for _ in range(s.successors)]
        op.regions = []
        if s.in_body:
            p.functions.append(op)
        else:
            op.regions = [self.region() for _ in range(s.regions)]
        op.types = [self.result_type(op, code, [op.slots.get(n[0]) for n in (s.revision.slots if s.row else ())])
                    for code in s.types]
        op.results = [self.define(t) for t in op.types]
        return op

    def result_type(self, op, code, slots):
        if not code & 1:
            return get(self.p.types, code >> 1, "type")
        place = code >> 1
        if place < len(op.operands):
            need(op.operands[place] < len(self.types), "the type of an operand is not known yet")
            return self.types[op.operands[place]]
        need(place - len(op.operands) < len(slots), "no such place")
        attr = slots[place - len(op.operands)]
        need(attr and attr.kind.fields and attr.kind.fields[0].type == "kType", "an attribute without a type")
        return attr.fields[attr.kind.fields[0].name]

    def finish(self):
        need(len(self.in_order) == self.ops, "the number of ops differs")
        finish(self.c)


def read_functions(chunk, p, pages):
    (functions, page_count), parts = columns(chunk, 2, ("names", "ops", "pages"))
    need((functions, page_count) == (len(p.functions), len(pages)), "the function table disagrees")
    names = [get(p.strings, parts["names"].tracked(), "string", True) for _ in range(functions)]
    sizes = [parts["ops"].varint() for _ in range(functions)]
    left = 0
    for chunk_of_page in pages:
        stream = Stream(chunk_of_page, p)
        count = parts["pages"].varint()
        need(0 < count <= functions - left, "functions of a page")
        for i in range(left, left + count):
            op, before = p.functions[i], len(stream.in_order)
            name = op.slots.get("sym_name") or op.extras.get(b"sym_name")
            need((name.fields["value"] if name else None) == names[i], "the function table has another name")
            op.regions = stream.body(op.signature.regions)
            need(len(stream.in_order) - before == sizes[i], "the function table has another number of ops")
        left += count
        stream.finish()
        p.streams.append(stream)
    need(left == functions, "functions without a page")
    finish(parts)


def read_locations(chunk, stream, p):
    _, parts = columns(chunk, 0, ("ops", "arguments"))
    last = {"ops": 0, "arguments": 0}

    def location(name):
        if not parts[name].data:
            return None
        code = parts[name].varint()
        if code == 0:
            return None
        last[name] += (code - 1 >> 1) ^ -(code - 1 & 1)
        found = get(p.attrs, last[name], "attribute")
        need(found.kind.location, "a location that is not one")
        return found

    for op in stream.in_order:
        op.loc = location("ops")
    for body in stream.bodies:
        for block in body:
            block.locs = [location("arguments") for _ in block.arguments]
    finish(parts)


# --- The file ---------------------------------------------------------------------------------------

def read_outside(root, constants):
    """Returns the constants that lie outside by their index: SHA-256, size, file and key."""
    found, last = {}, 0
    for entry in root.tables(7):
        number = struct.unpack_from("<I", entry.data, entry.field(0))[0]
        need(last < number <= len(constants), "constants outside are not in order")
        last = number
        sha256 = bytes(b[0] for b in entry.vector(1, "<B"))
        need(len(sha256) == 32, "the SHA-256 of a constant outside")
        need(constants[number - 1][:2] == (0, 0) and constants[number - 1][3] == 0, "a constant outside has a place")
        found[number - 1] = (sha256, constants[number - 1][2], entry.string(2), entry.string(3))
    return found


def read_bits(root, constants, outside):
    """Returns the indices of the constants that are stored as bits."""
    numbers = [n for n, in root.vector(8, "<I")]
    need(numbers == sorted(set(numbers)) and all(0 < n <= len(constants) for n in numbers), "the list of constants of bits")
    need(not any(n - 1 in outside for n in numbers), "a constant of bits lies outside")
    return {n - 1 for n in numbers}


def unpack_bits(packed, count):
    need(not count % 8 or packed[-1] >> count % 8 == 0, "bits after the last element")
    return bytes(packed[i // 8] >> i % 8 & 1 for i in range(count))


def read(data, find=None):
    """Reads a whole file and checks everything in it. find(sha256, size, file, key) returns a constant outside."""
    need(len(data) >= 64 and data[:8] == b"\x89SHLO\r\n\x1a", "not a .shlo file")
    need(hash64(data[:56]) == struct.unpack_from("<Q", data, 56)[0], "checksum of the preamble")
    version, n, flags, zero, header_at, header_size, size, header_sum = struct.unpack_from("<IIIIQQQQ", data, 8)
    need((version, zero, header_at, size, flags >> 5) == (1, 0, 64, len(data), 0), "a wrong preamble")
    header = data[64:64 + header_size]
    need(len(header) == header_size and hash64(header) == header_sum, "checksum of the header")
    p = Program()
    p.version, p.debug, p.stated, p.bare = n, flags >> 2 & 1, flags >> 1 & 1, flags & 1
    try:
        root = Table(header, struct.unpack_from("<I", header)[0])
        p.producer, p.certificate = root.string(0), root.string(6)
        content_hash = struct.unpack_from("<QQ", header, root.field(1))
        listed = root.vector(2, "<I4xQQQQ")
        pages, debug_pages, constants = root.vector(3, "<QQQQ"), root.vector(4, "<QQQQ"), root.vector(5, "<QQQQQQ")
        outside = read_outside(root, constants)
        bits = read_bits(root, constants, outside)
    except (struct.error, TypeError) as error:
        raise ValueError("a damaged header") from error
    need([s[0] for s in listed] == [*range(1, 8), *(range(16, 20) if p.debug else ())], "unknown sections")
    need(bool(outside) == bool(flags >> 3 & 1), "the flag of constants outside")
    need(bool(bits) == bool(flags >> 4 & 1), "the flag of constants of bits")
    need(not outside or find, "constants lie outside of the file")
    need(len(debug_pages) == (len(pages) if p.debug else 0), "debug pages")

    end = 64 + header_size

    def chunk(offset, stored_size, size, checksum):
        nonlocal end
        need(offset == end and offset + stored_size <= len(data), "a gap or an overlap")
        end += stored_size
        stored = data[offset:end]
        need(hash64(stored) == checksum, "checksum of a chunk")
        return unpack(stored, size)

    sections = {s[0]: chunk(*s[1:]) for s in listed[:7]}
    page_chunks = [chunk(*c) for c in pages]
    sections.update({s[0]: chunk(*s[1:]) for s in listed[7:]})
    debug_chunks = [chunk(*c) for c in debug_pages]
    external = []
    for i, (offset, stored_size, full_size, checksum, low, high) in enumerate(constants):
        if i in outside:
            external.append(find(*outside[i]))
            need(hashlib.sha256(external[-1]).digest() == outside[i][0], "the SHA-256 of a constant outside")
            need(len(external[-1]) == full_size, "the size of a constant outside")
            need(hash128(external[-1]) == (low, high), "hash of a constant")
            continue
        start = (end + 63) // 64 * 64
        need(offset == start and not any(data[end:start]), "a gap or an overlap")
        end = start + stored_size
        need(end <= len(data), "a constant outside of the file")
        packed_size = (full_size + 7) // 8 if i in bits else full_size
        need(checksum == (hash64(data[start:end]) if stored_size != packed_size else 0), "checksum of a constant")
        unpacked = unpack(data[start:end], packed_size)
        external.append(unpack_bits(unpacked, full_size) if i in bits else unpacked)
        need(hash128(external[-1]) == (low, high), "hash of a constant")
    need(end == len(data), "trailing bytes")
    record = struct.pack("<Q", n)
    for part in [*(sections[i] for i in range(1, 8)), *page_chunks, *external]:
        record += struct.pack("<QQQ", len(part), *hash128(part))
    need(hash128(record) == content_hash, "content hash")

    p.strings, p.payloads, p.types, p.attrs, p.signatures, p.resources = [], [], [], [], [], []
    p.functions, p.streams = [], []
    read_strings(sections[1], p.strings)
    read_payloads(sections[2], p.payloads, external)
    read_nodes(sections[3], p, (1, 1))
    read_signatures(sections[4], p)
    read_resources(sections[5], p)
    p.streams.append(Stream(sections[6], p))
    p.outer = p.streams[0].body()
    p.streams[0].finish()
    need(p.outer.name == b"builtin.module", "the outermost op is not a module")
    read_functions(sections[7], p, page_chunks)
    if p.debug:
        start = (len(p.strings) + 1, len(p.payloads) + 1)
        read_strings(sections[16], p.strings)
        read_payloads(sections[17], p.payloads, [])
        read_nodes(sections[18], p, start)
        for part, stream in zip([sections[19], *debug_chunks], p.streams):
            read_locations(part, stream, p)
    return p
