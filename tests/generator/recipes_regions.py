"""Control flow, collectives, communication, and random numbers."""
from core import ARITHMETIC, Tensor, tensor


# --- Random numbers -------------------------------------------------------------------------------------------


def rng(g):
    dims = g.rng.dims(1, 3)
    kind = g.rng.choice(["UNIFORM", "NORMAL"])
    e = g.rng.choice(["f32", "f64"] + (["i32"] if kind == "UNIFORM" else []))
    s, shape = Tensor([], e), Tensor([len(dims)], "i64")
    c = g.op("stablehlo.constant", [], [], [shape],
             {"value": f"dense<{dims}> : {shape}"})
    g.op("stablehlo.rng", [g.arg(s), g.arg(s)] + c, [s, s, shape], [Tensor(dims, e)],
         {"rng_distribution": f"#stablehlo<rng_distribution {kind}>"})


def rng_bit_generator(g):
    kind = g.rng.choice(["DEFAULT", "THREE_FRY", "PHILOX"])
    state = Tensor([2], "ui64")
    g.op("stablehlo.rng_bit_generator", [g.arg(state)], [state],
         [state, Tensor(g.rng.dims(0, 2), g.rng.choice(["ui32", "ui64", "i32"]))],
         {"rng_algorithm": f"#stablehlo<rng_algorithm {kind}>"})


# --- Control flow ---------------------------------------------------------------------------------------------


def if_(g):
    t = tensor(g, ARITHMETIC)
    a, b, p = g.arg(t), g.arg(t), g.arg("tensor<i1>")

    def branch(op):
        def body(_):
            r = g.op(f"stablehlo.{op}", [a, b], [t, t], [t], indent=4)
            g.op("stablehlo.return", r, [t], [], indent=4)
        return g.region([], body)
    g.op("stablehlo.if", [p], ["tensor<i1>"], [t], {}, [branch("add"), branch("multiply")])


def case(g):
    t = tensor(g, ARITHMETIC)
    a, i = g.arg(t), g.arg("tensor<i32>")

    def branch():
        def body(_):
            r = g.op("stablehlo.add", [a, a], [t, t], [t], indent=4)
            g.op("stablehlo.return", r, [t], [], indent=4)
        return g.region([], body)
    g.op("stablehlo.case", [i], ["tensor<i32>"], [t], {}, [branch() for _ in range(g.rng.randrange(1, 4))])


def while_(g):
    t = tensor(g, ["f32", "i32", "f64"])
    i = Tensor([], "i32")

    def cond(b):
        c = g.op("stablehlo.constant", [], [], [i], {"value": "dense<10> : tensor<i32>"}, indent=4)
        p = g.op("stablehlo.compare", [b[0]] + c, [i, i], ["tensor<i1>"],
                 {"comparison_direction": "#stablehlo<comparison_direction LT>",
                  "compare_type": "#stablehlo<comparison_type SIGNED>"}, indent=4)
        g.op("stablehlo.return", p, ["tensor<i1>"], [], indent=4)

    def body(b):
        x = g.op("stablehlo.add", [b[0], b[0]], [i, i], [i], indent=4)
        y = g.op("stablehlo.multiply", [b[1], b[1]], [t, t], [t], indent=4)
        g.op("stablehlo.return", x + y, [i, t], [], indent=4)
    g.op("stablehlo.while", [g.arg(i), g.arg(t)], [i, t], [i, t], {}, [g.region([i, t], cond), g.region([i, t], body)])


def optimization_barrier(g):
    ts = [tensor(g) for _ in range(g.rng.randrange(1, 4))]
    g.op("stablehlo.optimization_barrier", [g.arg(t) for t in ts], ts, ts)


def tuple_(g):
    a, b = tensor(g), tensor(g)
    tt = f"tuple<{a}, {b}>"
    made = g.op("stablehlo.tuple", [g.arg(a), g.arg(b)], [a, b], [tt])
    k = g.rng.randrange(2)
    g.op("stablehlo.get_tuple_element", made, [tt], [[a, b][k]], {"index": f"{k} : i32"})


