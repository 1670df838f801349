"""Arguments of calls: nothing is converted in silence, and what is wrong is named."""

import contextlib
import inspect
import itertools
import pathlib
import re
import types
import warnings

import ml_dtypes
import numpy as np
import pytest
import shlo
from conftest import ROOT, TANH
from shlo import fleet
from shlo.fleet import archive

# Texts that no message may have: names of the package's insides, and the words of Python for a surprise.
INTERNALS = re.compile(
    r"std::|nanobind|incompatible function|bad_cast|_handle\b|_core\b|object has no attribute|is not iterable|not subscriptable|"
    r"NoneType|object cannot be|unsupported operand|not supported between|unhashable|positional argument|must be real number"
)


def function(type):
    return shlo.loads(f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}").main


@pytest.mark.parametrize("type, value, says", [
    ("tensor<1xi4>", [100], "100 at [0] does not fit i4, which has whole numbers from -8 to 7"),
    ("tensor<1xui4>", [-1], "-1 at [0] does not fit ui4"),
    ("tensor<1xi2>", [3], "3 at [0] does not fit i2"),
    ("tensor<1xi8>", [1000], "1000 at [0] does not fit i8"),
    ("tensor<1xi1>", [5], "5 at [0] does not fit i1"),
    ("tensor<1xui64>", [-1], "-1 at [0] does not fit ui64"),
    ("tensor<2xi64>", [2**63, -1], "9223372036854775808 at [0] does not fit i64"),
    ("tensor<2x2xi32>", [[1, 2], [3, 1.7]], "1.7 at [1, 1] does not fit i32, which has whole numbers only"),
    ("tensor<i32>", float("nan"), "nan does not fit i32"),
    ("tensor<i32>", float("inf"), "inf does not fit i32"),
    ("tensor<1xf32>", [1e300], "1e+300 at [0] does not fit f32"),
    ("tensor<f32>", 10**400, "too large for f32"),
    ("tensor<1xf8E4M3FN>", [1000], "1000.0 at [0] does not fit f8E4M3FN"),
    ("tensor<1xf8E4M3FN>", [float("inf")], "inf at [0] does not fit"),
    ("tensor<1xf4E2M1FN>", [100], "100.0 at [0] does not fit f4E2M1FN"),
    ("tensor<1xf4E2M1FN>", [float("nan")], "nan at [0] does not fit"),
    ("tensor<1xf8E8M0FNU>", [-1.0], "-1.0 at [0] does not fit"),
    ("tensor<f32>", 1j, "expected real numbers"),
    ("tensor<1xi32>", ["3"], "expected numbers, got '3' at [0]"),
    ("tensor<1xf32>", [None], "expected numbers, got None at [0]"),
    ("tensor<2xi32>", [[1, 2], [3]], "no array can be made of a list of list"),
    ("tensor<2xi32>", [1, 2, 3], "expected tensor<2xi32>, got an array of shape (3,)"),
    ("tensor<1xf32>", None, "got None"),
    ("tensor<1xf32>", "abc", "got 'abc'"),
    ("tensor<1xf32>", {1, 2}, "got a set"),
    ("tensor<1xf32>", object(), "got an object"),
    ("tensor<1xf32>", np.zeros(1), "expected tensor<1xf32>, got an array with dtype float64"),
    ("tensor<1xbf16>", np.zeros(1, "f4"), "x.astype(ml_dtypes.bfloat16)"),
    ("tensor<1xi32>", np.zeros(1, "f4"), "x.astype(np.int32)"),
    ("tensor<1xf32>", np.array(["a"]), "dtype <U1"),
    ("tensor<1xf32>", np.array([None]), "dtype object"),
    ("tensor<f32>", np.float64(1), "dtype float64"),
    ("tensor<2x2xf32>", np.zeros(4, "f4"), "pass x.reshape(2, 2)"),
    ("tensor<?xf32>", np.zeros((1, 1), "f4"), "expected tensor<?xf32>, got an array of shape (1, 1)"),
    ("tensor<1xf32>", shlo.Tensor(np.zeros(1)), "got an array with elements of type f64"),
    ("tensor<2x!quant.uniform<i8:f32, 0.5>>", [1, 300], "300 at [1] does not fit i8"),
    ("tuple<tensor<f32>, tensor<i32>>", (1,), "got a tuple of 1"),
    ("tuple<tensor<f32>, tensor<i32>>", (1, 1.5), "argument 0 (x), member 1: 1.5 does not fit i32"),
    ("!stablehlo.token", 1, "expected !stablehlo.token"),
])  # fmt: skip
def test_values_that_do_not_fit(type, value, says):
    with pytest.raises(shlo.UsageError, match=re.escape(says)) as caught:
        function(type)(value)
    assert str(caught.value).startswith("error: argument 0 (x)") and not INTERNALS.search(str(caught.value))


