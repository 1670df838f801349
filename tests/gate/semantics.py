"""Programs whose results a release freezes: each op with the shapes, types and attributes that its kernel tells apart."""


def function(args, lines, results):
    """Returns a program of one function. `args` are types, `lines` use %a0, %a1, ...; `results` are (value, type)."""
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(args))
    types = ", ".join(t for _, t in results)
    values = ", ".join(v for v, _ in results)
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}  return {values} : {types}\n}}\n"


def op(name, args, result, attrs="", regions=""):
    """Returns a program of one op in generic form."""
    operands = ", ".join(f"%a{i}" for i in range(len(args)))
    results = [result] if isinstance(result, str) else result
    values = [f"%0#{i}" for i in range(len(results))] if len(results) > 1 else ["%0"]
    left = f"%0:{len(results)}" if len(results) > 1 else "%0"
    attrs = f" {{{attrs}}}" if attrs else ""
    line = f'{left} = "{name}"({operands}){regions}{attrs} : ({", ".join(args)}) -> ({", ".join(results)})'
    return function(args, [line], list(zip(values, results)))


def ints(*values):
    return "array<i64" + (": " if values else "") + ", ".join(map(str, values)) + ">"


def pairs(*rows):
    return f"dense<{[list(r) for r in rows]}> : tensor<{len(rows)}x2xi64>"


def body(element, lines, result, arguments=("x", "y")):
    """Returns a region with one block of scalars."""
    args = ", ".join(f"%{a}: tensor<{element}>" for a in arguments)
    inner = "".join(f"    {line}\n" for line in lines)
    return f" ({{\n  ^bb0({args}):\n{inner}    stablehlo.return {result}\n  }})"


def reducer(element, name="add"):
    return body(element, [f"%r = stablehlo.{name} %x, %y : tensor<{element}>"], f"%r : tensor<{element}>")


UNARY_FLOAT = ["abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log", "log_plus_one",
               "logistic", "negate", "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sine", "sqrt", "tan",
               "tanh"]
UNARY_COMPLEX = ["cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "negate", "rsqrt",
                 "sign", "sine", "sqrt", "tan", "tanh"]
BINARY = ["add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"]
INTEGER = ["add", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract", "and", "or", "xor", "shift_left",
           "shift_right_arithmetic", "shift_right_logical"]


def elementwise():
    for e in ["f32", "f64", "bf16", "f8E4M3FN"]:
        t = f"tensor<12x{e}>"
        lines = [f"%u{i} = stablehlo.{n} %a0 : {t}" for i, n in enumerate(UNARY_FLOAT)]
        yield function([t], lines, [(f"%u{i}", t) for i in range(len(lines))])
        lines = [f"%u{i} = stablehlo.{n} %a0, %a1 : {t}" for i, n in enumerate(BINARY)]
        yield function([t, t], lines, [(f"%u{i}", t) for i in range(len(lines))])
    for e in ["complex<f32>", "complex<f64>"]:
        t = f"tensor<8x{e}>"
        lines = [f"%u{i} = stablehlo.{n} %a0 : {t}" for i, n in enumerate(UNARY_COMPLEX)]
        yield function([t], lines, [(f"%u{i}", t) for i in range(len(lines))])
        lines = [f"%u{i} = stablehlo.{n} %a0, %a1 : {t}" for i, n in enumerate(["add", "atan2", "divide", "multiply", "power", "subtract"])]
        yield function([t, t], lines, [(f"%u{i}", t) for i in range(len(lines))])
    for e in ["i4", "i8", "ui8", "i16", "i32", "ui32", "i64", "ui64"]:
        t = f"tensor<12x{e}>"
        lines = [f"%u{i} = stablehlo.{n} %a0, %a1 : {t}" for i, n in enumerate(INTEGER)]
        unary = ["not", "popcnt", "count_leading_zeros"] + ([] if e[0] == "u" else ["abs", "sign", "negate"])
        lines += [f"%v{i} = stablehlo.{n} %a0 : {t}" for i, n in enumerate(unary)]
        yield function([t, t], lines, [(line.split()[0], t) for line in lines])
    t = "tensor<8xi1>"
    lines = [f"%u{i} = stablehlo.{n} %a0, %a1 : {t}" for i, n in enumerate(["add", "multiply", "and", "or", "xor", "maximum", "minimum"])]
    lines.append(f"%n = stablehlo.not %a0 : {t}")
    yield function([t, t], lines, [(line.split()[0], t) for line in lines])
    for e in ["f32", "i32", "ui8", "f16", "complex<f32>", "i1"]:
        t, b = f"tensor<9x{e}>", "tensor<9xi1>"
        directions = ["EQ", "NE"] if "complex" in e else ["EQ", "NE", "LT", "LE", "GT", "GE"]
        lines = [f"%u{i} = stablehlo.compare {d}, %a0, %a1 : ({t}, {t}) -> {b}" for i, d in enumerate(directions)]
        if e[0] == "f":
            lines += [f"%t{i} = stablehlo.compare {d}, %a0, %a1, TOTALORDER : ({t}, {t}) -> {b}" for i, d in enumerate(directions)]
        yield function([t, t], lines, [(line.split()[0], b) for line in lines])
    for e in ["f32", "i32", "ui8"]:
        t = f"tensor<3x4x{e}>"
        s = f"tensor<{e}>"
        yield op("stablehlo.clamp", [s, t, t], t)
        yield op("stablehlo.clamp", [t, t, s], t)
        yield op("stablehlo.select", ["tensor<3x4xi1>", t, t], t)
        yield op("stablehlo.select", ["tensor<i1>", t, t], t)
    yield op("stablehlo.is_finite", ["tensor<12xf32>"], "tensor<12xi1>")
    yield op("stablehlo.is_finite", ["tensor<12xbf16>"], "tensor<12xi1>")
    yield op("stablehlo.complex", ["tensor<5xf32>", "tensor<5xf32>"], "tensor<5xcomplex<f32>>")
    for n in ["real", "imag", "abs"]:
        yield op(f"stablehlo.{n}", ["tensor<5xcomplex<f64>>"], "tensor<5xf64>")
        yield op(f"stablehlo.{n}", ["tensor<6xcomplex<f32>>"], "tensor<6xf32>")
    for e, m in [(5, 10), (8, 7), (3, 2), (2, 0), (11, 20)]:
        yield op("stablehlo.reduce_precision", ["tensor<12xf32>"], "tensor<12xf32>", f"exponent_bits = {e} : i32, mantissa_bits = {m} : i32")
    kinds = ["f32", "f64", "bf16", "f16", "f8E5M2", "f8E4M3FN", "i1", "i4", "i8", "ui8", "i32", "ui32", "i64", "complex<f32>"]
    for i, a in enumerate(kinds):
        lines = [f"%c{j} = stablehlo.convert %a0 : (tensor<9x{a}>) -> tensor<9x{b}>" for j, b in enumerate(kinds)]
        yield function([f"tensor<9x{a}>"], lines, [(f"%c{j}", f"tensor<9x{b}>") for j, b in enumerate(kinds)])
    for a, b in [("4xf32", "4xi32"), ("4xf32", "4x4xi8"), ("3x8xi8", "3xi64"), ("2x2xi16", "2xf32"), ("3xf64", "3x2xi32"), ("4xi4", "4xui4"),
                 ("2x2xcomplex<f32>", "2xcomplex<f64>"), ("3x2xi4", "3xi8")]:
        yield op("stablehlo.bitcast_convert", [f"tensor<{a}>"], f"tensor<{b}>")


