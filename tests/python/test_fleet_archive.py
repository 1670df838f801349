"""Archives, by many workers and one writer: the same archive and documents as by the command."""

import json
import os
import pathlib
import shutil

import pytest
import shlo
from conftest import TANH, generated
from shlo.fleet import _mirror, archive
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
    report = archive.add("a", "models", tags=["nightly"], jobs=jobs, batch_items=7)
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
        lambda: archive.verify("none", jobs=1), lambda: archive.migrate("a", jobs=1),
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


@pytest.fixture
def store(kept, tmp_path, monkeypatch):
    """The file system of a store, with an empty archive at URL."""
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setenv("SHLO_ARCHIVE_COPIES", str(tmp_path / "copies"))
    fs = fsspec.filesystem("memory")
    fs.store.clear()
    created = archive.command(URL, "init")
    assert created.code == 0 and created.out == f"created {URL}\n".encode()
    return fs


URL = "memory://bucket/archive"


def at_url(name, *words):
    output = archive.command(URL, name, "--json", *words)
    return json.loads(output.out.replace(b"memory://bucket/archive", b"a"))


def models_at_url():
    return [{key: value for key, value in row.items() if key not in ("added", "entry", "id", "time")} for row in at_url("ls")["models"]]


def test_an_archive_in_an_object_store(kept, store, tmp_path):
    report = archive.add(URL, "models", tags=["nightly"], on="here", batch_items=7)
    expected = kept("add", "b", "--tag=nightly", "models")
    assert report.document["files"] == expected["files"] and models_at_url() == models_of(kept, "b")
    report = archive.migrate(URL, to="current", on="here", parts=3)
    expected = kept("migrate", "b", "--to=current")
    assert report.document["models"] == expected["models"] and models_at_url() == models_of(kept, "b")
    assert archive.verify(URL, certificates=True, on="here", parts=2).document["summary"]["certificates"] > 3
    assert sorted({path.split("/")[3] for path in store.find("/bucket")}) == ["packs", "shlo-archive"]
    # The store alone holds the archive, without the copy that was made of it.
    store.get("/bucket/archive", str(tmp_path / "c"), recursive=True)
    assert kept("verify", "c", "--files")["exit"] == 0 and models_of(kept, "c") == models_of(kept, "b")

    label = expected["models"][0]["model"]
    assert archive.command(URL, "get", label, "--original", "-o", "out.bin").code == 0
    assert pathlib.Path("out.bin").read_bytes() == next(pathlib.Path("models").glob(label.rpartition("@")[0] + ".*")).read_bytes()
    packs = set(store.find("/bucket/archive/packs"))
    assert at_url("prune", "d2/*")["exit"] == 0
    assert packs - set(store.find("/bucket/archive/packs")) and not any(row["model"].startswith("d2/") for row in models_at_url())
    assert archive.verify(URL, files=True, on="here").exit_code == 0
    # The same archive for one who has no copy.
    shutil.rmtree(tmp_path / "copies")
    assert archive.command(URL, "show", "top").code == 0


def test_damage_in_an_object_store_is_found(kept, store):
    archive.add(URL, "models/d0", on="here")
    assert archive.verify(URL, on="here", parts=2).exit_code == 0
    pack = max(store.find("/bucket/archive/packs"), key=store.size)
    data = bytearray(store.cat_file(pack))
    data[len(data) // 2] ^= 1
    store.pipe_file(pack, bytes(data))
    report = archive.verify(URL, on="here", parts=2)
    assert report.document["damage"] and report.exit_code != 0
    # The copy that was good is now what the store has, and is fetched once for a run, not for each part.
    assert archive.verify(URL, goldens=True, on="here").exit_code == 0


def test_another_writer_of_an_object_store(kept, store, tmp_path, monkeypatch):
    archive.add(URL, "models/top.mlir", on="here")
    calls, run = [], archive._tool.run

    def tag(folder):
        calls.append(folder)
        if len(calls) == 1:
            monkeypatch.setenv("SHLO_ARCHIVE_COPIES", str(tmp_path / "others"))
            assert archive.command(URL, "tag", "top", "--add=first").code == 0
        return run(["archive", "tag", f"--archive={folder}", "--add=second", "top"], os.getcwd())

    assert _mirror.Mirror(URL).run("tag", tag).code == 0
    (row,) = models_at_url()
    assert len(calls) == 2 and row["tags"] == ["first", "second"]

    # The answer to a write is lost, and the write is tried again.
    put_file = type(store).put_file

    def put_twice(self, source, target, **options):
        put_file(self, source, target, **options)
        return put_file(self, source, target, **options)

    monkeypatch.setattr(type(store), "put_file", put_twice)
    assert archive.command(URL, "tag", "top", "--add=third").code == 0
    monkeypatch.setattr(type(store), "put_file", put_file)
    (row,) = models_at_url()
    assert row["tags"] == ["first", "second", "third"] and len(store.find("/bucket/archive/packs")) == 4

    def taken(self, source, target, **options):
        raise FileExistsError

    monkeypatch.setattr(_mirror, "_TRIES", 2)
    monkeypatch.setattr(type(store), "put_file", taken)
    with pytest.raises(OSError, match="other writers"):
        archive.command(URL, "tag", "top", "--add=fourth")
    monkeypatch.setattr(type(store), "put_file", put_file)
    assert models_at_url() == [row]


def test_packs_are_removed_while_they_are_fetched(kept, store, tmp_path, monkeypatch):
    archive.add(URL, ["models/d0", "models/top.mlir"], on="here")
    shutil.rmtree(os.environ["SHLO_ARCHIVE_COPIES"])
    get_file, pruned = type(store).get_file, []

    def prune_first(self, source, target, **options):
        if not pruned:
            monkeypatch.setattr(type(store), "get_file", get_file)
            with monkeypatch.context() as others:
                others.setenv("SHLO_ARCHIVE_COPIES", str(tmp_path / "others"))
                pruned.append(archive.command(URL, "prune", "p*"))
        return get_file(self, source, target, **options)

    monkeypatch.setattr(type(store), "get_file", prune_first)
    assert [row["model"] for row in models_at_url()] == ["top@1"]
    assert pruned[0].code == 0 and archive.verify(URL, on="here").exit_code == 0

    monkeypatch.setattr(_mirror, "_TRIES", 2)
    monkeypatch.setattr(type(store), "get_file", lambda *args, **options: store.cat_file("/bucket/none"))
    shutil.rmtree(os.environ["SHLO_ARCHIVE_COPIES"])
    with pytest.raises(OSError, match="removed packs"):
        archive.command(URL, "ls")


def test_a_copy_follows_its_archive(kept, store, capfd):
    archive.add(URL, "models/top.mlir", on="here")
    with pytest.raises(shlo.UsageError, match="is not an archive"):
        archive.command("memory://bucket/none", "ls")
    assert main(["archive", "ls", URL]) == 0 and "top@1" in capfd.readouterr().out
    assert main(["archive", "show", URL, "none"]) == 2 and "none" in capfd.readouterr().err
    assert main(["archive", "ls"]) == 2 and "needs an archive" in capfd.readouterr().err
    assert main(["archive", "ls", "a"]) == 0
    # Another archive at the same place.
    store.rm("/bucket/archive", recursive=True)
    archive.command(URL, "init")
    assert models_at_url() == []
    # Copies in a folder that others can write to are not trusted.
    os.chmod(os.environ["SHLO_ARCHIVE_COPIES"], 0o777)
    with pytest.raises(OSError, match="others can write"):
        archive.command(URL, "ls")