@pytest.mark.parametrize("type, value, result", [
    ("tensor<2xf32>", [1, 2], [1, 2]),
    ("tensor<f32>", 0.1, float(np.float32(0.1))),
    ("tensor<f64>", 10**300, 1e300),
    ("tensor<2xi32>", [2.0, True], [2, 1]),
    ("tensor<2xi1>", [0, 1], [False, True]),
    ("tensor<2xi64>", [2**53 + 1, 1.0], [2**53 + 1, 1]),
    ("tensor<1xui64>", [2**64 - 1], [2**64 - 1]),
    ("tensor<2xi4>", [-8, 7], [-8, 7]),
    ("tensor<complex<f32>>", 1, 1 + 0j),
    ("tensor<1xbf16>", [float("-inf")], [float("-inf")]),
    ("tensor<1xf8E8M0FNU>", [2.0], [2.0]),
    ("tensor<0xf32>", [], []),
    ("tensor<1xf32>", [np.float64(1)], [1]),
    ("tensor<1xf32>", np.ones(1, ">f4"), [1]),
    ("tensor<1xf32>", memoryview(np.ones(1, "f4")), [1]),
    ("tensor<2x!quant.uniform<i8:f32, 0.5>>", np.ones(2, "i1"), [1, 1]),
])  # fmt: skip
def test_values_that_fit(type, value, result):
    assert function(type)(value).tolist() == result


def test_tensors_have_the_type_that_is_asked_for():
    assert shlo.Tensor([1, 2], "tensor<2xf32>").type == "tensor<2xf32>"
    with pytest.raises(shlo.UsageError, match=r"expected tensor<3xf32>, got an array of shape \(2,\)"):
        shlo.Tensor([1, 2], "tensor<3xf32>")
    with pytest.raises(TypeError, match="expected tensor<2xf64>, got an array with dtype float32"):
        shlo.Tensor(np.zeros(2, "f4"), "tensor<2xf64>")
    with pytest.raises(shlo.UsageError, match="'f32, i32' is not a type"):
        shlo.Tensor(1, "f32, i32")


def test_constants_are_not_converted_either():
    b = shlo.Builder()
    b.function("main", [], [])
    with pytest.raises(shlo.UsageError, match="1.7 does not fit i32"):
        b.constant(1.7, "tensor<i32>")
    with pytest.raises(TypeError, match=r"x.astype\(np.float32\)"):
        b.constant(np.zeros(2), "tensor<2xf32>")
    with pytest.raises(ValueError, match="got an array of shape"):
        b.constant([1, 2], "tensor<3xi32>")
    assert b.constant(1, "tensor<3xi32>") and b.constant(np.zeros((1, 3), ml_dtypes.bfloat16), "tensor<2x3xbf16>")


@pytest.mark.parametrize("limits", [
    {"timeout": "3"}, {"timeout": -1}, {"timeout": float("nan")}, {"max_depth": 1.5}, {"threads": 2**40}, {"max_memory": []}
])  # fmt: skip
def test_limits_are_numbers(limits):
    with pytest.raises(shlo.UsageError, match=f"argument '{next(iter(limits))}' of shlo.Limits"):
        shlo.loads("module {}", limits=shlo.Limits(**limits))


