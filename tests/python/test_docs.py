"""The code of README.md, docs/python.md and docs/fleet.md, and the notebooks in examples/python."""

import doctest
import importlib
import os
import pathlib
import re
import shutil

import pytest
from conftest import TANH

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/fleet.md"])
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks
    for file in (ROOT / "tests" / "readme").iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


MODULES = ("_arrays", "_builder", "_compare", "_evaluate", "_ops", "_program", "_versions", "_walk", "archive", "jax", "testing", "tf")


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_docstrings_run(module, tmp_path, monkeypatch):
    import shlo

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHLO_ARCHIVE", raising=False)
    pathlib.Path("model.mlir").write_text(TANH)
    m = shlo.loads(TANH)
    m.convert("1.9.0").save("model.mlirbc")
    names = {"shlo": shlo, "m": m, "a": m, "b": shlo.loads(TANH.replace("tanh", "cosine")), "x": [1.0, 2.0, 3.0, 4.0]}
    found = doctest.DocTestFinder().find(importlib.import_module(f"shlo.{module}"), extraglobs=names)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for example in found:
        runner.run(example, clear_globs=False)
    assert runner.failures == 0


@pytest.mark.parametrize("notebook", sorted((ROOT / "examples" / "python").glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_run(notebook, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    document = nbformat.read(notebook, 4)
    nbclient.NotebookClient(document, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in document.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)
    assert all(cell.outputs == [] for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"), "saved without outputs"
