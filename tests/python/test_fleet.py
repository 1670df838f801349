"""Many programs at once, in processes of this machine: the same bytes and reports as the tool, whatever ends on the way.
fleet_ray.py has the same on a Ray cluster, and at the URLs of an object store."""

import contextlib
import importlib.util
import json
import os
import pathlib
import pickle
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
import shlo
from conftest import ACCURATE, TANH, generated
from shlo import fleet
from shlo.fleet import _command, _run, _slot

import fleet_functions

# Systems without these files are few, and only two tests look for processes there.
needs_children = pytest.mark.skipif(not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"), reason="needs /proc")
FORMATS = ("text", "json", "sarif", "junit", "github", "gitlab", "markdown", "html")
BAD_TYPE = TANH.replace("%x, %0 : tensor<4xf32>", "%x, %0 : tensor<5xf32>", 1)
POLICY = """consumers = ["1.0.0"]
custom-calls = ["Sharding"]
exclude = ["models/excluded/**"]
[budget]
ops = 5
[rules]
random-op = "error"
[[waiver]]
rule = "op-count"
path = "models/d1/**"
reason = "<large> & known"
owner = "o"
expires = 2099-01-01
[[waiver]]
rule = "op-count"
path = "models/d2/**"
reason = "was known"
owner = "o"
expires = 2020-01-01
"""


@pytest.fixture(scope="session")
def programs():
    return list(generated(40, stablehlo=True))


@pytest.fixture
def models(tmp_path, monkeypatch, programs):
    """The current folder, with 40 programs in models/, and some that are wrong."""
    monkeypatch.chdir(tmp_path)
    for seed, text in programs:
        path = pathlib.Path(f"models/d{seed % 7}/p{seed:02}.mlir")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    pathlib.Path("models/d0/accurate.mlir").write_text(ACCURATE)
    pathlib.Path("models/d1/syntax.mlir").write_text("func.func @f(\n%x: tensor<4xf32> {\n")
    pathlib.Path("models/d1/type.mlir").write_text(BAD_TYPE)
    pathlib.Path("models/d2/cut.mlirbc").write_bytes(b"")
    pathlib.Path("models/d2/notes.txt").write_text("not a program")
    return tmp_path


def document(tool, *arguments):
    return json.loads(tool(*arguments, "--json").stdout)


def files_below(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file() and not p.name.startswith(".")}


# --- Inputs ---


@pytest.fixture
def tree(tmp_path, monkeypatch, containers):
    """Links, loops, hidden names, containers, and files that are not what their names say."""
    monkeypatch.chdir(tmp_path)
    for path in ("a/b.mlir", "a-b.mlir", "a/b/c.mlir", "a/.hidden/x.mlir", "a/.x.mlir", "e/no_ending", "e/x[1].mlir", "a b/ü.mlir", "z/y.bc"):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        if not pathlib.Path(path).parent.joinpath(pathlib.Path(path).name).is_dir():
            pathlib.Path(path).write_text(TANH)
    pathlib.Path("z/llvm.bc").write_bytes(b"BC\xc0\xde" + bytes(100))
    pathlib.Path("z/weights").write_bytes(bytes(5000))
    pathlib.Path("z/readme.md").write_text("# module of words\n")
    pathlib.Path("z/export.bin").write_bytes((containers / "gradients.bin").read_bytes())
    pathlib.Path("z/nowhere.mlir").symlink_to("gone")
    pathlib.Path("z/nowhere.txt").symlink_to("gone")
    pathlib.Path("z/loop").symlink_to("..")
    pathlib.Path("z/link.mlir").symlink_to("../a-b.mlir")
    pathlib.Path("l").symlink_to("a")
    shutil.copytree(containers / "model", "saved/model")
    return tmp_path


@pytest.mark.parametrize("arguments", [
    ["."], ["a"], ["a", "e"], ["**"], ["*/*.mlir"], ["a/**/c.mlir"], ["a/.*"], ["a/.hidden/*"], ["e/x[1].mlir"], ["?-b.mlir", "a-b.mlir"],
    ["saved"], ["saved/model"], ["sav*/m*"], ["z"], ["z/*"], ["l"], ["l/*.mlir"], ["a-b.mlir", "a-b.mlir", "gone.mlir"],
    ["none*"], ["none*", "a"], ["z/nowhere.mlir"], ["./a/../a", "a/"], ["a/*"],
])  # fmt: skip
def test_inputs_are_those_of_the_tool(tool, tree, arguments):
    expected = document(tool, "verify", *arguments, str(tree / "a-b.mlir"))  # of more than one file
    report = fleet.verify([*arguments, str(tree / "a-b.mlir")], on="here")
    assert [e["file"] for e in report.document["files"]] == [e["file"] for e in expected["files"]]
    assert report.document == expected


def test_pairs_are_those_of_the_tool(tool, tree):
    shutil.copytree("a", "other/a")
    pathlib.Path("other/a/b.mlir").rename("other/a/b.bc") if pathlib.Path("other/a/b.mlir").is_file() else None
    pathlib.Path("other/extra.mlir").write_text(TANH)
    pathlib.Path("other/a-b.mlir").write_text(TANH.replace("add", "subtract"))
    expected = document(tool, "prove", ".", "other", "--inputs=4")
    report = fleet.prove(".", "other", max_inputs=4, jobs=1)
    assert report.document == expected and report.exit_code == 1
    assert any("@main: different" in f["diagnostic"]["message"] for f in report.findings)
    assert fleet.prove("a-b.mlir", "other/a-b.mlir", jobs=1).exit_code == 1
    assert fleet.prove("a-b.mlir", "a-b.mlir", jobs=1).exit_code == 0
    with pytest.raises(shlo.UsageError, match="is one program"):
        fleet.prove("z", "z/weights", jobs=1)


# --- The same as the tool ---


@pytest.mark.parametrize("jobs", [1, 3])
def test_verify(tool, models, jobs):
    report = fleet.verify("models", jobs=jobs, batch_items=5)
    assert report.document == document(tool, "verify", "models") and report.exit_code == 3
    assert report.summary().encode() in tool("verify", "models").stderr
    assert fleet.verify("models/d3", lenient=True, jobs=1).exit_code == document(tool, "verify", "models/d3", "--lenient")["exit"]


@pytest.mark.parametrize("flags, options", [
    ([], {}),
    (["--target=1.9.0", "--allow-outside-window", "--emit=mlirbc"], {"target": "1.9.0", "allow_outside_window": True, "emit": "mlirbc"}),
    (["--for=jaxlib==0.7.0", "--emit=shlo", "--expand"], {"target": "jaxlib==0.7.0", "emit": "shlo", "expand": True}),
    (["--target=current", "--prove", "--lenient"], {"target": shlo.versions.current, "prove": True, "lenient": True}),
])  # fmt: skip
def test_convert(tool, models, flags, options):
    options = dict(options)
    expected = document(tool, *flags, "--keep-going", "--out-dir=out", "models")
    shutil.move("out", "expected")
    report = fleet.convert("models", options.pop("target", None), out="out", jobs=3, batch_items=7, **options)
    assert report.document == expected and report.document["summary"]["failed"]
    assert files_below("out") == files_below("expected")
    assert sorted(p.name for p in pathlib.Path("out").glob(".*")) == [".shlo-fleet-resume"]  # the run failed


def test_convert_containers(tool, tree, tmp_path_factory):
    flags = ["--target=1.9.0", "--allow-outside-window"]
    expected = document(tool, *flags, "--keep-going", "--out-dir=out", "z", "saved")
    expected_files = files_below(shutil.move("out", tmp_path_factory.mktemp("tool")))
    report = fleet.convert(["z", "saved"], "1.9.0", out="out", allow_outside_window=True, jobs=2)
    assert report.document == expected and "model/saved_model.pb" in files_below("out")
    assert files_below("out") == expected_files
    hidden = fleet.convert("a/.*", out="hidden", emit="shlo", jobs=1)
    assert hidden.document["summary"]["done"] == 2 and sorted(p.name for p in pathlib.Path("hidden").rglob("*.shlo")) == [".x.shlo", "x.shlo"]


def test_convert_refuses_before_it_writes(tool, models):
    shutil.copytree("models", "more")
    for arguments, out, flags in ([["models", "more"], "out", []], [["models"], "models", []], [["models/d0/p00.mlir", "more/d0/p00.mlir"], "out", []]):
        with pytest.raises(shlo.UsageError) as error:
            fleet.convert(arguments, out=out, **dict(flags))
        expected = tool("--out-dir", out, *arguments).stderr.decode()
        assert str(error.value).splitlines()[0] == expected.splitlines()[0] and not pathlib.Path("out").exists()
    for target in ("7.7.7", "jaxlib==no"):
        with pytest.raises(shlo.UsageError):
            fleet.convert("models", target, out="out", jobs=1)
    with pytest.raises(TypeError, match="no option 'no_such_option'"):
        fleet.convert("models", out="out", no_such_option=1)
    for paths in ([], "-", "empty*"):
        try:
            assert fleet.convert(paths, out="out", jobs=1).exit_code == 4
        except shlo.UsageError:
            pass


@pytest.mark.parametrize("with_policy", [False, True])
def test_check_in_every_format(tool, models, with_policy):
    pathlib.Path("models/excluded").mkdir()
    pathlib.Path("models/excluded/x.mlir").write_text(TANH)
    if with_policy:
        pathlib.Path("shlo-compat.toml").write_text(POLICY)
    arguments = ["models", "gone.mlir"] + ([] if with_policy else ["--for=1.0.0", "--no-policy"])
    options = {} if with_policy else {"requires": "1.0.0", "no_policy": True}
    for jobs in (1, 3):
        report = fleet.check(["models", "gone.mlir"], jobs=jobs, batch_items=9, **options)
        assert report.document == document(tool, "check", *arguments) and report.exit_code == 4
        for format in FORMATS:
            tool("check", *arguments, f"--report={format}=tools")
            lines = pathlib.Path("tools").read_text().splitlines(True)
            # The page of a fleet leaves out what the document does not have.
            lines = [line for line in lines if not line.startswith("<tr><td>Consumers<")]
            assert report.render(format) == "".join(lines), format
    assert bool(report.document["policy_findings"]) == with_policy
    assert {f["rule"] for f in report.findings} >= {"io", "consumer-blocked"}
    if with_policy:
        assert any(f["waived"] for f in report.findings)
        with pytest.raises(shlo.UsageError, match="found no programs"):
            fleet.check("models/excluded", jobs=1)
        named = fleet.check("models/d1", policy="shlo-compat.toml", jobs=1)
        assert named.document == document(tool, "check", "models/d1")


def test_every_command_has_every_format(models):
    pathlib.Path("models/d1/add.mlir").write_text(
        "func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {\n"
        '  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n'
    )
    report = fleet.verify("models/d1", jobs=1)
    assert pickle.loads(pickle.dumps(report)).render("text") == report.render("text")
    assert {f["rule"] for f in report.findings} == {"syntax", "constraint"}
    assert list(dict.fromkeys(f["file"] for f in report.findings))[:2] == ["models/d1/add.mlir", "models/d1/syntax.mlir"]
    for format in FORMATS:
        assert "syntax.mlir" in report.render(format) and "source_line" not in report.render(format)
    run = json.loads(report.render("sarif"))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["constraint"]
    assert {result["ruleIndex"] for result in run["results"]} == {0}
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 3
    assert "%x: tensor<4xf32> {\n" in report.render("text") and "<td>Date</td>" not in report.render("html")


def test_check_against_a_revision(tool, models):
    def git(*words):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], check=True, capture_output=True, env=environment)

    git("init", "-q")
    git("add", "models")
    git("commit", "-qm", "one")
    pathlib.Path("models/d3/p03.mlir").unlink()
    pathlib.Path("models/d0/p00.mlir").write_text(TANH)
    for name in ("against", "changed_since"):
        report = fleet.check("models", jobs=2, batch_items=10, no_policy=True, **{name: "HEAD"})
        flag = f"--{name.replace('_', '-')}=HEAD"
        assert report.document == document(tool, "check", "models", "--no-policy", flag)
        tool("check", "models", "--no-policy", flag, "--report=text=tools")
        assert report.render("text").splitlines() == pathlib.Path("tools").read_text().splitlines()