@pytest.mark.parametrize("call, says", [
    (lambda m: shlo.prove(m, "x"), "argument 'b' of shlo.prove: expected a shlo.Program, got 'x'"),
    (lambda m: shlo.loads(None), "argument 'data' of shlo.loads: expected a text or bytes, got None"),
    (lambda m: m.text(elide_elements=-1), "argument 'elide_elements': expected a whole number from 0 to 4294967295, got -1"),
    (lambda m: m.ops(3), "argument 'name' of Program.ops: expected a text or None, got 3"),
    (lambda m: m.convert(None), "argument 'target' of Program.convert"),
    (lambda m: m.main([1] * 4, limits={"timeout": 1}), "pass limits=shlo.Limits(...)"),
    (lambda m: m.main.array, "'func.func' is not a constant"),
    (lambda m: m.main(), "main: expected 1 argument, got 0"),
    (lambda m: m.main(1, 2), "it takes x: f32[4]"),
    (lambda m: m[0], "argument 'name' of Program[...]: expected a text, got 0"),
    (lambda m: shlo.loads("x", name="a\0"), "argument 'name': expected text without NUL characters"),
    (lambda m: m.verify(max_diagnostics=2**70), "argument 'max_diagnostics': expected a whole number"),
    (lambda m: shlo.Version(-1).date, "unknown version -1"),
    (lambda m: shlo.jax.program(m), "expected a jax.export.Exported, got a shlo.Program"),
    (lambda m: m.eval([1] * 4, wait_timeout=-1), "argument 'wait_timeout': expected a number above 0"),
    (lambda m: m.eval([1] * 4, fats=True), "fats"),
    (lambda m: fleet.check(["a"], require="x"), "did you mean 'requires'?"),
    (lambda m: fleet.check(["a"], requires=3), "argument 'requires' of fleet.check: expected a text or a list of texts, got 3"),
    (lambda m: shlo.testing.assert_equal(m, "x"), "argument 'b' of shlo.testing.assert_equal: expected a shlo.Program, got 'x'"),
    (lambda m: shlo.archive.create(3), "argument 'path' of shlo.archive.create: expected a text or a path, got 3"),
])  # fmt: skip
def test_wrong_calls(call, says):
    with pytest.raises((shlo.UsageError, TypeError), match=re.escape(says)) as caught:
        call(shlo.loads(TANH))
    assert not INTERNALS.search(str(caught.value))


def test_limits_are_checked_where_they_are_made():
    for made in (
        lambda: shlo.Limits(timeout=-1), lambda: shlo.Limits(timeout=float("nan")), lambda: shlo.Limits(max_depth=0),
        lambda: shlo.Limits()._replace(timeout="3"), lambda: shlo.Limits()._replace(max_steps=-1), lambda: shlo.Limits._make([0] * 7),
    ):  # fmt: skip
        with pytest.raises(shlo.UsageError, match="of shlo.Limits: expected a"):
            made()
    assert shlo.Limits(max_work=float("inf"), threads=2)._replace(timeout=3).timeout == 3


def test_numbers_of_processes():
    call = function("tensor<4xf32>").program.eval
    for options in ({"replicas": 0}, {"partitions": -1}):
        with pytest.raises(shlo.UsageError, match="expected a number above 0"):
            call([1, 2, 3, 4], **options)
    with pytest.raises(shlo.UsageError, match="expected 2 arguments of 2 processes, got 1"):
        call([1, 2, 3, 4], replicas=2)


def test_masked_elements_have_no_values():
    call = function("tensor<2xf32>")
    masked = np.ma.array([1, 2], mask=[False, True], dtype=np.float32)
    with pytest.raises(shlo.UsageError, match=r"masked elements.*\n.*x.filled\(0\)"):
        call(masked)
    assert call(masked.filled(0)).tolist() == [1, 0] == call(np.ma.array([1, 0], dtype=np.float32)).tolist()