def after_all(g):
    made = g.op("stablehlo.create_token", [], [], ["!stablehlo.token"])
    g.op("stablehlo.after_all", made + made, ["!stablehlo.token"] * 2, ["!stablehlo.token"])


def custom_call(g):
    a, b = tensor(g, low=2, high=2), tensor(g, low=1, high=1)
    version = g.rng.choice([None, 1, 2, 3, 4])
    attrs = {"call_target_name": g.rng.choice(['"foo"', '"a.b$c"', '"with \\22quotes\\22"'])}
    if version:
        attrs["api_version"] = f"{version} : i32"
    if version == 4:
        attrs["backend_config"] = '{bar = 42 : i32, s = "x"}'
    elif g.rng.flip():
        attrs["backend_config"] = '"opaque\\0A"'
    if g.rng.flip():
        attrs["has_side_effect"] = g.rng.choice(["true", "false"])
    if g.rng.flip(0.4):
        attrs["operand_layouts"] = "[dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]"
        attrs["result_layouts"] = "[dense<[0, 1]> : tensor<2xindex>]"
    elif g.rng.flip(0.4):
        attrs["output_operand_aliases"] = ("[#stablehlo.output_operand_alias<output_tuple_indices = [], "
                                           "operand_index = 0, operand_tuple_indices = []>]")
    if g.rng.flip(0.3):
        attrs["mhlo.frontend"] = '{k = "v"}'
    g.op("stablehlo.custom_call", [g.arg(a), g.arg(b)], [a, b], [a], attrs)


def composite(g):
    t = tensor(g, ARITHMETIC)
    name = g.helper(t)
    attrs = {"name": f'"my.{name}"', "decomposition": f"@{name}"}
    if g.rng.flip():
        attrs["composite_attributes"] = "{n = 1 : i64, s = \"x\"}"
    if g.rng.flip():
        attrs["version"] = f"{g.rng.randrange(0, 4)} : i32"
    g.op("stablehlo.composite", [g.arg(t)], [t], [t], attrs)


def call(g):
    t = tensor(g)
    g.op("func.call", [g.arg(t)], [t], [t], {"callee": f"@{g.helper(t)}"})


# --- Collectives and communication ------------------------------------------------------------------------------


def channel(g, attrs):
    if g.rng.flip():
        attrs["channel_handle"] = f"#stablehlo.channel_handle<handle = {g.rng.randrange(1, 9)}, type = 0>"
    return attrs


GROUPS = ["dense<[[0, 1]]> : tensor<1x2xi64>", "dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>"]


def all_gather(g):
    t = tensor(g, low=1)
    axis = g.rng.randrange(t.rank)
    dims = [d * 2 if i == axis else d for i, d in enumerate(t.dims)]
    attrs = channel(g, {"all_gather_dim": f"{axis} : i64", "replica_groups": g.rng.choice(GROUPS)})
    n = g.rng.randrange(1, 3)
    g.op("stablehlo.all_gather", [g.arg(t) for _ in range(n)], [t] * n, [t.with_dims(dims)] * n, attrs)


def all_reduce(g):
    t = tensor(g, ARITHMETIC)
    attrs = channel(g, {"replica_groups": g.rng.choice(GROUPS)})
    if "channel_handle" in attrs and g.rng.flip():
        attrs["use_global_device_ids"] = None
    n = g.rng.randrange(1, 3)
    g.op("stablehlo.all_reduce", [g.arg(t) for _ in range(n)], [t] * n, [t] * n, attrs,
         [g.binary_region("stablehlo.add", t.with_dims([]))])


def reduce_scatter(g):
    t = tensor(g, ARITHMETIC, low=1)
    dims = [d * 2 if i == 0 else d for i, d in enumerate(t.dims)]
    attrs = channel(g, {"scatter_dimension": "0 : i64", "replica_groups": g.rng.choice(GROUPS)})
    g.op("stablehlo.reduce_scatter", [g.arg(t.with_dims(dims))], [t.with_dims(dims)], [t], attrs,
         [g.binary_region("stablehlo.add", t.with_dims([]))])


