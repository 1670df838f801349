"""Data movement, reductions and contractions."""
from core import ARITHMETIC, FLOATS, INTS, NUMBERS, QUANT, SOME, Tensor, bits, i64_matrix, i64s, tensor


def reshape(g):
    t = tensor(g, SOME + QUANT)
    dims = list(t.dims)
    if dims and g.rng.flip():
        dims = [t.count]
    else:
        dims.insert(g.rng.randrange(len(dims) + 1), 1)
    g.op("stablehlo.reshape", [g.arg(t)], [t], [t.with_dims(dims)])


def dynamic_reshape(g):
    t = tensor(g, low=1)
    s = Tensor([t.rank], g.rng.choice(["i32", "i64"]))
    out = t.with_dims(["?"] * t.rank)
    g.op("stablehlo.dynamic_reshape", [g.arg(t), g.arg(s)], [t, s], [out])


def transpose(g):
    t = tensor(g, SOME + QUANT, high=4)
    p = list(range(t.rank))
    g.rng.shuffle(p)
    g.op("stablehlo.transpose", [g.arg(t)], [t], [t.with_dims([t.dims[i] for i in p])], {"permutation": i64s(p)})


def broadcast_in_dim(g):
    t = tensor(g, SOME + QUANT, high=2)
    rank = t.rank + g.rng.randrange(0, 3)
    places = sorted(g.rng.sample(range(rank), t.rank))
    out = [g.rng.randrange(1, 4) for _ in range(rank)]
    for d, p in zip(t.dims, places):
        out[p] = d if d != 1 else g.rng.randrange(1, 4)
    g.op("stablehlo.broadcast_in_dim", [g.arg(t)], [t], [t.with_dims(out)], {"broadcast_dimensions": i64s(places)})


def dynamic_broadcast_in_dim(g):
    t = tensor(g, high=2, low=1)
    s = Tensor([t.rank], g.rng.choice(["i32", "i64", "index"]))
    attrs = {"broadcast_dimensions": i64s(range(t.rank))}
    if g.rng.flip():
        attrs["known_expanding_dimensions"] = i64s([])
        attrs["known_nonexpanding_dimensions"] = i64s(range(t.rank))
    g.op("stablehlo.dynamic_broadcast_in_dim", [g.arg(t), g.arg(s)], [t, s], [t.with_dims(["?"] * t.rank)], attrs)


def broadcast(g):
    t = tensor(g, high=2)
    sizes = g.rng.dims(0, 2)
    g.op("stablehlo.broadcast", [g.arg(t)], [t], [t.with_dims(sizes + list(t.dims))], {"broadcast_sizes": i64s(sizes)})


def concatenate(g):
    t = tensor(g, low=1)
    axis = g.rng.randrange(t.rank)
    parts = []
    for _ in range(g.rng.randrange(1, 4)):
        dims = list(t.dims)
        dims[axis] = g.rng.randrange(1, 5)
        parts.append(t.with_dims(dims))
    out = list(t.dims)
    out[axis] = sum(p.dims[axis] for p in parts)
    g.op("stablehlo.concatenate", [g.arg(p) for p in parts], parts, [t.with_dims(out)], {"dimension": f"{axis} : i64"})


