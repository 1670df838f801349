"""Building and editing programs."""

import tracemalloc

import numpy as np
import pytest
import shlo
from conftest import TANH


def test_build():
    b = shlo.Builder()
    with b.function("main", ["tensor<4xf32>", "tensor<4xf32>"], ["tensor<4xf32>"]) as (x, y):
        b.return_(b.op("stablehlo.add", x, b.op("tanh", y)))
    program = b.finish()
    assert program["main"](np.ones(4, np.float32), np.zeros(4, np.float32)).tolist() == [1, 1, 1, 1]
    assert program == shlo.loads(program.text()) and program.format is None
    assert shlo.Builder("1.9.0").finish().version == 62


def test_regions_and_attributes():
    b = shlo.Builder()
    with b.function("main", ["tensor<2x3xf32>"], ["tensor<f32>"]) as (x,):
        zero = b.constant(0.0, "tensor<f32>")
        total = b.op("reduce", x, zero, results=["tensor<f32>"], attributes={"dimensions": [0, 1]}, regions=1)
        with b.block(total.regions[0], ["tensor<f32>", "tensor<f32>"]) as (p, q):
            b.op("return", b.op("add", p, q))
        b.return_(total)
    assert b.finish()["main"](np.ones((2, 3), np.float32)) == 6


def test_constants():
    import ml_dtypes

    arrays = [np.arange(6, dtype=np.int16).reshape(2, 3), np.zeros((2, 2), ml_dtypes.bfloat16), np.array(True),
              np.array([], np.float64), np.array([1 + 2j], np.complex64), np.array([-1, 1], ml_dtypes.int4)]  # fmt: skip
    b = shlo.Builder()
    with b.function("main", [], [shlo.Tensor(a).type for a in arrays]):
        b.return_(*(b.constant(a) for a in arrays))
    for a, result in zip(arrays, b.finish()["main"]()):
        assert result.dtype == a.dtype and result.tobytes() == a.tobytes()


def test_constants_are_copied_once_and_splats_are_found():
    arrays = [np.zeros((3, 4), np.float32), np.array([0.0, -0.0, 0.0], np.float32), np.full((2, 5), np.nan).T, np.arange(9.0).reshape(3, 3).T,
              np.broadcast_to(np.float32(3), (4, 4)), np.ones(1 << 21, np.int8)]  # fmt: skip
    b = shlo.Builder()
    with b.function("main", [], [shlo.Tensor(a).type for a in arrays]):
        b.return_(*(b.constant(a) for a in arrays))
    arrays[3][:] = 7  # the builder has its own
    program = b.finish()
    found = [op.array for op in program.ops("constant")]
    assert [array.strides == (0,) * array.ndim for array in found] == [True, False, True, False, True, True]
    assert found[1].tobytes() == arrays[1].tobytes() and found[3].tolist() == np.arange(9.0).reshape(3, 3).T.tolist()
    tracemalloc.start()
    large = np.arange(1 << 22, dtype=np.float32)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    shlo.Builder().constant(large)
    assert tracemalloc.get_traced_memory()[1] - before < 1 << 22
    tracemalloc.stop()


def test_attributes_of_python_values():
    b = shlo.Builder()
    with b.function("main", [], []):
        op = b.return_()
    values = {"a": True, "b": 3, "c": 1.5, "d": '"text"', "e": [1, 2], "f": [True], "g": [], "h": np.array([1], np.int8),
              "i": "#stablehlo<precision HIGH>", "j": float("inf")}  # fmt: skip
    for name, value in values.items():
        b.set_attribute(op, "x." + name, value)
    b.set_attribute(op, "x.s", b.string('any "text"\0'))
    program = b.finish()
    (op,) = program.ops("func.return")
    found = {name[2:]: str(value) for name, value in op.attributes.items()}
    assert found["a"] == "true" and found["b"].startswith("3") and found["d"] == '"text"' and found["e"] == "array<i64: 1, 2>"
    assert found["f"] == "array<i1: true>" and found["g"] == "array<i64>" and found["h"] == "dense<1> : tensor<1xi8>"
    assert op.attributes["x.s"].value == 'any "text"\0' and op.attributes["x.j"].value == float("inf")


def test_values_have_types():
    b = shlo.Builder()
    with b.function("main", ["tensor<2x?xbf16>"], ["tensor<2x?xbf16>"]) as (x,):
        y = b.op("tanh", x)
        assert x.shape == (2, None) and str(x.dtype) == "bfloat16" and str(x.type) == "tensor<2x?xbf16>"
        assert y.type == y.result.type == x.type and y.name == "stablehlo.tanh" and "tensor<2x?xbf16>" in repr(x)
        b.return_(y)
    assert b.finish().main.arguments[0].type == x.type