def all_to_all(g):
    t = tensor(g, low=2, high=3)
    src = t.with_dims([d * 2 if i == 1 else d for i, d in enumerate(t.dims)])
    out = t.with_dims([d * 2 if i == 0 else d for i, d in enumerate(t.dims)])
    attrs = channel(g, {"split_dimension": "1 : i64", "concat_dimension": "0 : i64", "split_count": "2 : i64",
                        "replica_groups": GROUPS[0]})
    g.op("stablehlo.all_to_all", [g.arg(src)], [src], [out], attrs)


def collective_permute(g):
    t = tensor(g)
    attrs = channel(g, {"source_target_pairs": "dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"})
    g.op("stablehlo.collective_permute", [g.arg(t)], [t], [t], attrs)


def collective_broadcast(g):
    t = tensor(g)
    g.op("stablehlo.collective_broadcast", [g.arg(t)], [t], [t], channel(g, {"replica_groups": GROUPS[0]}))


def cross_replica_sum(g):
    t = tensor(g, ARITHMETIC)
    g.op("stablehlo.cross-replica-sum", [g.arg(t)], [t], [t], {"replica_groups": GROUPS[0]})


def process_id(name):
    return lambda g: g.op(f"stablehlo.{name}", [], [], [Tensor([], "ui32")])


def infeed(g):
    t, tok = tensor(g, low=2, high=2), "!stablehlo.token"
    attrs = {"infeed_config": '"config"'}
    if g.rng.flip():
        attrs["layout"] = "[[0, 1]]"
    made = g.op("stablehlo.create_token", [], [], [tok])
    g.op("stablehlo.infeed", made, [tok], [t, tok], attrs)


def outfeed(g):
    t, tok = tensor(g), "!stablehlo.token"
    attrs = {"outfeed_config": '"config"'} if g.rng.flip() else {}
    made = g.op("stablehlo.create_token", [], [], [tok])
    g.op("stablehlo.outfeed", [g.arg(t)] + made, [t, tok], [tok], attrs)


def transfer(g, types):
    """Returns the attributes of a transfer; `types`: channel types between devices, and to the host."""
    host = g.rng.flip()
    return {"channel_handle": f"#stablehlo.channel_handle<handle = 5, type = {types[host]}>",
            "is_host_transfer": "true" if host else "false"}


def send(g):
    t, tok = tensor(g), "!stablehlo.token"
    attrs = transfer(g, (1, 2))
    made = g.op("stablehlo.create_token", [], [], [tok])
    g.op("stablehlo.send", [g.arg(t)] + made, [t, tok], [tok], attrs)


def recv(g):
    t, tok = tensor(g), "!stablehlo.token"
    attrs = transfer(g, (1, 3))
    made = g.op("stablehlo.create_token", [], [], [tok])
    g.op("stablehlo.recv", made, [tok], [t, tok], attrs)


RECIPES = {
    "stablehlo.rng": rng, "stablehlo.rng_bit_generator": rng_bit_generator, "stablehlo.if": if_,
    "stablehlo.case": case, "stablehlo.while": while_, "stablehlo.optimization_barrier": optimization_barrier,
    "stablehlo.tuple": tuple_, "stablehlo.after_all": after_all, "stablehlo.custom_call": custom_call,
    "stablehlo.composite": composite, "func.call": call, "stablehlo.all_gather": all_gather,
    "stablehlo.all_reduce": all_reduce, "stablehlo.reduce_scatter": reduce_scatter,
    "stablehlo.all_to_all": all_to_all, "stablehlo.collective_permute": collective_permute,
    "stablehlo.collective_broadcast": collective_broadcast, "stablehlo.cross-replica-sum": cross_replica_sum,
    "stablehlo.partition_id": process_id("partition_id"), "stablehlo.replica_id": process_id("replica_id"),
    "stablehlo.infeed": infeed, "stablehlo.outfeed": outfeed, "stablehlo.send": send, "stablehlo.recv": recv,
}
