"""Generated programs for the comparison with XLA: chains of ops on types that XLA supports, with their arguments.

All ops except the last have exactly defined results; see xla_diff.py.
"""
import random

import ml_dtypes
import numpy as np

FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
INTS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
        "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}
COMPLEX = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}
TYPES = {**FLOATS, **INTS, **COMPLEX, "i1": np.bool_}


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.lines, self.args, self.data = [], [], []
        self.n = 0
        self.inexact = None  # the inexact op; it must be the last one
        self.ops = []

    def arg(self, shape, element, kind=None):
        name = f"%a{len(self.args)}"
        self.args.append((name, shape, element))
        self.data.append(values(self.rng, shape, element, kind or self.rng.choice(["small", "wide", "special"])))
        return name, shape, element

    def op(self, text, shape, element):
        """Adds an op; `text` is the op without the name of its result."""
        name = f"%{self.n}"
        self.n += 1
        self.lines.append(f"    {name} = {text}")
        self.ops.append(text.split("(")[0].strip('"'))
        return name, tuple(shape), element

    def text(self, results):
        args = ", ".join(f"{n}: {tt(s, e)}" for n, s, e in self.args)
        types = ", ".join(tt(s, e) for _, s, e in results)
        names = ", ".join(n for n, _, _ in results)
        body = "\n".join(self.lines)
        return (f"module @m {{\n  func.func public @main({args}) -> ({types}) {{\n{body}\n"
                f"    return {names} : {types}\n  }}\n}}\n")


def tt(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def values(rng, shape, element, kind):
    gen = np.random.default_rng(rng.randrange(1 << 60))
    n = int(np.prod(shape, dtype=np.int64))
    dtype = TYPES[element]
    if element == "i1":
        return (gen.integers(0, 2, n) > 0).reshape(shape)
    if element in INTS:
        info = np.iinfo(dtype)
        if kind == "small":
            return gen.integers(max(info.min, -9), 10, n).astype(dtype).reshape(shape)
        v = gen.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
        if kind == "special" and n:
            v[gen.integers(0, n, n // 3 + 1)] = gen.choice(np.array([0, 1, info.min, info.max, info.max - 1], dtype))
        return v.reshape(shape)
    if element in COMPLEX:
        part = "f32" if dtype is np.complex64 else "f64"
        return (values(rng, shape, part, kind) + 1j * values(rng, shape, part, kind)).astype(dtype)
    if kind == "small":
        v = gen.integers(-9, 10, n).astype(np.float64)
    elif kind == "wide":
        v = gen.standard_normal(n) * np.exp2(gen.integers(-6, 7, n).astype(np.float64))
    else:
        v = gen.standard_normal(n) * 3
        special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.0])
        at = gen.integers(0, 2, n) > 0
        v = np.where(at, gen.choice(special, n), v)
    return v.astype(dtype).reshape(shape)


def shape_of(rng, rank=None, most=5):
    return tuple(rng.randint(1, most) for _ in range(rng.randint(0, 3) if rank is None else rank))


def unary(name, elements, exact=True, kind=None):
    def make(p, x=None):
        if x is None or x[2] not in elements:
            x = p.arg(shape_of(p.rng), p.rng.choice(elements), kind)
        if not exact:
            p.inexact = name
        return p.op(f'"stablehlo.{name}"({x[0]}) : ({tt(*x[1:])}) -> {tt(*x[1:])}', *x[1:])
    make.ends = not exact
    return make


def binary(name, elements, exact=True, ends=False, kind=None):
    def make(p, x=None):
        if x is None or x[2] not in elements:
            x = p.arg(shape_of(p.rng), p.rng.choice(elements), kind)
        y = p.arg(x[1], x[2], kind)
        if not exact:
            p.inexact = name
        t = tt(*x[1:])
        return p.op(f'"stablehlo.{name}"({x[0]}, {y[0]}) : ({t}, {t}) -> {t}', *x[1:])
    make.ends = ends or not exact
    return make


F, I, C = list(FLOATS), list(INTS), list(COMPLEX)
S = [e for e in I if e[0] == "i"]


def ints(xs):
    return "array<i64" + (": " if xs else "") + ", ".join(map(str, xs)) + ">"


def any_value(p, x, rank=None):
    if x is not None and (rank is None or len(x[1]) >= rank):
        return x
    return p.arg(shape_of(p.rng, None if rank is None else p.rng.randint(rank, 3)), p.rng.choice(list(TYPES)))


def compare(p, x=None):
    x = x if x is not None and x[2] not in COMPLEX else p.arg(shape_of(p.rng), p.rng.choice(F + I + ["i1"]))
    y = p.arg(x[1], x[2])
    direction = p.rng.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])
    t = tt(*x[1:])
    return p.op(f'"stablehlo.compare"({x[0]}, {y[0]}) {{comparison_direction = #stablehlo<comparison_direction '
                f'{direction}>}} : ({t}, {t}) -> {tt(x[1], "i1")}', x[1], "i1")


