"""Signatures, and calls by name and with trees of arrays."""

import dataclasses
import pickle
import typing

import numpy as np
import pytest
import shlo
from conftest import TANH

# As jax writes step(params, x, *, scale): labels are in locations.
STEP = """module {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(
      %arg0: tensor<2xf32> {jax.buffer_donor = true} loc("params['b']"),
      %arg1: tensor<3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['w'][0]"),
      %arg2: tensor<3xf32> loc("x"), %arg3: tensor<f32> loc("scale"))
      -> (tensor<2xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]['s']"}) {
    %0 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<2xf32>
    return %1, %arg3 : tensor<2xf32>, tensor<f32>
  }
}"""
B, W, X = np.ones(2, "f4"), np.arange(6, dtype="f4").reshape(3, 2), np.array([1, 2, 3], "f4")
RESULT = [17, 23]


def test_facts_of_a_program():
    signature = shlo.loads(STEP).signature
    assert [a.name for a in signature] == ["params['b']", "params['w'][0]", "x", "scale"]
    assert [r.name for r in signature.results] == ["result[0]", "result[1]['s']"]
    assert signature["params['b']"].donated and not signature["x"].donated
    weights = signature["params['w'][0]"]
    assert weights.shape == (3, 2) and weights.dtype == np.float32 and weights.index == 1 and '"model"' in weights.sharding
    assert signature.mesh == {"data": 2, "model": 4} and signature.name == "main" and signature.symbols == ()
    assert "params['b']: f32[2] donated" in str(signature) and "out result[1]['s']: f32[]" in str(signature)
    assert "scale" in signature._repr_html_() and repr(signature) == "<shlo.Signature main: 4 arguments, 2 results>"
    assert pickle.loads(pickle.dumps(signature)) == signature
    with pytest.raises(shlo.UsageError, match=r"did you mean params\['b'\]\?"):
        signature["params['c']"]


def test_values_have_names_shapes_and_dtypes():
    program = shlo.loads("func.func @f(%x: tensor<?x4xbf16>, %y :\n tensor<i4>) { return }")
    assert [v.name for v in program.main.arguments] == ["x", "y"] and program.main.name == "f" and program.main.op_name == "func.func"
    (x, y) = program.main.arguments
    assert x.shape == (None, 4) and x.dtype.name == "bfloat16" and y.shape == () and y.dtype.name == "int4"
    assert next(shlo.loads(TANH).ops("stablehlo.tanh")).result.name == ""
    # An artifact without debug information has no names, a conversion keeps them.
    assert [a.name for a in shlo.loads(program.bytes("shlo", strip_debuginfo=True)).signature] == ["argument 0", "argument 1"]
    assert [a.name for a in shlo.loads(STEP).convert("1.9.0", allow_other_dialects=True).signature][2:] == ["x", "scale"]


@pytest.mark.parametrize("call", [
    lambda m: m.eval(B, W, X, 2),
    lambda m: m.eval({"params['w'][0]": W, "params['b']": B, "x": X, "scale": 2}),
    lambda m: m.eval({"w": [W], "b": B}, X, 2),
    lambda m: m.eval({"w": (W,), "b": B}, [1, 2, 3], 2),
    lambda m: m.eval({"w": [W], "b": [1, 1]}, X, kwargs={"scale": 2}),
    lambda m: m.eval(kwargs={"params": {"w": [W], "b": B}, "x": X, "scale": 2}),
    lambda m: m.main({"w": [W], "b": B}, scale=2, x=X),
    lambda m: m.main(params={"w": [W], "b": B}, x=X, scale=2.0),
    lambda m: m.main({"w": [W], "b": B, "unset": None}, X, 2, fast=False),
])  # fmt: skip
def test_calls(call):
    results = call(shlo.loads(STEP))
    assert results[0].tolist() == RESULT and results[1] == 2


@pytest.mark.parametrize("call, says", [
    (lambda m: m.eval({"b": B}, X, 2), "main misses 1 argument: params['w'][0]: f32[3, 2]"),
    (lambda m: m.eval({"b": B, "w": [W], "c": B}, X, 2), "main has no argument params['c']"),
    (lambda m: m.eval({"x": X, "y": X}), "main has no argument y"),
    (lambda m: m.eval({"b": B, "w": [W]}, X, 2, 3), "main: expected 3 arguments or fewer, got 4"),
    (lambda m: m.eval({"b": B, "w": [W]}, X, 2, kwargs={"x": X}), "argument x is passed twice"),
    (lambda m: m.main({"b": B, "w": [W]}, X, 2, fats=True), "did you mean fast?"),
    (lambda m: m.main({"b": B, "w": [W]}, X, 2, q=1), "main has no argument q"),
    (lambda m: m.main({"b": B, "w": [W]}, X, scale=object()), "argument 3 (scale): expected a value of tensor<f32>, got an object"),
    (lambda m: m.main({"b": B, "w": [W.astype("f8")]}, X, 1), "argument 1 (params['w'][0]): expected tensor<3x2xf32>"),
    (lambda m: m.eval(B, W, X), "main: expected 4 arguments, got 3"),
    (lambda m: m.eval(kwargs=3), "argument 'kwargs' of Program.eval: expected a dictionary or None"),
])  # fmt: skip
def test_wrong_calls(call, says):
    with pytest.raises(shlo.UsageError) as caught:
        call(shlo.loads(STEP))
    assert says in str(caught.value), str(caught.value)


