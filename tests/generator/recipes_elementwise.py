"""Element-wise ops, by the element types the specification gives their operands."""
from core import BOOL, COMPLEX, FLOATS, INTS, QUANT, SIGNED, Tensor

ACCURACY = ["cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt",
            "sine", "sqrt", "tan", "tanh"]
FC = FLOATS + COMPLEX
UNARY = {
    **{name: FC + QUANT for name in ACCURACY},
    "ceil": FLOATS + QUANT, "floor": FLOATS + QUANT, "round_nearest_afz": FLOATS + QUANT,
    "round_nearest_even": FLOATS + QUANT, "sign": SIGNED + FC + QUANT, "negate": INTS + FC + QUANT,
    "not": BOOL + INTS, "popcnt": INTS, "count_leading_zeros": INTS, "abs": SIGNED + FLOATS + QUANT,
}
BINARY = {
    "add": BOOL + INTS + FC + QUANT, "multiply": BOOL + INTS + FC + QUANT, "subtract": INTS + FC + QUANT,
    "divide": INTS + FC + QUANT, "maximum": BOOL + INTS + FC + QUANT, "minimum": BOOL + INTS + FC + QUANT,
    "power": INTS + FC + QUANT, "remainder": INTS + FC + QUANT, "atan2": FC + QUANT,
    "and": BOOL + INTS, "or": BOOL + INTS, "xor": BOOL + INTS,
    "shift_left": INTS, "shift_right_arithmetic": INTS, "shift_right_logical": INTS,
}
CHLO_UNARY = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "tan", "square", "conj"]
CHLO_COMPLEX_UNARY = ["_asin_acos_kernel"]
CHLO_FLOAT_UNARY = ["bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma"]
CHLO_TESTS = ["is_inf", "is_neg_inf", "is_pos_inf"]
CHLO_BROADCAST = {
    "add": INTS + FC, "atan2": FC, "divide": INTS + FC, "maximum": INTS + FC, "minimum": INTS + FC,
    "multiply": INTS + FC, "next_after": FLOATS, "polygamma": FC, "power": INTS + FC, "remainder": INTS + FC,
    "shift_left": INTS, "shift_right_arithmetic": INTS, "shift_right_logical": INTS, "subtract": INTS + FC,
    "zeta": FLOATS, "and": BOOL + INTS, "or": BOOL + INTS, "xor": BOOL + INTS,
}


def shaped(g, elements, top=4):
    """Returns a random type: static, dynamic, or bounded."""
    element = g.rng.choice(elements)
    dims = g.rng.dims(0, top)
    if "quant" in element or not dims or g.rng.flip(0.7):
        return Tensor(dims, element)
    open_dims = [g.rng.flip(0.4) for _ in dims]
    unknown = ["?" if o else d for d, o in zip(dims, open_dims)]
    if any(open_dims) and g.rng.flip(0.3):
        return Tensor(unknown, element, [d if o else None for d, o in zip(dims, open_dims)])
    return Tensor(unknown, element)


def accuracy(g):
    mode = g.rng.choice(["DEFAULT", "HIGHEST", "TOLERANCE"])
    if mode != "TOLERANCE":
        return f"#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<{mode}>>"
    ulps = g.rng.randrange(1, 10)
    return (f"#stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = {ulps}, "
            f"mode = #stablehlo.result_accuracy_mode<TOLERANCE>>")


def unary(name):
    def recipe(g):
        t = shaped(g, UNARY[name])
        attrs = {"result_accuracy": accuracy(g)} if name in ACCURACY and g.rng.flip(0.3) else {}
        g.op(f"stablehlo.{name}", [g.arg(t)], [t], [t], attrs)
    return recipe


def binary(name):
    def recipe(g):
        t = shaped(g, BINARY[name])
        a = g.arg(t)
        g.op(f"stablehlo.{name}", [a, a if g.rng.flip(0.2) else g.arg(t)], [t, t], [t])
    return recipe


def complex_abs(g):
    t = shaped(g, COMPLEX)
    g.op("stablehlo.abs", [g.arg(t)], [t], [t.of(t.element[8:-1])])


def part(name):
    def recipe(g):
        t = shaped(g, COMPLEX + FLOATS)
        out = t.of(t.element[8:-1]) if t.element in COMPLEX else t
        g.op(f"stablehlo.{name}", [g.arg(t)], [t], [out])
    return recipe