def test_evaluate(tool, models):
    report = fleet.eval("models/d[34]", inputs="random:3", out="results", jobs=2)
    for entry in report.document["files"]:
        done = tool("eval", entry["file"], "--inputs=random:3", "--outputs=expected.npz")
        assert done.returncode == entry["exit"], entry
        if entry["exit"] == 0:
            assert pathlib.Path(entry["output"]).read_bytes() == pathlib.Path("expected.npz").read_bytes()
        else:
            expected = document(tool, "eval", entry["file"], "--inputs=random:3", "--outputs=expected.npz")
            assert entry["diagnostics"] == expected["diagnostics"]
    counts = report.document["summary"]
    assert counts["done"] and counts["done"] == len(list(pathlib.Path("results").rglob("*.npz")))
    again = fleet.eval("models/d[34]", inputs="random:3", jobs=1)
    assert [e.get("sha256") for e in again.document["files"]] == [e.get("sha256") for e in report.document["files"]]


def test_evaluate_on_files(tree):
    import numpy as np

    pathlib.Path("inputs").mkdir()
    np.savez("inputs/a-b.npz", np.ones(4, np.float32))
    report = fleet.eval("a-b.mlir", inputs="inputs/{path}.npz", out="results", format="safetensors", jobs=1)
    assert report and list(shlo.load_tensors("results/a-b.safetensors").values())[0].tolist() == [np.float32(np.tanh(np.float32(1)) + 1)] * 4
    missing = fleet.eval("a/b.mlir" if pathlib.Path("a/b.mlir").is_file() else "a/b/c.mlir", inputs="inputs/{path}.npz", jobs=1)
    assert missing.exit_code == 4


