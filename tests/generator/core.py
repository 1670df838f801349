"""Types, values and functions of generated programs, and their generic form.

A program is a module of functions; a recipe (recipes_*.py) puts one op into a function. All random
choices use one random.Random, so that a seed determines the program.
"""
import random

BOOL = ["i1"]
SIGNED = ["i2", "i4", "i8", "i16", "i32", "i64"]
UNSIGNED = ["ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
SMALL_FLOATS = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ",
                "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"]
FLOATS = SMALL_FLOATS + ["bf16", "f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
QUANT = ["!quant.uniform<i8:f32, 2.000000e+00:15>", "!quant.uniform<u8:f32, 3.400000e-01:128>",
         "!quant.uniform<i8<-127:127>:f32, 1.250000e-01>", "!quant.uniform<i32:f32, 5.000000e-01>"]
WIDTH = {e: int("".join(c for c in e[:4] if c.isdigit()) or 0) for e in INTS}
FLOAT_WIDTH = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6, "bf16": 16, "f16": 16, "f32": 32, "f64": 64}
FLOAT_WIDTH.update({e: 8 for e in FLOATS if e.startswith("f8")})


def bits(element):
    """Returns the width of an element in bits; of both parts for complex elements."""
    if element.startswith("complex"):
        return 2 * bits(element[8:-1])
    return 1 if element == "i1" else WIDTH.get(element) or FLOAT_WIDTH[element]


class Tensor:
    """A ranked tensor type; a dimension is a number or '?'."""

    def __init__(self, dims, element, bounds=None):
        self.dims, self.element, self.bounds = tuple(dims), element, bounds

    def __str__(self):
        shape = "".join(f"{d}x" for d in self.dims)
        bounds = ""
        if self.bounds:
            inner = ", ".join("?" if b is None else str(b) for b in self.bounds)
            bounds = f", #stablehlo.bounds<{inner}>"
        return f"tensor<{shape}{self.element}{bounds}>"

    def of(self, element):
        return Tensor(self.dims, element, self.bounds)

    def with_dims(self, dims):
        return Tensor(dims, self.element)

    @property
    def rank(self):
        return len(self.dims)

    @property
    def count(self):
        n = 1
        for d in self.dims:
            n *= d
        return n


def function_type(inputs, results):
    text = ", ".join(map(str, results))
    one = len(results) == 1 and not str(results[0]).startswith("(")
    return f"({', '.join(map(str, inputs))}) -> {text if one else f'({text})'}"


def i64s(values):
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def i64_matrix(rows, element="i64"):
    shape = f"{len(rows)}x{len(rows[0]) if rows else 0}"
    body = "" if not rows else "[" + ", ".join(f"[{', '.join(map(str, r))}]" for r in rows) + "]"
    return f"dense<{body}> : tensor<{shape}x{element}>"


