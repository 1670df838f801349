"""Prints what reader.py has read as MLIR text in generic form, in the plainest spelling: every literal typed, floats as
bits, locations in place. The text is for reading back, not for people."""
import re

from reader import DYNAMIC, element_bytes
from schema_rows import ELEMENTS, KIND_BY_NAME

WIDTH = {e.mnemonic: e for e in ELEMENTS.values()}


def quote(data):
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data) + '"'


def key(data):
    return data.decode() if re.fullmatch(rb"[A-Za-z_][\w$.]*", data) else quote(data)


def real(x):
    mantissa, _, exponent = f"{x:.17e}".partition("e")
    return f"{mantissa}e{exponent}"


def nest(items, shape):
    """Returns items in row-major order as nested lists."""
    for size in reversed(shape[1:]):
        items = ["[" + ", ".join(items[i:i + size]) + "]" for i in range(0, len(items), size)]
    return "[" + ", ".join(items) + "]" if shape else items[0]


def commas(items, printed):
    return ", ".join(printed(i) for i in items)


# --- Types ------------------------------------------------------------------------------------------

def dims(shape, scalable=()):
    marks = list(scalable) + [0] * len(shape)
    return "".join(("?" if n == DYNAMIC else f"[{n}]" if mark else str(n)) + "x" for n, mark in zip(shape, marks))


def storage(f):
    name = ty(f["storage"])
    if name.startswith("i") or f["storage"].kind.name == "kInteger":
        name = ("i" if f["flags"] & 1 else "u") + name.lstrip("ui")
    return f"{name}<{f['storage_min']}:{f['storage_max']}>:{ty(f['expressed'])}"


def points(f):
    return [f"{real(s)}:{z}" for s, z in zip(f["scales"], f["zero_points"])]


def function(inputs, results):
    return f"({commas(inputs, ty)}) -> ({commas(results, ty)})"


def extra(*attrs):
    return "".join(f", {attr(a)}" for a in attrs if a)


def sub_channel(f):
    sizes = ", ".join(f"{d}:{b}" for d, b in zip(f["quantized_dimensions"], f["block_sizes"]))
    items = nest(points(f), f["scale_shape"]).replace("[", "{").replace("]", "}")
    return f"!quant.uniform<{storage(f)}:{{{sizes}}}, {items}>"


TYPE = {
    "kNone": lambda f: "none",
    "kInteger": lambda f: ("i", "si", "ui")[f["signedness"]] + str(f["width"]),
    "kComplex": lambda f: f"complex<{ty(f['element'])}>",
    "kTensor": lambda f: f"tensor<{dims(f['shape'])}{ty(f['element'])}{extra(f['encoding'])}>",
    "kUnrankedTensor": lambda f: f"tensor<*x{ty(f['element'])}>",
    "kTuple": lambda f: f"tuple<{commas(f['types'], ty)}>",
    "kFunction": lambda f: function(f["inputs"], f["results"]),
    "kVector": lambda f: f"vector<{dims(f['shape'], f['scalable'])}{ty(f['element'])}>",
    "kMemref": lambda f: f"memref<{dims(f['shape'])}{ty(f['element'])}{extra(f['layout'], f['memory_space'])}>",
    "kUnrankedMemref": lambda f: f"memref<*x{ty(f['element'])}{extra(f['memory_space'])}>",
    "kToken": lambda f: "!stablehlo.token",
    "kFuture": lambda f: f"!stablehlo.future<{commas(f['types'], ty)}>",
    "kUniformQuantized": lambda f: f"!quant.uniform<{storage(f)}, {real(f['scale'])}:{f['zero_point']}>",
    "kUniformQuantizedPerAxis":
        lambda f: f"!quant.uniform<{storage(f)}:{f['quantized_dimension']}, {{{', '.join(points(f))}}}>",
    "kUniformQuantizedSubChannel": sub_channel,
    "kWitness": lambda f: "!shape.witness",
    "kOpaqueType": lambda f: "!" + (f["dialect"] + f["text"]).decode(),
}


def ty(t):
    return TYPE[t.kind.name](t.fields) if t.kind.name in TYPE else t.kind.mnemonic


# --- Attributes -------------------------------------------------------------------------------------

def integer(value, type_):
    """Returns an integer that is given modulo its width."""
    form, width = ("signless", 64)
    if type_.kind.name == "kInteger":
        form, width = ("signless", "signed", "unsigned")[type_.fields["signedness"]], type_.fields["width"]
    elif type_.kind.mnemonic in WIDTH:
        form, width = WIDTH[type_.kind.mnemonic][1:]
    value &= (1 << width) - 1
    if form == "signless" and width == 1:
        return "true" if value else "false"
    return str(value - (1 << width) if form != "unsigned" and value >> (width - 1) else value)