def select(p, x=None):
    x = any_value(p, x)
    c, y = p.arg(x[1], "i1"), p.arg(x[1], x[2])
    t = tt(*x[1:])
    return p.op(f'"stablehlo.select"({c[0]}, {x[0]}, {y[0]}) : ({tt(x[1], "i1")}, {t}, {t}) -> {t}', *x[1:])


def convert(p, x=None):
    x = any_value(p, x)
    to = p.rng.choice(C if x[2] in COMPLEX else F + I + ["i1"])
    return p.op(f'"stablehlo.convert"({x[0]}) : ({tt(*x[1:])}) -> {tt(x[1], to)}', x[1], to)


def clamp(p, x=None):
    x = x if x is not None and x[2] in F + I else p.arg(shape_of(p.rng), p.rng.choice(F + I))
    lo, hi = p.arg((), x[2], "small"), p.arg((), x[2], "small")
    return p.op(f'"stablehlo.clamp"({lo[0]}, {x[0]}, {hi[0]}) : ({tt((), x[2])}, {tt(*x[1:])}, {tt((), x[2])}) -> '
                f'{tt(*x[1:])}', *x[1:])


def transpose(p, x=None):
    x = any_value(p, x)
    order = list(range(len(x[1])))
    p.rng.shuffle(order)
    shape = [x[1][d] for d in order]
    return p.op(f'"stablehlo.transpose"({x[0]}) {{permutation = {ints(order)}}} : ({tt(*x[1:])}) -> {tt(shape, x[2])}',
                shape, x[2])


def reshape(p, x=None):
    x = any_value(p, x)
    n = int(np.prod(x[1], dtype=np.int64))
    shape = p.rng.choice([(n,), (1, n), (n, 1), x[1] + (1,)])
    return p.op(f'"stablehlo.reshape"({x[0]}) : ({tt(*x[1:])}) -> {tt(shape, x[2])}', shape, x[2])


def broadcast(p, x=None):
    x = any_value(p, x)
    rank = min(4, len(x[1]) + p.rng.randint(0, 1))
    rank = max(rank, len(x[1]))
    dims = sorted(p.rng.sample(range(rank), len(x[1])))
    shape = [p.rng.randint(1, 4) for _ in range(rank)]
    for d, e in zip(dims, x[1]):
        shape[d] = e
    return p.op(f'"stablehlo.broadcast_in_dim"({x[0]}) {{broadcast_dimensions = {ints(dims)}}} : ({tt(*x[1:])}) -> '
                f'{tt(shape, x[2])}', shape, x[2])


