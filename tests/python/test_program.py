"""Reading and writing programs, and programs as Python objects."""

import copy
import io
import pickle

import pytest
import shlo
from conftest import ACCURATE, TANH


def test_load_detects_formats(tmp_path):
    program = shlo.loads(TANH)
    assert program.format == "text"
    for name, format in (("a.mlir", "text"), ("a.shlo", "shlo"), ("a.mlirbc", "mlirbc"), ("a.bc", "mlirbc")):
        path = tmp_path / name
        program.save(path)
        again = shlo.load(path)
        assert again.format == format == shlo.detect(path.read_bytes())
        assert again.source_name == str(path)
        assert again == program
    program.save(str(tmp_path / "other"), "shlo")
    assert shlo.load(tmp_path / "other").format == "shlo"


def test_the_ending_must_state_a_format(tmp_path, containers):
    program = shlo.loads(TANH)
    program.save(tmp_path / "a.TXT")
    assert shlo.detect((tmp_path / "a.TXT").read_bytes()) == "text"
    for name, said in (("a.bin", "ending '.bin'"), ("a.pb", "ending '.pb'"), ("a.mlirbx", "ending '.mlirbx'"), ("a", "no ending")):
        with pytest.raises(shlo.UsageError, match=said) as caught:
            program.save(tmp_path / name)
        assert ".mlirbc or .bc (MLIR bytecode)" in str(caught.value) and not (tmp_path / name).exists()
    program.save(tmp_path / "a.bin", "mlirbc")
    assert shlo.load(tmp_path / "a.bin") == program
    # A program of a container would leave it without a word.
    exported = next(p for p in map(shlo.read, (str(f) for f in containers.iterdir() if f.is_file())) if p[0].format == "jax-export")[0]
    for one in (exported, exported.convert("current", allow_outside_window=True)):
        with pytest.raises(shlo.UsageError, match="is from a file of jax.export") as caught:
            one.save(tmp_path / "old.bin")
        assert "shlo.jax.downgrade" in str(caught.value) and 'format="mlirbc"' in str(caught.value)
        one.save(tmp_path / "alone.mlirbc")


def test_file_objects(tmp_path):
    program = shlo.loads(TANH)
    for format in ("text", "shlo", "mlirbc"):
        out = io.BytesIO()
        program.save(out, format)
        assert out.getvalue() == program.bytes(format)
        out.seek(0)
        assert shlo.load(out) == program
        out.seek(0)
        (again,) = shlo.read(out)
        assert again == program and again.source_name == "<file>"
    text = io.StringIO()
    program.save(text, "text")
    assert text.getvalue() == program.text()
    text.seek(0)
    assert shlo.load(text) == program
    program.save(tmp_path / "a.mlirbc")
    with open(tmp_path / "a.mlirbc", "rb") as file:
        assert shlo.load(file).source_name == str(tmp_path / "a.mlirbc")
    with pytest.raises(shlo.UsageError, match="file object states no format"):
        program.save(io.BytesIO())
    with pytest.raises(shlo.UsageError, match="the format is binary"):
        program.save(io.StringIO(), "shlo")
    for wrong in (None, 3, b"a.mlir"):
        with pytest.raises(shlo.UsageError, match="expected a text, a path or a file object"):
            shlo.load(wrong)
        with pytest.raises(shlo.UsageError, match="expected a text, a path or a file object"):
            program.save(wrong)


def test_a_program_is_no_sequence():
    import numpy as np

    program, empty = shlo.loads(TANH), shlo.loads("module {}")
    assert program and empty and np.asarray(program).shape == ()
    for wrong in (lambda: list(program), lambda: dict(program), lambda: len(program), lambda: program[0]):
        with pytest.raises(TypeError):
            wrong()
    assert "main" in program and "other" not in program and 0 not in program


