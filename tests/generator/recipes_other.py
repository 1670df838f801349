"""Ops and attributes of other dialects, and the newest StableHLO features: asynchronous collectives, meshes, futures."""
from core import ARITHMETIC, QUANT, SOME, Tensor, tensor
from recipes_regions import GROUPS, channel


def mesh(g):
    device_ids = ", device_ids = dense<[1, 0]> : tensor<2xi64>" if g.rng.flip(0.3) else ""
    axis = g.rng.choice(['#stablehlo.axis_ref<name = "x">',
                         '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>'])
    return ('#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", '
            f'size = 2>]{device_ids}>, axes = [{axis}]>')


def mesh_all_reduce(g):
    t = tensor(g, ARITHMETIC)
    g.op("stablehlo.all_reduce", [g.arg(t)], [t], [t], channel(g, {"replica_groups": mesh(g)}),
         [g.binary_region("stablehlo.add", t.with_dims([]))])


def collective_reduce(g):
    t = tensor(g, ARITHMETIC)
    g.op("stablehlo.collective_reduce", [g.arg(t)], [t], [t], channel(g, {"replica_groups": GROUPS[0]}),
         [g.binary_region("stablehlo.add", t.with_dims([]))])


def async_pair(g):
    t = tensor(g, ARITHMETIC)
    future = f"!stablehlo.future<{t}>"

    def body(names):
        made = g.op("stablehlo.all_reduce", names, [t], [t], {"replica_groups": GROUPS[0]},
                    [g.binary_region("stablehlo.add", t.with_dims([]))], indent=4)
        g.op("stablehlo.return", made, [t], [], indent=4)
    made = g.op("stablehlo.async_start", [g.arg(t)], [t], [future], {}, [g.region([t], body)])
    g.op("stablehlo.async_done", made, [future], [t])


def tiled_custom_call(g):
    t = tensor(g, low=2, high=2)
    g.op("stablehlo.custom_call", [g.arg(t)], [t], [t],
         {"call_target_name": '"tiled"', "result_tilings": "[[dense<[8, 128]> : tensor<2xindex>]]",
          "operand_layouts": "[dense<[1, 0]> : tensor<2xindex>]",
          "result_layouts": "[dense<[1, 0]> : tensor<2xindex>]"})


def buffers(g):
    b = f"memref<{g.rng.randrange(1, 9)}xf32>"
    g.op("stablehlo.custom_call", [g.arg(b)], [b], [b],
         {"call_target_name": '"fill"', "api_version": "4 : i32",
          "output_operand_aliases": "[#stablehlo.output_operand_alias<output_tuple_indices = [], "
                                    "operand_index = 0, operand_tuple_indices = []>]"})


def scan(g):
    n = g.rng.randrange(1, 6)
    e = g.rng.choice(["f32", "i32"])
    x, c, step = Tensor([n, 2], e), Tensor([2], e), Tensor([2], e)

    def body(b):
        made = g.op("stablehlo.add", [b[0], b[1]], [step, c], [c], indent=4)
        g.op("stablehlo.return", made + made, [c, c], [], indent=4)
    attrs = {"dimension": "0 : i64", "operandSegmentSizes": "array<i32: 1, 1>",
             "resultSegmentSizes": "array<i32: 1, 1>"}
    if g.rng.flip():
        attrs["is_reverse"] = g.rng.choice(["true", "false"])
    g.op("chlo.scan", [g.arg(x), g.arg(c)], [x, c], [x, c], attrs, [g.region([step, c], body)])


def check_equal(g):
    t = tensor(g, SOME)
    g.op("check.expect_eq", [g.arg(t), g.arg(t)], [t, t], [])


def check_constant(g):
    t = Tensor(g.rng.dims(0, 2), g.rng.choice(["f32", "i32", "i1"]))
    g.op("check.expect_eq_const", [g.arg(t)], [t], [], {"value": g.rng.dense(t)})


