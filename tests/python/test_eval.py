"""Evaluation."""

import threading

import numpy as np
import pytest
import shlo
from conftest import TANH

CALL = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %0:2 = "stablehlo.custom_call"(%x) {call_target_name = "mine", backend_config = "power=2"} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<f32>
}"""


def test_functions_are_called():
    program = shlo.loads(TANH)
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    (result,) = program.eval(x)
    assert np.allclose(result, x + np.tanh(x), rtol=1e-6) and not result.flags.writeable
    assert np.array_equal(program["main"](x), result)
    assert shlo.loads("func.func @f() { return }")["f"]() is None
    with pytest.raises(shlo.UsageError, match="no function 'none'"):
        program.eval(x, function="none")


def test_custom_calls_that_match_nothing():
    with pytest.raises(shlo.NotFoundError, match="no custom call 'mime'(?s:.*)did you mean 'mine'. it calls mine"):
        shlo.loads(CALL).eval([1, 2, 3], custom_calls={"mine": abs, "mime": abs})
    with pytest.raises(shlo.NotFoundError, match="it calls none"):
        shlo.loads(TANH).eval([1, 2, 3, 4], custom_calls={"mine": abs})


def test_custom_calls():
    program = shlo.loads(CALL)
    assert program["main"]([1, 2, 3], custom_calls={"mine": lambda x: (x * 2, x.sum())})[0].tolist() == [2, 4, 6]
    seen = {}

    def mine(x, op):
        seen["config"] = op.attributes["backend_config"].value
        return x, 1

    assert program["main"]([1, 2, 3], custom_calls={"mine": mine})[1] == 1 and seen["config"] == "power=2"
    with pytest.raises(ZeroDivisionError):
        program["main"]([1, 2, 3], custom_calls={"mine": lambda x: 1 / 0})
    with pytest.raises(shlo.UsageError, match="2 results"):
        program["main"]([1, 2, 3], custom_calls={"mine": lambda x: (x,)})
    with pytest.raises(shlo.ShloError):
        program["main"]([1, 2, 3], custom_calls={"mine": lambda x: (x.astype(np.int32), 1)})
    with pytest.raises(shlo.ShloError) as caught:
        program["main"]([1, 2, 3])
    assert "mine" in str(caught.value)


def test_print(capfd):
    program = shlo.loads("""func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  "interpreter.print"(%x) : (tensor<2xi32>) -> ()
  return %x : tensor<2xi32>
}""")
    texts = []
    program["main"]([1, 2], print=texts.append)
    assert "tensor<2xi32>" in "".join(texts)
    program["main"]([1, 2])
    assert capfd.readouterr().out == "".join(texts)

    def refuse(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        program["main"]([1, 2], print=refuse)


def test_limits_and_failures():
    forever = shlo.loads("""func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32> cond {
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<i32>
}""")
    with pytest.raises(shlo.LimitError):
        forever.eval(1, limits=shlo.Limits(max_steps=1000))
    with pytest.raises(shlo.LimitError):
        forever.eval(1, limits=shlo.Limits(timeout=0.05, max_steps=float("inf"), max_work=float("inf")))


def test_profile():
    results = shlo.loads(TANH).eval(np.zeros(4, np.float32), profile=True)
    assert len(results) == 1 and results.profile


SUM_OF_TWO = """func.func @main(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %1 = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %1 : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}"""


def test_a_grid_of_processes():
    program = shlo.loads(SUM_OF_TWO)
    results = program.eval([1, 2], [10, 20], replicas=2)
    assert [r.tolist() for r in results] == [[11, 22], [11, 22]]


def test_a_program_states_its_processes():
    text = f"module attributes {{mhlo.num_replicas = 2 : i32}} {{\n{SUM_OF_TWO}}}"
    assert [r.tolist() for r in shlo.loads(text).eval([1, 2], [10, 20])] == [[11, 22], [11, 22]]
    with pytest.raises(shlo.EvaluationError, match="process 1 of the groups does not exist"):
        shlo.loads(text).eval([1, 2], replicas=1)


def test_the_gil_is_released():
    program = shlo.loads("""func.func @main(%x: tensor<400x400xf32>) -> tensor<400x400xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<400x400xf32>, tensor<400x400xf32>) -> tensor<400x400xf32>
  return %0 : tensor<400x400xf32>
}""")
    x = np.ones((400, 400), np.float32)
    during, done = [], threading.Event()

    def count():
        while not done.is_set():
            during.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    for _ in range(5):
        program.eval(x)
    seen = len(during)
    done.set()
    thread.join()
    assert seen > 100


def test_results_do_not_depend_on_threads():
    program = shlo.loads("""func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}""")
    x = np.random.default_rng(0).standard_normal((64, 64), np.float32)
    one = program.eval(x, limits=shlo.Limits(threads=1))[0]
    assert one.tobytes() == program.eval(x, limits=shlo.Limits(threads=7))[0].tobytes()
