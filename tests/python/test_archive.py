"""Archives: the same as by the command."""

import json

import pytest
import shlo
from conftest import ACCURATE, TANH


@pytest.fixture
def models(tmp_path, monkeypatch, tool):
    """An archive in the current folder, with two versions of `net`, of which the first is tagged, and `deep/other`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHLO_ARCHIVE", raising=False)
    if tool("archive", "init", "probe").returncode:
        pytest.skip("the tool has no archives")
    made = shlo.archive.create("models")
    (tmp_path / "net.mlirbc").write_bytes(shlo.loads(TANH).convert("1.9.0").bytes())
    assert [str(model) for model in made.add("net.mlirbc", tags=["prod"], metadata={"k": "v"}, golden="random:1")] == ["net@1"]
    (tmp_path / "net.mlirbc").write_bytes(shlo.loads(ACCURATE).bytes())
    made.add(tmp_path / "net.mlirbc", parents=["net@1"])
    made.add(shlo.loads(TANH), name="deep/other")
    return made


def test_listing(models):
    assert [str(model) for model in models] == ["deep/other@1", "net@1", "net@2"] == [str(model) for model in models.ls()]
    first, second = models.ls("net@*")
    assert (first.name, first.version, first.format, first.program_version, first.tags) == ("net", 1, "mlirbc", "1.9.0", ("prod",))
    assert second.program_version == "1.22.0" and first.added <= second.added and first.added.tzinfo is not None
    assert [str(model) for model in models.ls(["net@prod", "deep/*"])] == ["deep/other@1", "net@1"]
    assert "net@1" in models and "net" in models and "nothing" not in models and 3 not in models
    shown = models.show("net@prod")
    assert shown.metadata == {"k": "v"} and [form.original for form in shown.forms] == [True] and len(shown.document["goldens"]) == 1
    assert "net@1" in repr(first) and "deep/other@1" in models._repr_html_() and models == shlo.archive.open("models")


def test_reading(models, tool, tmp_path):
    assert models.load("net@prod") == shlo.load("models:net@prod") == shlo.load(tmp_path / "models:net@1")
    assert shlo.load("models:net@prod").text() == shlo.loads(TANH).convert("1.9.0").text()
    assert shlo.load("models:net") == models.load("net@2") == shlo.loads(ACCURATE) and shlo.read("models:net")[0] == shlo.loads(ACCURATE)
    assert models.get("net") == tool("archive", "get", "net", "--archive=models").stdout
    assert shlo.load("models:deep/other").source_name == "models:deep/other"
    old = models.load("deep/other", "1.9.0")
    assert old.version == 62 and models.load("deep/other", "jaxlib==0.7.0", allow_outside_window=True).version == shlo.consumers["jaxlib==0.7.0"].version
    assert models.get("deep/other", format="text").decode() == models.load("deep/other").text()
    models.write("deep/other", "out.shlo", "1.9.0")
    assert shlo.load("out.shlo").format == "shlo" and shlo.load("out.shlo").text() == old.text()
    with pytest.raises(shlo.BlockedError):
        models.get("net", "1.9.0")
    difference = models.diff("net@1", "net@2")
    assert not difference and "result_accuracy" in str(difference) and difference.document["command"] == "archive diff"
    assert models.diff("net@1", "net@1")
    assert [line["type"] for line in models.log("net@1")][0] == "model" and models.stats()["models"] == 3


def test_models_that_are_not_there(models):
    for call in (lambda: models.get("nothing"), lambda: models.show("net@9"), lambda: models.load("net@test"), lambda: shlo.load("models:nothing"),
                 lambda: models.ls("none/*")):  # fmt: skip
        with pytest.raises(shlo.UsageError, match="the archive has no model"):
            call()
    with pytest.raises(FileNotFoundError):
        shlo.load("nowhere:net")
    with pytest.raises(shlo.FileError):
        shlo.archive.open("nowhere")
    with pytest.raises(shlo.UsageError, match="pass name="):
        models.add(shlo.loads(TANH))
    with pytest.raises(shlo.FileError):
        models.add("none.mlirbc")


def test_errors_are_in_the_words_of_python(models, tmp_path):
    with pytest.raises(shlo.NotFoundError, match=r'hint: call Archive.ls\("net@\*"\) to see its versions and tags'):
        models.get("net@nothing")
    with pytest.raises(KeyError, match=r"hint: call Archive.ls\(\) to see what it has"):
        models.show("zzz")
    with pytest.raises(shlo.OutsideWindowError, match="pass allow_outside_window=True"):
        models.load("net", "0.9.0")
    with pytest.raises(shlo.UsageError, match="no paths"):
        models.add([])
    with pytest.raises(FileNotFoundError):
        models.add("nothing.mlir")
    with pytest.raises(shlo.UsageError, match=r'list them: shlo.archive.open\("models"\).ls\(\)'):
        shlo.load("models")
    with pytest.raises(TypeError, match="newest"):
        models.load("net", newest=3)


def test_changing(models, tool):
    assert [model.tags for model in models.tag("net@2", add=["test", "x"], remove=["prod"], metadata={"a": "b"})] == [("test", "x")]
    assert models.show("net@test").metadata == {"a": "b"} and models.load("net@x") == models.load("net@2")
    report = models.migrate("net@1", "current")
    assert report["summary"]["migrated"] == 1 and len(models.show("net@1").forms) == 2
    assert models.load("net@1", newest=True).version == shlo.versions.current and models.load("net@1").version == 62
    assert models.load("net@1", form="1.9.0").version == 62
    counts = models.verify(goldens=True, certificates=True, files=True)
    assert "damage" not in counts or counts["damage"] == []
    models.export(["net@*"], "net.bundle")
    other = shlo.archive.create("other")
    other.import_("net.bundle")
    assert [str(model) for model in other] == ["net@1", "net@2"] and other.load("net@1") == models.load("net@1")
    assert models.prune("net@1")["removed"] and "net@1" not in models and models.rebuild(check=True) == []
    assert json.loads(tool("archive", "ls", "--archive=models", "--json").stdout)["models"] == [model.document for model in models]


def test_damage_is_an_error(models, tmp_path):
    pack = max((tmp_path / "models" / "packs").rglob("*"), key=lambda path: path.stat().st_size)
    data = bytearray(pack.read_bytes())
    data[len(data) // 2] ^= 1
    pack.chmod(0o600)
    pack.write_bytes(data)
    with pytest.raises(shlo.ShloError) as caught:
        models.verify()
    assert caught.value.exit_code in (1, 3) and caught.value.diagnostics


def test_an_archive_is_a_collection(models):
    assert len(models) == 3 and str(models["net@prod"]) == "net@1" and str(models["net"]) == "net@2"
    with pytest.raises(KeyError, match="has no model 'nett'"):
        models["nett"]
    with pytest.raises(shlo.NotFoundError, match=r'hint: call Archive.ls\("net@\*"\) to see its versions and tags'):
        models.load("net@staging")
    with pytest.raises(shlo.UsageError, match="hint: make one with shlo.archive.create"):
        shlo.archive.open(".")