def test_cases_of_enums_by_their_names():
    b = shlo.Builder()
    with b.function("main", ["tensor<2x2xf32>"], ["tensor<2x2xi1>"]) as (x,):
        dot = b.op("dot_general", x, x, results=["tensor<2x2xf32>"], attributes={
            "dot_dimension_numbers": "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>",
            "precision_config": ["HIGH", "DEFAULT"],
        })  # fmt: skip
        less = b.op("compare", dot, x, attributes={"comparison_direction": "LT", "compare_type": "FLOAT"})
        for wrong, hint in (("LTT", "did you mean 'LT'"), ("LESS_THAN", "EQ, NE, GE, GT, LE, LT")):
            with pytest.raises(shlo.UsageError, match=hint):
                b.op("compare", dot, x, attributes={"comparison_direction": wrong})
        b.return_(less)
    b.set_attribute(less, "comparison_direction", "GT")
    program = b.finish()
    (compare,) = program.ops("compare")
    assert compare.attributes["comparison_direction"].value == "GT"
    assert next(program.ops("dot_general")).attributes["precision_config"].value == ["HIGH", "DEFAULT"]
    edit = program.edit()
    edit.set_attribute(compare, "comparison_direction", "NE")
    edit.set_attribute(compare, "comparison_direction", "#stablehlo<comparison_direction EQ>")
    assert next(edit.finish().ops("compare")).attributes["comparison_direction"].value == "EQ"


def test_names_that_nothing_has():
    builder = shlo.Builder()
    with builder.function("main", ["tensor<4xf32>"], ["tensor<4xf32>"]) as (x,):
        with pytest.raises(shlo.NotFoundError, match="unknown op 'stablehlo.ad'.*\n.*did you mean 'stablehlo.add'"):
            builder.op("ad", x, x)
        with pytest.raises(shlo.NotFoundError, match="has no attribute 'comparison_dir'.*\n.*did you mean 'comparison_direction'"):
            builder.op("compare", x, x, attributes={"comparison_dir": "LT"})
        with pytest.raises(shlo.UsageError, match="attribute 'mine': expected an array, got an object"):
            builder.op("tanh", x, attributes={"mine": object()})
        with pytest.raises(shlo.UnsupportedError, match=r"hint: state the result types: results=\[...\]"):
            builder.op("reshape", x)


def test_edit():
    program = shlo.loads(TANH)
    edit = program.edit()
    (tanh,) = program.ops("stablehlo.tanh")
    edit.insert_before(tanh)
    cosine = edit.op("cosine", tanh.operands[0], location=("mine.py", 3, 1))
    edit.replace_uses(tanh.result, cosine)
    edit.erase(tanh)
    edit.set_attribute(program.main, "my.note", '"edited"')
    edit.rename_symbol("main", "other")
    changed = edit.finish()
    assert [op.op_name for op in changed.ops()] == ["func.func", "stablehlo.cosine", "stablehlo.add", "func.return"]
    assert next(changed.ops("stablehlo.cosine")).location.line == 3
    assert changed["other"].attributes["my.note"].value == "edited"
    assert [op.name for op in program.ops()][1] == "stablehlo.tanh"
    edit.set_attribute(program.main, "my.note", None)
    assert "my.note" not in edit.finish()["other"].attributes


def test_more_edits():
    program = shlo.loads(TANH)
    edit = program.edit()
    tanh, add = next(program.ops("stablehlo.tanh")), next(program.ops("stablehlo.add"))
    edit.set_operand(add, 0, tanh.result)
    edit.set_location(add, 'loc("a.py":1:2)')
    changed = edit.finish()
    assert next(changed.ops("stablehlo.add")).operands[0].owner.name == "stablehlo.tanh"
    assert next(changed.ops("stablehlo.add")).location.line == 1
    edit.move_before(add, tanh)
    with pytest.raises(shlo.VerificationError):
        edit.finish()


def test_mistakes():
    b = shlo.Builder()
    with pytest.raises(shlo.ShloError):
        b.op("stablehlo.no_such_op")
    with pytest.raises(shlo.ParseError):
        b.attribute("dense<")
    with b.function("main", ["tensor<4xf32>"], ["tensor<4xf32>"]) as (x,):
        with pytest.raises(shlo.ShloError):
            b.op("add", x)
        b.return_(x)
    with pytest.raises(shlo.UsageError, match="different builder"):
        shlo.Builder().op("tanh", x)
    program = shlo.loads(TANH)
    with pytest.raises(shlo.UsageError, match="not of the program"):
        b.set_attribute(program.main, "a", 1)
    edit = program.edit()
    with pytest.raises(shlo.UsageError):
        edit.erase(next(program.ops("stablehlo.tanh")))
    bad = shlo.Builder()
    with bad.function("main", ["tensor<4xf32>"], ["tensor<5xf32>"]) as (x,):
        bad.return_(x)
    with pytest.raises(shlo.VerificationError):
        bad.finish()