def test_loads_takes_text_and_any_bytes():
    data = shlo.loads(TANH).bytes("shlo")
    expected = shlo.loads(TANH)
    for given in (TANH, TANH.encode(), bytearray(TANH.encode()), data, bytearray(data), memoryview(data)):
        assert shlo.loads(given).text() == expected.text()


def test_bytes_of_a_source_that_changes_are_copied():
    data = bytearray(shlo.loads('func.func @main() -> tensor<4xi32> {\n  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n  return %0 : tensor<4xi32>\n}').bytes("shlo"))
    program = shlo.loads(data)
    before = program.bytes("shlo")
    data[:] = bytes(len(data))
    assert program.bytes("shlo") == before
    assert list(program["main"]()) == [1, 2, 3, 4]


def test_several_programs():
    two = TANH + "\n// -----\n" + ACCURATE
    programs = shlo.reads(two)
    assert [p.op_count for p in programs] == [4, 3]
    with pytest.raises(shlo.UsageError):
        shlo.loads(two)


def test_read_of_a_file(tmp_path):
    path = tmp_path / "two.mlir"
    path.write_text(TANH + "\n// -----\n" + TANH)
    assert len(shlo.read(path)) == 2


def test_facts():
    program = shlo.loads(TANH, name="model.mlir", version="1.9.0")
    assert (program.version, program.op_count, program.constant_bytes, program.source_name) == (62, 4, 0, "model.mlir")
    inspected = program.inspect()
    assert inspected["functions"] == [{"name": "main", "private": False, "op_count": 3}]
    assert inspected["lowest_target"]["n"] == 37
    artifact = shlo.loads(program.bytes(producer="somebody"))
    assert artifact.producer == "somebody"
    assert artifact.version == 62


def test_text_options():
    program = shlo.loads(TANH)
    assert "vhlo.tanh" in program.text(vhlo=True)
    assert '"stablehlo.tanh"(' in program.text(generic=True)
    assert "loc(" in shlo.loads('func.func @f() { return loc("a.py":1:2) }').text(locations=True)
    constant = shlo.loads("func.func @f() -> tensor<64xi32> { %0 = stablehlo.iota dim = 0 : tensor<64xi32> return %0 : tensor<64xi32> }")
    assert str(constant) == constant.text()
    assert program.text(mlir_style=True) != ""


def test_writing_refuses_formats_that_are_not_known(tmp_path):
    with pytest.raises(shlo.UsageError, match="unknown format 'protobuf'"):
        shlo.loads(TANH).bytes("protobuf")
    with pytest.raises(TypeError):
        shlo.loads(TANH).bytes(colour="red")