def slice_(g):
    t = tensor(g, SOME + QUANT, high=4)
    start, limit, stride, out = [], [], [], []
    for d in t.dims:
        a = g.rng.randrange(0, d)
        b = g.rng.randrange(a, d + 1)
        s = g.rng.randrange(1, 3)
        start.append(a), limit.append(b), stride.append(s), out.append(-(-(b - a) // s))
    g.op("stablehlo.slice", [g.arg(t)], [t], [t.with_dims(out)],
         {"start_indices": i64s(start), "limit_indices": i64s(limit), "strides": i64s(stride)})


def dynamic_slice(g):
    t = tensor(g)
    sizes = [g.rng.randrange(1, d + 1) for d in t.dims]
    i = Tensor([], g.rng.choice(["i32", "i64", "ui32"]))
    g.op("stablehlo.dynamic_slice", [g.arg(t)] + [g.arg(i) for _ in sizes], [t] + [i] * t.rank,
         [t.with_dims(sizes)], {"slice_sizes": i64s(sizes)})


def dynamic_update_slice(g):
    t = tensor(g)
    u = t.with_dims([g.rng.randrange(1, d + 1) for d in t.dims])
    i = Tensor([], g.rng.choice(["i32", "i64"]))
    g.op("stablehlo.dynamic_update_slice", [g.arg(t), g.arg(u)] + [g.arg(i) for _ in t.dims],
         [t, u] + [i] * t.rank, [t])


def real_dynamic_slice(g):
    t = tensor(g, low=1)
    s = Tensor([t.rank], g.rng.choice(["i32", "i64"]))
    g.op("stablehlo.real_dynamic_slice", [g.arg(t)] + [g.arg(s) for _ in range(3)], [t, s, s, s],
         [t.with_dims(["?"] * t.rank)])


def pad(g):
    t = tensor(g)
    low = [g.rng.randrange(-1 if d > 1 else 0, 3) for d in t.dims]
    high = [g.rng.randrange(0, 3) for _ in t.dims]
    inner = [g.rng.randrange(0, 2) for _ in t.dims]
    out = [a + d + (d - 1) * i + b for a, d, i, b in zip(low, t.dims, inner, high)]
    v = t.with_dims([])
    g.op("stablehlo.pad", [g.arg(t), g.arg(v)], [t, v], [t.with_dims(out)],
         {"edge_padding_low": i64s(low), "edge_padding_high": i64s(high), "interior_padding": i64s(inner)})


def dynamic_pad(g):
    t = tensor(g, low=1)
    v, s = t.with_dims([]), Tensor([t.rank], g.rng.choice(["i32", "i64"]))
    g.op("stablehlo.dynamic_pad", [g.arg(t), g.arg(v)] + [g.arg(s) for _ in range(3)], [t, v, s, s, s],
         [t.with_dims(["?"] * t.rank)])


def reverse(g):
    t = tensor(g, high=4)
    axes = sorted(g.rng.sample(range(t.rank), g.rng.randrange(0, t.rank + 1)))
    g.op("stablehlo.reverse", [g.arg(t)], [t], [t], {"dimensions": i64s(axes)})


def iota(g):
    t = tensor(g, NUMBERS, low=1)
    g.op("stablehlo.iota", [], [], [t], {"iota_dimension": f"{g.rng.randrange(t.rank)} : i64"})


def dynamic_iota(g):
    t = tensor(g, NUMBERS, low=1)
    s = Tensor([t.rank], g.rng.choice(["i32", "i64"]))
    g.op("stablehlo.dynamic_iota", [g.arg(s)], [s], [t.with_dims(["?"] * t.rank)],
         {"iota_dimension": f"{g.rng.randrange(t.rank)} : i64"})


def bitcast_convert(g):
    t = tensor(g, INTS + [e for e in FLOATS if not e.startswith("f6")] + ["i1"])
    same = [e for e in INTS + FLOATS if bits(e) == bits(t.element)] or [t.element]
    other = g.rng.choice(same)
    if t.element == "i32" and g.rng.flip():
        g.op("stablehlo.bitcast_convert", [g.arg(t)], [t], [Tensor(list(t.dims) + [4], "i8")])
    else:
        g.op("stablehlo.bitcast_convert", [g.arg(t)], [t], [t.of(other)])


def get_dimension_size(g):
    t = tensor(g, low=1)
    g.op("stablehlo.get_dimension_size", [g.arg(t)], [t], [Tensor([], "i32")],
         {"dimension": f"{g.rng.randrange(t.rank)} : i64"})


def set_dimension_size(g):
    t = tensor(g, low=1)
    axis = g.rng.randrange(t.rank)
    s = Tensor([], "i32")
    dims = ["?" if i == axis else d for i, d in enumerate(t.dims)]
    out = Tensor(dims, t.element, [d if i == axis else None for i, d in enumerate(t.dims)])
    g.op("stablehlo.set_dimension_size", [g.arg(t), g.arg(s)], [t, s], [out], {"dimension": f"{axis} : i64"})


# --- Reductions and windows -----------------------------------------------------------------------------------


def reduce(g):
    t = tensor(g, ARITHMETIC, low=1, high=4)
    axes = sorted(g.rng.sample(range(t.rank), g.rng.randrange(1, t.rank + 1)))
    out = t.with_dims([d for i, d in enumerate(t.dims) if i not in axes])
    scalar = t.with_dims([])
    n = g.rng.randrange(1, 3)
    ops = g.rng.choice(["add", "multiply", "maximum", "minimum"])
    if n == 1:
        region = g.binary_region(f"stablehlo.{ops}", scalar)
    else:
        def body(b):
            x = g.op(f"stablehlo.{ops}", [b[0], b[2]], [scalar, scalar], [scalar], indent=4)
            y = g.op("stablehlo.add", [b[1], b[3]], [scalar, scalar], [scalar], indent=4)
            g.op("stablehlo.return", x + y, [scalar, scalar], [], indent=4)
        region = g.region([scalar] * 4, body)
    g.op("stablehlo.reduce", [g.arg(t) for _ in range(n)] + [g.arg(scalar) for _ in range(n)],
         [t] * n + [scalar] * n, [out] * n, {"dimensions": i64s(axes)}, [region])


def reduce_window(g):
    t = tensor(g, ARITHMETIC, low=1, high=3, top=7)
    scalar = t.with_dims([])
    window = [g.rng.randrange(1, 3) for _ in t.dims]
    attrs = {"window_dimensions": i64s(window)}
    strides = [g.rng.randrange(1, 3) for _ in t.dims]
    base = [g.rng.randrange(1, 3) for _ in t.dims]
    dilation = [g.rng.randrange(1, 3) for _ in t.dims]
    padding = [[g.rng.randrange(0, 2), g.rng.randrange(1, 3)] for _ in t.dims]
    out = []
    for d, w, s, b, dl, (lo, hi) in zip(t.dims, window, strides, base, dilation, padding):
        size = (d - 1) * b + 1 + lo + hi
        span = (w - 1) * dl + 1
        out.append(0 if span > size else (size - span) // s + 1)
    attrs.update(window_strides=i64s(strides), base_dilations=i64s(base), window_dilations=i64s(dilation),
                 padding=i64_matrix(padding))
    g.op("stablehlo.reduce_window", [g.arg(t), g.arg(scalar)], [t, scalar], [t.with_dims(out)], attrs,
         [g.binary_region("stablehlo.add", scalar)])


def select_and_scatter(g):
    t = Tensor([1, 2 * g.rng.randrange(1, 4), 2 * g.rng.randrange(1, 4)], g.rng.choice(["f32", "f16", "i32"]))
    source = t.with_dims([1, t.dims[1] // 2, t.dims[2] // 2])
    scalar = t.with_dims([])

    def choose(b):
        kind = "SIGNED" if t.element == "i32" else "FLOAT"
        p = g.op("stablehlo.compare", b, [scalar, scalar], [Tensor([], "i1")],
                 {"comparison_direction": "#stablehlo<comparison_direction GE>",
                  "compare_type": f"#stablehlo<comparison_type {kind}>"}, indent=4)
        g.op("stablehlo.return", p, ["tensor<i1>"], [], indent=4)
    attrs = {"window_dimensions": i64s([1, 2, 2]), "window_strides": i64s([1, 2, 2])}
    if g.rng.flip():
        attrs["padding"] = i64_matrix([[0, 0]] * 3)
    g.op("stablehlo.select_and_scatter", [g.arg(t), g.arg(source), g.arg(scalar)], [t, source, scalar], [t], attrs,
         [g.region([scalar, scalar], choose), g.binary_region("stablehlo.add", scalar)])


def sort(g):
    n = g.rng.randrange(1, 3)
    dims = g.rng.dims(1, 3)
    types = [Tensor(dims, g.rng.choice(["f32", "i32", "f16"])) for _ in range(n)]
    scalars = [t.with_dims([]) for t in types for _ in range(2)]

    def body(b):
        p = g.op("stablehlo.compare", b[:2], scalars[:2], [Tensor([], "i1")],
                 {"comparison_direction": "#stablehlo<comparison_direction LT>"}, indent=4)
        g.op("stablehlo.return", p, ["tensor<i1>"], [], indent=4)
    attrs = {}
    if g.rng.flip():
        attrs["dimension"] = f"{g.rng.randrange(-len(dims), len(dims))} : i64"
    if g.rng.flip():
        attrs["is_stable"] = g.rng.choice(["true", "false"])
    g.op("stablehlo.sort", [g.arg(t) for t in types], types, types, attrs, [g.region(scalars, body)])


def map_(g):
    t = tensor(g, ARITHMETIC)
    scalar = t.with_dims([])
    g.op("stablehlo.map", [g.arg(t), g.arg(t)], [t, t], [t], {"dimensions": i64s(range(t.rank))},
         [g.binary_region("stablehlo.multiply", scalar)])


def gather(g):
    t = Tensor([g.rng.randrange(2, 6), g.rng.randrange(2, 6)], g.rng.choice(SOME))
    n = g.rng.randrange(1, 5)
    idx = Tensor([n, 1], g.rng.choice(["i32", "i64", "ui32"]))
    attrs = {"dimension_numbers": "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                                  "start_index_map = [0], index_vector_dim = 1>",
             "slice_sizes": i64s([1, t.dims[1]])}
    out = t.with_dims([n, t.dims[1]])
    if g.rng.flip(0.3):
        b = g.rng.randrange(1, 4)
        t = Tensor([b, 4, 3], t.element)
        idx = Tensor([b, n, 1], idx.element)
        attrs = {"dimension_numbers": "#stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], "
                                      "operand_batching_dims = [0], start_indices_batching_dims = [0], "
                                      "start_index_map = [1], index_vector_dim = 2>",
                 "slice_sizes": i64s([1, 1, 3])}
        out = t.with_dims([b, n, 3])
    if g.rng.flip():
        attrs["indices_are_sorted"] = g.rng.choice(["true", "false"])
    g.op("stablehlo.gather", [g.arg(t), g.arg(idx)], [t, idx], [out], attrs)


def dynamic_gather(g):
    t = Tensor([5, 4], g.rng.choice(SOME))
    idx, size = Tensor([3, 1], "i32"), Tensor([2], "i32")
    g.op("stablehlo.dynamic_gather", [g.arg(t), g.arg(idx), g.arg(size)], [t, idx, size], [t.with_dims([3, "?"])],
         {"dimension_numbers": "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                               "start_index_map = [0], index_vector_dim = 1>",
          "indices_are_sorted": g.rng.choice(["true", "false"])})


def scatter(g):
    t = Tensor([g.rng.randrange(2, 6), g.rng.randrange(2, 6)], g.rng.choice(ARITHMETIC))
    n = g.rng.randrange(1, 5)
    idx, upd = Tensor([n, 1], g.rng.choice(["i32", "i64"])), t.with_dims([n, t.dims[1]])
    attrs = {"scatter_dimension_numbers": "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
                                          "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"}
    for name in ("indices_are_sorted", "unique_indices"):
        if g.rng.flip():
            attrs[name] = g.rng.choice(["true", "false"])
    g.op("stablehlo.scatter", [g.arg(t), g.arg(idx), g.arg(upd)], [t, idx, upd], [t], attrs,
         [g.binary_region("stablehlo.add", t.with_dims([]))])


def torch_index_select(g):
    t = Tensor([4, 3, 2], g.rng.choice(SOME))
    idx = Tensor([5], "i32")
    g.op("stablehlo.torch_index_select", [g.arg(t), g.arg(idx)], [t, idx], [t.with_dims([5, 3, 2])],
         {"dim": "0 : i64", "batch_dims": "0 : i64"})


# --- Contractions ---------------------------------------------------------------------------------------------


def precision(g, n=2):
    return "[" + ", ".join(f"#stablehlo<precision {g.rng.choice(['DEFAULT', 'HIGH', 'HIGHEST'])}>"
                           for _ in range(n)) + "]"


def dot_general(g, algorithm=False):
    b, m, k, n = (g.rng.randrange(1, 5) for _ in range(4))
    batch = g.rng.flip()
    element = "f32" if algorithm else g.rng.choice(ARITHMETIC)
    lhs, rhs = ([b, m, k], [b, k, n]) if batch else ([m, k], [k, n])
    out = [b, m, n] if batch else [m, n]
    bd = "[0]" if batch else "[]"
    numbers = (f"#stablehlo.dot<lhs_batching_dimensions = {bd}, rhs_batching_dimensions = {bd}, "
               f"lhs_contracting_dimensions = [{2 if batch else 1}], rhs_contracting_dimensions = [{1 if batch else 0}]>")
    if not batch:
        numbers = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    attrs = {"dot_dimension_numbers": numbers}
    if algorithm:
        attrs["precision_config"] = "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"
        attrs["algorithm"] = ("#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, "
                              "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
                              "num_primitive_operations = 1, allow_imprecise_accumulation = false>")
    elif g.rng.flip():
        attrs["precision_config"] = precision(g)
    a, c = Tensor(lhs, element), Tensor(rhs, element)
    wide = "f32" if element in ("f16", "bf16") and g.rng.flip() else element
    g.op("stablehlo.dot_general", [g.arg(a), g.arg(c)], [a, c], [Tensor(out, wide)], attrs)


def dot(g):
    m, k, n = (g.rng.randrange(1, 5) for _ in range(3))
    element = g.rng.choice(ARITHMETIC)
    vector = g.rng.flip(0.3)
    a, b = Tensor([k] if vector else [m, k], element), Tensor([k, n], element)
    attrs = {"precision_config": precision(g)} if g.rng.flip() else {}
    g.op("stablehlo.dot", [g.arg(a), g.arg(b)], [a, b], [Tensor([n] if vector else [m, n], element)], attrs)


def convolution_attrs(g, dynamic=False):
    n, f, groups, o = g.rng.randrange(1, 3), g.rng.randrange(1, 4), g.rng.randrange(1, 3), g.rng.randrange(1, 3)
    spatial = g.rng.randrange(1, 3)
    size = [g.rng.randrange(4, 8) for _ in range(spatial)]
    window = [g.rng.randrange(1, 4) for _ in range(spatial)]
    stride = [g.rng.randrange(1, 3) for _ in range(spatial)]
    pad_ = [[g.rng.randrange(0, 2), g.rng.randrange(0, 3)] for _ in range(spatial)]
    ld = [g.rng.randrange(1, 3) for _ in range(spatial)]
    rd = [g.rng.randrange(1, 3) for _ in range(spatial)]
    out = []
    for d, w, s, (lo, hi), l, r in zip(size, window, stride, pad_, ld, rd):
        padded = (d - 1) * l + 1 + lo + hi
        span = (w - 1) * r + 1
        out.append(max(0, (padded - span) // s + 1 if span <= padded else 0))
    axes = list(range(spatial))
    names = ", ".join(map(str, axes))
    attrs = {
        "window_strides": i64s(stride), "lhs_dilation": i64s(ld), "rhs_dilation": i64s(rd),
        "dimension_numbers": f"#stablehlo.conv<[b, {names}, f]x[{names}, i, o]->[b, {names}, f]>",
        "feature_group_count": f"{groups} : i64", "batch_group_count": "1 : i64",
    }
    if not dynamic:
        attrs["padding"] = i64_matrix(pad_)
    if g.rng.flip():
        attrs["window_reversal"] = "array<i1: %s>" % ", ".join(g.rng.choice(["true", "false"]) for _ in axes)
    if g.rng.flip():
        attrs["precision_config"] = precision(g)
    return ([n] + size + [f * groups], window + [f, o * groups], [n] + out + [o * groups], attrs)


def convolution(g):
    lhs, rhs, out, attrs = convolution_attrs(g)
    e = g.rng.choice(["f32", "f16", "i32", "bf16"])
    a, b = Tensor(lhs, e), Tensor(rhs, e)
    g.op("stablehlo.convolution", [g.arg(a), g.arg(b)], [a, b], [Tensor(out, e)], attrs)


def dynamic_conv(g):
    lhs, rhs, out, attrs = convolution_attrs(g, dynamic=True)
    e = g.rng.choice(["f32", "i32"])
    a, b, p = Tensor(lhs, e), Tensor(rhs, e), Tensor([len(lhs) - 2, 2], g.rng.choice(["i32", "i64"]))
    dims = [out[0]] + ["?"] * (len(out) - 2) + [out[-1]]
    g.op("stablehlo.dynamic_conv", [g.arg(a), g.arg(b), g.arg(p)], [a, b, p], [Tensor(dims, e)], attrs)


def einsum(g):
    a, b = Tensor([3, 4], "f32"), Tensor([4, 5], "f32")
    g.op("stablehlo.einsum", [g.arg(a), g.arg(b)], [a, b], [Tensor([3, 5], "f32")], {"einsum_config": '"ij,jk->ik"'})


def unary_einsum(g):
    a = Tensor([3, 4], "f32")
    g.op("stablehlo.unary_einsum", [g.arg(a)], [a], [Tensor([3], "f32")], {"einsum_config": '"ij->i"'})


def cholesky(g):
    n = g.rng.randrange(1, 5)
    t = Tensor(g.rng.dims(0, 1) + [n, n], g.rng.choice(["f32", "f64", "complex<f32>"]))
    attrs = {"lower": g.rng.choice(["true", "false"])} if g.rng.flip() else {}
    g.op("stablehlo.cholesky", [g.arg(t)], [t], [t], attrs)


def triangular_solve(g):
    n, m = g.rng.randrange(1, 5), g.rng.randrange(1, 5)
    e = g.rng.choice(["f32", "f64", "complex<f64>"])
    left = g.rng.flip()
    a, b = Tensor([n, n], e), Tensor([n, m] if left else [m, n], e)
    mode = g.rng.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    g.op("stablehlo.triangular_solve", [g.arg(a), g.arg(b)], [a, b], [b],
         {"left_side": "true" if left else "false", "lower": g.rng.choice(["true", "false"]),
          "unit_diagonal": g.rng.choice(["true", "false"]), "transpose_a": f"#stablehlo<transpose {mode}>"})


def fft(g):
    n = g.rng.randrange(1, 9)
    kind = g.rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    batch = g.rng.dims(0, 1)
    e = g.rng.choice(["f32", "f64"])
    real, full = Tensor(batch + [n], e), Tensor(batch + [n], f"complex<{e}>")
    half = Tensor(batch + [n // 2 + 1], f"complex<{e}>")
    a, b = {"FFT": (full, full), "IFFT": (full, full), "RFFT": (real, half), "IRFFT": (half, real)}[kind]
    g.op("stablehlo.fft", [g.arg(a)], [a], [b], {"fft_type": f"#stablehlo<fft_type {kind}>", "fft_length": i64s([n])})


def batch_norm(mode):
    def recipe(g):
        t = Tensor([2, 3, g.rng.randrange(1, 5)], g.rng.choice(["f32", "f16", "f64", "bf16"]))
        axis = g.rng.randrange(3)
        v = t.with_dims([t.dims[axis]])
        attrs = {"epsilon": "1.000000e-03 : f32", "feature_index": f"{axis} : i64"}
        shapes = {"inference": ([t, v, v, v, v], [t]), "training": ([t, v, v], [t, v, v]),
                  "grad": ([t, v, v, v, t], [t, v, v])}[mode]
        g.op(f"stablehlo.batch_norm_{mode}", [g.arg(x) for x in shapes[0]], shapes[0], shapes[1], attrs)
    return recipe


RECIPES = {
    "stablehlo.reshape": reshape, "stablehlo.dynamic_reshape": dynamic_reshape, "stablehlo.transpose": transpose,
    "stablehlo.broadcast_in_dim": broadcast_in_dim, "stablehlo.broadcast": broadcast,
    "stablehlo.dynamic_broadcast_in_dim": dynamic_broadcast_in_dim, "stablehlo.concatenate": concatenate,
    "stablehlo.slice": slice_, "stablehlo.dynamic_slice": dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_update_slice, "stablehlo.real_dynamic_slice": real_dynamic_slice,
    "stablehlo.pad": pad, "stablehlo.dynamic_pad": dynamic_pad, "stablehlo.reverse": reverse,
    "stablehlo.iota": iota, "stablehlo.dynamic_iota": dynamic_iota, "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.get_dimension_size": get_dimension_size, "stablehlo.set_dimension_size": set_dimension_size,
    "stablehlo.reduce": reduce, "stablehlo.reduce_window": reduce_window,
    "stablehlo.select_and_scatter": select_and_scatter, "stablehlo.sort": sort, "stablehlo.map": map_,
    "stablehlo.gather": gather, "stablehlo.dynamic_gather": dynamic_gather, "stablehlo.scatter": scatter,
    "stablehlo.torch_index_select": torch_index_select, "stablehlo.dot_general": dot_general,
    "stablehlo.dot_general (algorithm)": lambda g: dot_general(g, algorithm=True), "stablehlo.dot": dot,
    "stablehlo.convolution": convolution, "stablehlo.dynamic_conv": dynamic_conv,
    "stablehlo.einsum": einsum, "stablehlo.unary_einsum": unary_einsum, "stablehlo.cholesky": cholesky,
    "stablehlo.triangular_solve": triangular_solve, "stablehlo.fft": fft,
    "stablehlo.batch_norm_inference": batch_norm("inference"),
    "stablehlo.batch_norm_training": batch_norm("training"), "stablehlo.batch_norm_grad": batch_norm("grad"),
}