def test_while_and_sort_have_the_types_of_their_operands():
    b = shlo.Builder()
    with b.function("main", ["tensor<i32>"], ["tensor<i32>"]) as (n,):
        loop = b.op("while", n, b.constant(1, "tensor<i32>"), regions=2)
        cond, body = loop.regions
        with b.block(cond, ["tensor<i32>"] * 2) as (i, product):
            b.op("return", b.op("compare", i, b.constant(0, "tensor<i32>"), attributes={"comparison_direction": "GT"}))
        with b.block(body, ["tensor<i32>"] * 2) as (i, product):
            b.op("return", b.op("subtract", i, b.constant(1, "tensor<i32>")), b.op("multiply", product, i))
        b.return_(loop.results[1])
    assert b.finish().main(5) == 120


def test_results_of_other_ops_with_regions_are_stated():
    b = shlo.Builder()
    with b.function("main", ["tensor<3xf32>"], []) as (x,):
        with pytest.raises(shlo.UsageError, match="cannot be inferred"):
            b.op("reduce", x, b.constant(0.0, "tensor<f32>"), attributes={"dimensions": [0]}, regions=1)
        with pytest.raises(shlo.VerificationError, match="Mismatched ranks 1 and 0"):
            b.op("add", x, b.constant(1.0, "tensor<f32>"))


def test_attributes_as_the_op_defines_them():
    """Strings without quotes, symbols without '@', numbers without a type."""
    b = shlo.Builder()
    with b.function("square", ["tensor<4xf32>"], ["tensor<4xf32>"]) as (x,):
        b.return_(b.op("multiply", x, x))
    with b.function("main", ["tensor<4xf32>"], ["tensor<4xf32>"]) as (x,):
        called = b.op("call", x, results=["tensor<4xf32>"], attributes={"callee": "square"})
        config = {"call_target_name": "f \"g\"", "api_version": 2, "backend_config": "opaque"}
        b.return_(b.op("custom_call", called, results=["tensor<4xf32>"], attributes=config))
    program = b.finish()
    (call,) = program.ops("custom_call")
    assert {name: call.attributes[name].value for name in config} == config
    assert program.main([1, 2, 3, 4], custom_calls={"f \"g\"": lambda x: x + 1}).tolist() == [2, 5, 10, 17]
    b = shlo.Builder()
    with b.function("main", ["tensor<2xf32>"], ["tensor<2xf32>"]) as (x,):
        given = {"call_target_name": "f", "api_version": 4, "backend_config": {"eps": 1e-05, "n": 3, "on": True, "name": '"n"'}}
        b.return_(b.op("custom_call", x, results=["tensor<2xf32>"], attributes=given))
    (call,) = b.finish().ops("custom_call")
    assert call.attributes["backend_config"].value == {"eps": 1e-05, "n": 3, "on": True, "name": "n"}


def dot(attributes):
    b = shlo.Builder()
    with b.function("main", ["tensor<2x3xf32>", "tensor<3x4xf32>"], ["tensor<2x4xf32>"]) as (x, y):
        b.return_(b.op("dot_general", x, y, results=["tensor<2x4xf32>"], attributes=attributes))
    return b.finish()


def test_groups_of_attributes():
    """The fields of a group by their names, by a dictionary, or as text; and those of another op."""
    text = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    wanted = dot({"dot_dimension_numbers": text})
    fields = {"lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [0]}
    assert dot(fields) == dot({"dot_dimension_numbers": fields}) == dot(next(wanted.ops("dot_general")).attributes) == wanted
    with pytest.raises(shlo.VerificationError, match="requires attribute 'dot_dimension_numbers'"):
        dot({})
    with pytest.raises(shlo.ParseError, match="expected one of: `lhs_batching_dimensions`"):
        dot({"dot_dimension_numbers": "#stablehlo.dot<lhs>"})


def test_texts_that_are_no_attributes():
    b = shlo.Builder()
    with b.function("main", ["tensor<f32>"], []) as (x,):
        with pytest.raises(shlo.ParseError, match="attribute 'acme.name': .*\n  hint: a string is written '\"word\"'"):
            b.op("tanh", x, attributes={"acme.name": "word"})
        assert repr(b.op("tanh", x)).endswith(": stablehlo.tanh -> tensor<f32>>")


class Spec:
    """As jax.ShapeDtypeStruct."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, np.dtype(dtype)


def test_types_of_objects():
    b = shlo.Builder()
    with b.function("main", [Spec((2, 3), "float32"), Spec((), "bfloat16")], [np.zeros((2, 3), np.float32)]) as (x, y):
        assert [str(value.type) for value in (x, y)] == ["tensor<2x3xf32>", "tensor<bf16>"]
        one = b.constant(1.0, x)
        b.return_(b.op("reshape", b.op("add", x, one), results=[x]))
    assert b.finish().main(np.ones((2, 3), np.float32), 0).tolist() == [[2, 2, 2]] * 2
    with b.function("f", [Spec((None, 4), "int32")], []) as (x,):
        assert str(x.type) == "tensor<?x4xi32>"
        for wrong, says in ((np.float32, "written as in MLIR"), (Spec(("n",), "f4"), "no numbers"), (Spec((2,), "datetime64[s]"), "no element")):
            with pytest.raises(TypeError, match=says):
                b.op("reshape", x, results=[wrong])