def test_names_of_text_and_none_at_all():
    program = shlo.loads(TANH)
    expected = program.main([1, 2, 3, 4]).tolist()
    assert program.main(x=[1, 2, 3, 4]).tolist() == program.eval({"x": [1, 2, 3, 4]})[0].tolist() == expected
    nameless = shlo.loads(shlo.loads(STEP).bytes("shlo", strip_debuginfo=True))
    # Leaves in the order of jax.
    assert nameless.eval({"w": [W], "b": B}, X, 2)[0].tolist() == nameless.eval(B, W, [1, 2, 3], 2)[0].tolist() == RESULT
    with pytest.raises(shlo.UsageError, match=r"argument 0: expected tensor<2xf32>, got an array of shape \(3, 2\)"):
        nameless.eval(W, B, X, 2)
    with pytest.raises(shlo.UsageError, match="expected 4 arguments, got 5"):
        nameless.eval({"w": [W, W], "b": B}, X, 2)


def test_a_file_of_jax(containers):
    program = shlo.load(containers / "one.bin")
    assert program.container["programs"][0]["name"] == "f" and program.container["signatures"][0]["inputs"][0]["path"] == "args[0]['w']"
    signature = program.signature
    (argument,) = signature.arguments
    assert signature.name == "f" and argument.name == "args[0]['w']" and argument.shape == ("n", "2*n") and signature.symbols == ("n",)
    assert argument.sharding == "['x'] on {x: 4, y: 2}" and signature.mesh == {"x": 4, "y": 2}
    assert signature.platforms == ("cpu", "tpu") and signature.devices == 8
    assert str(signature).splitlines()[1] == "  in  args[0]['w']: f32[n, 2*n] sharded \"['x'] on {x: 4, y: 2}\""
    x = np.ones(4, "f4")
    for results in (program.eval(x), program.eval({"w": x}), program.eval({"args[0]['w']": x}), program.eval({"w": [1, 1, 1, 1]})):
        assert results[0].tolist() == [-1] * 4
    with pytest.raises(TypeError, match=r"argument 0 \(args\[0\]\['w'\]\): expected tensor<4xf32>, got an array with dtype float64"):
        program.eval({"w": np.ones(4)})
    with pytest.raises(shlo.UsageError, match=r"f has no argument args\[0\]\['v'\]"):
        program.eval({"v": x})
    # A conversion keeps the names; a copy in another format is no container.
    assert program.convert("1.0.0", allow_outside_window=True).signature == signature
    assert shlo.loads(program.bytes()).container is None and shlo.loads(TANH).container is None


def test_files_of_jax_with_gradients_and_saved_models(containers):
    first, second, third = shlo.read(containers / "gradients.bin")
    assert first.signature.name == "f" and second.signature.name == "f_vjp" and third.signature["args[0]['w']"].index == 0
    programs = shlo.read(containers / "model")
    assert "serving_default" in [s["name"] for s in programs[0].container["signatures"]]
    assert [a.element for a in programs[0].signature] == ["f32"]


def test_arguments_that_are_not_used(containers):
    program = shlo.load(containers / "unused.bin")
    (argument,) = program.signature.arguments
    assert argument.index is None and str(argument).endswith(" unused") and len(program.main.arguments) == 0
    assert program.main() == program.main(np.ones(4, "f4")) == program.main({"w": None}) == program.eval({"args[0]['w']": 1})[0] == 7
    with pytest.raises(shlo.UsageError, match="f: expected 0 arguments, got 2"):
        program.main(1, 2)


PLATFORMS = """func.func public @main(%arg0: tensor<i32> {jax.global_constant = "_platform_index"}, %arg1: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  return %arg0, %arg1 : tensor<i32>, tensor<2xf32>
}"""


def test_the_index_of_the_platform_is_no_argument():
    program = shlo.loads(PLATFORMS)
    assert len(program.signature.arguments) == 1 and program.signature.arguments[0].index == 1
    assert program.main([1, 2], platform_index=1)[0] == 1 and program.main(arg1=[1, 2])[1].tolist() == [1, 2]
    assert program.main(np.int32(1), [1, 2])[0] == 1
    with pytest.raises(shlo.UsageError, match="1.5 at .0. does not fit|expected tensor<2xf32>"):
        program.main([1.5])


