"""The code of README.md and docs/python.md, and the notebooks in examples/python."""

import os
import pathlib
import re
import shutil

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
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