# --- What ends on the way ---


def test_a_file_that_ends_every_process(models, monkeypatch):
    shutil.copy("models/d3/p03.mlir", "models/d3/poison.mlir")
    with monkeypatch.context() as patch:
        patch.setattr(_command, "Work", fleet_functions.Poisoned)
        reports = [fleet.convert("models", out=f"out{jobs}", emit="shlo", jobs=jobs, batch_items=20) for jobs in (1, 4)]
    (entry,) = [e for e in reports[0].document["files"] if "poison" in e["file"]]
    assert entry["exit"] == 4 and "ended 4 times: signal 11 (SIGSEGV)" in entry["diagnostics"][0]["message"]
    assert reports[0].statistics.ended >= 4 and "out1/d3/poison.mlir" not in files_below("out1")
    os.remove("models/d3/poison.mlir")
    clean = fleet.convert("models", out="clean", emit="shlo", jobs=1)
    assert files_below("out1") == files_below("out4") == files_below("clean")
    others = [e["exit"] for e in reports[1].document["files"] if "poison" not in e["file"]]
    assert others == [e["exit"] for e in clean.document["files"]]
    texts = [report.render("sarif").replace("out4", "out1") for report in reports]
    assert texts[0] == texts[1] and '"executionSuccessful": false' in texts[0]