class Function:
    """A function under construction: ops use existing values or add arguments."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.args, self.lines, self.results = [], [], []
        self.used, self.locs = 0, False

    def arg(self, type_):
        self.args.append(str(type_))
        return f"%arg{len(self.args) - 1}"

    def fresh(self):
        self.used += 1
        return f"%{self.used - 1}"

    def op(self, name, operands, types, results, attrs=None, regions=(), indent=2):
        """Adds an op; returns the names of its results."""
        names = []
        head = ""
        if len(results) == 1:
            names = [self.fresh()]
            head = f"{names[0]} = "
        elif results:
            base = self.fresh()
            head = f"{base}:{len(results)} = "
            names = [f"{base}#{i}" for i in range(len(results))]
        text = f'{head}"{name}"({", ".join(operands)})'
        if regions:
            text += " (" + ", ".join(regions) + ")"
        if attrs:
            entries = ", ".join(k if v is None else f"{k} = {v}" for k, v in attrs.items())
            text += f" {{{entries}}}"
        text += f" : {function_type(types, results)}"
        if self.locs:
            text += " " + random_loc(self.rng)
        self.lines.append("  " * indent + text)
        self.results += [(n, str(t)) for n, t in zip(names, results)]
        return names

    def region(self, arg_types, body, indent=2):
        """Returns the text of a region; body(names) adds its ops, including the terminator."""
        outer, self.lines = self.lines, []
        kept = list(self.results)
        base = self.used
        self.used += len(arg_types)
        names = [f"%b{base}_{i}" for i in range(len(arg_types))]
        body(names)
        lines, self.lines = self.lines, outer
        self.results = kept
        args = ", ".join(f"{n}: {t}" for n, t in zip(names, arg_types))
        head = f"^bb0({args}):\n" if arg_types else ""
        return "{\n" + ("  " * indent + head if head else "") + "\n".join(lines) + "\n" + "  " * indent + "}"

    def binary_region(self, op, scalar):
        def body(names):
            made = self.op(op, names, [scalar, scalar], [scalar], indent=4)
            self.op("stablehlo.return", made, [scalar], [], indent=4)
        return self.region([scalar, scalar], body)

    def text(self, private=False, attrs=""):
        returned = self.results[-1:] if self.rng.random() < 0.8 else self.results[-3:]
        types = [t for _, t in returned]
        sig = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(self.args))
        result = "" if not types else (f" -> {types[0]}" if len(types) == 1 else f" -> ({', '.join(types)})")
        if len(types) == 1 and types[0].startswith("("):
            result = f" -> ({types[0]})"
        ret = ("    func.return" + (" " + ", ".join(n for n, _ in returned) + " : " + ", ".join(types)
                                    if returned else ""))
        visibility = "private " if private else ""
        return (f"  func.func {visibility}@{self.name}({sig}){result}{attrs} {{\n" + "\n".join(self.lines) +
                ("\n" if self.lines else "") + ret + "\n  }")


def random_loc(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return "loc(unknown)"
    if kind == 1:
        return f'loc("model.py":{rng.randrange(1, 500)}:{rng.randrange(1, 80)})'
    if kind == 2:
        return f'loc("layer_{rng.randrange(9)}")'
    if kind == 3:
        return f'loc("jit(f)/add"("model.py":{rng.randrange(1, 500)}:1))'
    if kind == 4:
        return 'loc(callsite("f"("a.py":1:2) at "b.py":3:4))'
    return 'loc(fused["x", "y.py":1:1])'


class Random(random.Random):
    def dims(self, low=0, high=4, top=5):
        return [self.randrange(1, top + 1) for _ in range(self.randrange(low, high + 1))]

    def flip(self, p=0.5):
        return self.random() < p

    def integer(self, element):
        """Returns a literal of an integer element type, including extremes."""
        if element == "i1":
            return self.choice(["true", "false"])
        width = WIDTH[element]
        low, high = (0, 2**width - 1) if element[0] == "u" else (-2**(width - 1), 2**(width - 1) - 1)
        return str(self.choice([low, high, 0, self.randint(low, high), self.randint(low, high)]))

    def float(self, element):
        """Returns a literal that every float element type can represent; sometimes hexadecimal."""
        if self.flip(0.1) and element not in ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN"):
            return f"0x{self.getrandbits(bits(element)):0{max(bits(element) // 4, 1)}X}"
        if element == "f8E8M0FNU":
            return self.choice(["1.000000e+00", "2.000000e+00", "5.000000e-01"])
        return self.choice(["0.000000e+00", "1.000000e+00", "-1.000000e+00", "5.000000e-01", "1.500000e+00",
                            "-2.000000e+00", "2.000000e+00"])

    def literal(self, element):
        if element.startswith("complex"):
            part = element[8:-1]
            return f"({self.float(part)}, {self.float(part)})"
        return self.integer(element) if element in INTS or element == "i1" else self.float(element)

    def dense(self, tensor):
        """Returns a dense elements attribute: a splat, a list or hexadecimal."""
        if tensor.count == 0:
            return f"dense<> : {tensor}"
        if self.flip(0.3) or tensor.count > 64:
            return f"dense<{self.literal(tensor.element)}> : {tensor}"

        def nest(dims):
            if not dims:
                return self.literal(tensor.element)
            return "[" + ", ".join(nest(dims[1:]) for _ in range(dims[0])) + "]"
        return f"dense<{nest(list(tensor.dims))}> : {tensor}"


NUMBERS = INTS + FLOATS + COMPLEX
ANY = BOOL + NUMBERS
SOME = ["i1", "i8", "i32", "ui16", "i64", "bf16", "f16", "f32", "f64", "f8E5M2", "complex<f32>"]
ARITHMETIC = ["i32", "i64", "ui8", "f16", "f32", "f64", "bf16"]


def tensor(g, elements=SOME, low=0, high=3, top=5):
    return Tensor(g.rng.dims(low, high, top), g.rng.choice(elements))