def test_results_do_not_share_memory_with_arguments_of_a_tree():
    program = shlo.loads("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    x = np.ones(2, "f4")
    results = [program.main(x=x), program.eval({"x": x})[0]]
    x[:] = 5
    assert [r.tolist() for r in results] == [[1, 1], [1, 1]]


class Tree(typing.NamedTuple):
    b: object
    w: object


@dataclasses.dataclass
class Options:
    scale: object


FIELDS = STEP.replace("params['b']", "params.b").replace("params['w'][0]", "params.w[0]").replace('"scale"', '"options.scale"')


def test_objects_with_fields():
    """Named tuples and dataclasses by the names of their fields, as jax writes them."""
    b, w, x = np.ones(2, np.float32), [np.ones((3, 2), np.float32)], np.ones(3, np.float32)
    program = shlo.loads(FIELDS)
    for call in (
        lambda: program.main(Tree(b, w), x, Options(2.0)),
        lambda: program.main(Tree(b, w), x=x, options=Options(2.0)),
        lambda: program.main(params=Tree(b, w), x=x, options=Options(2.0)),
        lambda: program.main(b, w[0], x, 2.0),
    ):
        assert [result.tolist() for result in call()] == [[4, 4], 2]
    with pytest.raises(shlo.UsageTypeError, match=r"argument options of main: expected a tree with options.scale, got 2.0"):
        program.main(Tree(b, w), x, options=2.0)
    # Dots are parts of other names.
    dots = shlo.loads("func.func @main(%a.x: tensor<2xf32>, %a.y: tensor<2xf32>) -> tensor<2xf32> { return %a.y : tensor<2xf32> }")
    assert dots.main([1, 2], [3, 4]).tolist() == [3, 4] and dots.main(**{"a.x": [1, 2], "a.y": [3, 4]}).tolist() == [3, 4]


def test_a_signature_is_a_collection():
    signature = shlo.loads(STEP).signature
    assert len(signature) == 4 and signature[2] is signature["x"] and "x" in signature and signature[0] in signature
    assert "y" not in signature and repr(signature) == "<shlo.Signature main: 4 arguments, 2 results>"
    with pytest.raises(KeyError):
        signature["y"]
    one = shlo.loads('sdy.mesh @m = <[], device_ids=[0]>\n' + TANH).signature
    assert one.mesh is None and "mesh" not in str(one) and repr(one) == "<shlo.Signature main: 1 argument, 1 result>"


def test_pickles_have_the_names_of_the_container(containers):
    """Workers see the arguments that the parent does."""
    files = [path for path in sorted(containers.iterdir()) if path.is_file() and not path.name.startswith("broken")]
    files = [path for path in files if shlo.detect(path.read_bytes()) == "jax-export"]
    assert files
    for path in files:
        for program in shlo.read(path):
            again = pickle.loads(pickle.dumps(program))
            assert again.signature == program.signature and again.container == program.container
            assert pickle.loads(pickle.dumps(again)).signature == program.signature
            assert again.convert("current").signature == program.convert("current").signature


def test_files_of_jax_with_objects():
    """A jax.export file numbers the fields of objects; labels tell which they are."""
    from shlo._binding import bind

    paths = {"args[0][0]": "state.w", "args[0][1]": "state.b", "args[1]": "x", "kwargs['o'][0]": "o.scale"}
    arguments = [
        shlo.SignatureValue(name, label, i, "tensor<f32>", "f32", (), None, "", False) for i, (name, label) in enumerate(paths.items())
    ]
    signature = shlo.Signature("f", arguments, [], {})
    for args in ([Tree(1, 2), 3], [(1, 2), 3], [[1, 2], 3]):
        assert bind(signature, args, {"o": Options(4)}) == bind(signature, args, {"o": [4]}) == [1, 2, 3, 4]
    assert bind(signature, [dict(zip(paths.values(), range(4)))], {}) == [0, 1, 2, 3]
    for args, named, says in (
        ([{"w": 1, "b": 2}, 3], {}, "hint: args[0] has args[0][0] (state.w), args[0][1] (state.b)"),
        ([Tree(1, 2), 3, (4,)], {"o": [4]}, "f has no positional argument args[2]"),
        ([Tree(1, 2), 3], {"o": 4.5}, "argument kwargs['o'] of f: expected a tree with kwargs['o'][0], got 4.5"),
    ):
        with pytest.raises(shlo.UsageError) as caught:
            bind(signature, args, named)
        assert says in str(caught.value)
