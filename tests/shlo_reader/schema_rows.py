"""The rows of schema/ that docs/shlo-format.md refers to, read as data: kinds, fields, revisions and their slots."""
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

Kind = collections.namedtuple("Kind", "name dialect mnemonic since until fields cases location")
Field = collections.namedtuple("Field", "name type text")
Revision = collections.namedtuple("Revision", "since until slots structs")
Row = collections.namedtuple("Row", "name revisions")
Element = collections.namedtuple("Element", "mnemonic form width")
NEVER = 1 << 30


class Names(dict):
    """Words of rows stand for themselves, unless a function or a run of words has the name."""

    def __missing__(self, key):
        return key


def run(file, functions):
    """Calls the function of each row of a file: the rows are nearly Python."""
    text = (ROOT / "schema" / file).read_text()
    text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda m: m[1] or "", text)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.M).replace("::", "_")
    text = re.sub(r"\)\s*SHLO_FIELD", "), SHLO_FIELD", text)
    scope = Names(Between=lambda a, b: (a, b), **functions)
    exec(compile(text, file, "exec"), {"__builtins__": {}}, scope)  # pylint: disable=exec-used


def interval(cell):
    return cell if isinstance(cell, tuple) else (cell, NEVER)


def read_kinds():
    """Returns the kinds of types and of attributes by wire id, and the element types by wire id."""
    types, attrs, elements = {}, {}, {}
    header = (ROOT / "include/shlo/kinds.h").read_text()
    ids = {}
    for enum in ("TypeKind", "AttrKind"):
        body = re.search(r"enum class %s : uint16_t \{(.*?)\n\};" % enum, header, re.S)[1]
        ids[enum] = {name: int(n) for name, n in re.findall(r"\b(k\w+) = (\d+)", body)}

    def number(kind, enum):
        return int(kind[1]) if isinstance(kind, tuple) else ids[enum][kind]

    def add(table, location):
        def row(wire_id, name, _view, dialect, mnemonic, _vhlo, since, *fields):
            table[wire_id] = Kind(name, dialect, mnemonic, *interval(since), fields, {}, location)
        return row

    def element(kind, mnemonic, _vhlo, since, form):
        wire_id = number(kind, "TypeKind")
        types[wire_id] = Kind(kind, "", mnemonic, *interval(since), (), {}, False)
        elements[wire_id] = Element(mnemonic, *form)

    def enum_kind(kind, dialect, mnemonic, _vhlo, since):
        attrs[number(kind, "AttrKind")] = Kind(kind, dialect, mnemonic, *interval(since),
                                               (Field("value", "kInt", "value"),), {}, False)

    def case(kind, value, name, since=None):
        row = attrs[number(kind, "AttrKind")]
        row.cases[value] = (name, *(interval(since) if since else (row.since, row.until)))

    kind_of = {enum: (lambda n, enum=enum: (enum, n)) for enum in ("TypeKind", "AttrKind")}
    run("kinds.inc", {
        "SHLO_TYPE": add(types, False), "SHLO_QUANTIZED": add(types, False), "SHLO_ATTR": add(attrs, False),
        "SHLO_LOCATION": add(attrs, True), "SHLO_FIELD": lambda n, t: Field(n, t, n), "SHLO_FIELD_AS": Field})
    run("element_types.inc", {
        "SHLO_ELEMENT_TYPE": element, "Index": lambda: ("index", 64), "Signless": lambda w: ("signless", w),
        "Unsigned": lambda w: ("unsigned", w), **kind_of,
        "Float": lambda flavor, e, m, *_: ("float", e + m + (flavor != "kFnu"))})
    run("enums.inc", {"SHLO_ENUM": enum_kind, "SHLO_CASE": case, **kind_of})
    return types, attrs, elements


def read_ops():
    """Returns the rows of schema/ops.inc by wire id."""
    rows, runs = {}, {}

    def word(kind):
        return lambda *args: (kind, *args)

    def flat(words):
        for w in words:
            if isinstance(w, str) and w in runs:
                yield from flat(runs[w])
            else:
                yield w

    def edit(slots, structs, words, at):
        for w in flat(words):
            if w[0] in ("At", "Filled"):
                slots.insert(at, w[1:])
                at += 1
            elif w[0] == "StructAttr":
                structs.append(w[1:])
            elif w[0] in ("NonNegative", "Positive"):
                at = edit(slots, structs, w[1:], at)
        return at

    def op(wire_id, name, *words):
        revisions = []
        for w in flat(words):
            if not isinstance(w, tuple):
                continue
            if w[0] == "Rev":
                last = revisions[-1] if revisions else Revision(0, 0, [], [])
                revisions.append(Revision(w[1], w[2] if len(w) > 2 else NEVER, list(last.slots), list(last.structs)))
            elif revisions:
                slots, structs = revisions[-1].slots, revisions[-1].structs
                names = [s[0] for s in slots]
                if w[0] == "Add":
                    edit(slots, structs, w[1:], len(slots))
                elif w[0] == "AddAfter":
                    edit(slots, structs, w[2:], names.index(w[1]) + 1)
                elif w[0] == "Drop" and w[1] in names:
                    del slots[names.index(w[1])]
                else:
                    edit(slots, structs, [w], len(slots))
        rows[wire_id] = Row(name, revisions)

    words = ("Is", "By", "EndsWith", "Rev", "In", "Ins", "Out", "Outs", "Reg", "Regs", "AnyReg", "AnyRegs", "At",
             "Filled", "NonNegative", "Positive", "StructAttr", "If", "Add", "AddAfter", "Drop", "Rename", "MakeList")
    functions = {w: word(w) for w in words}
    functions["SHLO_RUN"] = lambda name, *cells: runs.update({name: cells})
    functions["SHLO_OP"] = op
    run("ops.inc", functions)
    return rows


TYPES, ATTRS, ELEMENTS = read_kinds()
OPS = read_ops()
KIND_BY_NAME = {k.name: k for k in ATTRS.values()}
