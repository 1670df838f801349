"""Errors in the classes of Python, with the remedy for the usual slips."""

import errno
import io
import os
import pickle

import numpy as np
import pytest
import shlo
from conftest import TANH


@pytest.fixture
def program():
    return shlo.loads(TANH)


MISSING = {
    "load": lambda m, p: shlo.load(p / "no.mlir"),
    "read": lambda m, p: shlo.read(p / "no" / "no.mlir"),
    "load_many": lambda m, p: list(shlo.load_many(p / "no.mlir")),
    "load_many, pattern": lambda m, p: list(shlo.load_many(str(p / "*.no"))),
    "save": lambda m, p: m.save(p / "no" / "a.mlir"),
    "load_tensors": lambda m, p: shlo.load_tensors(p / "no.npz"),
    "save_tensors": lambda m, p: shlo.save_tensors(p / "no" / "a.npz", [1.0]),
    "policy": lambda m, p: shlo.check(p, policy=p / "no.toml"),
    "archive": lambda m, p: shlo.archive.open(p / "no"),
    "tf": lambda m, p: shlo.tf.convert(p / "no", "1.9.0", p / "new"),
}


@pytest.mark.parametrize("name", MISSING)
def test_missing_files(name, program, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        MISSING[name](program, tmp_path)
    error = caught.value
    assert isinstance(error, shlo.FileMissingError) and error.errno == errno.ENOENT and "no" in error.filename
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.errno, again.filename) == (type(error), str(error), errno.ENOENT, error.filename)


def test_folders_and_files_that_may_not_be_read(program, tmp_path):
    for call in (lambda: shlo.load(tmp_path), lambda: program.save(tmp_path, "text"), lambda: shlo.load_tensors(tmp_path)):
        with pytest.raises(IsADirectoryError) as caught:
            call()
        assert isinstance(caught.value, shlo.FileIsFolderError) and caught.value.errno == errno.EISDIR
    if os.path.ismount("/sys"):  # where even root makes no files
        with pytest.raises(PermissionError) as denied:
            program.save("/sys/no.mlir")
        assert isinstance(denied.value, shlo.FileDeniedError) and denied.value.errno in (errno.EACCES, errno.EPERM)


SLIPS = {
    "bytes for a path": (lambda m, p: shlo.load(m.bytes()), TypeError, "shlo.loads reads a program from bytes"),
    "text for a path": (lambda m, p: shlo.load(str(m)), FileNotFoundError, "pass a program's text to shlo.loads"),
    "path for bytes": (lambda m, p: shlo.loads(p / "a.mlirbc"), TypeError, "shlo.load reads a file"),
    "path for text": (lambda m, p: shlo.loads(str(p / "a.mlirbc")), ValueError, "shlo.load and shlo.read read files"),
    "several programs": (lambda m, p: shlo.reads(str(p / "a.mlirbc")), shlo.ParseError, "got the name of a file"),
    "path to detect": (lambda m, p: shlo.detect(p / "a.mlirbc"), TypeError, "path.read_bytes()"),
    "path in bytes": (lambda m, p: m.save(b"a.mlir"), TypeError, "os.fsdecode"),
    "array for bytes": (lambda m, p: shlo.loads(np.frombuffer(m.bytes(), np.uint8)), TypeError, "memoryview"),
    "URL": (lambda m, p: shlo.load("s3://bucket/a.mlir"), FileNotFoundError, "shlo.fleet reads URLs"),
    "file of text": (lambda m, p: shlo.load(open(p / "a.mlirbc", encoding="utf-8")), ValueError, 'open the file with "rb"'),
    "file at its end": (lambda m, p: shlo.load(at_end(m)), ValueError, "seek(0)"),
    "dtype for a type": (lambda m, p: shlo.Tensor([1.5], np.float32), TypeError, 'written as in MLIR: "tensor<2x3xf32>"'),
    "limit of a function": (lambda m, p: m.main([0] * 4, timeout=1), KeyError, "limits=shlo.Limits(timeout=...)"),
    "limit": (lambda m, p: shlo.loads(TANH, timeout=1), TypeError, "limits=shlo.Limits(timeout=...)"),
    "misspelled option": (lambda m, p: m.eval([0] * 4, profil=True), TypeError, "did you mean 'profile'?"),
    "misspelled limit": (lambda m, p: shlo.Limits(time_out=1), TypeError, "did you mean 'timeout'?"),
    "argument of eval": (lambda m, p: m.eval(x=[0] * 4), TypeError, 'pass arguments by name as {"x": ...}'),
    "unknown option": (lambda m, p: shlo.detect(b"", qqq=1), TypeError, "it has data"),
    "tree of tensors": (lambda m, p: shlo.save_tensors(p / "a.npz", {"a": {"w": 1.0}}), TypeError, '{"a.w": ...}'),
    "package without version": (lambda m, p: m.convert("jaxlib"), ValueError, "write jaxlib==VERSION"),
    "class": (lambda m, p: shlo.Program(TANH), TypeError, "made by shlo.load, shlo.loads or shlo.Builder"),
    "optional attribute": (lambda m, p: next(m.ops("tanh")).attributes["result_accuracy"], KeyError, "which has its default"),
}