def test_a_keyword_that_is_no_argument_is_named():
    for value in (3, [1, 2, 3, 4], {"a": 1}):
        with pytest.raises(shlo.NotFoundError, match="main has no argument y "):
            function("tensor<4xf32>")(y=value)
    with pytest.raises(KeyError, match="did you mean x"):
        function("tensor<4xf32>").signature["xx"]


def test_functions_of_custom_calls():
    call = shlo.loads("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @my_op(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""").main
    with pytest.raises(shlo.UsageTypeError, match="expected a function for 'my_op', got 3"):
        call([1, 2, 3, 4], custom_calls={"my_op": 3})
    with pytest.raises(shlo.UsageTypeError, match="'my_op' has 1 result, but its function returned None"):
        call([1, 2, 3, 4], custom_calls={"my_op": lambda x: None})


def test_rules_of_a_check(tmp_path):
    (tmp_path / "a.mlir").write_text(TANH)
    for rules, says in {
        ("path-leek", "error"): "unknown rule 'path-leek'.*\n.*did you mean 'path-leak'",
        ("zzz", "error"): "unknown rule 'zzz'.*\n.*shlo.rules\\(\\) lists the rules",
        ("path-leak", "errr"): "unknown severity 'errr' of the rule 'path-leak'.*\n.*severities are",
    }.items():
        with pytest.raises(shlo.UsageError, match=says):
            shlo.check(tmp_path / "a.mlir", rules=dict([rules]))


def test_operands_of_the_builder():
    b = shlo.Builder()
    with b.function("main", ["tensor<f32>"], []) as (x,):
        for wrong in ([x], 1.0):
            with pytest.raises(TypeError, match="argument 'operands' of Builder.op: expected a shlo.BuilderValue") as caught:
                b.op("tanh", wrong)
            assert "b.constant" in str(caught.value)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n" + bytes(50), b"PK\3\4" + bytes(60), b"HloModule f\n\nENTRY main {}\n"])
def test_files_of_other_formats_are_malformed(data):
    with pytest.raises(shlo.FormatError, match="the file is"):
        shlo.loads(data)


def test_errors_are_of_two_kinds():
    with pytest.raises(shlo.UsageTypeError) as caught:
        shlo.loads(3)
    error = caught.value
    assert isinstance(error, (shlo.ShloError, TypeError, ValueError)) and isinstance(error, ValueError) and isinstance(error, TypeError)
    assert error.code == "usage" and error.exit_code == 2 and error.diagnostics[0].message.startswith("argument 'data'")


# --- Every public function and method ---

WRONG = [None, "x", -1, object(), [], {}]


def samples():
    """Returns a right value for each required parameter, by name."""
    program = shlo.loads(TANH)
    builder = shlo.Builder()
    block = builder.function("f", ["tensor<f32>"], [])
    op = builder.op("tanh", block.arguments[0])
    return {
        "path": "there.mlir", "paths": ["there.mlir"], "data": TANH, "a": program, "b": program, "program": program, "programs": [program],
        "container": b"x", "target": "1.9.0", "function": "main", "name": "main", "names": [], "index": 0, "type": "tensor<f32>",
        "value": builder.constant(1.0, "tensor<f32>"), "text": "dense<1> : tensor<i32>", "toml": "", "certificate": "{}",
        "start": "1.0.0", "end": "1.9.0", "format": "text", "tensors": {"x": 1.0}, "op": op, "other": op, "by": op.result, "to": "g",
        "inputs": [], "results": [], "region": program.main.regions[0], "block": block, "location": None, "version": "1.9.0", "args": [1.0],
        "exported": types.SimpleNamespace(mlir_module_serialized=program.bytes(), fun_name="f", serialize=lambda vjp_order: b""), "source": "saved", "folder": "new", "module": TANH, "module_str": TANH, "target_version": "1.9.0", "context": None,
        "artifact": program.bytes(), "artifact_str": program.bytes(), "version1": "1.0.0", "version2": "1.1.0", "requirement": 0,
        "out": "out", "archive": "archive", "equal": True, "document": {}, "exit_code": 0, "render": str,
        "arguments": [], "key": "x", "exclude": [], "items": [], "job": b"", "exchange": lambda request: b"",
    }  # fmt: skip


