"""The types of the package and of its examples."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
USE = '''
import numpy as np
import shlo

m: shlo.Program = shlo.load("a.mlir")
old: shlo.Program = m.convert("jaxlib==0.4.30", expand=True)
results: list[object] = m.eval(np.zeros(4), [1, 2])
blockers: list[shlo.Diagnostic] = m.blockers("1.9.0")
data: bytes = m.bytes("shlo")
text: str = m.text(generic=True)
version: shlo.Version = m.version
signature: shlo.Signature = m.signature
argument: shlo.SignatureValue = signature["x"]
named: list[object] = m.eval({"x": [1, 2]}, kwargs={"y": 1.0})
dimensions: tuple[int | str | None, ...] | None = argument.shape
for op in m.ops("stablehlo.add"):
    for value in op.operands:
        shape: tuple[int | None, ...] | None = value.type.shape
proof: shlo.Proof = shlo.prove(m, old)
if proof.verdict == "equal" and proof.evidence in ("laws", "congruence"):
    m.save("a.bin", format="mlirbc")
differs: bool = not shlo.diff(m, old) or m.version < "1.9.0"
models: list[shlo.archive.Model] = shlo.archive.open("models").ls("vision/*")
report: shlo.fleet.Report = shlo.fleet.check("models", requires=["jaxlib==0.7.0"], rules={"too-new": "off"}, jobs=2)
shlo.testing.assert_proved(m, old, at_least="laws")
release: str = shlo.stablehlo.get_current_version()
'''
WRONG = """
m.convert(target=None)
m.no_such_method()
m.bytes("mlirbx")
proof.verdict == "eqaul"
len(m)
list(m)
shlo.fleet.check("models", rule="x=off")
shlo.fleet.verify("models", on="raay")
"""


def package():
    import shlo

    return pathlib.Path(shlo.__file__).parent


def run(command, folder):
    # An installed package is found without.
    path = {} if package().parent.name == "site-packages" else {"MYPYPATH": str(package().parent)}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, **path})


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text(USE + WRONG)
    cache = os.environ.get("SHLO_MYPY_CACHE", str(tmp_path / "cache"))
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", cache]
    done = run([*mypy, "-p", "shlo"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run([*mypy, "use.py", "wrong.py"], tmp_path)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    wrong = {int(line.split(":")[1]) - USE.count("\n") - 1 for line in errors}
    assert wrong == set(range(1, WRONG.count("\n"))) and all("wrong.py" in line for line in errors), done.stdout


def test_pyright(tmp_path):
    if not shutil.which("node") or subprocess.run([sys.executable, "-c", "import pyright"], capture_output=True).returncode:
        pytest.skip("needs pyright and node")
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "pyrightconfig.json").write_text('{"extraPaths": ["%s"], "typeCheckingMode": "strict", "reportUnusedVariable": false}' % package().parent)
    done = run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "use.py"], tmp_path)
    assert "0 errors" in done.stdout, done.stdout + done.stderr
    done = run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(ROOT / "pyproject.toml"), str(package())], tmp_path)
    assert "0 errors" in done.stdout, done.stdout + done.stderr


def test_types_are_complete(tmp_path):
    """What is exported has types that no checker needs to infer."""
    if not shutil.which("node") or subprocess.run([sys.executable, "-c", "import pyright"], capture_output=True).returncode:
        pytest.skip("needs pyright and node")
    shutil.copytree(package(), tmp_path / "shlo", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--verifytypes", "shlo", "--ignoreexternal"]
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path})
    score = re.search(r"Type completeness score: ([0-9.]+)%", done.stdout)
    assert score and float(score[1]) >= 99, done.stdout + done.stderr


def test_the_stub_has_the_names_of_the_extension():
    import ast

    from shlo import _core

    stub = ast.parse((package() / "_core.pyi").read_text())
    named = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert named == {name for name in dir(_core) if not name.startswith("_")}
