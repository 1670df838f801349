"""Completion and `help`: names that a user finds without the documentation."""

import pydoc

import pytest
import shlo
from conftest import TANH


def objects(tmp_path):
    program = shlo.loads(TANH)
    old = program.convert("1.9.0", prove=True)
    models = shlo.archive.create(tmp_path / "models")
    models.add(program, name="net")
    function = program.main
    return {
        "program": program, "function": function, "op": next(program.ops("tanh")), "value": function.arguments[0],
        "type": function.type, "block": function.body[0], "signature": program.signature, "argument": program.signature[0],
        "conversion": old.conversion, "proof": old.conversion.proof, "difference": shlo.diff(program, old), "tensor": shlo.Tensor([1.0]),
        "attributes": function.attributes, "attribute": function.attributes["sym_name"], "builder": shlo.Builder(),
        "version": old.version, "consumer": shlo.consumers["jaxlib==0.5.0"], "info": shlo.ops["add"], "limits": shlo.Limits(),
        "models": models, "model": models["net"], "report": shlo.check(__file__),
    }  # fmt: skip


def test_objects_complete_their_names(tmp_path):
    jedi = pytest.importorskip("jedi")
    for name, value in objects(tmp_path).items():
        offered = {completion.name for completion in jedi.Interpreter(f"{name}.", [{name: value}]).complete()}
        assert {n for n in dir(value) if not n.startswith("_")} - offered <= {"real", "imag"}, name


def test_brackets_complete_their_keys(tmp_path):
    found = objects(tmp_path)
    keys = {name: found[name]._ipython_key_completions_() for name in ("program", "signature", "attributes", "models")}
    assert keys["program"] == ["main"] and keys["signature"] == ["x"] and "sym_name" in keys["attributes"]
    assert keys["models"] == ["net", "net@1"]
    assert {"gather", "stablehlo.gather"} <= set(shlo.ops._ipython_key_completions_())
    assert all(key in shlo.ops for key in shlo.ops._ipython_key_completions_())


def test_help_has_the_units_of_limits():
    text = pydoc.plain(pydoc.render_doc(shlo.Limits))
    assert "Time of the call, in seconds." in text and "Alias for field" not in text
    for kind in (shlo.Diagnostic, shlo.FunctionProof, shlo.Place, shlo.Use, shlo.archive.Model, shlo.archive.Form):
        assert "Alias for field" not in pydoc.plain(pydoc.render_doc(kind)), kind
    assert shlo.Diagnostic.hint.__doc__ == "The remedy."
    limits = shlo.Limits(timeout=3)
    assert limits.timeout == limits[4] == 3 and limits._replace(timeout=1) == shlo.Limits(timeout=1)
    with pytest.raises(AttributeError):
        limits.timeout = 4


def test_assertions_hide_the_package(tmp_path):
    """pytest shows the test, and not how the package checks its arguments."""
    (tmp_path / "test_it.py").write_text(f"""
import shlo
A, B = shlo.loads({TANH!r}), shlo.loads({TANH.replace("tanh", "sine")!r})
def test_equal(): shlo.testing.assert_equal(A, B)
""")
    import subprocess
    import sys

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_it.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "the programs differ" in done.stdout and "_checked.py" not in done.stdout and "functools.wraps" not in done.stdout