# Where a parameter of the same name is another thing.
OTHERS = {
    "shlo.jax.export": {"function": lambda x: x}, "shlo.fleet.prove": {"a": "there.mlir", "b": "there.mlir"}, "Tensor": {"value": [1.0]},
    "Builder.constant": {"value": 1.0}, "Builder.set_attribute": {"value": 1}, "shlo.fleet.run": {"function": print}, "shlo.fleet.pairs_of": {"a": [], "b": []},
}  # fmt: skip


HERE = {f"shlo.fleet.{name}" for name in ("check", "convert", "eval", "prove", "verify")} | {f"archive.{name}" for name in ("add", "migrate", "verify")}


def instances():
    program = shlo.loads(TANH)
    proof = shlo.prove(program, program)
    found = [
        program, program.main, next(program.ops("stablehlo.tanh")), program.main.attributes, proof, shlo.versions, shlo.consumers,
        shlo.ops, shlo.Tensor([1.0]), shlo.Builder(), program.main.signature,
    ]  # fmt: skip
    return {type(one): one for one in found}


def public_calls():
    """Yields (name, callable) of what users call."""
    modules = [shlo, shlo.jax, shlo.tf, shlo.stablehlo, shlo.testing, fleet]
    for module in modules:
        for name in module.__all__:
            member = getattr(module, name)
            if isinstance(member, types.FunctionType):
                yield f"{module.__name__}.{name}", member
    for name in ("verify", "migrate", "add", "command"):
        yield f"archive.{name}", getattr(archive, name)
    for kind in (shlo.Tensor, shlo.Dialect, shlo.Builder, shlo.Consumers, shlo.Limits, shlo.Version):
        yield kind.__name__, kind
    for kind, one in instances().items():
        for name, member in inspect.getmembers(kind):
            if (not name.startswith("_") or name == "__getitem__") and callable(member) and member.__module__.startswith("shlo"):
                yield f"{kind.__name__}.{name}", getattr(one, name)


def parameters(call):
    try:
        found = inspect.signature(call).parameters.values()
    except ValueError:
        return []
    return [p for p in found if p.kind is not p.VAR_KEYWORD]


def attempt(call, given, positional):
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        result = call(*positional, **given)
        if inspect.isgenerator(result):
            list(itertools.islice(result, 3))