def slice_(p, x=None):
    x = any_value(p, x)
    start = [p.rng.randint(0, d - 1) for d in x[1]]
    limit = [p.rng.randint(s + 1, d) for s, d in zip(start, x[1])]
    step = [p.rng.randint(1, 2) for _ in x[1]]
    shape = [-(-(l - s) // t) for s, l, t in zip(start, limit, step)]
    return p.op(f'"stablehlo.slice"({x[0]}) {{start_indices = {ints(start)}, limit_indices = {ints(limit)}, strides = '
                f'{ints(step)}}} : ({tt(*x[1:])}) -> {tt(shape, x[2])}', shape, x[2])


def dynamic_slice(p, x=None):
    x = any_value(p, x)
    sizes = [p.rng.randint(1, d) for d in x[1]]
    starts = [p.arg((), "i32", "small") for _ in x[1]]
    return p.op(f'"stablehlo.dynamic_slice"({", ".join([x[0]] + [s[0] for s in starts])}) {{slice_sizes = '
                f'{ints(sizes)}}} : ({", ".join([tt(*x[1:])] + ["tensor<i32>"] * len(starts))}) -> {tt(sizes, x[2])}',
                sizes, x[2])


def dynamic_update_slice(p, x=None):
    x = any_value(p, x)
    y = p.arg([p.rng.randint(1, d) for d in x[1]], x[2])
    starts = [p.arg((), "i32", "small") for _ in x[1]]
    return p.op(f'"stablehlo.dynamic_update_slice"({", ".join([x[0], y[0]] + [s[0] for s in starts])}) : '
                f'({", ".join([tt(*x[1:]), tt(*y[1:])] + ["tensor<i32>"] * len(starts))}) -> {tt(*x[1:])}', *x[1:])


def pad(p, x=None):
    x = any_value(p, x)
    low = [p.rng.randint(-1 if d > 1 else 0, 2) for d in x[1]]
    high = [p.rng.randint(0, 2) for _ in x[1]]
    inner = [p.rng.randint(0, 2) for _ in x[1]]
    shape = [l + h + d + (d - 1) * i for l, h, d, i in zip(low, high, x[1], inner)]
    z = p.arg((), x[2])
    return p.op(f'"stablehlo.pad"({x[0]}, {z[0]}) {{edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, '
                f'interior_padding = {ints(inner)}}} : ({tt(*x[1:])}, {tt((), x[2])}) -> {tt(shape, x[2])}', shape, x[2])


def concatenate(p, x=None):
    x = any_value(p, x, rank=1)
    d = p.rng.randrange(len(x[1]))
    other = list(x[1])
    other[d] = p.rng.randint(1, 4)
    y = p.arg(tuple(other), x[2])
    shape = list(x[1])
    shape[d] += other[d]
    return p.op(f'"stablehlo.concatenate"({x[0]}, {y[0]}) {{dimension = {d} : i64}} : ({tt(*x[1:])}, {tt(*y[1:])}) -> '
                f'{tt(shape, x[2])}', shape, x[2])


def reverse(p, x=None):
    x = any_value(p, x)
    dims = [d for d in range(len(x[1])) if p.rng.random() < 0.5]
    return p.op(f'"stablehlo.reverse"({x[0]}) {{dimensions = {ints(dims)}}} : ({tt(*x[1:])}) -> {tt(*x[1:])}', *x[1:])


def iota(p, x=None):
    shape, element = shape_of(p.rng, p.rng.randint(1, 3)), p.rng.choice(F + I)
    return p.op(f'"stablehlo.iota"() {{iota_dimension = {p.rng.randrange(len(shape))} : i64}} : () -> {tt(shape, element)}',
                shape, element)


def body(name, element):
    t = tt((), element)
    return (f'({{\n    ^bb0(%l: {t}, %r: {t}):\n      %s = "stablehlo.{name}"(%l, %r) : ({t}, {t}) -> {t}\n'
            f'      "stablehlo.return"(%s) : ({t}) -> ()\n    }})')


def reduction_of(p):
    """Returns an op and an element type for which the order does not matter; values are small integers."""
    element = p.rng.choice(F + I)
    if element in ("bf16", "f16"):
        return p.rng.choice(["maximum", "minimum"]), element
    return p.rng.choice(["add", "maximum", "minimum"] + (["multiply", "and", "or", "xor"] if element in I else [])), element


def identity(p, name, element):
    """Returns the initial value. It may be used any number of times, so it must be the identity of the op."""
    if element in INTS:
        info = np.iinfo(TYPES[element])
        value = {"add": 0, "or": 0, "xor": 0, "multiply": 1, "and": -1 if info.min else info.max,
                 "maximum": info.min, "minimum": info.max}[name]
    else:
        bits = {"f16": ("0xFC00", "0x7C00"), "bf16": ("0xFF80", "0x7F80"), "f32": ("0xFF800000", "0x7F800000"),
                "f64": ("0xFFF0000000000000", "0x7FF0000000000000")}[element]
        value = {"add": "0.0", "maximum": bits[0], "minimum": bits[1]}[name]
    return p.op(f'"stablehlo.constant"() {{value = dense<{value}> : {tt((), element)}}} : () -> {tt((), element)}', (), element)


def reduce_(p, x=None):
    name, element = reduction_of(p)
    x = p.arg(shape_of(p.rng, p.rng.randint(1, 3)), element, "small")
    z = identity(p, name, element)
    dims = sorted(p.rng.sample(range(len(x[1])), p.rng.randint(0, len(x[1]))))
    shape = [e for d, e in enumerate(x[1]) if d not in dims]
    return p.op(f'"stablehlo.reduce"({x[0]}, {z[0]}) {body(name, element)} {{dimensions = {ints(dims)}}} : '
                f'({tt(*x[1:])}, {tt((), element)}) -> {tt(shape, element)}', shape, element)


def reduce_window(p, x=None):
    name, element = reduction_of(p)
    x = p.arg(shape_of(p.rng, 2, 7), element, "small")
    z = identity(p, name, element)
    window, stride, dilation = ([p.rng.randint(1, m) for _ in x[1]] for m in (3, 2, 2))
    padding = [[p.rng.randint(0, 2), p.rng.randint(0, 2)] for _ in x[1]]
    shape = []
    for d, w, s, k, (lo, hi) in zip(x[1], window, stride, dilation, padding):
        reach = (w - 1) * k + 1
        if lo + d + hi < reach:
            return None  # empty result: no more ops could follow
        shape.append((lo + d + hi - reach) // s + 1)
    return p.op(f'"stablehlo.reduce_window"({x[0]}, {z[0]}) {body(name, element)} {{window_dimensions = {ints(window)}, '
                f'window_strides = {ints(stride)}, window_dilations = {ints(dilation)}, padding = dense<{padding}> : '
                f'tensor<2x2xi64>}} : ({tt(*x[1:])}, {tt((), element)}) -> {tt(shape, element)}', shape, element)


def dot_general(p, x=None):
    element = p.rng.choice(["f32", "f64", "i32", "i8", "ui16"])
    batch = [p.rng.randint(1, 3) for _ in range(p.rng.randint(0, 1))]
    m, k, n = (p.rng.randint(1, 20) for _ in range(3))
    x, y = p.arg((*batch, m, k), element, "small"), p.arg((*batch, k, n), element, "small")
    b = len(batch)
    shape = (*batch, m, n)
    return p.op(f'"stablehlo.dot_general"({x[0]}, {y[0]}) {{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions '
                f'= {list(range(b))}, rhs_batching_dimensions = {list(range(b))}, lhs_contracting_dimensions = [{b + 1}], '
                f'rhs_contracting_dimensions = [{b}]>}} : ({tt(*x[1:])}, {tt(*y[1:])}) -> {tt(shape, element)}', shape, element)


def convolution(p, x=None):
    element = p.rng.choice(["f32", "f64"])
    groups = p.rng.choice([1, 1, 2])
    features, out = groups * p.rng.randint(1, 3), groups * p.rng.randint(1, 3)
    x = p.arg((p.rng.randint(1, 2), p.rng.randint(3, 7), p.rng.randint(3, 7), features), element, "small")
    y = p.arg((p.rng.randint(1, 3), p.rng.randint(1, 3), features // groups, out), element, "small")
    stride, ld, rd = ([p.rng.randint(1, 2) for _ in range(2)] for _ in range(3))
    padding = [[p.rng.randint(0, 2), p.rng.randint(0, 2)] for _ in range(2)]
    shape = [x[1][0]]
    for d in range(2):
        size = padding[d][0] + (x[1][d + 1] - 1) * ld[d] + 1 + padding[d][1]
        reach = (y[1][d] - 1) * rd[d] + 1
        if size < reach:
            return None
        shape.append((size - reach) // stride[d] + 1)
    shape.append(out)
    return p.op(f'"stablehlo.convolution"({x[0]}, {y[0]}) {{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->'
                f'[b, 0, 1, f]>, window_strides = {ints(stride)}, lhs_dilation = {ints(ld)}, rhs_dilation = {ints(rd)}, '
                f'padding = dense<{padding}> : tensor<2x2xi64>, feature_group_count = {groups} : i64, batch_group_count = 1 '
                f': i64}} : ({tt(*x[1:])}, {tt(*y[1:])}) -> {tt(shape, element)}', shape, element)


def gather(p, x=None):
    x = any_value(p, x, rank=1)
    n = p.rng.randint(1, 4)
    i = p.arg((n, 1), p.rng.choice(["i32", "i64"]), "small")
    sizes = [1] + list(x[1][1:])
    shape = (n, *x[1][1:])
    return p.op(f'"stablehlo.gather"({x[0]}, {i[0]}) {{dimension_numbers = #stablehlo.gather<offset_dims = '
                f'{list(range(1, len(x[1])))}, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, '
                f'slice_sizes = {ints(sizes)}}} : ({tt(*x[1:])}, {tt(*i[1:])}) -> {tt(shape, x[2])}', shape, x[2])


def scatter(p, x=None):
    name, element = p.rng.choice([("add", "i32"), ("maximum", "f32"), ("add", "f64"), ("minimum", "i8")])
    x = p.arg(shape_of(p.rng, p.rng.randint(1, 2)), element, "small")
    n = p.rng.randint(1, 5)
    i, u = p.arg((n, 1), "i32", "small"), p.arg((n, *x[1][1:]), element, "small")
    return p.op(f'"stablehlo.scatter"({x[0]}, {i[0]}, {u[0]}) {body(name, element)} {{scatter_dimension_numbers = '
                f'#stablehlo.scatter<update_window_dims = {list(range(1, len(x[1])))}, inserted_window_dims = [0], '
                f'scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({tt(*x[1:])}, {tt(*i[1:])}, {tt(*u[1:])}) '
                f'-> {tt(*x[1:])}', *x[1:])


def sort(p, x=None):
    element = p.rng.choice(I + ["f32", "f64"])
    x = p.arg(shape_of(p.rng, p.rng.randint(1, 3), 9), element, "small")
    t = tt((), element)
    direction = p.rng.choice(["LT", "GT"])
    return p.op(f'"stablehlo.sort"({x[0]}) ({{\n    ^bb0(%l: {t}, %r: {t}):\n      %s = "stablehlo.compare"(%l, %r) '
                f'{{comparison_direction = #stablehlo<comparison_direction {direction}>}} : ({t}, {t}) -> tensor<i1>\n'
                f'      "stablehlo.return"(%s) : (tensor<i1>) -> ()\n    }}) {{dimension = {p.rng.randrange(len(x[1]))} : i64, '
                f'is_stable = true}} : ({tt(*x[1:])}) -> {tt(*x[1:])}', *x[1:])


def while_(p, x=None):
    element = p.rng.choice(["i32", "f64", "ui8"])
    x = p.arg(shape_of(p.rng), element, "small")
    n = p.arg((), "i32", "small")
    t, z = tt(*x[1:]), "tensor<i32>"
    p.op(f'"stablehlo.while"({n[0]}, {x[0]}) ({{\n    ^bb0(%i: {z}, %v: {t}):\n      %lim = "stablehlo.constant"() {{value = '
         f'dense<8> : {z}}} : () -> {z}\n      %c = "stablehlo.compare"(%i, %lim) {{comparison_direction = '
         f'#stablehlo<comparison_direction LT>}} : ({z}, {z}) -> tensor<i1>\n      "stablehlo.return"(%c) : (tensor<i1>) -> '
         f'()\n    }}, {{\n    ^bb0(%i: {z}, %v: {t}):\n      %one = "stablehlo.constant"() {{value = dense<1> : {z}}} : () -> '
         f'{z}\n      %j = "stablehlo.add"(%i, %one) : ({z}, {z}) -> {z}\n      %w = "stablehlo.add"(%v, %v) : ({t}, {t}) -> '
         f'{t}\n      "stablehlo.return"(%j, %w) : ({z}, {t}) -> ()\n    }}) : ({z}, {t}) -> ({z}, {t})', (), "i32")
    p.lines[-1] = p.lines[-1].replace(f"%{p.n - 1} = ", f"%{p.n - 1}:2 = ", 1)
    return f"%{p.n - 1}#1", x[1], element


def bitcast(p, x=None):
    pairs = [("f32", "i32"), ("f64", "ui64"), ("bf16", "i16"), ("f16", "ui16"), ("i8", "ui8")]
    a, b = p.rng.choice(pairs)
    x = p.arg(shape_of(p.rng), a, "wide")
    return p.op(f'"stablehlo.bitcast_convert"({x[0]}) : ({tt(*x[1:])}) -> {tt(x[1], b)}', x[1], b)


def complex_(p, x=None):
    x = p.arg(shape_of(p.rng), p.rng.choice(["f32", "f64"]))
    y = p.arg(x[1], x[2])
    t = tt(*x[1:])
    return p.op(f'"stablehlo.complex"({x[0]}, {y[0]}) : ({t}, {t}) -> {tt(x[1], f"complex<{x[2]}>")}', x[1], f"complex<{x[2]}>")


def reduce_precision(p, x=None):
    x = x if x is not None and x[2] in F else p.arg(shape_of(p.rng), p.rng.choice(F))
    return p.op(f'"stablehlo.reduce_precision"({x[0]}) {{exponent_bits = {p.rng.randint(3, 8)} : i32, mantissa_bits = '
                f'{p.rng.randint(1, 10)} : i32}} : ({tt(*x[1:])}) -> {tt(*x[1:])}', *x[1:])


EXACT = [
    binary("add", F + I + ["i1"]), binary("subtract", F + I), binary("multiply", I + ["i1"]),
    binary("multiply", F, ends=True), binary("divide", ["f32", "f64"], ends=True), binary("divide", I),
    binary("remainder", I), binary("maximum", F + I), binary("minimum", F + I),
    binary("and", I + ["i1"]), binary("or", I + ["i1"]), binary("xor", I + ["i1"]),
    binary("shift_left", I), binary("shift_right_arithmetic", I), binary("shift_right_logical", I),
    unary("negate", F + I + C), unary("abs", F + S), unary("sign", F + S), unary("not", I + ["i1"]), unary("popcnt", I),
    unary("count_leading_zeros", I), unary("floor", F), unary("ceil", F), unary("round_nearest_afz", F),
    unary("round_nearest_even", F), unary("sqrt", ["f32", "f64"]),
    compare, select, convert, clamp, transpose, reshape, broadcast, slice_, dynamic_slice, dynamic_update_slice, pad,
    concatenate, reverse, iota, reduce_, reduce_window, dot_general, convolution, gather, scatter, sort, while_, bitcast,
    complex_, reduce_precision,
]
INEXACT = [unary(n, F, exact=False) for n in
           ["exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh", "sine", "cosine", "tan",
            "rsqrt", "cbrt", "sqrt"]] + \
          [unary(n, C, exact=False, kind="wide") for n in
           ["exponential", "log", "sqrt", "rsqrt", "tanh", "sine", "cosine", "exponential_minus_one", "log_plus_one"]] + \
          [binary("power", F, exact=False), binary("atan2", F, exact=False), binary("remainder", ["f32", "f64"], ends=True),
           binary("divide", ["f16", "bf16"], exact=False),
           binary("multiply", C, exact=False, kind="wide"), binary("divide", C, exact=False, kind="wide")]


def make_program(seed):
    rng = random.Random(seed)
    p = Program(rng)
    value, results = None, []
    for _ in range(rng.randint(1, 4)):
        recipe = rng.choice(EXACT if rng.random() < 0.75 else INEXACT)
        made = recipe(p, value)
        if made is None:
            continue
        value = made
        results.append(value)
        if getattr(recipe, "ends", False):
            break
    if not results:
        return make_program(seed + 1_000_003)
    return p, results[-1:], p.text(results[-1:])
