"""Programs whose evaluation, folding, expansion or comparison is a lot of work."""
from hostile.case import COMPARE, Case, REDUCE, RUN, function, with_other

F = "tensor<f32>"
ADD = "^bb(%x: tensor<f32>, %y: tensor<f32>):\n  %s = stablehlo.add %x, %y : tensor<f32>\n  stablehlo.return %s : tensor<f32>"


def one_op(op, arguments, result, setup=""):
    return function(f"{setup}  %r = {op}\n  return %r : {result}", arguments, result)


def large_ops():
    big, side = 2**26, 2**13
    ops = {
        "iota": (f"stablehlo.iota dim = 0 : tensor<{2**40}xi64>", "", f"tensor<{2**40}xi64>"),
        "iota-8M": (f"stablehlo.iota dim = 0 : tensor<{2**23}xf64>", "", f"tensor<{2**23}xf64>"),
        "iota-empty": (f"stablehlo.iota dim = 0 : tensor<0x{2**62}xf64>", "", f"tensor<0x{2**62}xf64>"),
        "broadcast": (f"stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<9xf32>) -> tensor<9x{2**36}xf32>", "%a: tensor<9xf32>", f"tensor<9x{2**36}xf32>"),
        "broadcast-ranks": (f"stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<9xf32>) -> tensor<9x{'2x' * 20}f32>", "%a: tensor<9xf32>", f"tensor<9x{'2x' * 20}f32>"),
        "pad": (f"stablehlo.pad %a, %p, low = [{2**61}], high = [{2**61}], interior = [0] : (tensor<9xf32>, {F}) -> tensor<{2**62 + 9}xf32>",
                f"%a: tensor<9xf32>, %p: {F}", f"tensor<{2**62 + 9}xf32>"),
        "pad-interior": (f"stablehlo.pad %a, %p, low = [0], high = [{-2**59 * 7}], interior = [{2**59}] : (tensor<9xf32>, {F}) -> tensor<{2**59 + 9}xf32>",
                         f"%a: tensor<9xf32>, %p: {F}", f"tensor<{2**59 + 9}xf32>"),
        "transpose": ("stablehlo.transpose %a, dims = [" + ", ".join(map(str, range(21, -1, -1))) + f"] : (tensor<{'2x' * 22}i8>) -> tensor<{'2x' * 22}i8>",
                      f"%a: tensor<{'2x' * 22}i8>", f"tensor<{'2x' * 22}i8>"),
        "transpose-ranks": ("stablehlo.transpose %a, dims = [" + ", ".join(map(str, range(4000))) + f"] : (tensor<{'1x' * 4000}i8>) -> tensor<{'1x' * 4000}i8>",
                            f"%a: tensor<{'1x' * 4000}i8>", f"tensor<{'1x' * 4000}i8>"),
        "reverse-ranks": ("stablehlo.reverse %a, dims = [" + ", ".join(map(str, range(3000))) + f"] : tensor<{'1x' * 4000}i8>", f"%a: tensor<{'1x' * 4000}i8>", f"tensor<{'1x' * 4000}i8>"),
        "dot": (f"stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<{side}x{side}xf32>, tensor<{side}x{side}xf32>) -> tensor<{side}x{side}xf32>",
                f"%a: tensor<{side}x{side}xf32>", f"tensor<{side}x{side}xf32>"),
        "dot-1500": ("stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<1500x1500xf32>, tensor<1500x1500xf32>) -> tensor<1500x1500xf32>",
                     "%a: tensor<1500x1500xf32>", "tensor<1500x1500xf32>"),
        "dot-of-nothing": (f"stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<{2**20}x0xf32>, tensor<0x{2**20}xf32>) -> tensor<{2**20}x{2**20}xf32>",
                           f"%a: tensor<{2**20}x0xf32>, %b: tensor<0x{2**20}xf32>", f"tensor<{2**20}x{2**20}xf32>"),
        "dot-long": (f"stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<{2**23}xf64>, tensor<{2**23}xf64>) -> tensor<f64>",
                     f"%a: tensor<{2**23}xf64>, %b: tensor<{2**23}xf64>", "tensor<f64>"),
        "dot-complex": ("stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<900x900xcomplex<f64>>, tensor<900x900xcomplex<f64>>) -> tensor<900x900xcomplex<f64>>",
                        "%a: tensor<900x900xcomplex<f64>>", "tensor<900x900xcomplex<f64>>"),
        "dot-f8": ("stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<900x900xf8E5M2>, tensor<900x900xf8E5M2>) -> tensor<900x900xf8E5M2>",
                   "%a: tensor<900x900xf8E5M2>", "tensor<900x900xf8E5M2>"),
        "fft": ("stablehlo.fft %a, type = FFT, length = [2097143] : (tensor<2097143xcomplex<f64>>) -> tensor<2097143xcomplex<f64>>",
                "%a: tensor<2097143xcomplex<f64>>", "tensor<2097143xcomplex<f64>>"),
        "fft-prime": ("stablehlo.fft %a, type = FFT, length = [65521] : (tensor<4x65521xcomplex<f32>>) -> tensor<4x65521xcomplex<f32>>",
                      "%a: tensor<4x65521xcomplex<f32>>", "tensor<4x65521xcomplex<f32>>"),
        "fft-cube": ("stablehlo.fft %a, type = RFFT, length = [127, 127, 127] : (tensor<127x127x127xf32>) -> tensor<127x127x64xcomplex<f32>>",
                     "%a: tensor<127x127x127xf32>", "tensor<127x127x64xcomplex<f32>>"),
        "fft-of-nothing": ("stablehlo.fft %a, type = IRFFT, length = [0] : (tensor<9000000x0xcomplex<f32>>) -> tensor<9000000x0xf32>",
                           "%a: tensor<9000000x0xcomplex<f32>>", "tensor<9000000x0xf32>"),
        "cholesky": ("stablehlo.cholesky %a, lower = true : tensor<1800x1800xf64>", "%a: tensor<1800x1800xf64>", "tensor<1800x1800xf64>"),
        "cholesky-many": ("stablehlo.cholesky %a, lower = true : tensor<900000x3x3xf32>", "%a: tensor<900000x3x3xf32>", "tensor<900000x3x3xf32>"),
        "triangular-solve": ('"stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>'
                             " : (tensor<1500x1500xf32>, tensor<1500x1500xf32>) -> tensor<1500x1500xf32>", "%a: tensor<1500x1500xf32>", "tensor<1500x1500xf32>"),
        "rng": (f"stablehlo.rng %a, %b, %s, distribution = NORMAL : ({F}, {F}, tensor<2xi64>) -> tensor<{side}x{side}xf32>", f"%a: {F}, %b: {F}, %s: tensor<2xi64>", f"tensor<{side}x{side}xf32>"),
        "rng-dynamic": (f"stablehlo.rng %a, %b, %s, distribution = UNIFORM : ({F}, {F}, tensor<2xi64>) -> tensor<?x?xf32>", f"%a: {F}, %b: {F}, %s: tensor<2xi64>", "tensor<?x?xf32>"),
        "gather": ('"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 4000>}>'
                   " : (tensor<4000xf32>, tensor<9000x1xi32>) -> tensor<9000x4000xf32>", "%a: tensor<4000xf32>, %i: tensor<9000x1xi32>", "tensor<9000x4000xf32>"),
        "gather-elements": ('"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>'
                            f" : (tensor<4000xi8>, tensor<{2**23}x1xi8>) -> tensor<{2**23}xi8>", f"%a: tensor<4000xi8>, %i: tensor<{2**23}x1xi8>", f"tensor<{2**23}xi8>"),
        "convolution": ("stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} "
                        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x512x512x8xf32>, tensor<256x256x8x8xf32>) -> tensor<1x257x257x8xf32>",
                        "%a: tensor<1x512x512x8xf32>, %b: tensor<256x256x8x8xf32>", "tensor<1x257x257x8xf32>"),
        "convolution-of-padding": ("stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [["
                                   f"{2**40}, {2**40}]], lhs_dilate = [1], rhs_dilate = [1]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
                                   f"(tensor<1x9x1xf32>, tensor<{2**40}x1x1xf32>) -> tensor<1x{2**40 + 10}x1xf32>",
                                   f"%a: tensor<1x9x1xf32>, %b: tensor<{2**40}x1x1xf32>", f"tensor<1x{2**40 + 10}x1xf32>"),
        "convolution-stride": ("stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = ["
                               f"{2**20}], pad = [[{2**42}, {2**42}]], lhs_dilate = [{2**30}], rhs_dilate = [1]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
                               f"(tensor<1x9x1xf32>, tensor<9x1x1xf32>) -> tensor<1x{(2**43 + 8 * 2**30 + 1 - 9) // 2**20 + 1}x1xf32>",
                               "%a: tensor<1x9x1xf32>, %b: tensor<9x1x1xf32>", f"tensor<1x{(2**43 + 8 * 2**30 + 1 - 9) // 2**20 + 1}x1xf32>"),
        "reduce-window": ('"stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2000, 2000>}> ({\n' + ADD + "\n}) : "
                          f"(tensor<4000x4000xf32>, {F}) -> tensor<2001x2001xf32>", f"%a: tensor<4000x4000xf32>, %z: {F}", "tensor<2001x2001xf32>"),
        "reduce-window-padding": (f'"stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: {2**40}>, padding = dense<[[{2**40}, 0]]> : tensor<1x2xi64>}}> ({{\n' + ADD + "\n}) : "
                                  f"(tensor<5xf32>, {F}) -> tensor<6xf32>", f"%a: tensor<5xf32>, %z: {F}", "tensor<6xf32>"),
        "reduce": ('"stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({\n' + ADD.replace("add %x, %y", "atan2 %x, %y") + "\n}) : "
                   f"(tensor<{2**23}xf32>, {F}) -> {F}", f"%a: tensor<{2**23}xf32>, %z: {F}", F),
        "reduce-while": ('"stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({\n^bb(%x: tensor<f32>, %y: tensor<f32>):\n'
                         "%w = stablehlo.while(%v = %x) : tensor<f32> cond { %t = stablehlo.compare LT, %v, %v : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %t : tensor<i1> } "
                         "do { stablehlo.return %v : tensor<f32> }\n stablehlo.return %w : tensor<f32>\n}) : "
                         f"(tensor<{2**23}xf32>, {F}) -> {F}", f"%a: tensor<{2**23}xf32>, %z: {F}", F),
        "sort": ('"stablehlo.sort"(%a) ({\n^bb(%x: tensor<f32>, %y: tensor<f32>):\n %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %s : tensor<i1>\n}) : '
                 f"(tensor<{2**22}xf32>) -> tensor<{2**22}xf32>", f"%a: tensor<{2**22}xf32>", f"tensor<{2**22}xf32>"),
        "sort-by-body": ('"stablehlo.sort"(%a) ({\n^bb(%x: tensor<f32>, %y: tensor<f32>):\n %p = stablehlo.sine %x : tensor<f32>\n %q = stablehlo.tan %y : tensor<f32>\n'
                         " %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %s : tensor<i1>\n}) : "
                         f"(tensor<{2**22}xf32>) -> tensor<{2**22}xf32>", f"%a: tensor<{2**22}xf32>", f"tensor<{2**22}xf32>"),
        "map": ('"stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({\n^bb(%x: tensor<f32>):\n' + "".join(f" %v{i} = stablehlo.tan %x : tensor<f32>\n" for i in range(300)) +
                f" stablehlo.return %v9 : tensor<f32>\n}}) : (tensor<{2**23}xf32>) -> tensor<{2**23}xf32>", f"%a: tensor<{2**23}xf32>", f"tensor<{2**23}xf32>"),
        "scatter": ('"stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n' + ADD +
                    "\n}) : (tensor<900xf32>, tensor<9000x1xi32>, tensor<9000x900xf32>) -> tensor<900xf32>", "%a: tensor<900xf32>, %i: tensor<9000x1xi32>, %u: tensor<9000x900xf32>", "tensor<900xf32>"),
        "select-and-scatter": ('"stablehlo.select_and_scatter"(%a, %u, %z) <{window_dimensions = array<i64: 4000>, window_strides = array<i64: 1>}> ({\n^bb(%x: tensor<f32>, %y: tensor<f32>):\n'
                               " %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %s : tensor<i1>\n}, {\n" + ADD +
                               f"\n}}) : (tensor<90000xf32>, tensor<86001xf32>, {F}) -> tensor<90000xf32>", f"%a: tensor<90000xf32>, %u: tensor<86001xf32>, %z: {F}", "tensor<90000xf32>"),
        "tan": ("stablehlo.tan %a : tensor<8000000xf64>", "%a: tensor<8000000xf64>", "tensor<8000000xf64>"),
        "power-complex": ("stablehlo.power %a, %a : tensor<3000000xcomplex<f64>>", "%a: tensor<3000000xcomplex<f64>>", "tensor<3000000xcomplex<f64>>"),
        "quantize": ("stablehlo.uniform_quantize %a : (tensor<8000000xf32>) -> tensor<8000000x!quant.uniform<i8:f32, 0.5>>", "%a: tensor<8000000xf32>", "tensor<8000000x!quant.uniform<i8:f32, 0.5>>"),
        "all-reduce": ('"stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1000000x1000000xi64>}> ({\n' + ADD + "\n}) : (tensor<9xf32>) -> tensor<9xf32>", "%a: tensor<9xf32>", "tensor<9xf32>"),
        "all-gather": (f'"stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x{2**40}xi64>}}> : (tensor<9xf32>) -> tensor<{9 * 2**40}xf32>', "%a: tensor<9xf32>", f"tensor<{9 * 2**40}xf32>"),
        "concatenate": ("stablehlo.concatenate " + ", ".join(["%a"] * 2000) + ", dim = 0 : (" + ", ".join(["tensor<90000xf32>"] * 2000) + ") -> tensor<180000000xf32>", "%a: tensor<90000xf32>", "tensor<180000000xf32>"),
        "qr": ('stablehlo.custom_call @lapack_sgeqrf(%a) {api_version = 2 : i32} : (tensor<1500x1500xf32>) -> tensor<1500x1500xf32>', "%a: tensor<1500x1500xf32>", "tensor<1500x1500xf32>"),
        "top-k": (f"chlo.top_k(%a, k = {2**22}) : tensor<{2**22}xf32> -> (tensor<{2**22}xf32>, tensor<{2**22}xi32>)", f"%a: tensor<{2**22}xf32>", f"tensor<{2**22}xf32>, tensor<{2**22}xi32>"),
        "polygamma": ("chlo.polygamma %a, %a : tensor<2000000xf64>, tensor<2000000xf64> -> tensor<2000000xf64>", "%a: tensor<2000000xf64>", "tensor<2000000xf64>"),
    }
    for name, (op, arguments, result) in ops.items():
        text = one_op(op, arguments, result)
        if name == "top-k":
            text = function(f"  %r:2 = {op}\n  return %r#0, %r#1 : {result}", arguments, result)
        yield Case(f"op-{name}", text, RUN + ("IN", "IN --expand --target=1.0.0 --allow-outside-window", "verify IN"))
        other = text.replace("%r = ", "%n = stablehlo.iota dim = 0 : tensor<2xi32>\n  %r = ")
        if name in ("dot-1500", "iota-8M", "sort", "map", "fft-prime", "tan", "transpose", "reduce-while", "convolution", "gather"):
            yield with_other(f"op-{name}-twice", text, other)
    product = "stablehlo.dot_general %{}, %{}, contracting_dims = [1] x [0] : (tensor<1500x1500xf32>, tensor<1500x1500xf32>) -> tensor<1500x1500xf32>"
    arguments = "%a: tensor<1500x1500xf32>, %b: tensor<1500x1500xf32>, %c: tensor<1500x1500xf32>"

    def products(first, second):
        return function(f"  %p = {product.format(*first)}\n  %q = {product.format(*second)}\n  return %q : tensor<1500x1500xf32>", arguments, "tensor<1500x1500xf32>")
    yield with_other("products-in-another-order", products("ab", "pc"), products("bc", "ap"), COMPARE + ("reduce IN --still-differs=other",))
    for element in ("i8", "f64"):
        chain = "\n".join(f"  %v{i + 1} = stablehlo.add %v{i}, %v0 : tensor<900000x{element}>" for i in range(4000))
        first = function(chain + f"\n  return %v4000 : tensor<900000x{element}>", f"%v0: tensor<900000x{element}>", f"tensor<900000x{element}>")
        yield with_other(f"chain-{element}", first, first.replace("add %v0, %v0", "subtract %v0, %v0"))