def make_complex(g):
    t = shaped(g, ["f32", "f64"])
    g.op("stablehlo.complex", [g.arg(t), g.arg(t)], [t, t], [t.of(f"complex<{t.element}>")])


def is_finite(g):
    t = shaped(g, FLOATS)
    g.op("stablehlo.is_finite", [g.arg(t)], [t], [t.of("i1")])


def compare(g):
    t = shaped(g, BOOL + INTS + FLOATS + COMPLEX)
    directions = ["EQ", "NE", "GE", "GT", "LE", "LT"]
    kinds = {"f": ["FLOAT", "TOTALORDER"], "b": ["FLOAT", "TOTALORDER"], "u": ["UNSIGNED"], "c": ["FLOAT"]}
    kind = "UNSIGNED" if t.element == "i1" else g.rng.choice(kinds.get(t.element[0], ["SIGNED"]))
    if t.element in COMPLEX:
        directions = ["EQ", "NE"]
    attrs = {"comparison_direction": f"#stablehlo<comparison_direction {g.rng.choice(directions)}>"}
    if g.rng.flip():
        attrs["compare_type"] = f"#stablehlo<comparison_type {kind}>"
    g.op("stablehlo.compare", [g.arg(t), g.arg(t)], [t, t], [t.of("i1")], attrs)


def convert(g):
    t = shaped(g, BOOL + INTS + FLOATS + COMPLEX)
    g.op("stablehlo.convert", [g.arg(t)], [t], [t.of(g.rng.choice(BOOL + INTS + FLOATS + COMPLEX))])


def clamp(g):
    t = shaped(g, BOOL + INTS + FC)
    bound = Tensor([], t.element) if g.rng.flip() and t.rank else t
    g.op("stablehlo.clamp", [g.arg(bound), g.arg(t), g.arg(bound)], [bound, t, bound], [t])


def select(g):
    t = shaped(g, BOOL + INTS + FC + QUANT)
    pred = Tensor([], "i1") if g.rng.flip() else Tensor(t.dims, "i1", t.bounds)
    g.op("stablehlo.select", [g.arg(pred), g.arg(t), g.arg(t)], [pred, t, t], [t])


def reduce_precision(g):
    t = shaped(g, FLOATS)
    g.op("stablehlo.reduce_precision", [g.arg(t)], [t], [t],
         {"exponent_bits": f"{g.rng.randrange(1, 9)} : i32", "mantissa_bits": f"{g.rng.randrange(0, 24)} : i32"})


def constant(g):
    element = g.rng.choice(BOOL + INTS + FLOATS + COMPLEX)
    dims = g.rng.dims(0, 3)
    if g.rng.flip(0.1):
        dims = dims + [0]
    t = Tensor(dims, element)
    g.op("stablehlo.constant", [], [], [t], {"value": g.rng.dense(t)})


def quantize(g):
    dims = g.rng.dims(0, 3)
    f = Tensor(dims, "f32")
    q = Tensor(dims, g.rng.choice(QUANT))
    mid = g.op("stablehlo.uniform_quantize", [g.arg(f)], [f], [q])
    g.op("stablehlo.uniform_dequantize", mid, [q], [f])


def per_axis(g):
    n = g.rng.randrange(1, 4)
    scales = ", ".join(f"{0.5 * (i + 1):e}:{i}".replace("e-0", "e-0") for i in range(n))
    q = Tensor([2, n], f"!quant.uniform<i8:f32:1, {{{scales}}}>")
    f = Tensor([2, n], "f32")
    mid = g.op("stablehlo.uniform_quantize", [g.arg(f)], [f], [q])
    g.op("stablehlo.uniform_dequantize", mid, [q], [f])


def chlo_unary(name):
    def recipe(g):
        t = shaped(g, FLOATS if name in CHLO_FLOAT_UNARY else COMPLEX if name in CHLO_COMPLEX_UNARY else FC)
        out = t.of("i1") if name in CHLO_TESTS else t
        if name in CHLO_TESTS:
            t = shaped(g, FLOATS)
            out = t.of("i1")
        g.op(f"chlo.{name}", [g.arg(t)], [t], [out])
    return recipe