def movement():
    t = "tensor<3x4xi32>"
    yield op("stablehlo.broadcast_in_dim", ["tensor<3x1xi32>"], "tensor<2x3x4xi32>", f"broadcast_dimensions = {ints(1, 2)}")
    yield op("stablehlo.broadcast_in_dim", ["tensor<4x3xf64>"], "tensor<3x2x4xf64>", f"broadcast_dimensions = {ints(2, 0)}")
    yield op("stablehlo.broadcast_in_dim", ["tensor<i8>"], "tensor<2x3xi8>", f"broadcast_dimensions = {ints()}")
    yield op("stablehlo.broadcast", [t], "tensor<2x5x3x4xi32>", f"broadcast_sizes = {ints(2, 5)}")
    for dims, shape in [((1, 0), "4x3"), ((0, 1), "3x4")]:
        yield op("stablehlo.transpose", [t], f"tensor<{shape}xi32>", f"permutation = {ints(*dims)}")
    yield op("stablehlo.transpose", ["tensor<2x3x4x5xi8>"], "tensor<5x3x2x4xi8>", f"permutation = {ints(3, 1, 0, 2)}")
    yield op("stablehlo.reshape", [t], "tensor<2x6xi32>")
    yield op("stablehlo.reverse", ["tensor<3x4x2xf32>"], "tensor<3x4x2xf32>", f"dimensions = {ints(0, 2)}")
    yield op("stablehlo.reverse", ["tensor<3x4x2xi64>"], "tensor<3x4x2xi64>", f"dimensions = {ints(1)}")
    for lo, hi, st, shape in [((0, 1), (3, 4), (1, 1), "3x3"), ((1, 0), (3, 4), (1, 3), "2x2"), ((0, 1), (3, 4), (2, 2), "2x2"), ((2, 4), (2, 4), (1, 1), "0x0")]:
        yield op("stablehlo.slice", [t], f"tensor<{shape}xi32>", f"start_indices = {ints(*lo)}, limit_indices = {ints(*hi)}, strides = {ints(*st)}")
    for lo, hi, inner, shape in [((1, 0), (2, 3), (0, 0), "6x7"), ((0, 1), (1, 0), (1, 2), "6x11"), ((-1, 0), (0, -2), (0, 0), "2x2"), ((-1, -2), (1, 0), (2, 1), "7x5")]:
        yield op("stablehlo.pad", [t, "tensor<i32>"], f"tensor<{shape}xi32>",
                 f"edge_padding_low = {ints(*lo)}, edge_padding_high = {ints(*hi)}, interior_padding = {ints(*inner)}")
    for d, shapes, out in [(0, ["3x4", "1x4", "2x4"], "6x4"), (1, ["3x4", "3x1"], "3x5"), (1, ["2x0x3", "2x2x3", "2x1x3"], "2x3x3")]:
        yield op("stablehlo.concatenate", [f"tensor<{s}xf32>" for s in shapes], f"tensor<{out}xf32>", f"dimension = {d} : i64")
    for d in (0, 1):
        for e in ("i32", "f32", "ui8", "complex<f32>"):
            yield op("stablehlo.iota", [], f"tensor<3x5x{e}>", f"iota_dimension = {d} : i64")
    i = "tensor<i32>"
    yield op("stablehlo.dynamic_slice", ["tensor<5x6xf32>", i, i], "tensor<2x3xf32>", f"slice_sizes = {ints(2, 3)}")
    yield op("stablehlo.dynamic_slice", ["tensor<5xi8>", "tensor<ui8>"], "tensor<4xi8>", f"slice_sizes = {ints(4)}")
    yield op("stablehlo.dynamic_update_slice", ["tensor<5x6xf32>", "tensor<2x3xf32>", i, i], "tensor<5x6xf32>")
    yield op("stablehlo.dynamic_update_slice", ["tensor<4xi64>", "tensor<4xi64>", "tensor<i64>"], "tensor<4xi64>")
    for attrs, args, out in [
            ("offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1|1, 2, 3", ["tensor<4x5x3xi32>", "tensor<6x2xi64>"], "tensor<6x2x3xi32>"),
            ("offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2|3, 1", ["tensor<4x5xf32>", "tensor<2x3xi32>"], "tensor<3x2x3xf32>"),
            ("offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2|1, 1, 3", ["tensor<2x4x5xi8>", "tensor<3x2x1xi32>"], "tensor<3x2x3xi8>"),
            ("offset_dims = [1, 2], start_index_map = [1, 0], index_vector_dim = 0|2, 4", ["tensor<4x5xf64>", "tensor<2x7xui8>"], "tensor<7x2x4xf64>")]:
        numbers, sizes = attrs.split("|")
        yield op("stablehlo.gather", args, out, f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: {sizes}>, indices_are_sorted = false")
    yield op("stablehlo.torch_index_select", ["tensor<4x5xf32>", "tensor<3xi32>"], "tensor<4x3xf32>", "dim = 1 : i64, batch_dims = 0 : i64")
    yield op("stablehlo.get_dimension_size", [t], "tensor<i32>", "dimension = 1 : i64")


def contraction():
    for e in ["f32", "i32", "bf16", "complex<f32>", "i8", "f64"]:
        for lhs, rhs, numbers, out in [
                ("3x4", "4x5", "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]", "3x5"),
                ("2x3x4", "2x5x4", "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]", "2x3x5"),
                ("4x2x3", "3x4x5", "lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [0, 1]", "2x5"),
                ("3", "3", "lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]", "")]:
            out = f"tensor<{out + 'x' if out else ''}{e}>"
            yield op("stablehlo.dot_general", [f"tensor<{lhs}x{e}>", f"tensor<{rhs}x{e}>"], out, f"dot_dimension_numbers = #stablehlo.dot<{numbers}>")
    yield op("stablehlo.dot", ["tensor<3x4xf32>", "tensor<4xf32>"], "tensor<3xf32>")
    yield op("stablehlo.dot", ["tensor<20x33xf32>", "tensor<33x18xf32>"], "tensor<20x18xf32>")
    yield op("stablehlo.dot", ["tensor<17x9xi8>", "tensor<9x20xi8>"], "tensor<17x20xi32>")
    yield op("stablehlo.einsum", ["tensor<2x3x4xf32>", "tensor<2x4x5xf32>"], "tensor<2x3x5xf32>", 'einsum_config = "bij,bjk->bik"')
    yield op("stablehlo.unary_einsum", ["tensor<3x4xf32>"], "tensor<3xf32>", 'einsum_config = "ab->a"')
    for lhs, rhs, layout, window, groups, out in [
            ("1x5x6x2", "3x2x2x3", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", {}, (1, 1), "1x3x5x3"),
            ("1x5x6x2", "2x2x2x3", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", {"strides": (2, 1), "pad": ((1, 0), (0, 2))}, (1, 1), "1x3x7x3"),
            ("2x4x7", "6x2x3", "[b, f, 0]x[o, i, 0]->[b, f, 0]", {"lhs": (2,), "pad": ((1, 2),)}, (2, 1), "2x6x14"),
            ("4x7x2", "3x2x4", "[b, 0, f]x[0, i, o]->[b, f, 0]", {"rhs": (2,), "reversal": (True,)}, (1, 2), "2x4x3"),
            ("1x4x4x1", "2x3x1x1", "[b, 0, 1, f]x[1, 0, i, o]->[0, b, 1, f]", {"pad": ((0, 0), (-1, 1)), "reversal": (False, True)}, (1, 1), "2x1x3x1")]:
        for e in ["f32", "i32"] if groups == (1, 1) else ["f32"]:
            n = lhs.count("x") - 1
            attrs = [f"dimension_numbers = #stablehlo.conv<{layout}>", f"feature_group_count = {groups[0]} : i64", f"batch_group_count = {groups[1]} : i64"]
            if "strides" in window:
                attrs.append(f"window_strides = {ints(*window['strides'])}")
            if "pad" in window:
                attrs.append(f"padding = {pairs(*window['pad'])}")
            if "lhs" in window:
                attrs.append(f"lhs_dilation = {ints(*window['lhs'])}")
            if "rhs" in window:
                attrs.append(f"rhs_dilation = {ints(*window['rhs'])}")
            if "reversal" in window:
                attrs.append("window_reversal = array<i1: " + ", ".join(str(x).lower() for x in window["reversal"]) + ">")
            assert n == len(layout.split("]x[")[0].split(",")) - 2
            yield op("stablehlo.convolution", [f"tensor<{lhs}x{e}>", f"tensor<{rhs}x{e}>"], f"tensor<{out}x{e}>", ", ".join(attrs))


def reductions():
    for e, names in [("f32", ["add", "maximum", "minimum", "multiply"]), ("i32", ["add", "maximum", "minimum", "multiply", "and", "or"]),
                     ("i1", ["and", "or"]), ("bf16", ["add"]), ("f64", ["add"]), ("complex<f32>", ["add"]), ("ui8", ["maximum", "minimum"])]:
        for name in names:
            for dims, out in [((0,), "4x5"), ((1,), "3x5"), ((0, 2), "4"), ((0, 1, 2), "")]:
                if name != "add" and dims not in ((1,), (0, 2)):
                    continue
                out = f"tensor<{out + 'x' if out else ''}{e}>"
                yield op("stablehlo.reduce", [f"tensor<3x4x5x{e}>", f"tensor<{e}>"], out, f"dimensions = {ints(*dims)}", reducer(e, name))
    pair = (" ({\n  ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):\n"
            "    %c = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
            "    %v = stablehlo.select %c, %x, %y : tensor<i1>, tensor<f32>\n    %w = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>\n"
            "    stablehlo.return %v, %w : tensor<f32>, tensor<i32>\n  })")
    yield op("stablehlo.reduce", ["tensor<3x5xf32>", "tensor<3x5xi32>", "tensor<f32>", "tensor<i32>"], ["tensor<3xf32>", "tensor<3xi32>"], f"dimensions = {ints(1)}", pair)
    odd = body("f32", ["%m = stablehlo.multiply %x, %y : tensor<f32>", "%r = stablehlo.subtract %x, %m : tensor<f32>"], "%r : tensor<f32>")
    yield op("stablehlo.reduce", ["tensor<3x4xf32>", "tensor<f32>"], "tensor<3xf32>", f"dimensions = {ints(1)}", odd)
    for e, name in [("f32", "add"), ("f32", "maximum"), ("i32", "add"), ("i32", "minimum"), ("f32", None)]:
        region = reducer(e, name) if name else odd
        for attrs, out in [(f"window_dimensions = {ints(2, 2)}", "4x5"), (f"window_dimensions = {ints(2, 3)}, window_strides = {ints(2, 1)}, padding = {pairs((1, 0), (1, 2))}", "3x7"),
                           (f"window_dimensions = {ints(3, 1)}, base_dilations = {ints(2, 1)}, window_dilations = {ints(1, 2)}", "7x6"),
                           (f"window_dimensions = {ints(2, 2)}, window_dilations = {ints(3, 2)}, padding = {pairs((-1, 1), (0, -1))}", "2x3")]:
            yield op("stablehlo.reduce_window", [f"tensor<5x6x{e}>", f"tensor<{e}>"], f"tensor<{out}x{e}>", attrs, region)
    ge = body("f32", ["%r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>"], "%r : tensor<i1>")
    for attrs, source in [(f"window_dimensions = {ints(2, 3)}, window_strides = {ints(2, 3)}", "2x2"),
                          (f"window_dimensions = {ints(3, 2)}, window_strides = {ints(1, 2)}, padding = {pairs((1, 1), (0, 0))}", "4x3")]:
        yield op("stablehlo.select_and_scatter", ["tensor<4x6xf32>", f"tensor<{source}xf32>", "tensor<f32>"], "tensor<4x6xf32>", attrs,
                 ge[:-1] + "," + reducer("f32")[2:])
    for attrs, args, flag in [
            ("update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", ["4x3", "5x1", "5x3"], "false"),
            ("update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0", ["4x5", "2x3", "2x3"], "false"),
            ("update_window_dims = [2], input_batching_dims = [0], scatter_indices_batching_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2", ["2x4x3", "3x2x1", "3x2x2"], "false"),
            ("update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1", ["4x5", "6x2", "6"], "false")]:
        for e, name in [("f32", "add"), ("i32", "maximum")]:
            types = [f"tensor<{args[0]}x{e}>", f"tensor<{args[1]}xi32>", f"tensor<{args[2]}x{e}>"]
            yield op("stablehlo.scatter", types, types[0], f"scatter_dimension_numbers = #stablehlo.scatter<{attrs}>, indices_are_sorted = {flag}, unique_indices = false", reducer(e, name))
    for e in ["f32", "i32", "ui8", "bf16"]:
        for direction in ["LT", "GT"]:
            less = body(e, [f"%r = stablehlo.compare {direction}, %x, %y : (tensor<{e}>, tensor<{e}>) -> tensor<i1>"], "%r : tensor<i1>")
            for d in (0, 1):
                yield op("stablehlo.sort", [f"tensor<5x4x{e}>"], f"tensor<5x4x{e}>", f"dimension = {d} : i64, is_stable = true", less)
    two = (" ({\n  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<f32>, %q: tensor<f32>):\n"
           "    %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    stablehlo.return %r : tensor<i1>\n  })")
    yield op("stablehlo.sort", ["tensor<3x9xi32>", "tensor<3x9xf32>"], ["tensor<3x9xi32>", "tensor<3x9xf32>"], "dimension = 1 : i64, is_stable = true", two)
    yield op("stablehlo.map", ["tensor<3x4xf32>", "tensor<3x4xf32>"], "tensor<3x4xf32>", f"dimensions = {ints(0, 1)}", odd)


def linear_algebra():
    for e in ["f32", "f64", "complex<f32>"]:
        square = f"tensor<3x3x{e}>"
        transposed = f"%t = stablehlo.transpose %a0, dims = [1, 0] : ({square}) -> {square}"
        lines = [transposed, f"%m = stablehlo.dot %a0, %t : ({square}, {square}) -> {square}"]
        for lower in ("true", "false"):
            yield function([square], lines + [f"%c = stablehlo.cholesky %m, lower = {lower} : {square}"], [("%c", square)])
        rhs = f"tensor<3x2x{e}>"
        for left in (True, False):
            for flags in ["lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>",
                          "lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>",
                          "lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>"]:
                b = rhs if left else f"tensor<2x3x{e}>"
                yield op("stablehlo.triangular_solve", [square, b], b, f"left_side = {str(left).lower()}, {flags}")
    c = "complex<f32>"
    for kind, a, length, b in [("FFT", f"2x6x{c}", (6,), f"2x6x{c}"), ("IFFT", f"5x{c}", (5,), f"5x{c}"), ("RFFT", "2x8xf32", (8,), f"2x5x{c}"),
                               ("IRFFT", f"5x{c}", (8,), "8xf32"), ("IRFFT", f"4x{c}", (7,), "7xf32"), ("FFT", f"4x3x{c}", (4, 3), f"4x3x{c}"), ("RFFT", "3x5xf32", (3, 5), f"3x3x{c}"),
                               ("IRFFT", f"3x3x{c}", (3, 4), "3x4xf32"), ("FFT", f"7x{c}", (7,), f"7x{c}")]:
        yield op("stablehlo.fft", [f"tensor<{a}>"], f"tensor<{b}>", f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {ints(*length)}")
    x, s = "tensor<3x2x4xf32>", "tensor<2xf32>"
    attrs = "epsilon = 0.5 : f32, feature_index = 1 : i64"
    yield op("stablehlo.batch_norm_inference", [x, s, s, s, s], x, attrs)
    yield op("stablehlo.batch_norm_training", [x, s, s], [x, s, s], attrs)
    yield op("stablehlo.batch_norm_grad", [x, s, s, s, x], [x, s, s], attrs)
    for algorithm, state in [("THREE_FRY", "2xui64"), ("PHILOX", "2xui64"), ("PHILOX", "3xui64"), ("DEFAULT", "2xui64")]:
        for out in ["7xui32", "5xui64", "6xf32", "3xui8", "2x3xi64"]:
            yield op("stablehlo.rng_bit_generator", [f"tensor<{state}>"], [f"tensor<{state}>", f"tensor<{out}>"], f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>")


def control():
    i, x = "tensor<i32>", "tensor<3xf32>"
    yield ("func.func @main(%i: tensor<i32>, %x: tensor<3xf32>) -> tensor<3xf32> {\n  %0 = \"stablehlo.case\"(%i) ({\n    stablehlo.return %x : tensor<3xf32>\n  }, {\n"
           "    %1 = stablehlo.negate %x : tensor<3xf32>\n    stablehlo.return %1 : tensor<3xf32>\n  }, {\n    %2 = stablehlo.add %x, %x : tensor<3xf32>\n"
           "    stablehlo.return %2 : tensor<3xf32>\n  }) : (tensor<i32>) -> tensor<3xf32>\n  return %0 : tensor<3xf32>\n}\n")
    yield ("func.func @main(%c: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {\n  %0 = \"stablehlo.if\"(%c) ({\n    stablehlo.return %x : tensor<3xf32>\n  }, {\n"
           "    %1 = stablehlo.negate %x : tensor<3xf32>\n    stablehlo.return %1 : tensor<3xf32>\n  }) : (tensor<i1>) -> tensor<3xf32>\n  return %0 : tensor<3xf32>\n}\n")
    yield ("func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {\n  %z = stablehlo.constant dense<0> : tensor<i32>\n  %n = stablehlo.constant dense<5> : tensor<i32>\n"
           "  %0:2 = stablehlo.while(%i = %z, %s = %x) : tensor<i32>, tensor<i32>\n  cond {\n    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "    stablehlo.return %c : tensor<i1>\n  } do {\n    %o = stablehlo.constant dense<1> : tensor<i32>\n    %j = stablehlo.add %i, %o : tensor<i32>\n"
           "    %t = stablehlo.add %s, %i : tensor<i32>\n    stablehlo.return %j, %t : tensor<i32>, tensor<i32>\n  }\n  return %0#0, %0#1 : tensor<i32>, tensor<i32>\n}\n")
    yield op("stablehlo.set_dimension_size", ["tensor<3x4xf32>", i], "tensor<3x?xf32, #stablehlo.bounds<?, 4>>", "dimension = 1 : i64")
    q, f = "tensor<6x!quant.uniform<i8:f32, 0.5:3>>", "tensor<6xf32>"
    for n in ["add", "multiply", "subtract", "maximum", "divide"]:
        yield op(f"stablehlo.{n}", [q, q], q)
    yield op("stablehlo.uniform_quantize", [f], q)
    yield op("stablehlo.uniform_dequantize", [q], f)
    yield op("stablehlo.uniform_quantize", [q], "tensor<6x!quant.uniform<u8:f32, 0.25:100>>")
    p = "tensor<2x3x!quant.uniform<i8:f32:0, {0.5:3, 2.0:-1}>>"
    yield op("stablehlo.uniform_quantize", ["tensor<2x3xf32>"], p)
    yield op("stablehlo.uniform_dequantize", [p], "tensor<2x3xf32>")


def collectives():
    x = "tensor<2x4xf32>"
    groups = ["dense<[[0, 1]]> : tensor<1x2xi64>", "dense<[[1, 0]]> : tensor<1x2xi64>", "dense<[[0], [1]]> : tensor<2x1xi64>", "dense<[[3, 1], [0, 2]]> : tensor<2x2xi64>", "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"]
    modes = [(groups[0], ""), (groups[1], ""), (groups[2], ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"),
             (groups[3], ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"),
             (groups[0], ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>")]
    for g, channel in modes:
        n = 4 if "2x2" not in g and "1x4" in g else int(g.split("x")[-2][-1])
        yield op("stablehlo.all_reduce", [x], x, f"replica_groups = {g}{channel}", reducer("f32"))
        n = {"1x2": 2, "2x1": 1, "2x2": 2}[g.split("<")[-1][:3]]
        if "global" not in channel and channel:
            n *= 2
        yield op("stablehlo.all_gather", [x], f"tensor<2x{4 * n}xf32>", f"all_gather_dim = 1 : i64, replica_groups = {g}{channel}")
        if 4 % n == 0:
            yield op("stablehlo.reduce_scatter", [x], f"tensor<2x{4 // n}xf32>", f"scatter_dimension = 1 : i64, replica_groups = {g}{channel}", reducer("f32"))
    yield op("stablehlo.all_to_all", [x], "tensor<4x2xf32>", f"split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = {groups[0]}")
    yield op("stablehlo.all_to_all", [x], "tensor<1x8xf32>", f"split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = {groups[1]}")
    yield op("stablehlo.collective_permute", [x], x, f"source_target_pairs = {pairs((0, 1))}")
    yield op("stablehlo.collective_permute", [x], x, f"source_target_pairs = {pairs((0, 1), (1, 0))}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>")
    yield op("stablehlo.collective_broadcast", [x], x, f"replica_groups = {groups[1]}")
    yield function([], ["%0 = stablehlo.replica_id : tensor<ui32>", "%1 = stablehlo.partition_id : tensor<ui32>"], [("%0", "tensor<ui32>"), ("%1", "tensor<ui32>")])


UNARY_CHLO = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "tan", "square", "conj"]
REAL_CHLO = ["bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma"]
BROADCAST_CHLO = ["add", "atan2", "divide", "maximum", "minimum", "multiply", "next_after", "polygamma", "power", "remainder", "subtract", "zeta"]


def chlo():
    for e in ["f32", "f64", "bf16", "complex<f32>", "complex<f64>"]:
        t = f"tensor<40x{e}>"
        names = UNARY_CHLO + (["_asin_acos_kernel"] if "complex" in e else REAL_CHLO)
        yield function([t], [f'%u{i} = "chlo.{n}"(%a0) : ({t}) -> {t}' for i, n in enumerate(names)], [(f"%u{i}", t) for i in range(len(names))])
        names = UNARY_COMPLEX if "complex" in e else UNARY_FLOAT
        yield function([t], [f"%u{i} = stablehlo.{n} %a0 : {t}" for i, n in enumerate(names)], [(f"%u{i}", t) for i in range(len(names))])
    for e in ["f32", "f64"]:
        t = f"tensor<24x{e}>"
        yield function([t, t], [f'%u{i} = "chlo.{n}"(%a0, %a1) : ({t}, {t}) -> {t}' for i, n in enumerate(["next_after", "polygamma", "zeta"])],
                       [(f"%u{i}", t) for i in range(3)])
    for left, right, out in [("3", "2x3", "2x3"), ("2x3", "3", "2x3"), ("2x1", "1x3", "2x3"), ("", "4", "4"), ("3", "3", "3")]:
        args = [f"tensor<{x + 'x' if x else ''}f32>" for x in (left, right)]
        for n in BROADCAST_CHLO:
            yield op(f"chlo.broadcast_{n}", args, f"tensor<{out}xf32>")
            if left == right or n == "add":  # not what its operands give
                yield op(f"chlo.broadcast_{n}", args, f"tensor<5x{out}xf32>")
                yield op(f"chlo.broadcast_{n}", args, f"tensor<{out}xi32>")
    yield op("chlo.broadcast_add", ["tensor<3xf32>", "tensor<2x1xf32>"], "tensor<2x3xf32>")
    yield op("chlo.broadcast_add", ["tensor<2x1xf32>", "tensor<3xf32>"], "tensor<2x3xf32>")
    for args in [("3", "?x1"), ("?x1", "3"), ("3", "?x2x1")]:
        for out in ["2x3", "2x4", "?x3", "2x2x3"]:
            yield op("chlo.broadcast_add", [f"tensor<{a}xf32>" for a in args], f"tensor<{out}xf32>")
    yield op("chlo.broadcast_add", ["tensor<*xf32>", "tensor<3xf32>"], "tensor<*xf32>")
    yield op("chlo.broadcast_add", ["tensor<?xf32>", "tensor<2x?xf32>"], "tensor<2x?xf32>")
    yield op("chlo.top_k", ["tensor<3x9xf32>"], ["tensor<3x4xf32>", "tensor<3x4xi32>"], "k = 4 : i64")
    for ragged, group, args, out in [("[0]", "[0]", ["5x3", "2x3x4"], "5x4"), ("[1]", "[]", ["5x6", "6x4"], "2x5x4")]:
        numbers = (f"#chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], "
                   f"rhs_contracting_dimensions = [{1 if group != '[]' else 0}], lhs_ragged_dimensions = {ragged}, rhs_group_dimensions = {group}>")
        line = f'%0 = "chlo.ragged_dot"(%a0, %a1, %g) {{ragged_dot_dimension_numbers = {numbers}}} : (tensor<{args[0]}xf32>, tensor<{args[1]}xf32>, tensor<2xi64>) -> tensor<{out}xf32>'
        yield function([f"tensor<{a}xf32>" for a in args], ["%g = stablehlo.constant dense<[2, 3]> : tensor<2xi64>", line], [("%0", f"tensor<{out}xf32>")])


def numbers():
    """Numbers that are special to a function: its zeros, and parts that are zero or one."""
    for e in ["f32", "f64"]:
        t = f"tensor<6x{e}>"
        yield function([], [f"%c = stablehlo.constant dense<[-0.504083, -1.573498, -2.610720, 1.461632, -0.5, 0.5]> : {t}",
                            f'%0 = "chlo.digamma"(%c) : ({t}) -> {t}', f'%1 = "chlo.lgamma"(%c) : ({t}) -> {t}'], [("%0", t), ("%1", t)])
        t = f"tensor<6xcomplex<{e}>>"
        constant = f"%c = stablehlo.constant dense<[(0.5, 1.0), (0.5, 0.0), (1.0, -0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, 0.0)]> : {t}"
        for lines in ([f"%u{i} = stablehlo.{n} %c : {t}" for i, n in enumerate(UNARY_COMPLEX)],
                      [f'%u{i} = "chlo.{n}"(%c) : ({t}) -> {t}' for i, n in enumerate(UNARY_CHLO)]):
            yield function([], [constant, *lines], [(line.split()[0], t) for line in lines])


def types():
    """Conversions of rare types, bounds, ranks that are not known, and scales per axis."""
    rare = ["tf32", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2FNUZ", "f8E8M0FNU", "i2", "ui4", "ui64"]
    for e in rare:
        yield function(["tensor<24xf32>"], [f"%0 = stablehlo.convert %a0 : (tensor<24xf32>) -> tensor<24x{e}>", f"%1 = stablehlo.convert %0 : (tensor<24x{e}>) -> tensor<24xf64>"],
                       [("%0", f"tensor<24x{e}>"), ("%1", "tensor<24xf64>")])
    yield op("stablehlo.abs", ["tensor<*xf32>"], "tensor<*xf32>")
    yield op("stablehlo.abs", ["tensor<?xf32>"], "tensor<3xf32>")
    bounded = "tensor<2x?x4xf32, #stablehlo.bounds<?, 3, ?>>"
    s = "tensor<?xf32, #stablehlo.bounds<3>>"
    attrs = "epsilon = 0.5 : f32, feature_index = 1 : i64"
    yield op("stablehlo.batch_norm_training", [bounded, s, s], [bounded, s, s], attrs)
    yield op("stablehlo.batch_norm_grad", [bounded, s, s, s, bounded], [bounded, s, s], attrs)
    for out in ["tensor<?x4xf32, #stablehlo.bounds<6, ?>>", "tensor<?x4xf32, #stablehlo.bounds<7, ?>>", "tensor<6x4xf32>", "tensor<7x4xf32>", "tensor<?x4xf32>"]:
        part = "tensor<?x4xf32, #stablehlo.bounds<3, ?>>"
        yield op("stablehlo.concatenate", [part, part], out, "dimension = 0 : i64")
        yield ("func.func @main(%c: tensor<i1>, %x: tensor<?x4xf32, #stablehlo.bounds<6, ?>>) {\n  %0 = \"stablehlo.if\"(%c) ({\n"
               "    stablehlo.return %x : tensor<?x4xf32, #stablehlo.bounds<6, ?>>\n  }, {\n    stablehlo.return %x : tensor<?x4xf32, #stablehlo.bounds<6, ?>>\n"
               f"  }}) : (tensor<i1>) -> {out}\n  return\n}}\n")
    for a, b in [(5, 3), (3, 5)]:
        args = [f"tensor<?xf32, #stablehlo.bounds<{n}>>" for n in (a, b)]
        for out in ["tensor<3xf32>", "tensor<4xf32>", "tensor<6xf32>", *args]:
            yield op("stablehlo.add", args, out)
            yield (f"func.func @main(%c: tensor<i1>, %x: {args[0]}, %y: {args[1]}) {{\n  %0 = \"stablehlo.if\"(%c) ({{\n    stablehlo.return %x : {args[0]}\n"
                   f"  }}, {{\n    stablehlo.return %y : {args[1]}\n  }}) : (tensor<i1>) -> {out}\n  return\n}}\n")
    for scales in ["0.5:3, 0.5:3", "0.5:3, 0.25:3", "0.5:3, 0.5:2"]:
        yield op("stablehlo.broadcast_in_dim", ["tensor<1x!quant.uniform<i8:f32:0, {0.5:3}>>"], f"tensor<2x3x!quant.uniform<i8:f32:0, {{{scales}}}>>",
                 f"broadcast_dimensions = {ints(0)}")


def verdicts():
    """Programs that the verifier refuses, for rules that few programs break."""
    for n in ["cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt", "sine", "sqrt", "tan", "tanh"]:
        for accuracy in ["atol = 1.0, rtol = 0.0, ulps = 1, mode = #stablehlo.result_accuracy_mode<DEFAULT>", "ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>"]:
            yield op(f"stablehlo.{n}", ["tensor<2xf32>"], "tensor<2xf32>", f"result_accuracy = #stablehlo.result_accuracy<{accuracy}>")
    yield '"builtin.module"() ({\n^bb0:\n  "func.func"() ({\n  }) {function_type = () -> (), sym_name = "f", sym_visibility = "private"} : () -> ()\n^bb1:\n}) : () -> ()\n'
    yield op("arith.addf", ["tensor<3xf32>", "tensor<4xf32>"], "tensor<3xf32>")
    yield op("arith.select", ["vector<3xi1>", "vector<4xf32>", "vector<4xf32>"], "vector<4xf32>")
    for a, b in [("tensor<3x{}>", "tensor<4x{}>"), ("vector<3x{}>", "tensor<3x{}>"), ("vector<3x{}>", "{}"), ("{}", "tensor<3x{}>")]:
        yield op("arith.extsi", [a.format("i32")], b.format("i64"))


def processes():
    """Functions that run in parallel, and exchange values."""
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    x = "tensor<2xi64>"
    send = f"""func.func @send(%x: {x}) -> {x} {{
  %t = stablehlo.create_token : !stablehlo.token
  %0 = "stablehlo.send"(%x, %t) {{{channel}, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({x}, !stablehlo.token) -> !stablehlo.token
  return %x : {x}
}}
func.func @receive() -> {x} {{
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.recv"(%t) {{{channel}, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}} : (!stablehlo.token) -> ({x}, !stablehlo.token)
  return %0#0 : {x}
}}
"""
    yield send + f"""func.func @main(%x: {x}) -> ({x}, {x}) {{
  %r:2 = "interpreter.run_parallel"(%x) {{programs = [[@send, @receive]]}} : ({x}) -> ({x}, {x})
  return %r#0, %r#1 : {x}, {x}
}}
"""
    yield f"""func.func @feed() -> {x} {{
  %0 = stablehlo.constant dense<[3, 4]> : {x}
  return %0 : {x}
}}
func.func @take() -> {x} {{
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%t) {{infeed_config = ""}} : (!stablehlo.token) -> ({x}, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%0#0, %0#1) {{outfeed_config = ""}} : ({x}, !stablehlo.token) -> !stablehlo.token
  return %0#0 : {x}
}}
func.func @main() -> {x} {{
  %r = "interpreter.run_parallel"() {{infeed = [@feed], programs = [[@take]]}} : () -> {x}
  return %r : {x}
}}
"""


def programs():
    for make in (elementwise, movement, contraction, reductions, linear_algebra, control, collectives, chlo, numbers, types,
                 verdicts, processes):
        for program in make():
            yield make.__name__, program