def test_a_file_that_takes_too_long(models, monkeypatch):
    monkeypatch.setattr(_command, "Work", fleet_functions.Endless)
    monkeypatch.setattr(_command, "_GRACE", 1.0)
    shutil.copy("models/d3/p03.mlir", "models/d3/endless.mlir")
    report = fleet.verify("models/d3", jobs=2, timeout=5, batch_items=4)
    (entry,) = [e for e in report.document["files"] if e["exit"]]
    assert entry["file"] == "models/d3/endless.mlir" and entry["diagnostics"][0]["code"] == "limit" and report.exit_code == 3


def children_of(pid):
    with contextlib.suppress(FileNotFoundError):
        return [int(child) for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]
    return []


@needs_children
def test_killed_processes_lose_nothing(models):
    """Kills the processes that work, again and again."""
    script = (
        "import sys; from shlo.fleet import _command; import fleet_functions; _command.Work = fleet_functions.Slow\n"
        "from shlo import fleet; r = fleet.convert('models', out='out', emit='shlo', jobs=2, batch_items=4); sys.stdout.write(r.render('json'))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHON_COLORS": "0"}
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment)
    killed, random_source = 0, random.Random(1)
    while process.poll() is None and killed < 3:
        found = children_of(process.pid)
        if found:
            time.sleep(random_source.random() * 0.3)
            with contextlib.suppress(ProcessLookupError):
                os.kill(random_source.choice(found), signal.SIGKILL)
                killed += 1
        time.sleep(0.02)
    text, _ = process.communicate(timeout=100)
    expected = fleet.convert("models", out="expected", emit="shlo", jobs=1)
    assert text.splitlines() == expected.render("json").replace('"expected/', '"out/').replace('"expected"', '"out"').splitlines() and killed
    assert files_below("out") == files_below("expected")
    assert not [p for p in pathlib.Path("out").rglob(".*") if p.name != ".shlo-fleet-resume"]