def loops():
    always = "%t = stablehlo.constant dense<true> : tensor<i1>\n stablehlo.return %t : tensor<i1>"
    bodies = {
        "forever": "stablehlo.return %x : tensor<i32>",
        "forever-adding": "%y = stablehlo.add %x, %x : tensor<i32>\n stablehlo.return %y : tensor<i32>",
        "forever-calling": "%y = func.call @g(%x) : (tensor<i32>) -> tensor<i32>\n stablehlo.return %y : tensor<i32>",
        "forever-large": "%y = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<1000000xi32>\n %z = stablehlo.add %y, %y : tensor<1000000xi32>\n stablehlo.return %x : tensor<i32>",
        "forever-printing": "stablehlo.custom_call @check.expect_eq(%x, %x) : (tensor<i32>, tensor<i32>) -> ()\n stablehlo.return %x : tensor<i32>",
    }
    helper = function("  return %a : tensor<i32>", "%a: tensor<i32>", "tensor<i32>", "g").replace("func.func @", "func.func private @")
    for name, body in bodies.items():
        text = helper + function(f"  %r = stablehlo.while(%x = %a) : tensor<i32> cond {{ {always} }} do {{ {body} }}\n  return %r : tensor<i32>", "%a: tensor<i32>", "tensor<i32>")
        other = text.replace("while(%x = %a)", "while(%x = %b)").replace("  %r =", "  %b = stablehlo.add %a, %a : tensor<i32>\n  %r =")
        yield Case(f"loop-{name}", text, RUN + COMPARE + REDUCE[:1], {"other": other})
    nested = "stablehlo.return %x{} : tensor<i32>".format(60)
    for level in range(60, 0, -1):
        nested = (f"%x{level} = stablehlo.while(%y{level} = %x{level - 1}) : tensor<i32> cond {{ %c = stablehlo.constant dense<99> : tensor<i32>\n"
                  f" %t = stablehlo.compare LT, %y{level}, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %t : tensor<i1> }} do {{\n"
                  + nested.replace(f"%x{level} :", f"%y{level} :", 1).replace(f"= %x{level})", f"= %y{level})", 1) + f"\n }}\n stablehlo.return %x{level} : tensor<i32>")
    yield Case("loop-nested", function("  " + nested.rsplit("stablehlo.return", 1)[0] + "return %x1 : tensor<i32>", "%x0: tensor<i32>", "tensor<i32>"), RUN + REDUCE[:1])
    growing = function(f"  %r = stablehlo.while(%x = %a) : tensor<?xi32> cond {{ {always} }} do {{ %y = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>\n"
                       " stablehlo.return %y : tensor<?xi32> }\n  return %r : tensor<?xi32>", "%a: tensor<?xi32>", "tensor<?xi32>")
    yield Case("loop-growing", growing, RUN + ('eval IN --args=dense<1>:tensor<9xi32>',))