def chlo_broadcast(name):
    def recipe(g):
        element = g.rng.choice(CHLO_BROADCAST[name])
        dims = g.rng.dims(0, 3)
        cut = g.rng.randrange(0, len(dims) + 1)
        a, b = Tensor(dims, element), Tensor(dims[cut:], element)
        attrs = {}
        if cut and g.rng.flip():
            attrs["broadcast_dimensions"] = "array<i64: %s>" % ", ".join(map(str, range(cut, len(dims))))
            if cut == len(dims):
                attrs = {}
        g.op(f"chlo.broadcast_{name}", [g.arg(a), g.arg(b)], [a, b], [a], attrs)
    return recipe


def chlo_pair(name, elements):
    def recipe(g):
        t = shaped(g, elements)
        g.op(f"chlo.{name}", [g.arg(t), g.arg(t)], [t, t], [t])
    return recipe


def chlo_complex(g):
    t = Tensor(g.rng.dims(0, 3), g.rng.choice(["f32", "f64"]))
    g.op("chlo.broadcast_complex", [g.arg(t), g.arg(t)], [t, t], [t.of(f"complex<{t.element}>")])


def chlo_compare(g):
    t = Tensor(g.rng.dims(0, 3), g.rng.choice(INTS + FLOATS))
    direction = g.rng.choice(["EQ", "NE", "GE", "GT", "LE", "LT"])
    attrs = {"comparison_direction": f"#chlo<comparison_direction {direction}>"}
    if g.rng.flip():
        kind = "FLOAT" if t.element in FLOATS else "UNSIGNED" if t.element[0] == "u" else "SIGNED"
        attrs["compare_type"] = f"#chlo<comparison_type {kind}>"
    g.op("chlo.broadcast_compare", [g.arg(t), g.arg(t)], [t, t], [t.of("i1")], attrs)


def chlo_select(g):
    t = Tensor(g.rng.dims(0, 3), g.rng.choice(BOOL + INTS + FC))
    p = Tensor(t.dims if g.rng.flip() else [], "i1")
    g.op("chlo.broadcast_select", [g.arg(p), g.arg(t), g.arg(t)], [p, t, t], [t])


def chlo_constant(g):
    t = Tensor(g.rng.dims(0, 2), g.rng.choice(BOOL + INTS + FLOATS + COMPLEX))
    g.op("chlo.constant", [], [], [t], {"value": g.rng.dense(t)})


def chlo_constant_like(g):
    t = Tensor(g.rng.dims(0, 3), g.rng.choice(["f32", "i32"]))
    like = Tensor(t.dims, g.rng.choice(["f32", "i32", "i1", "f64"]))
    value = "1.000000e+00 : f32" if t.element == "f32" else "7 : i32"
    g.op("chlo.constant_like", [g.arg(like)], [like], [t], {"value": value})


RECIPES = {
    **{f"stablehlo.{n}": unary(n) for n in UNARY},
    **{f"stablehlo.{n}": binary(n) for n in BINARY},
    "stablehlo.abs (complex)": complex_abs,
    "stablehlo.real": part("real"), "stablehlo.imag": part("imag"), "stablehlo.complex": make_complex,
    "stablehlo.is_finite": is_finite, "stablehlo.compare": compare, "stablehlo.convert": convert,
    "stablehlo.clamp": clamp, "stablehlo.select": select, "stablehlo.reduce_precision": reduce_precision,
    "stablehlo.constant": constant, "stablehlo.uniform_quantize": quantize,
    "stablehlo.uniform_dequantize": per_axis,
    **{f"chlo.{n}": chlo_unary(n) 
       for n in CHLO_UNARY + CHLO_COMPLEX_UNARY + CHLO_FLOAT_UNARY + CHLO_TESTS},
    **{f"chlo.broadcast_{n}": chlo_broadcast(n) for n in CHLO_BROADCAST},
    "chlo.next_after": chlo_pair("next_after", FLOATS), "chlo.polygamma": chlo_pair("polygamma", FLOATS),
    "chlo.zeta": chlo_pair("zeta", FLOATS), "chlo.mulhi": chlo_pair("mulhi", INTS),
    "chlo.broadcast_complex": chlo_complex, "chlo.broadcast_compare": chlo_compare,
    "chlo.broadcast_select": chlo_select, "chlo.constant": chlo_constant,
    "chlo.constant_like": chlo_constant_like,
}