def test_a_run_that_was_killed_continues(models, monkeypatch):
    script = (
        "from shlo.fleet import _command; import fleet_functions; _command.Work = fleet_functions.Slow\n"
        "from shlo import fleet; fleet.convert('models', out='out', emit='shlo', jobs=1, batch_items=4)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHON_COLORS": "0"}
    process = subprocess.Popen([sys.executable, "-c", script], env=environment)
    checkpoint = pathlib.Path("out/.shlo-fleet-resume")
    deadline = time.monotonic() + 60
    while (not checkpoint.exists() or checkpoint.read_text().count("\n") < 6) and time.monotonic() < deadline:
        time.sleep(0.05)
    workers = children_of(process.pid)
    process.kill()
    process.wait()
    while any(os.path.exists(f"/proc/{pid}") for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    with open(checkpoint, "a") as file:
        file.write('{"key": "models/d0/p0')  # as if it had been killed while it wrote
    report = fleet.convert("models", out="out", emit="shlo", jobs=2, resume=True)
    expected = fleet.convert("models", out="expected", emit="shlo", jobs=1)
    counts = report.document["summary"]
    assert counts["up_to_date"] >= 4 and counts["up_to_date"] + counts["done"] == expected.document["summary"]["done"]
    assert files_below("out") == files_below("expected")

    def comparable(report):
        files = json.loads(json.dumps(report.document["files"]).replace("expected/", "out/"))
        return [{**entry, "up_to_date": None} for entry in files]

    assert comparable(report) == comparable(expected)
    assert report.render("sarif") == expected.render("sarif")
    assert not [p.name for p in pathlib.Path("out").glob(".shlo-fleet-*") if p.name != checkpoint.name]


def test_resume_goes_by_content(models):
    options = {"out": "out", "emit": "shlo", "jobs": 1}
    first = fleet.convert("models/d3", **options, resume=True).document["summary"]
    assert first["up_to_date"] == 0 and first["failed"] == 0

    def again(**changed):
        counts = fleet.convert("models/d3", **{**options, **changed}, resume=True).document["summary"]
        return counts["done"], counts["up_to_date"]

    assert again() == (0, first["done"])
    os.utime("models/d3/p03.mlir", (1, 1))
    assert again() == (0, first["done"])
    with open("models/d3/p03.mlir", "a") as file:
        file.write("\n// a comment\n")
    assert again() == (1, first["done"] - 1)
    pathlib.Path("out/d3/p10.shlo").unlink(missing_ok=True)
    pathlib.Path("out/p10.shlo").write_bytes(b"changed")
    assert again() == (1, first["done"] - 1) and shlo.load("out/p10.shlo")
    assert again(strip_debuginfo=True) == (first["done"], 0)
    with pytest.raises(shlo.UsageError, match="nothing to resume from"):
        fleet.verify("models", resume=True)
    report = fleet.verify("models", jobs=1, checkpoint="done")
    assert fleet.verify("models", jobs=1, checkpoint="done", resume=True).document == report.document
    pathlib.Path("done").write_text("something of mine")
    with pytest.raises(shlo.FileError, match="not a checkpoint"):
        fleet.verify("models", jobs=1, checkpoint="done", resume=True)


# --- The runner ---


def test_run_returns_outcomes_in_order():
    outcomes = fleet.run(fleet_functions.square, range(100), jobs=3, batch_items=7)
    assert [o.value for o in outcomes] == [i * i for i in range(100)] and [o.key for o in outcomes] == [str(i) for i in range(100)]
    assert fleet.run(fleet_functions.square, range(5), on="here", reduce=lambda outcomes: sum(o.value for o in outcomes)) == 30
    assert fleet.run(fleet_functions.square, []) == []
    assert [o.value for o in fleet.run(fleet_functions.prints, range(3), jobs=1)] == [0, 1, 2]


def test_run_finds_what_ends_processes(tmp_path):
    outcomes = fleet.run(fleet_functions.kill_at_7, range(30), jobs=2, retries=1)
    assert [o.value for o in outcomes if not o.problem] == [i for i in range(30) if i != 7]
    assert outcomes[7].problem == fleet.Problem("ended", "signal 9 (SIGKILL)", 2)
    assert [o.value for o in fleet.run(fleet_functions.KillOnce(tmp_path), range(50), jobs=2)] == list(range(50))
    slow = fleet.run(fleet_functions.sleep_at_3, range(6), jobs=2, timeout=5)
    assert [o.problem.kind if o.problem else o.value for o in slow] == [0, 1, 2, "timeout", 4, 5]


def test_run_with_exceptions(tmp_path):
    outcomes = fleet.run(fleet_functions.Fails(tmp_path), range(5), jobs=1, retries=2)
    assert [o.value for o in outcomes] == [0, None, 2, None, 4]
    assert isinstance(outcomes[1].problem.error, ValueError) and outcomes[1].problem[:2] == ("raised", "ValueError: one")
    assert outcomes[3].problem.tries == 3 and "no network" in outcomes[3].problem.text
    if importlib.util.find_spec("cloudpickle") or importlib.util.find_spec("ray"):
        assert [o.value for o in fleet.run(lambda n: n + 1, [1, 2], jobs=1)] == [2, 3]
    else:
        with pytest.raises(shlo.UsageError, match="cannot be sent to other processes"):
            fleet.run(lambda n: n + 1, [1, 2], jobs=1)
    with pytest.raises(shlo.UsageError, match="cannot be sent to other processes"):
        fleet.run(threading.Lock().__enter__, [1], jobs=1)
    with pytest.raises(shlo.UsageError, match="nothing can be done"):
        fleet.run(fleet_functions.refuse, range(5), jobs=1)
    assert "unpicklable" in fleet.run(fleet_functions.unpicklable, [1], jobs=1)[0].problem.text
    for options in ({"retries": -1}, {"jobs": 0}, {"timeout": 0}, {"on": "nowhere"}):
        with pytest.raises(shlo.UsageError):
            fleet.run(fleet_functions.square, [1], **options)


def test_run_with_a_checkpoint(tmp_path):
    function = fleet_functions.Fails(tmp_path)
    options = {"checkpoint": tmp_path / "done", "jobs": 1, "retries": 0, "digest": lambda n: f"v{n}"}
    fleet.run(function, [0, 1, 4], **options)
    outcomes = fleet.run(function, [0, 1, 4, 5], **options)
    assert [o.kept for o in outcomes] == [True, False, True, False]
    calls = (tmp_path / "calls").read_text().split()
    assert sorted(calls) == ["0", "1", "1", "4", "5"]
    assert [o.kept for o in fleet.run(function, [0, 4], **{**options, "digest": lambda n: "new"})] == [False, False]
    assert [o.kept for o in fleet.run(function, [0, 4], **options, options="other")] == [False, False]


def test_few_batches_wait_at_a_time(monkeypatch):
    most, running = 0, 0
    submit, settle = _run.ProcessEngine.submit, _run.Runner._settle

    def counted(self, items):
        nonlocal most, running
        running += 1
        most = max(most, running)
        assert len(items) <= 3
        return submit(self, items)

    def settled(self, batch, answer):
        nonlocal running
        running -= 1
        return settle(self, batch, answer)

    monkeypatch.setattr(_run.ProcessEngine, "submit", counted)
    monkeypatch.setattr(_run.Runner, "_settle", settled)
    sizes = fleet.run(fleet_functions.square, range(100), jobs=2, size=lambda n: 10, batch_bytes=30)
    assert len(sizes) == 100 and most == 4


# --- URLs ---


@pytest.fixture
def memory(models):
    """The programs of `models` in fsspec's memory file system."""
    fsspec = pytest.importorskip("fsspec")
    fs = fsspec.filesystem("memory")
    fs.store.clear()
    for path in sorted(models.rglob("models/**/*")):
        if path.is_file():
            fs.pipe_file("/bucket/" + str(path.relative_to(models)), path.read_bytes())
    return fs


def renamed(document, out="out"):
    text = json.dumps(document).replace("memory://bucket/", "").replace('"expected/', f'"{out}/').replace('"expected"', f'"{out}"')
    return json.loads(text)


def test_urls(tool, memory):
    report = fleet.verify("memory://bucket/models", on="here")
    assert renamed(report.document) == document(tool, "verify", "models")
    assert report.document["files"][0]["file"].startswith("memory://bucket/models/d0/")
    pattern = fleet.verify(["memory://bucket/mod*/d[12]/*.mlir", "memory://bucket/models/d3", "memory://bucket/gone.mlir"], on="here")
    assert renamed(pattern.document) == document(tool, "verify", "mod*/d[12]/*.mlir", "models/d3", "gone.mlir")
    mixed = fleet.verify(["models/d3", "memory://bucket/models/d4"], on="here")
    assert renamed(mixed.document) == document(tool, "verify", "models/d3", "models/d4")
    with pytest.raises(shlo.UsageError, match="cannot open 'nowhere://x'|not known"):
        fleet.verify("nowhere://x/y", on="here")


def test_convert_at_urls(tool, memory):
    expected = document(tool, "--emit=mlirbc", "--keep-going", "--out-dir=expected", "models")
    report = fleet.convert("memory://bucket/models", out="memory://bucket/out", emit="mlirbc", on="here", batch_items=11)
    assert renamed(report.document) == renamed(expected)
    written = {path[len("/bucket/out/") :]: memory.cat_file(path) for path in memory.find("/bucket/out") if "/." not in path}
    assert written == files_below("expected")
    again = fleet.convert("memory://bucket/models", out="memory://bucket/out", emit="mlirbc", on="here", resume=True)
    assert again.document["summary"]["up_to_date"] == report.document["summary"]["done"]
    memory.pipe_file("/bucket/out/" + next(iter(written)), b"changed")
    third = fleet.convert("memory://bucket/models", out="memory://bucket/out", emit="mlirbc", on="here", resume=True)
    assert third.document["summary"]["done"] == 1
    here = fleet.convert("memory://bucket/models/d3", out="here", emit="mlirbc", on="here")
    assert here and {f"d3/{name}": data for name, data in files_below("here").items()}.items() <= written.items()
    report.save("memory://bucket/report.sarif", "sarif")
    assert memory.cat_file("/bucket/report.sarif").decode() == report.render("sarif")


def test_check_and_prove_at_urls(tool, memory, tmp_path):
    (tmp_path / "shlo-compat.toml").write_text(POLICY)
    expected = document(tool, "check", "models")
    report = fleet.check("memory://bucket/models", policy="shlo-compat.toml", on="here", batch_items=20)

    def without_prints(document):
        return [[{**f, "fingerprint": ""} for f in entry["findings"]] for entry in document["files"]]

    assert without_prints(renamed(report.document)) == without_prints(expected) and report.document["totals"] == expected["totals"]
    assert report.document["policy"] == "shlo-compat.toml"
    with pytest.raises(shlo.UsageError, match="is a URL"):
        fleet.check("memory://bucket/models", against="HEAD", on="here")
    proof = fleet.prove("models/d3", "memory://bucket/models/d3", max_inputs=4, on="here")
    assert proof and len(proof.document["pairs"]) == len(list(pathlib.Path("models/d3").iterdir()))
    results = fleet.eval("memory://bucket/models/d3", inputs="random:1", out="memory://bucket/results", on="here")
    local = fleet.eval("models/d3", inputs="random:1", on="here")
    assert [e.get("sha256") for e in results.document["files"]] == [e.get("sha256") for e in local.document["files"]]
    assert len(memory.find("/bucket/results")) >= results.document["summary"]["done"]


# --- The command line ---


def command(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHON_COLORS": "0"}
    return subprocess.run([sys.executable, "-m", "shlo.fleet", *arguments], capture_output=True, text=True, env=environment)


def test_the_command_line(tool, models):
    for arguments in (["verify", "models"], ["prove", "models/d3", "models/d3", "--inputs=4"], ["check", "models", "--for", "1.0.0", "--no-policy"]):
        ours = command(*arguments, "-j2")
        tools = tool(*arguments)
        assert ours.returncode == tools.returncode, arguments
        assert ours.stderr == tools.stderr.decode(), arguments
        if arguments[0] == "check":
            assert ours.stdout == tools.stdout.decode()
    ours = command("convert", "--for", "jaxlib==0.7.0", "models/**", "-o", "out/", "--emit", "shlo")
    tools = tool("--for", "jaxlib==0.7.0", "models/**", "--out-dir", "expected", "--emit", "shlo", "--keep-going")
    assert (ours.returncode, ours.stderr) == (tools.returncode, tools.stderr.decode())
    assert files_below("out") == files_below("expected")
    assert json.loads(command("verify", "models", "--json").stdout) == document(tool, "verify", "models")
    done = command("check", "models/d1", "--report", "sarif=r.sarif", "--report=html=r.html", "--no-policy")
    assert done.returncode == 3 and json.loads(pathlib.Path("r.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.parametrize("arguments, message", [
    ([], "the following arguments are required"), (["verify"], "the following arguments are required: PATH"),
    (["verify", "x", "--no-such"], "unrecognized arguments: --no-such"), (["convert", "x"], "required: -o"),
    (["check", "x", "--report=pdf"], "--report=pdf is not FORMAT"), (["verify", "x", "--json", "--report=text"], "more than one report"),
    (["verify", "x", "-j0"], "not a positive number"), (["convert", "models", "-o", "o", "--target=7.7.7"], "--target=7.7.7"),
    (["check", "models", "--rule=x=y"], "--rule=x=y: unknown rule 'x'"), (["verify", "-"], "'-' is the standard input"),
    (["verify", "x", "--dialect=gone.toml"], "cannot read 'gone.toml'"),
])  # fmt: skip
def test_wrong_command_lines(models, arguments, message, capfd):
    from shlo.fleet.__main__ import main

    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert message in err
    if "verify" in arguments and "--json" in arguments:
        assert json.loads(out)["exit"] == 2


@needs_children
def test_ctrl_c_in_a_terminal_ends_all_processes(models):
    """The terminal sends it to all of them: only the caller's traceback is shown."""
    pty = pytest.importorskip("pty")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHON_COLORS": "0"}
    script = "import fleet_functions; from shlo import fleet; fleet.run(fleet_functions.sleep_at_3, [3] * 4, jobs=2)"
    caller, leader = pty.fork()
    if caller == 0:
        os.execve(sys.executable, [sys.executable, "-c", script], environment)
    children = []
    while len(children) < 2 and os.waitpid(caller, os.WNOHANG) == (0, 0):
        time.sleep(0.05)
        children = children_of(caller)
    time.sleep(0.2)
    sent, shown = time.monotonic(), b""
    os.write(leader, b"\x03")
    with contextlib.suppress(OSError):  # the other side is closed
        while piece := os.read(leader, 65536):
            shown += piece
    os.close(leader)
    assert os.waitstatus_to_exitcode(os.waitpid(caller, 0)[1]) == -signal.SIGINT and time.monotonic() - sent < 10
    assert shown.count(b"Traceback") == 1 and shown.rstrip().endswith(b"KeyboardInterrupt"), shown
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


@needs_children
def test_an_interrupt_ends_all_processes(models):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHON_COLORS": "0"}
    script = "import fleet_functions; from shlo import fleet; fleet.run(fleet_functions.sleep_at_3, [3] * 4, jobs=2)"
    process = subprocess.Popen([sys.executable, "-c", script], env=environment, stderr=subprocess.PIPE)
    children = []
    while len(children) < 2 and process.poll() is None:
        time.sleep(0.05)
        children = children_of(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) != 0 and b"KeyboardInterrupt" in process.stderr.read()
    process.stderr.close()
    assert children and not [pid for pid in children if os.path.exists(f"/proc/{pid}")]


def test_a_process_that_is_about_to_start_ends_too(monkeypatch):
    start, begun = subprocess.Popen, threading.Event()

    def slow_start(*arguments, **options):
        process = start(*arguments, **options)
        begun.set()
        time.sleep(0.3)  # the run ends while nobody knows the process
        return process

    monkeypatch.setattr(_slot.subprocess, "Popen", slow_start)
    engine = _run.ProcessEngine(_slot.pack(fleet_functions.sleep_at_3, None), 1)
    batches = [engine.submit([3]) for _ in range(2)]
    assert begun.wait(30)
    end = threading.Thread(target=engine.close)
    end.start()
    end.join(30)
    ended = not end.is_alive()
    if not ended:
        engine._slots[0].close()  # so that the test does
    assert ended and isinstance(batches[0].result(30), _slot.Died) and batches[1].cancelled()
    begun.clear()
    assert isinstance(engine._slots[0].call(_slot.pack(fleet_functions.square, None), [3]), _slot.Died) and not begun.is_set()


# --- Options ---


def test_options_have_the_names_that_they_have_for_one_program():
    import inspect

    from shlo.fleet import _flags, _options

    kinds = {
        "verify": _options.VerifyOptions, "check": _options.CheckOptions, "prove": _options.ProveOptions, "convert": _options.ConvertOptions,
        "eval": _options.EvalOptions, "archive add": _options.AddOptions, "archive verify": _options.VerifyArchiveOptions,
        "archive migrate": _options.MigrateOptions,
    }  # fmt: skip
    of_a_run = {*_options.ResumeOptions.__annotations__, "limits"}
    for command, kind in kinds.items():
        assert set(kind.__annotations__) - of_a_run == set(_flags.names_of(command)), command
    for command, function in (("check", shlo.check), ("prove", shlo.prove), ("eval", shlo.Program.eval), ("convert", shlo.Program.convert)):
        shared = set(inspect.signature(function).parameters) & {
            "requires", "rules", "consumers", "lenient", "limits", "function", "replicas", "partitions", "fast", "seed", "max_inputs",
            "evaluate_only", "window", "expand", "expand_composites", "fold", "fold_limit", "allow_outside_window", "dialect_targets",
        }  # fmt: skip
        assert shared <= set(kinds[command].__annotations__), command


def test_values_of_options(models):
    from shlo.fleet import _flags

    dialect = shlo.Dialect('dialect = "acme"\n[[version]]\nnumber = 1\n', "acme.toml")
    limits = shlo.Limits(max_memory=3 << 20, max_work=5e6, max_depth=9, timeout=7)
    options = _flags.read_options("check", {
        "rules": {"too-new": "off", "op-count": "error"}, "requires": ["1.0.0", shlo.consumers["jaxlib==0.7.0"]], "dialects": dialect,
        "limits": limits, "lenient": False, "version": shlo.Version(62), "no_policy": True,
    })  # fmt: skip
    assert sorted(_flags.words_of("check", options)) == sorted([
        "--rule=too-new=off", "--rule=op-count=error", "--for=1.0.0", "--for=jaxlib==0.7.0", "--from=62", "--no-policy",
        "--max-depth=9", "--max-memory=3", "--max-work=5",
    ])  # fmt: skip
    pathlib.Path("own.toml").write_text("")
    assert _flags.files_of("check", options) == [("--dialect", "acme.toml", dialect._source[0])]
    assert _flags.files_of("verify", {"dialect": [dialect, "own.toml"]})[1] == ("--dialect", "own.toml", b"")
    assert _flags.read_options("verify", {"limits": shlo.Limits(max_memory=float("inf"))}) == {"max-memory": 1 << 40}
    with pytest.raises(shlo.UsageError, match="'verify' has no limit 'max_work'"):
        _flags.read_options("verify", {"limits": limits})
    for wrong in ({"for_": "1.0.0"}, {"rule": "x=off"}, {"for": "1.0.0"}, {"max_memory": 3}):
        with pytest.raises(TypeError, match=r"'check' has no option '\w+'(?s:.*)it has .*requires.*rules"):
            fleet.check("models", **wrong)
    report = fleet.check("models/d0", requires="1.0.0", rules={"consumer-blocked": "off"}, no_policy=True, jobs=1)
    assert "consumer-blocked" not in {f["rule"] for f in report.findings} and str(report) == report.render("text").rstrip("\n")
    assert fleet.eval("models/d3", inputs="random:1", limits=shlo.Limits(timeout=60), on="here").document["command"] == "eval"


def test_a_cluster_stays_for_the_life_of_the_process(monkeypatch):
    import types

    from shlo.fleet import _ray

    started = []
    ray = types.SimpleNamespace(is_initialized=lambda: bool(started), init=lambda **options: started.append(options))
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr(_ray, "_connected", False)
    assert _ray.connect(None) is _ray.connect(None) is ray and len(started) == 1
    assert _run._engine_of(None, None) == "processes" and _run._engine_of("ray", None) == "ray"  # nobody asked for Ray
    monkeypatch.setattr(_ray, "_connected", False)  # as if the program had connected
    assert _run._engine_of(None, None) == "ray"


def test_files_that_are_missing_are_not_of_other_kinds(tmp_path):
    (tmp_path / "a.mlir").write_text(TANH)
    for names in (["nope"], ["a.mlir", "nope", "deep/nope.mlir"]):
        report = fleet.convert([tmp_path / name for name in names], "1.9.0", out=tmp_path / "out", jobs=1)
        failed = [finding["file"] for finding in report.findings if finding["severity"] == "error"]
        assert report.exit_code == 4 and failed == [str(tmp_path / name) for name in names if "nope" in name]
        assert "cannot open: No such file or directory" in str(report)