def element(data, type_):
    """Returns an element of a payload as a literal."""
    kind, f = type_
    if kind.name == "kComplex":
        half = len(data) // 2
        return f"({element(data[:half], f['element'])}, {element(data[half:], f['element'])})"
    if kind.name.startswith("kUniformQuantized"):
        return element(data, f["storage"])
    value = int.from_bytes(data, "little")
    if kind.mnemonic in WIDTH and WIDTH[kind.mnemonic].form == "float":
        return f"0x{value:0{(WIDTH[kind.mnemonic].width + 3) // 4}X}"
    return integer(value, type_)


def literal(f):
    """Returns the elements of an elements attribute."""
    type_ = f["type"].fields["element"]
    size, data, shape = element_bytes(type_), f["payload"], f["type"].fields["shape"]
    if not data:
        return ""
    if len(data) > 4096 and not f["splat"] and type_.kind.mnemonic != "i1":
        return f'"0x{data.hex()}"'
    items = [element(data[i:i + size], type_) for i in range(0, len(data), size)]
    return nest(items, [] if f["splat"] else shape)


def array(f):
    size = element_bytes(f["element"])
    items = [element(f["payload"][i:i + size], f["element"]) for i in range(0, len(f["payload"]), size)]
    return f"array<{ty(f['element'])}{': ' if items else ''}{', '.join(items)}>"


def words(f):
    return integer(sum((w % (1 << 64)) << (64 * i) for i, w in enumerate(f["value"])), f["type"])


def strings(f):
    items = [quote(v) for v in f["values"]]
    return f"dense<{nest(items, [] if f['splat'] else f['type'].fields['shape']) if items else ''}> : {ty(f['type'])}"


def bits(f):
    value = sum((w % (1 << 64)) << (64 * i) for i, w in enumerate(f["bits"]))
    return f"0x{value:0{(WIDTH[f['type'].kind.mnemonic].width + 3) // 4}X} : {ty(f['type'])}"


def named(entries):
    return ", ".join(f"{key(name)} = {attr(value)}" for name, value in entries)


def sparse(f):
    return f"sparse<{literal(f['indices'].fields)}, {literal(f['values'].fields)}> : {ty(f['type'])}"


def sub_axis(name, axis):
    inner = f", sub_axis_info = ({axis.fields['pre_size']}){axis.fields['size']}" if axis else ""
    return f"#stablehlo.axis_ref<name = {quote(name)}{inner}>"


def listed(values):
    return f"[{', '.join(str(v) for v in values)}]"


ATTR = {
    "kUnit": lambda f: "unit",
    "kIntegerAttr": lambda f: words(f) if ty(f["type"]) == "i1" else f"{words(f)} : {ty(f['type'])}",
    "kFloatAttr": bits,
    "kString": lambda f: quote(f["value"]),
    "kArray": lambda f: f"[{commas(f['elements'], attr)}]",
    "kDict": lambda f: "{" + named(f["entries"]) + "}",
    "kTypeAttr": lambda f: ty(f["type"]),
    "kSymbolRef": lambda f: "::".join("@" + quote(s) for s in [f["root"], *f["nested"]]),
    "kElements": lambda f: f"dense<{literal(f)}> : {ty(f['type'])}",
    "kI64Array": lambda f: f"array<i64{': ' if f['values'] else ''}{', '.join(map(str, f['values']))}>",
    "kDenseArray": array,
    "kResourceElements": lambda f: f"dense_resource<{key(f['key'])}> : {ty(f['type'])}",
    "kStringElements": strings,
    "kSparseElements": sparse,
    "kAffineMap": lambda f: f"affine_map<{f['text'].decode()}>",
    "kIntegerSet": lambda f: f"affine_set<{f['text'].decode()}>",
    "kStridedLayout": lambda f: f"strided<{f['text'].decode()}>",
    "kTypedString": lambda f: f"{quote(f['value'])} : {ty(f['type'])}",
    "kDistinct": lambda f: f"distinct[{f['id']}]<{attr(f['attribute'])}>",
    "kOpaqueAttr": lambda f: "#" + (f["dialect"] + f["text"]).decode(),
    "kTypeExtensions":
        lambda f: f"#stablehlo.bounds<{', '.join('?' if b == DYNAMIC else str(b) for b in f['bounds'])}>",
    "kAxisRef": lambda f: sub_axis(f["name"], f["sub_axis_info"]),
}
LOCATION = {
    "kUnknownLoc": lambda f: "unknown",
    "kFileLineColLoc": lambda f: f"{quote(f['file'])}:{f['line']}:{f['column']}",
    "kFileRangeLoc": lambda f: f"{quote(f['file'])}:{f['start_line']}:{f['start_column']} to "
                               f"{f['end_line']}:{f['end_column']}",
    "kNameLoc": lambda f: quote(f["name"]) + (f"({location(f['child'])})" if f["child"] else ""),
    "kCallSiteLoc": lambda f: f"callsite({location(f['callee'])} at {location(f['caller'])})",
    "kFusedLoc": lambda f: f"fused{'<' + attr(f['metadata']) + '>' if f['metadata'] else ''}"
                           f"[{commas(f['locations'], location)}]",
}