def check_almost(g):
    t = Tensor(g.rng.dims(0, 2), g.rng.choice(["f32", "f64"]))
    g.op("check.expect_almost_eq", [g.arg(t), g.arg(t)], [t, t], [], {"tolerance": "1.000000e-03 : f64"})


def check_almost_constant(g):
    t = Tensor(g.rng.dims(0, 2), "f32")
    g.op("check.expect_almost_eq_const", [g.arg(t)], [t], [], {"value": g.rng.dense(t)})


def check_close(g):
    t = Tensor(g.rng.dims(0, 2), "f32")
    g.op("check.expect_close", [g.arg(t), g.arg(t)], [t, t], [],
         {"max_ulp_difference": "3 : ui64", "min_ulp_difference": "0 : ui64"} if g.rng.flip() else {})


def arith(name, element="i64"):
    def recipe(g):
        a = g.arg(element)
        g.op(f"arith.{name}", [a, g.arg(element)], [element] * 2, [element])
    return recipe


def arith_compare(g):
    g.op("arith.cmpi", [g.arg("i32"), g.arg("i32")], ["i32", "i32"], ["i1"],
         {"predicate": f"{g.rng.randrange(10)} : i64"})


def arith_select(g):
    g.op("arith.select", [g.arg("i1"), g.arg("i32"), g.arg("i32")], ["i1", "i32", "i32"], ["i32"])


def arith_cast(name, source, target):
    return lambda g: g.op(f"arith.{name}", [g.arg(source)], [source], [target])


def tensor_cast(g):
    a, b = Tensor(["?", 3], "f32"), Tensor([2, 3], "f32")
    g.op("tensor.cast", [g.arg(a)], [a], [b])


def tensor_from_elements(g):
    n = g.rng.randrange(1, 4)
    g.op("tensor.from_elements", [g.arg("i32") for _ in range(n)], ["i32"] * n, [Tensor([n], "i32")])


def tensor_insert(g):
    g.op("tensor.insert", [g.arg("i32"), g.arg("tensor<3xi32>"), g.arg("index")], ["i32", "tensor<3xi32>", "index"],
         ["tensor<3xi32>"])


def add_floats(g):
    g.op("arith.addf", [g.arg("f32"), g.arg("f32")], ["f32", "f32"], ["f32"],
         {"fastmath": "#arith.fastmath<fast>"} if g.rng.flip() else {})


def scf_for(g):
    bounds = [g.arg("index") for _ in range(3)]

    def body(b):
        made = g.op("arith.addi", [b[1], b[1]], ["i32", "i32"], ["i32"], indent=4)
        g.op("scf.yield", made, ["i32"], [], indent=4)
    g.op("scf.for", bounds + [g.arg("i32")], ["index"] * 3 + ["i32"], ["i32"], {}, [g.region(["index", "i32"], body)])


def shape(name, inputs, results, attrs=None):
    return lambda g: g.op(f"shape.{name}", [g.arg(t) for t in inputs], inputs, results, attrs)


def assuming(g):
    t = tensor(g, ARITHMETIC)
    a = g.arg(t)

    def body(_):
        g.op("shape.assuming_yield", [a], [t], [], indent=4)
    g.op("shape.assuming", [g.arg("!shape.witness")], ["!shape.witness"], [t], {}, [g.region([], body)])


def conversion_cast(g):
    g.op("builtin.unrealized_conversion_cast", [g.arg("i64")], ["i64"], ["index"])


