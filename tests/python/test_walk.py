"""Walking programs: ops, values, regions, types, attributes, locations, constants."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
import shlo
from conftest import TANH

TEXT = """module attributes {m.name = "top"} {
  func.func @main(%x: tensor<2x3xf32> {m.arg = 1 : i32}, %n: tensor<i64>) -> (tensor<f32>, tensor<2x3xf32>) {
    %c = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.constant dense<7> : tensor<5xi8>
    %0 = stablehlo.add %x, %c : tensor<2x3xf32> loc("net.py":12:3)
    %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare GT, %0, %x, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %3 = func.call @helper(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1, %3 : tensor<f32>, tensor<2x3xf32>
  }
  func.func private @helper(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %x : tensor<2x3xf32>
  }
}"""


@pytest.fixture(scope="module")
def program():
    return shlo.loads(TEXT, name="walk.mlir")


def named(program, name):
    (op,) = program.ops(name)
    return op


def test_functions(program):
    assert list(program.functions) == ["main", "helper"] == program._ipython_key_completions_()
    main = program["main"]
    assert main == program.main == program.functions["main"] and main.symbol == "main"
    assert not main.private and program["helper"].private
    assert [str(a.type) for a in main.arguments] == ["tensor<2x3xf32>", "tensor<i64>"]
    assert [str(t) for t in main.type.results] == ["tensor<f32>", "tensor<2x3xf32>"]
    assert "main" in program and "none" not in program
    for lookup in (lambda: program["mian"], lambda: program.functions["mian"]):
        with pytest.raises(KeyError, match="has no function 'mian'") as caught:
            lookup()
        assert isinstance(caught.value, shlo.NotFoundError) and isinstance(caught.value, shlo.UsageError)
        assert caught.value.diagnostics[0].hint == "did you mean 'main'? it has main, helper"
    with pytest.raises(TypeError, match="expected a text, got 0"):
        program[0]
    with pytest.raises(KeyError, match="2 functions and no 'main'"):
        shlo.loads("func.func @a() { return } func.func @b() { return }").main
    assert program.module.name == "builtin.module" and main.parent == program.module
    assert "@main" in main._repr_html_()


def test_ops_are_in_program_order(program):
    names = [op.op_name for op in program.ops()]
    assert names[:3] == ["func.func", "stablehlo.constant", "stablehlo.constant"]
    assert len(names) == program.op_count
    assert [op.name for op in program["helper"].ops()] == ["func.return"]
    assert len(list(program.ops("stablehlo.add"))) == 2


def test_ops_by_name(program):
    names = [op.name for op in program.ops("stablehlo.*")]
    assert names == [op.name for op in program.ops() if op.name.startswith("stablehlo.")] and len(names) > 5
    assert list(program.ops("add")) == list(program.ops("vhlo.add_v1")) == list(program.ops("stablehlo.add"))
    assert [op.name for op in program["main"].ops("*.c*")] == ["stablehlo.constant"] * 3 + ["stablehlo.compare", "func.call"]
    assert list(program.ops("dot_general")) == [] == list(program.ops("sdy.mesh"))  # ops that there could be
    for wrong, nearest in (("stablehlo.nonsense", ""), ("dot_genral", "stablehlo.dot_general"), ("func.fun", "func.func"), ("nonsense", "")):
        with pytest.raises(shlo.NotFoundError, match=f"unknown op '{wrong}'") as caught:
            program.ops(wrong)
        assert nearest in str(caught.value)


def test_patterns_of_ops():
    program = shlo.loads(TANH)
    assert [op.name for op in program.ops("t*")] == ["stablehlo.tanh"] == [op.name for op in program.ops("stablehlo.t?nh")]
    assert [op.name for op in program.ops("vhlo.t*_v2")] == ["stablehlo.tanh"] and list(program.ops("vhlo.dot*")) == []
    assert list(program.ops("sdy.*")) == [] == list(program.ops("dot*"))
    for pattern in ("dott*", "stablehlo.nonsense*", "vhlo.none*"):
        with pytest.raises(shlo.NotFoundError, match="matches"):
            program.ops(pattern)
    with pytest.raises(shlo.NotFoundError, match="did you mean 'stablehlo.dot_general'"):
        program.ops("DOT_GENERAL")


def test_operands_results_and_uses(program):
    add = next(program.ops("stablehlo.add"))
    x, constant = add.operands
    assert x.owner == program.main.body[0] and x.index == 0
    assert constant.owner.name == "stablehlo.constant" and constant == constant.owner.result
    assert [op.name for op in add.users] == ["stablehlo.reduce", "stablehlo.compare", "func.call"]
    assert [(use.op.name, use.operand) for use in x.uses] == [("stablehlo.add", 0), ("stablehlo.compare", 1)]
    assert add.vhlo_name == "vhlo.add_v1" and add.symbol is None
    with pytest.raises(ValueError):
        program.main.result
    assert add.text().startswith("%") and "stablehlo.add" in str(add) and "stablehlo.add" in repr(add)


def test_regions(program):
    reduce = named(program, "stablehlo.reduce")
    (region,) = reduce.regions
    (block,) = region.blocks
    assert region.op == reduce and block.region == region and list(region) == [block]
    assert [op.name for op in block] == ["stablehlo.add", "stablehlo.return"] and len(block) == 2
    assert block.terminator.name == "stablehlo.return" and block.terminator.block == block
    assert len(block.arguments) == 2 and block.arguments[1].owner == block
    for part in (region, block, block.arguments[0]):
        assert repr(part).startswith("<shlo.")


def test_types(program):
    tensor = program.main.arguments[0].type
    assert (tensor.kind, tensor.shape, tensor.rank, tensor.size, str(tensor.element)) == ("tensor", (2, 3), 2, 6, "f32")
    assert tensor.dtype == np.float32 and tensor.bounds is None and tensor.encoding is None
    assert tensor == shlo.loads(TEXT).main.arguments[0].type and tensor != program.main.arguments[1].type
    dynamic = shlo.loads(
        "func.func private @f(tensor<?x3xbf16, #stablehlo.bounds<5, ?>>, tensor<*xf32>, !stablehlo.token,"
        " tuple<tensor<i32>, tensor<f32>>, tensor<4x!quant.uniform<i8:f32, 2.0:3>>)"
    )["f"].type.inputs
    assert dynamic[0].shape == (None, 3) and dynamic[0].bounds == (5, None) and dynamic[0].size is None
    assert dynamic[0].encoding.kind == "type_extensions"
    assert dynamic[1].shape is None and dynamic[2].kind == "token"
    assert [str(t) for t in dynamic[3].members] == ["tensor<i32>", "tensor<f32>"]
    quantized = dynamic[4].element
    assert quantized.kind == "uniform" and quantized.fields["scale"] == 2.0 and quantized.fields["zero_point"] == 3
    assert dynamic[4].storage == "i8" and dynamic[4].dtype == np.int8


def test_attributes(program):
    compare = named(program, "stablehlo.compare")
    assert compare.attributes["comparison_direction"].value == "GT"
    assert compare.attributes["comparison_direction"].kind == "comparison_direction"
    assert set(compare.attributes.inherent) == set(compare.attributes) and not compare.attributes.discardable
    assert program.module.attributes["m.name"].value == "top"
    reduce = named(program, "stablehlo.reduce")
    assert list(reduce.attributes["dimensions"].value) == [0, 1]
    main = program.main.attributes
    assert main["sym_name"].value == "main" and main["function_type"].value == program.main.type
    assert main["arg_attrs"].value == [{"m.arg": 1}, {}]
    assert named(program, "func.call").attributes["callee"].value == "helper"
    with pytest.raises(KeyError, match="did you mean 'sym_name'.* it has sym_name, function_type"):
        main["sym_nam"]
    assert main.get("none") is None and main.get("none", 3) == 3 and "none" not in main and 3 not in main
    with pytest.raises(TypeError):
        main["sym_name"].array


GROUPS = {
    "dot_dimension_numbers": """func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}""",
    "dimension_numbers": """func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}""",
}


@pytest.mark.parametrize("name", GROUPS)
def test_attributes_by_the_name_in_the_text(name):
    program = shlo.loads(GROUPS[name])
    op = next(op for op in program.ops("stablehlo.*"))
    found = op.attributes[name]
    assert f"{name} = {found}" in program.text(generic=True)
    assert name in op.attributes and op.attributes.get(name) == found and op.attributes.groups == [name]
    assert name in op.attributes._ipython_key_completions_() and name not in list(op.attributes)
    for part, value in found.value.items():
        if part in op.attributes:
            assert np.array_equal(op.attributes[part].value, value), part
    # The same name on the way in.
    b = shlo.Builder()
    with b.function("f", [a.type for a in program["f"].arguments], program["f"].type.results) as arguments:
        written = {key: value for key, value in op.attributes.items() if key not in found.value}
        b.return_(b.op(op.name, *arguments, results=[op.result.type], attributes={name: found, **written}))
    assert b.finish() == program


def test_values_of_attributes():
    op = next(shlo.loads(
        'func.func @f() attributes {a = true, b = -5 : i8, c = 2.5 : f32, d = "s", e = unit, f = [1, "x"],'
        ' g = {k = @sym}, h = tensor<2xi4>, i = array<i64: 1, 2>, j = dense<[1, 2]> : tensor<2xi16>,'
        ' k = array<i1: true, false>, l = #stablehlo.channel_handle<handle = 1, type = 2>} { return }'
    ).ops("func.func")).attributes
    values = {name: op[name].value for name in "abcdefg"}
    assert values == {"a": True, "b": -5, "c": 2.5, "d": "s", "e": True, "f": [1, "x"], "g": {"k": "sym"}}
    assert str(op["h"].value) == "tensor<2xi4>"
    assert op["i"].value.tolist() == [1, 2] and op["i"].value.dtype == np.int64
    assert op["j"].value.tolist() == [1, 2] and op["j"].value.dtype == np.int16
    assert op["k"].value.tolist() == [True, False]
    assert op["l"].value == {"channel_id": 1, "channel_type": 2}
    assert str(op["b"].type) == "i8" and str(op["b"]) == "-5 : i8"


def test_constants_are_views_that_keep_the_program_alive():
    program = shlo.loads(TEXT)
    array = next(program.ops("stablehlo.constant")).array
    assert array.tolist() == [[1, 2, 3], [4, 5, 6]] and array.dtype == np.float32
    assert not array.flags.writeable
    alive = weakref.ref(program)
    del program
    gc.collect()
    assert alive() is None and array.sum() == 21
    splat = [op.array for op in shlo.loads(TEXT).ops("stablehlo.constant")][2]
    assert splat.tolist() == [7] * 5 and splat.strides == (0,) and splat.dtype == np.int8


def test_constants_of_archives_are_not_copied():
    weights = np.arange(1 << 16, dtype=np.float32)
    builder = shlo.Builder()
    with builder.function("main", [], ["tensor<65536xf32>"]):
        builder.return_(builder.constant(weights))
    data = builder.finish().bytes("shlo", zstd_level=-1)
    program = shlo.loads(data)
    array = next(program.ops("stablehlo.constant")).array
    start = np.frombuffer(data, np.uint8).ctypes.data
    assert start <= array.ctypes.data < start + len(data)
    assert np.array_equal(array, weights)


def test_locations(program):
    add = next(program.ops("stablehlo.add"))
    assert (add.location.file, add.location.line, add.location.column) == ("net.py", 12, 3)
    assert str(add.location) == 'loc("net.py":12:3)'
    assert add.place.file in ("walk.mlir", "net.py")
    constant = next(program.ops("stablehlo.constant"))
    assert constant.location is None and str(constant.place) == "walk.mlir:3:10"


def test_parts_can_be_pickled():
    program = shlo.loads(TEXT, name="walk.mlir")
    add = next(program.ops("stablehlo.add"))
    (region,) = next(program.ops("stablehlo.reduce")).regions
    parts = [program.main, add, add.result, add.result.type, program.main.arguments[1], region, region.blocks[0],
             region.blocks[0].arguments[1], program.module, add.location, program.main.attributes["sym_name"]]  # fmt: skip
    again = pickle.loads(pickle.dumps(parts))
    assert [repr(part) for part in again] == [repr(part) for part in parts]
    assert again[1].program is again[0].program and again[1] == next(again[0].program.ops("stablehlo.add"))
    assert copy.deepcopy(add) is add and copy.copy(add) is add


def test_notebooks_show_parts(program):
    add = next(program.ops("add"))
    assert "stablehlo.add" in add._repr_html_() and "tensor&lt;2x3xf32&gt;" in add._repr_html_()
    assert "tensor&lt;2x3xf32&gt;" in add.result.type._repr_html_() and "stablehlo.gather" in shlo.ops._repr_html_()
    assert add.result.shape == (2, 3) and add.result.dtype == np.float32
    assert "1.9.0" in program.convert("1.9.0").conversion._repr_html_()


def test_parts_are_hashable_and_compare_by_program(program):
    other = shlo.loads(TEXT)
    assert program.main != other.main and len({program.main, program["main"], other.main}) == 2


def test_attributes_of_other_dialects_and_names_of_locations():
    program = shlo.loads("""sdy.mesh @m = <["a"=4]>
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32> loc("jit(f)/tanh"("a.py":3:1))
      %1 = stablehlo.tanh %0 : tensor<4xf32> loc("a.py":3:1)
      return %1 : tensor<4xf32>
    }""")
    (mesh,) = program.ops("sdy.mesh")
    assert mesh.attributes["mesh"].value == '#sdy.mesh<["a"=4]>'
    assert [op.location.name for op in program.ops("tanh")] == ["jit(f)/tanh", None]