def calls():
    def tree(levels, width, op="func.call @f{0}(%v{1}) : (tensor<i32>) -> tensor<i32>", leaf="  return %v0 : tensor<i32>"):
        text = "".join(function("".join(f"  %v{k + 1} = " + op.format(i + 1, k) + "\n" for k in range(width)) + f"  return %v{width} : tensor<i32>",
                                "%v0: tensor<i32>", "tensor<i32>", "main" if i == 0 else f"f{i}").replace("func.func @f", "func.func private @f") for i in range(levels))
        return text + function(leaf, "%v0: tensor<i32>", "tensor<i32>", f"f{levels}").replace("func.func @f", "func.func private @f")
    negate = "  %r = stablehlo.negate %v0 : tensor<i32>\n  return %r : tensor<i32>"
    composite = 'stablehlo.composite "my.op" %v{1} {{decomposition = @f{0}, version = 1 : i32}} : (tensor<i32>) -> tensor<i32>'
    custom = 'stablehlo.custom_call @call(%v{1}) {{called_computations = [@f{0}]}} : (tensor<i32>) -> tensor<i32>'
    commands = RUN + ("IN", "IN --expand-composites --target=1.0.0 --allow-outside-window", "inspect IN", "verify IN", "roundtrip IN") + REDUCE[:1]
    for levels, width in ((40, 2), (400, 2), (9, 90), (3000, 1), (12000, 1)):
        for name, op in {"call": None, "composite": composite, "custom": custom}.items():
            if name == "call" or levels != 12000:
                text = tree(levels, width, op or "func.call @f{0}(%v{1}) : (tensor<i32>) -> tensor<i32>")
                yield Case(f"calls-{name}-{levels}-{width}", text, commands)
    public = tree(60, 2).replace("private ", "")
    yield Case("calls-of-public-functions", public, commands)
    yield with_other("public-functions-compared", public, tree(60, 2, leaf=negate).replace("private ", ""))
    yield with_other("calls-compared", tree(40, 2), tree(40, 2, leaf=negate), COMPARE + ("reduce IN --still-differs=other",))
    yield with_other("composites-compared", tree(40, 2, composite), tree(40, 2, composite, negate))
    mutual = function("  %r = func.call @b(%a) : (tensor<i32>) -> tensor<i32>\n  return %r : tensor<i32>", "%a: tensor<i32>", "tensor<i32>")
    yield Case("calls-mutual", mutual + mutual.replace("@b", "@main").replace("func.func @main", "func.func @b"), commands)
    yield Case("calls-itself", mutual.replace("@b", "@main"), commands)
    branches = ", ".join("{ %s = stablehlo.add %a, %a : tensor<i32>\n stablehlo.return %s : tensor<i32> }" for _ in range(9000))
    yield Case("case-of-many", function(f'  %r = "stablehlo.case"(%a) ({branches}) : (tensor<i32>) -> tensor<i32>\n  return %r : tensor<i32>', "%a: tensor<i32>", "tensor<i32>"), commands)
    grid = function('  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({\n' + ADD + "\n}) : (tensor<f32>) -> tensor<f32>\n  return %r : tensor<f32>", "%a: tensor<f32>", F)
    for count in (9, 5000, 2**31, 2**62):
        yield Case(f"processes-{count}", grid, (f"eval IN --replicas={count} --inputs=random:1", f"eval IN --partitions={count} --replicas={count} --inputs=random:1", "prove IN IN"))
    forever = function(f'  %r = "stablehlo.send"(%a, %k) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token\n'
                       '  %s:2 = "stablehlo.recv"(%r) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)\n  return %s#0 : tensor<f32>',
                       "%a: tensor<f32>, %k: !stablehlo.token", F)
    yield Case("processes-waiting", forever, ("eval IN --replicas=2 --inputs=random:1", "prove IN IN"))