def decorated(g):
    """Every kind of discardable attribute."""
    t = Tensor([], "f32")
    g.op("stablehlo.negate", [g.arg(t)], [t], [t], {
        "x.unit": None, "x.flag": g.rng.choice(["true", "false"]), "x.int": "-3 : si8", "x.wide": f"{2**70} : i128",
        "x.float": "1.500000e+00 : f16", "x.text": '"tab\\09quote\\22"', "x.typed": '"t" : i32', "x.type": "tensor<?xf32>",
        "x.list": "[1, [2.000000e+00 : f64, @s::@t], {}]", "x.dict": "{a, b = 1 : i64}", "x.symbol": "@a::@b",
        "x.dense": "array<f32: 1.000000e+00, 2.000000e+00>", "x.bools": "array<i1: true, false>", "x.none": "none",
        "x.strings": 'dense<["a", "b"]> : tensor<2x!x.string>', "x.map": "affine_map<(d0, d1) -> (d1, d0 + 1)>",
        "x.set": "affine_set<(d0) : (d0 - 1 >= 0)>", "x.strided": "strided<[2, 1], offset: 3>",
        "x.sparse": "sparse<[[0, 0], [1, 1]], [1, 2]> : tensor<2x2xi32>", "x.vector": "dense<1> : vector<[4]x2xi32>",
        "x.big": "1.000000e+00 : f80", "x.huge": "0x3FFF0000000000000000000000000000 : f128",
        "x.tf": "1.000000e+00 : tf32", "x.other": "#x.attr<1, [2]>", "x.types": "[!x.type<3>, memref<*xf32>, tuple<i1>]",
        "x.unranked": "tensor<*xf32>", "x.distinct": "distinct[0]<1 : i32>",
        "x.resource": "dense_resource<blob> : tensor<1xf32>", "x.quant": f"{QUANT[0]}",
        "x.blocks": "!quant.uniform<i8:f32:{0:2, 1:1}, {{1.000000e+00, 2.000000e+00:3}, {5.000000e-01, 2.500000e-01:-1}}>", "x.loc": 'loc("f.py":1:2 to 3:4)'})


def ml_program(g):
    """Globals of ml_program, and functions that use them."""
    t = f"tensor<{g.rng.randrange(1, 5)}xf32>"
    n = f"g{len(g.tops)}"
    value = f"value = dense<0.000000e+00> : {t}"
    stored = f", {value}" if g.rng.flip() else ""
    token = "!ml_program.token"
    g.tops.append(f"""  "ml_program.global"() {{is_mutable, sym_name = "{n}", sym_visibility = "private", type = {t}{stored}}} : () -> ()
  "ml_program.global"() {{sym_name = "constant_{n}", sym_visibility = "private", type = {t}, {value}}} : () -> ()
  "ml_program.func"() ({{
    %0 = "ml_program.global_load"() {{global = @{n}}} : () -> {t}
    "ml_program.global_store"(%0) {{global = @{n}}} : ({t}) -> ()
    %1 = "ml_program.global_load_const"() {{global = @constant_{n}}} : () -> {t}
    "ml_program.return"(%1) : ({t}) -> ()
  }}) {{function_type = () -> {t}, sym_name = "load_{n}"}} : () -> ()
  "ml_program.subgraph"() ({{
    %0 = "ml_program.token"() : () -> {token}
    %1, %2 = "ml_program.global_load_graph"(%0) {{global = @{n}}} : ({token}) -> ({t}, {token})
    %3 = "ml_program.global_store_graph"(%1, %2) {{global = @{n}}} : ({t}, {token}) -> {token}
    "ml_program.output"(%1, %3) : ({t}, {token}) -> ()
  }}) {{function_type = () -> ({t}, {token}), sym_name = "graph_{n}"}} : () -> ()""")


def probe(g):
    t = tensor(g, SOME)
    made = g.op("interpreter.probe", [g.arg(t)], [t], [t], {"probe_id": '"p"'})
    g.op("interpreter.print", made, [t], [])


def run_parallel(g):
    t = tensor(g, ARITHMETIC)
    g.op("interpreter.run_parallel", [g.arg(t)], [t], [t], {"programs": f"[[@{g.helper(t)}]]"})


EXTENTS = "tensor<2xindex>"


# --- CHLO and others ------------------------------------------------------------------------------------------