def test_errors_are_classes_with_diagnostics(tmp_path):
    with pytest.raises(shlo.ParseError) as caught:
        shlo.loads("func.func @main( {", name="bad.mlir")
    error = caught.value
    assert isinstance(error, shlo.ShloError) and isinstance(error, ValueError)
    assert (error.code, error.exit_code) == ("syntax", 3)
    first = error.diagnostics[0]
    assert (first.severity, first.file, first.line, first.column) == ("error", "bad.mlir", 1, 18)
    assert str(first).startswith("bad.mlir:1:18: error: ")
    assert "bad.mlir:1:18" in str(error) and "^" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is shlo.ParseError and again.diagnostics == error.diagnostics and str(again) == str(error)

    data = bytearray(shlo.loads(TANH).bytes("shlo"))
    data[len(data) // 2] ^= 255
    with pytest.raises(shlo.FormatError):
        shlo.loads(bytes(data))
    with pytest.raises(shlo.VerificationError) as caught:
        shlo.loads('func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = "stablehlo.add"(%x) : (tensor<4xf32>) -> tensor<4xf32> return %0 : tensor<4xf32> }')
    assert caught.value.exit_code == 1
    with pytest.raises(shlo.LimitError):
        shlo.loads(TANH, limits=shlo.Limits(max_depth=1))
    with pytest.raises(ValueError, match="NUL characters"):
        shlo.loads(TANH, name="a\0b")


def test_many_diagnostics_are_shortened_in_the_text():
    with pytest.raises(shlo.ParseError) as caught:
        shlo.loads("module {\n" + "".join(f"  garbage {i}\n" for i in range(90)) + "}")
    lines = str(caught.value).split("\n")
    assert len(caught.value.diagnostics) == 90 and len(lines) == 61 and lines[-1] == "... 70 more: see the error's diagnostics"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        shlo.load(tmp_path / "none.mlir")
    assert isinstance(caught.value, shlo.FileError)
    assert caught.value.filename == str(tmp_path / "none.mlir")
    with pytest.raises(shlo.FileError):
        shlo.loads(TANH).save(tmp_path / "no" / "folder.mlir")
    assert list(tmp_path.iterdir()) == []
    odd = tmp_path / "\udcff.mlir"  # a name that is not UTF-8
    odd.write_text(TANH)
    assert shlo.load(odd).op_count == 4


def test_warnings():
    text = """func.func @main(%a: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.subtract %a, %a : tensor<i1>
  return %0 : tensor<i1>
}"""
    with pytest.raises(shlo.VerificationError):
        shlo.loads(text)
    with pytest.warns(shlo.ShloWarning) as found:
        program = shlo.loads(text, lenient=True)
    assert found[0].message.diagnostic.op == "stablehlo.subtract"
    assert found[0].filename == __file__
    assert [d.severity for d in program.verify(lenient=True)] == ["warning"]
    with pytest.raises(shlo.VerificationError):
        program.verify()
    with pytest.raises(shlo.VerificationError):
        program.convert("1.9.0")
    with pytest.warns(shlo.ShloWarning):
        program.convert("1.9.0", lenient=True)
    # Nothing verified programs of the prototype: to convert them is to be warned.
    with pytest.warns(shlo.ShloWarning):
        old = shlo.loads(text.replace("subtract", "sub"), version=37)
    with pytest.raises(shlo.VerificationError):
        old.verify()
    with pytest.warns(shlo.ShloWarning):
        old.convert(40)
    with pytest.raises(shlo.VerificationError):
        old.convert("current")


def test_names_of_the_package_are_public_ones():
    import importlib

    names = {}
    exec("from shlo import *", names)
    assert not {"jax", "torch", "tf", "fleet", "testing", "archive", "stablehlo", "Any", "annotations"} & set(names)
    assert set(shlo.__all__) <= set(names) and {"jax", "testing", "load", "Builder"} <= set(dir(shlo))
    for module in ("", ".jax", ".tf", ".torch", ".stablehlo", ".testing", ".archive", ".fleet", ".fleet.archive"):
        found = importlib.import_module("shlo" + module)
        public = [name for name in dir(found) if not name.startswith("__")]
        assert not [name for name in public if name.startswith("_")] and set(found.__all__) <= set(public), module
        assert not {"Any", "annotations", "TYPE_CHECKING", "os", "importlib", "Sequence"} & set(public), module
        assert all(hasattr(found, name) for name in public), module


def test_packages_that_are_not_installed(monkeypatch, tmp_path):
    import sys

    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    for call in (lambda: shlo.jax.load(tmp_path / "none"), lambda: shlo.jax.deserialize(b""), lambda: shlo.jax.export(abs, 1)):
        with pytest.raises(shlo.MissingPackageError, match=r"jax is not installed(?s:.*)pip install 'shlo\[jax\]'") as caught:
            call()
        assert isinstance(caught.value, ModuleNotFoundError) and isinstance(caught.value, shlo.ShloError) and caught.value.name == "jax"
    with pytest.raises(shlo.MissingPackageError, match="torch is not installed"):
        shlo.torch.export(abs)


def test_unverified():
    text = 'func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> { return %x : tensor<4xf32> }'
    program = shlo.loads(text, verify=False)
    with pytest.raises(shlo.VerificationError):
        program.verify()


def test_equality_and_hash_are_of_the_content():
    a, b = shlo.loads(TANH), shlo.loads(shlo.loads(TANH).bytes("shlo"))
    assert a == b and hash(a) == hash(b) and len({a, b}) == 1
    assert a == shlo.loads(a.bytes("mlirbc"))
    assert a != shlo.loads(ACCURATE) and a != "text" and a != a.convert("1.9.0")


def test_a_converted_program_equals_what_is_read_from_its_bytes():
    """Also where an op is made again, which changes use-list orders."""
    program = shlo.loads("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %1 = stablehlo.add %0, %x : tensor<4xf32>
      %2 = stablehlo.rsqrt %0 : tensor<4xf32>
      %3 = stablehlo.add %1, %2 : tensor<4xf32>
      %4 = stablehlo.multiply %3, %0 : tensor<4xf32>
      return %4 : tensor<4xf32>
    }""")
    for target in ("1.9.0", "1.15.0", "current"):
        converted = program.convert(target)
        for format in ("mlirbc", "shlo"):
            again = shlo.loads(converted.bytes(format))
            assert converted == again and hash(converted) == hash(again), (target, format)


def test_many_of_no_files():
    with pytest.raises(shlo.UsageError, match="no paths"):
        shlo.load_many([])


def test_copy_and_pickle():
    program = shlo.loads(TANH, name="model.mlir")
    assert copy.copy(program) is program and copy.deepcopy([program])[0] is program
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(program, protocol))
        assert again == program and again.source_name == "model.mlir" and again is not program
        assert (again.format, again.name, again.producer) == (program.format, program.name, program.producer)
    (first, second) = pickle.loads(pickle.dumps([program, program]))
    assert first is second


def test_pickles_with_buffers_have_no_second_copy():
    program = shlo.loads(TANH)
    buffers = []
    small = pickle.dumps(program, 5, buffer_callback=buffers.append)
    (buffer,) = buffers
    assert len(buffer.raw()) + 200 > len(program.bytes("shlo")) and b"stablehlo" not in small
    for given in (buffer, bytes(buffer.raw()), bytearray(buffer.raw())):
        assert pickle.loads(small, buffers=[given]) == program


def test_repr():
    program = shlo.loads(TANH, name="dir/model.mlir", version=62)
    assert repr(program) == "<shlo.Program model.mlir, version 1.9.0 (62), 4 ops: @main>"
    assert "<pre>" in program._repr_html_() and "%x" not in repr(program)
    many = "".join(f"func.func @f{i}() {{ return }}\n" for i in range(300))
    assert len(shlo.loads(many)._repr_html_()) < 10000
    with pytest.raises(TypeError):
        shlo.Program()


def test_limits_are_of_one_call():
    with pytest.raises(shlo.LimitError, match="max|limit"):
        shlo.loads(TANH).text(limits=shlo.Limits(max_output=10))
    assert shlo.loads(TANH, limits=shlo.Limits(timeout=10.0, threads=1, max_memory=float("inf"))).op_count == 4


def test_write_to_reports_the_exception_of_the_sink():
    from shlo import _core

    program = shlo.loads(TANH)
    out = io.BytesIO()
    _core.program_write_to(program._handle, out.write, {"format": 1})
    assert out.getvalue().decode() == program.text()

    def refuse(piece):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        _core.program_write_to(program._handle, refuse, {"format": 1})


def test_dialects_of_the_user(tmp_path):
    toml = next((p for p in (pytest.importorskip("pathlib").Path(__file__).parents[2] / "tests" / "dialect").glob("*.toml")), None)
    if toml is None:
        pytest.skip("no dialect file")
    dialect = shlo.Dialect.load(toml)
    assert dialect.name and pickle.loads(pickle.dumps(dialect)).name == dialect.name
    with pytest.raises(shlo.ShloError):
        shlo.Dialect("not toml [", "bad.toml")