@pytest.mark.parametrize("name, call", [pytest.param(*pair, id=pair[0]) for pair in public_calls()])
def test_every_public_call_names_what_is_wrong(name, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.mlir").write_text(TANH)
    right = {**samples(), **OTHERS.get(name, {})}
    everything = parameters(call)
    for parameter, wrong in itertools.product(everything, WRONG):
        given = {"on": "here"} if name in HERE else {}  # starts no processes
        positional = []
        for other in everything:
            value = wrong if other is parameter else right.get(other.name)
            if other is parameter and other.kind is other.VAR_POSITIONAL:
                positional.append(wrong)
            elif other.kind is other.VAR_POSITIONAL or (other is not parameter and other.default is not other.empty):
                continue
            elif other.kind is other.POSITIONAL_ONLY:
                positional.append(value)
            else:
                given[other.name] = value
        if any(p.kind is p.VAR_POSITIONAL for p in everything):
            # The parameters before *args are positional, too.
            positional = [given.pop(p.name) for p in everything if p.kind is p.POSITIONAL_OR_KEYWORD and p.name in given] + positional
        try:
            attempt(call, given, positional)
        except (shlo.ShloError, TypeError, ValueError, KeyError, IndexError) as error:
            says = str(error)
            assert not INTERNALS.search(says), f"{name}({parameter.name}={wrong!r}): {says}"
            if isinstance(error, shlo.UsageTypeError) and "argument '" in says:
                assert f"'{parameter.name}'" in says, f"{name}({parameter.name}={wrong!r}): {says}"
        except ImportError:
            pass
        except OSError:
            assert isinstance(wrong, (str, list, dict)) or wrong is None, f"{name}({parameter.name}={wrong!r})"
        else:
            annotated = parameter.annotation not in ("Any", "object", parameter.empty)
            assert type(wrong) is not object or not annotated, f"{name}({parameter.name}=object()) is no error"


# --- Words ---


def texts_that_python_can_see():
    """Yields the lines of the listing of every text ("path: text"), with the text."""
    for line in (ROOT / "tests" / "diagnostics.txt").read_text().splitlines():
        name, _, text = line.partition(": ")
        path = pathlib.PurePath(name)
        # Those of commands that Python does not have, of files that people write for the command line, and of C alone.
        if path.parts[:1] == ("lib",) and path.parts[1] not in ("gate", "reduce") and path.name not in (
            "policy.cc", "law_rows.cc", "diff_report.cc", "lite.cc",
        ):  # fmt: skip
            yield line, text


def test_hints_are_in_the_words_of_python():
    from shlo._words import _COMMAND, in_python

    texts = list(texts_that_python_can_see())
    assert len(texts) > 1000
    wrong = []
    for name, text in texts:
        made = _COMMAND.sub("", in_python(text, hint=True))
        if re.search(r"(?<![\w-])--[a-z]|(Limits|Options)::|\bshlo_(?!compat)[a-z]+", made):
            wrong.append(f"{name} -> {made}")
    assert not wrong, "\n".join(wrong)


def keywords():
    """Returns every keyword that a public function has."""
    from shlo.fleet._flags import FLAGS

    names = {p.name for _, call in public_calls() for p in parameters(call)}
    return names | set(shlo.Limits._fields) | {flag.replace("-", "_") for flags in FLAGS.values() for flag in flags}


def test_keywords_in_hints_exist():
    from shlo._words import in_python

    known = keywords()
    for name, text in texts_that_python_can_see():
        made = in_python(text, hint=True)
        if made != text:
            for word in re.findall(r"(?<![\w<{#])([a-z_]+)=(?:\.\.\.|True|\{|\[|shlo|FILE|NAME)", re.sub(r"'[^']*'", "", made)):
                assert word in known, f"{name} -> {made}: nothing has a keyword '{word}'"


def test_errors_speak_python():
    program = shlo.loads(TANH)
    with pytest.raises(shlo.OutsideWindowError) as caught:
        program.convert("1.0.0")
    assert "allow_outside_window=True" in str(caught.value) and "--" not in str(caught.value)
    assert "window=..." in caught.value.diagnostics[0].hint
    call = '"stablehlo.custom_call"(%x) {call_target_name = "my_op"} : (tensor<f32>) -> tensor<f32>'
    with pytest.raises(shlo.UnsupportedError) as caught:
        shlo.loads(f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ %0 = {call} return %0 : tensor<f32> }}").main(1)
    assert 'custom_calls={"my_op": function}' in str(caught.value)
    with pytest.raises(shlo.ShloError, match="'--window'"):
        shlo.loads("func.func @main() { func.call @\"--window\"() : () -> () return }")
    with pytest.raises(shlo.LimitError) as caught:
        shlo.loads("module { module { module {} } }", limits=shlo.Limits(max_depth=1))
    assert "limits=shlo.Limits(max_depth=...)" in str(caught.value)
    with pytest.raises(shlo.UsageError, match=r"shlo.rules\(\) lists the rules"):
        shlo.check(str(ROOT / "tests" / "python"), rules={"x": "error"})