def top_k(g):
    t = tensor(g, ["f32", "i32", "bf16"], low=1)
    k = g.rng.randrange(0, t.dims[-1] + 1)
    out = t.with_dims(list(t.dims[:-1]) + [k])
    g.op("chlo.top_k", [g.arg(t)], [t], [out, out.of("i32")], {"k": f"{k} : i64"})


def ragged_dot(g):
    m, k, n, groups = 6, 4, 5, 3
    a, b, s = Tensor([m, k], "f32"), Tensor([groups, k, n], "f32"), Tensor([groups], "i64")
    numbers = ("#chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], "
               "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
               "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>")
    g.op("chlo.ragged_dot", [g.arg(a), g.arg(b), g.arg(s)], [a, b, s], [Tensor([m, n], "f32")],
         {"ragged_dot_dimension_numbers": numbers,
          "precision_config": "[#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]"})


def arith_constant(g):
    g.op("arith.constant", [], [], ["i32"], {"value": f"{g.rng.randrange(-5, 99)} : i32"})


def tensor_dim(g):
    t = Tensor(["?", 3], "f32")
    i = g.op("arith.constant", [], [], ["index"], {"value": "0 : index"})
    g.op("tensor.dim", [g.arg(t)] + i, [t, "index"], ["index"])


def shape_of(g):
    t = Tensor(["?", 3], "f32")
    g.op("shape.shape_of", [g.arg(t)], [t], [Tensor([2], "index")])


RECIPES = {
    "chlo.top_k": top_k, "chlo.ragged_dot": ragged_dot, "arith.constant": arith_constant,
    "tensor.dim": tensor_dim, "shape.shape_of": shape_of,
    "stablehlo.all_reduce (mesh)": mesh_all_reduce, "stablehlo.collective_reduce": collective_reduce,
    "stablehlo.async_start": async_pair, "stablehlo.custom_call (tilings)": tiled_custom_call,
    "stablehlo.custom_call (buffers)": buffers, "chlo.scan": scan,
    "check.expect_eq": check_equal, "check.expect_eq_const": check_constant, "check.expect_almost_eq": check_almost,
    "check.expect_almost_eq_const": check_almost_constant, "check.expect_close": check_close,
    **{f"arith.{n}": arith(n) for n in ["addi", "subi", "muli", "divsi", "maxsi", "minsi"]},
    "arith.cmpi": arith_compare, "arith.select": arith_select, "arith.extsi": arith_cast("extsi", "i32", "i64"),
    "arith.trunci": arith_cast("trunci", "i64", "i8"), "arith.index_cast": arith_cast("index_cast", "i64", "index"),
    "tensor.cast": tensor_cast, "tensor.from_elements": tensor_from_elements,
    "shape.broadcast": shape("broadcast", [EXTENTS, EXTENTS], [EXTENTS]),
    "shape.concat": shape("concat", [EXTENTS, EXTENTS], ["tensor<4xindex>"]),
    "shape.const_shape": shape("const_shape", [], [EXTENTS], {"shape": "dense<[1, 2]> : tensor<2xindex>"}),
    "shape.cstr_broadcastable": shape("cstr_broadcastable", [EXTENTS, EXTENTS], ["!shape.witness"]),
    "shape.dim": shape("dim", ["tensor<2x?xf32>", "index"], ["index"]),
    "shape.get_extent": shape("get_extent", [EXTENTS, "index"], ["index"]),
    "shape.num_elements": shape("num_elements", [EXTENTS], ["index"]),
    "shape.split_at": shape("split_at", [EXTENTS, "index"], ["tensor<?xindex>", "tensor<?xindex>"]),
    "shape.to_extent_tensor": shape("to_extent_tensor", [EXTENTS], [EXTENTS]),
    "shape.assuming": assuming, "stablehlo.negate (decorated)": decorated, "ml_program.global": ml_program,
    "tensor.insert": tensor_insert, "arith.addf": add_floats, "scf.for": scf_for,
    "interpreter.probe": probe, "interpreter.run_parallel": run_parallel,
    "builtin.unrealized_conversion_cast": conversion_cast,
}