def pairs():
    """Pairs of programs with many functions or parts, each of them heavy."""
    def functions(count, body, type_):
        return "".join(function(body.format(i) + f"  return %r : {type_}", f"%a: {type_}, %b: {type_}", type_, f"f{i}") for i in range(count))
    t = "tensor<300x300xf32>"
    dot = f"  %p = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}\n"
    yield with_other("functions-of-products", functions(500, dot + f"  %r = stablehlo.add %p, %a : {t}\n", t), functions(500, dot + f"  %r = stablehlo.add %a, %p : {t}\n", t))
    yield with_other("functions-that-differ", functions(500, f"  %r = stablehlo.add %a, %b : {t}\n", t), functions(500, f"  %r = stablehlo.subtract %a, %b : {t}\n", t), COMPARE + ("reduce IN --still-differs=other",))
    s = "tensor<8xf32>"
    yield with_other("functions-small", functions(2000, f"  %r = stablehlo.add %a, %b : {s}\n", s), functions(2000, f"  %r = stablehlo.add %b, %a : {s}\n", s), COMPARE + ("reduce IN --still-differs=other",))
    yield with_other("functions-of-transcendental-ops", functions(1500, f"  %t = stablehlo.tanh %a : {s}\n  %r = stablehlo.add %t, %b : {s}\n", s), functions(1500, f"  %t = stablehlo.tanh %a : {s}\n  %r = stablehlo.maximum %b, %t : {s}\n", s))
    dynamic = "tensor<?x?x?xf32>"
    yield with_other("functions-dynamic", functions(200, f"  %r = stablehlo.add %a, %b : {dynamic}\n", dynamic), functions(200, f"  %r = stablehlo.add %b, %a : {dynamic}\n", dynamic))

    def chain(ops, count, type_="tensor<16xf32>", swap=lambda i: False):
        lines = []
        for i in range(count):
            x, y = (f"%v{i}", f"%v{max(0, i - 7)}")
            if swap(i):
                x, y = y, x
            lines.append(f"  %v{i + 1} = stablehlo.{ops[i % len(ops)]} {x}, {y} : {type_}")
        return function("\n".join(lines) + f"\n  return %v{count} : {type_}", f"%v0: {type_}", type_)
    for count in (300, 9000):
        yield with_other(f"parts-{count}", chain(["add", "multiply", "maximum"], count), chain(["add", "multiply", "maximum"], count, swap=lambda i: i % 3 == 0), COMPARE + ("reduce IN --still-differs=other",))
        yield with_other(f"parts-{count}-that-differ", chain(["add", "multiply"], count), chain(["subtract", "multiply", "minimum"], count))
        yield with_other(f"parts-{count}-of-integers", chain(["add", "multiply", "xor"], count, "tensor<i64>"), chain(["add", "multiply", "or"], count, "tensor<i64>", lambda i: True))
    yield with_other("parts-heavy", chain(["add", "power"], 60, "tensor<300000xf64>"), chain(["add", "power"], 60, "tensor<300000xf64>", lambda i: i % 5 == 0))
    yield with_other("exhaustive", chain(["add", "divide"], 400, "tensor<i16>"), chain(["add", "divide"], 400, "tensor<i16>", lambda i: i % 2 == 0))
    yield with_other("exhaustive-large", chain(["add", "remainder"], 40, "tensor<i8>").replace("return %v40 : tensor<i8>\n", "%z = stablehlo.broadcast_in_dim %v40, dims = [] : (tensor<i8>) -> tensor<4000000xi8>\n  return %z : tensor<4000000xi8>\n").replace("-> (tensor<i8>)", "-> (tensor<4000000xi8>)"),
                     chain(["add", "remainder"], 40, "tensor<i8>", lambda i: True).replace("return %v40 : tensor<i8>\n", "%z = stablehlo.broadcast_in_dim %v40, dims = [] : (tensor<i8>) -> tensor<4000000xi8>\n  return %z : tensor<4000000xi8>\n").replace("-> (tensor<i8>)", "-> (tensor<4000000xi8>)"))
    wide = ", ".join(f"%a{i}: tensor<4xf32>" for i in range(8000))
    first = function("  %r = stablehlo.add %a1, %a2 : tensor<4xf32>\n  return %r : tensor<4xf32>", wide, "tensor<4xf32>")
    yield with_other("many-arguments", first, first.replace("%a1, %a2", "%a7999, %a3"), COMPARE + ("reduce IN --still-differs=other",))
    constants = function("\n".join(f"  %c{i} = stablehlo.constant dense<{i}> : tensor<i32>" for i in range(10000)) + "\n  return %c9 : tensor<i32>", "%a: tensor<i32>", "tensor<i32>")
    yield with_other("many-constants", constants, constants.replace("return %c9 :", "return %a :"))
    results = ", ".join(["tensor<4xf32>"] * 9000)
    many = function("  %r = stablehlo.add %a, %a : tensor<4xf32>\n  return " + ", ".join(["%r"] * 9000) + f" : {results}", "%a: tensor<4xf32>", results)
    yield with_other("many-returned", many, many.replace("add %a", "multiply %a"))
    splat = function("  %c = stablehlo.constant dense<1.0> : tensor<60000000xf32>\n  return %c : tensor<60000000xf32>", "", "tensor<60000000xf32>")
    yield with_other("splats-that-differ", splat, splat.replace("1.0", "2.0"))
    expanding = function("  %r = chlo.polygamma %a, %a : tensor<9xf64>, tensor<9xf64> -> tensor<9xf64>\n" * 1 + "".join(
        f"  %r{i} = chlo.zeta %a, %a : tensor<9xf64>, tensor<9xf64> -> tensor<9xf64>\n" for i in range(900)) + "  return %r : tensor<9xf64>", "%a: tensor<9xf64>", "tensor<9xf64>")
    yield with_other("expanded-pair", expanding, expanding.replace("%r899 ", "%q "), COMPARE + ("IN --expand --target=1.0.0 --allow-outside-window --prove",))
    folded = function("  %c0 = stablehlo.constant dense<3> : tensor<60000xi32>\n" + "\n".join(f"  %c{i + 1} = stablehlo.add %c{i}, %c0 : tensor<60000xi32>" for i in range(4000)) +
                      "\n  return %c4000 : tensor<60000xi32>", "", "tensor<60000xi32>")
    yield Case("folded-many", folded, RUN)
    iotas = function("\n".join(f"  %i{i} = stablehlo.iota dim = 0 : tensor<{60000 + i}xi32>" for i in range(3000)) + "\n  return " + ", ".join(f"%i{i}" for i in range(3000)) + " : " +
                     ", ".join(f"tensor<{60000 + i}xi32>" for i in range(3000)), "", ", ".join(f"tensor<{60000 + i}xi32>" for i in range(3000)))
    yield Case("folded-iotas", iotas, RUN + ("IN --fold --emit=shlo -o out", "IN --fold --emit=mlirbc -o out", "IN --fold --json"))


FAMILIES = (large_ops, loops, calls, pairs)