def location(a):
    return LOCATION[a.kind.name](a.fields) if a else "unknown"


def field(value, type_):
    """Returns a field of a struct attribute."""
    if type_ in ("kInts", "kAttrs"):
        return listed(value) if type_ == "kInts" else f"[{commas(value, attr)}]"
    return {"kInt": str, "kFloat": real, "kString": quote, "kType": ty, "kAttr": attr, "kOptAttr": attr}[type_](value)


def attr(a):
    kind, f = a
    if kind.location:
        return f"loc({location(a)})"
    if kind.name == "kResultAccuracyMode":
        return f"#stablehlo.result_accuracy_mode<{kind.cases[f['value']][0]}>"
    if kind.cases:
        return f"#{kind.dialect}<{kind.mnemonic} {kind.cases[f['value']][0]}>"
    if kind.name in ATTR:
        return ATTR[kind.name](f)
    return struct(kind, {x.name: field(f[x.name], x.type) for x in kind.fields if f[x.name] is not None})


def struct(kind, values):
    raw = "raw " if kind.name == "kConvDimensionNumbers" else ""
    fields = ", ".join(f"{x.text} = {values[x.name]}" for x in kind.fields if x.name in values)
    return f"#{kind.dialect}.{kind.mnemonic}<{raw}{fields}>"


# --- Ops --------------------------------------------------------------------------------------------

def of_slot(a):
    """Returns the attribute of a slot as a field of a struct."""
    kind, f = a
    if kind.name == "kIntegerAttr":
        return words(f)
    return listed(f["values"]) if kind.name == "kI64Array" else attr(a)


def inherent(op):
    """Returns the attributes of an op's slots as text has them: some as fields of a struct."""
    slots = dict(op.slots)
    out = []
    for name, kind in op.revision.structs if op.row else ():
        row = KIND_BY_NAME[kind.removeprefix("AttrKind_")]
        values = {x.name: of_slot(slots.pop(x.name)) for x in row.fields if x.name in slots}
        if values:
            if row.name == "kChannelHandle":
                values.setdefault("channel_type", "0")  # text has both
            out.append(f"{name} = {struct(row, values)}")
    return out + [f"{name} = {attr(value)}" for name, value in slots.items()]


class Printer:
    """Prints a program."""

    def __init__(self, program):
        self.p, self.out = program, []
        self.functions = {id(op): i + 1 for i, op in enumerate(program.functions)}

    def loc(self, a):
        return f" loc({location(a)})" if a else ""

    def op(self, op, body):
        names = [f"%b{body}_{v}" for v in op.results]
        self.out.append(", ".join(names) + (" = " if names else "") + quote(op.name) +
                        "(" + ", ".join(f"%b{body}_{v}" for v in op.operands) + ")")
        if op.successors:
            self.out.append("[" + ", ".join(f"^b{s}" for s in op.successors) + "]")
        slots = inherent(op)
        if slots:
            self.out.append(" <{" + ", ".join(slots) + "}>")
        inner = self.functions.get(id(op), body)
        for i, region in enumerate(op.regions):
            self.out.append(", {\n" if i else " ({\n")
            for block in region:
                self.block(block, inner)
            self.out.append("}")
        extras = [f"{key(name)} = {attr(value)}" for name, value in op.extras.items()]
        if op is self.p.outer and self.p.stated:
            extras.append(f"stablehlo.compat_version = {self.p.version} : i64")
        self.out.append((")" if op.regions else "") + (" {" + ", ".join(extras) + "}" if extras else "") +
                        " : " + function(op.operand_types, op.types) + self.loc(op.loc) + "\n")

    def block(self, block, body):
        locs = block.locs if self.p.debug else [None] * len(block.types)
        arguments = ", ".join(f"%b{body}_{v}: {ty(t)}{self.loc(l)}"
                              for v, t, l in zip(block.arguments, block.types, locs))
        self.out.append(f"^b{block.number}({arguments}):\n" if arguments else f"^b{block.number}:\n")
        for op in block.ops:
            self.op(op, body)


def write(program):
    """Returns a program as text."""
    printer = Printer(program)
    if program.bare and not program.stated:
        for op in program.outer.regions[0][0].ops:
            printer.op(op, 0)
    else:
        printer.op(program.outer, 0)
    if program.resources:
        entries = ",\n".join(f'{key(name)}: "0x{(1 << align).to_bytes(4, "little").hex()}{data.hex()}"'
                             for name, data, align in program.resources)
        printer.out.append("{-# dialect_resources: { builtin: {\n" + entries + "\n} } #-}\n")
    return "".join(printer.out)