def at_end(program):
    file = io.BytesIO()
    program.save(file, "mlirbc")
    return file


@pytest.mark.parametrize("name", SLIPS)
def test_slips(name, program, tmp_path):
    call, kind, says = SLIPS[name]
    program.save(tmp_path / "a.mlirbc")
    with pytest.raises(kind) as caught:
        call(program, tmp_path)
    assert says in str(caught.value) and len(str(caught.value)) < 500


def test_names_of_several_lines(program, tmp_path):
    program.save(tmp_path / "a\nb.mlir")
    assert shlo.load(tmp_path / "a\nb.mlir") == program


def test_expansions_have_the_words_of_python():
    composite = """func.func private @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.composite "a.f" %x { decomposition = @f } : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    (blocker,) = shlo.loads(composite).blockers("0.18.0")
    assert "expand_composites=True" in blocker.hint


def test_bits_that_are_not_values():
    """Without ml_dtypes, NumPy has bits: a conversion of these to bf16 would be silent nonsense."""
    program = shlo.loads("func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> { return %x : tensor<2xbf16> }")
    for array in (np.ones(2, np.uint16), np.zeros(2, "V2")):
        with pytest.raises(TypeError, match=r"if these are bits, .*x\.view\(ml_dtypes\.bfloat16\)"):
            program.main(array)
    with pytest.raises(TypeError, match=r"hint: convert it if its values allow that: x\.astype"):
        program.main(np.ones(2, np.float32))


LOOP = """func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %c0 = stablehlo.constant dense<0> : tensor<i64>
  %c1 = stablehlo.constant dense<1> : tensor<i64>
  %r = stablehlo.while(%i = %c0) : tensor<i64>
   cond { %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
     stablehlo.return %p : tensor<i1> }
   do { %j = stablehlo.add %i, %c1 : tensor<i64>
     stablehlo.return %j : tensor<i64> }
  return %r : tensor<i64>
}"""


def test_limits_end_a_loop_of_scalars():
    program = shlo.loads(LOOP)
    with pytest.raises(shlo.LimitError, match="takes more work than the limit of 10 ms"):
        program.main(10**13, limits=shlo.Limits(max_work=1e7))
    with pytest.raises(TimeoutError) as caught:
        program.main(10**13, limits=shlo.Limits(timeout=0.05))
    assert isinstance(caught.value, shlo.TimeLimitError) and isinstance(caught.value, shlo.LimitError)
    assert not isinstance(pytest.raises(shlo.LimitError, program.main, 9, limits=shlo.Limits(max_steps=2)).value, TimeoutError)
    assert program.main(1000) == 1000
