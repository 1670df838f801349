"""Archives, by many workers and one writer: the same archive and documents as by the command."""

import json
import os
import pathlib
import shutil

import pytest
import shlo
from conftest import TANH, generated
from shlo.fleet import archive
from shlo.fleet.__main__ import main

import fleet_functions
from test_fleet import needs_children

BAD = "func.func @f(\n%x: tensor<4xf32> {\n"


@pytest.fixture
def kept(tmp_path, monkeypatch, tool):
    """The current folder, with an empty archive `a` and programs of 1.0.0 in `models`. Returns a function that runs a command on an
    archive and returns its document."""
    monkeypatch.chdir(tmp_path)
    if tool("archive", "init", "a").returncode:
        pytest.skip("the tool has no archives")
    monkeypatch.delenv("SHLO_ARCHIVE", raising=False)
    for seed, text in generated(30, stablehlo=True):
        path = pathlib.Path(f"models/d{seed % 3}/p{seed:02}.mlir")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            shlo.loads(text).convert("1.0.0", allow_outside_window=True).save(path.with_suffix(".mlirbc"))
        except shlo.ShloError:
            path.write_text(text)
    pathlib.Path("models/d1/syntax.mlir").write_text(BAD)
    pathlib.Path("models/top.mlir").write_text(TANH)

    def run(command, name, *words):
        return json.loads(tool("archive", *command.split(), f"--archive={name}", "--json", *words).stdout)

    shutil.copytree("a", "b")
    return run


def models_of(run, name):
    # Days and times are those of the run.
    return [{key: value for key, value in row.items() if key not in ("added", "entry", "id", "time")} for row in run("ls", name)["models"]]


@pytest.mark.parametrize("jobs", [1, 3])
def test_many_workers_do_what_the_command_does(kept, jobs):
    report = archive.add("a", "models", tag=["nightly"], jobs=jobs, batch_items=7)
    expected = kept("add", "b", "--tag=nightly", "models")
    assert report.document["files"] == expected["files"] and report.exit_code == expected["exit"] == 3
    assert sorted(d["message"] for d in report.document["diagnostics"]) == sorted(d["message"] for d in expected["diagnostics"])
    assert models_of(kept, "a") == models_of(kept, "b") and any(row["model"].startswith("d2/") for row in models_of(kept, "a"))
    again = archive.add("a", "models", jobs=jobs, batch_items=7)
    assert all(entry["existed"] for entry in again.document["files"] if entry["exit"] == 0)

    report = archive.migrate("a", to="current", jobs=jobs, parts=5)
    expected = kept("migrate", "b", "--to=current")
    assert report.document["models"] == expected["models"] and report.document["summary"] == expected["summary"]
    assert report.exit_code == expected["exit"] and report.document["leaving"] == expected["leaving"]
    assert report.document["summary"]["migrated"] > 3 and models_of(kept, "a") == models_of(kept, "b")
    assert "migrated" not in archive.migrate("a", to="current", jobs=jobs).document["summary"]

    for flags, what in (["files"], "records"), (["certificates"], "certificates"), ([], "records"):
        report = archive.verify("a", **dict.fromkeys(flags, True), jobs=jobs, parts=4)
        assert report.document == kept("verify", "a", *(f"--{flag}" for flag in flags)), flags
        assert report.exit_code == 0 and what in report.summary()
    assert sorted(p.name for p in pathlib.Path(".").iterdir()) == ["a", "b", "models"]


def test_damage_is_found(kept):
    archive.add("a", "models/d0", jobs=1)
    pack = max(pathlib.Path("a").rglob("*"), key=lambda path: path.stat().st_size if path.is_file() and "sqlite" not in path.name else 0)
    data = bytearray(pack.read_bytes())
    data[len(data) // 2] ^= 1
    os.chmod(pack, 0o600)
    pack.write_bytes(data)
    report = archive.verify("a", jobs=2, parts=3)
    expected = kept("verify", "a")
    assert report.document["damage"] == expected["damage"] != [] and report.exit_code == expected["exit"] != 0
    assert "damaged" in report.summary() and report.render("sarif") and report.render("text")


def test_wrong_calls(kept):
    for call in (
        lambda: archive.verify("none", jobs=1), lambda: archive.verify("s3://bucket/a"), lambda: archive.migrate("a", jobs=1),
        lambda: archive.verify("a", parts=0), lambda: archive.verify("a", "no-such-model", jobs=1), lambda: archive.add("a", "d*/none", jobs=1),
        lambda: archive.verify("a", checkpoint="x"),
    ):  # fmt: skip
        try:
            assert call().exit_code == 4
        except shlo.UsageError:
            pass
    shutil.copy("models/top.mlir", "models/top.shlo")
    with pytest.raises(shlo.UsageError, match="would both be 'top'"):
        archive.add("a", "models", jobs=1)
    with pytest.raises(TypeError, match="has no option"):
        archive.add("a", "models", target="1.0.0")


def test_urls(kept):
    fsspec = pytest.importorskip("fsspec")
    fs = fsspec.filesystem("memory")
    fs.store.clear()
    for path in pathlib.Path("models").rglob("*.ml*"):
        fs.pipe_file(f"/bucket/{path}", path.read_bytes())
    report = archive.add("a", "memory://bucket/models", on="here", batch_items=9)
    expected = kept("add", "b", "models")
    assert json.loads(json.dumps(report.document["files"]).replace("memory://bucket/", "")) == expected["files"]
    assert models_of(kept, "a") == models_of(kept, "b")


def test_the_command_line(kept, capfd):
    assert main(["archive", "add", "a", "models/d0", "--name=x/", "--tag=t", "-j2"]) == 0
    assert main(["archive", "migrate", "a", "x/*", "--to=current", "--parts=2", "-j1", "--json"]) in (0, 1)
    document = json.loads(capfd.readouterr().out)
    assert document["command"] == "archive migrate" and all(row["model"].startswith("x/p") for row in document["models"])
    assert main(["archive", "verify", "a", "--goldens", "-j1"]) == 0
    for words in (["archive"], ["archive", "prune"], ["archive", "verify"], ["archive", "add", "a"], ["archive", "verify", "a", "--resume"]):
        assert main(words) == 2


@needs_children
def test_a_worker_that_ends_loses_nothing(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "_Commands", fleet_functions.commands_that_end(tmp_path / "marks"))
    archive.add("a", "models/d0", jobs=1)
    report = archive.migrate("a", to="current", jobs=2, parts=3)
    kept("add", "b", "models/d0")
    assert report.document["models"] == kept("migrate", "b", "--to=current")["models"]
    assert report.statistics.ended and models_of(kept, "a") == models_of(kept, "b")


@needs_children
def test_an_import_that_ends_is_divided(kept, monkeypatch):
    monkeypatch.setattr(archive, "_Commands", fleet_functions.ShortImports)
    archive.add("a", "models/d0", jobs=1, batch_items=1)
    report = archive.migrate("a", to="current", jobs=1, parts=7)
    kept("add", "b", "models/d0")
    assert report.document["models"] == kept("migrate", "b", "--to=current")["models"] and not report.document["diagnostics"]
    assert report.statistics.ended > 1 and models_of(kept, "a") == models_of(kept, "b")
    assert kept("verify", "a", "--files")["exit"] == 0
