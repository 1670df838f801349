"""prove, diff and check."""

import json
import pickle

import pytest
import shlo
from conftest import ACCURATE, TANH

OTHER = TANH.replace("stablehlo.tanh", "stablehlo.cosine")


def test_prove():
    a = shlo.loads(TANH)
    proof = shlo.prove(a, a.convert("1.9.0"))
    assert proof and proof.equal and (proof.verdict, proof.evidence) == ("equal", "laws")
    assert proof.functions[0].function == "main" and proof.json()["verdict"] == "equal"
    assert "main" in proof.text and "equal" in repr(proof) and "main" in proof._repr_html_()
    different = shlo.prove(a, shlo.loads(OTHER))
    assert not different and different.verdict == "different" and different.functions[0].detail
    with pytest.raises(shlo.ShloError):
        different.counterexample().eval()
    with pytest.raises(shlo.NotEqualError):
        proof.counterexample()


def test_certificates(tmp_path):
    a = shlo.loads(TANH)
    a.save(tmp_path / "a.mlirbc")
    a.convert("1.9.0").save(tmp_path / "b.mlirbc")
    a, b = shlo.load(tmp_path / "a.mlirbc"), shlo.load(tmp_path / "b.mlirbc")
    certificate = shlo.prove(a, b, certifiable=True).certificate()
    assert shlo.check_certificate(certificate, a, b) == "laws"
    with pytest.raises(shlo.ShloError):
        shlo.check_certificate(certificate, b, a)
    assert "predicate" in json.loads(shlo.prove(a, b, certifiable=True).certificate(in_toto=True))


def test_diff():
    a, b = shlo.loads(TANH), shlo.loads(OTHER)
    assert shlo.diff(a, a).equal and shlo.diff(a, a).matched > 0
    difference = shlo.diff(a, b)
    assert not difference.equal and difference.symbols and difference.counts
    assert repr(difference) == "<shlo.Diff different, 1 function changed, 3 ops matched>" and "<pre>@main" in difference._repr_html_()
    assert difference.document["command"] == "diff" and not difference and shlo.diff(a, a)


def test_texts_are_those_of_the_command(tool, tmp_path):
    paths = [tmp_path / "a.mlir", tmp_path / "b.mlir", tmp_path / "old.mlirbc"]
    paths[0].write_text(TANH)
    paths[1].write_text(OTHER)
    shlo.loads(TANH).convert("1.9.0").save(paths[2])
    a, b, old = map(shlo.load, paths)
    for first, second, names in ((a, b, paths[:2]), (a, a, [paths[0]] * 2), (a, old, [paths[0], paths[2]])):
        assert f"{shlo.diff(first, second)}\n" == tool("diff", *names).stdout.decode()
        assert f"{shlo.prove(first, second)}\n" == tool("prove", *names).stdout.decode()
    assert shlo.diff(a, b).text(1) == tool("diff", "--limit=1", *paths[:2]).stdout.decode()
    report = shlo.check(paths[:2], requires="jaxlib==0.4.30", today="2026-01-01")
    command = tool("check", "--no-policy", "--for=jaxlib==0.4.30", "--today=2026-01-01", *paths[:2])
    assert f"{report}\n" == command.stdout.decode()
    paths[0].unlink()
    assert report.render("json")  # the files are not read again


def test_assertions():
    from shlo.testing import assert_equal, assert_proved

    a, b = shlo.loads(TANH), shlo.loads(OTHER)
    old = a.convert("1.9.0")
    assert_equal(a, shlo.loads(TANH))
    assert_proved(a, old)
    assert_proved(a, old, at_least="laws")
    with pytest.raises(AssertionError, match=r"programs differ\n@main\n  - 2:8  %0 = stablehlo.tanh"):
        assert_equal(a, b)
    with pytest.raises(AssertionError, match="not proved equal: different\n@main: different: result 0 differs at"):
        assert_proved(a, b)
    with pytest.raises(AssertionError, match="equal by laws evidence, expected at least congruence"):
        assert_proved(a, old, at_least="congruence")
    with pytest.raises(shlo.UsageError, match="unknown evidence"):
        assert_proved(a, old, at_least="certain")


def test_check(tmp_path):
    path = tmp_path / "accurate.mlir"
    path.write_text(ACCURATE)
    report = shlo.check(path, requires=["jaxlib==0.4.30"])
    assert not report and report.exit_code == 1 and not report.ok
    assert {f["rule"] for f in report.findings} >= {"consumer-blocked"} and report.findings[0]["file"] == str(path)
    assert json.loads(report.render("sarif"))["version"] == "2.1.0" and "<" in report.render("junit")
    assert shlo.check([tmp_path], requires=["jaxlib==0.4.30"], rules={"consumer-blocked": "off", "consumer-outside-window": "off"})
    assert "consumer-blocked" in report._repr_html_() and "exit code 1" in repr(report)
    assert shlo.check(path, requires="jaxlib==0.4.30").findings == report.findings
    assert shlo.check(path, requires=shlo.consumers["jaxlib==0.4.30"]).findings == report.findings
    with pytest.raises(shlo.UsageError):
        shlo.check(path, rules={"no-such-rule": "off"})
    with pytest.raises(shlo.UsageError, match="unknown format"):
        report.render("pdf")
    assert "consumer-blocked" in shlo.rules()


def test_a_check_of_nothing_does_not_pass(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mlir").write_text(TANH)
    for nothing in ([], (), iter([])):
        with pytest.raises(shlo.UsageError, match="no paths"):
            shlo.check(nothing)
    report = shlo.check(["a.mlir", "nope", "bad.mlir"])
    assert not report and [(f["file"], f["rule"], f["severity"]) for f in report.findings] == [
        ("nope", "io", "error"), ("bad.mlir", "io", "error"),
    ]  # fmt: skip
    assert "2 findings in 3 files" in repr(report) and "No such file" in str(report)
    (tmp_path / "bad.mlir").write_text("func.func @f(")
    (finding,) = shlo.check("bad.mlir").findings
    assert (finding["rule"], finding["diagnostic"]["line"]) == ("syntax", 1) and "1 finding in 1 file" in repr(shlo.check("bad.mlir"))


def test_documents_are_those_of_the_command(tool, tmp_path):
    from shlo import _core

    path = tmp_path / "m.mlir"
    path.write_text(ACCURATE)
    options = {"source_name": str(path)}
    for command, make in (("inspect", _core.inspect_json), ("verify", _core.verify_json)):
        assert make(path.read_bytes(), options) == tool(command, path, "--json").stdout.decode()
        path.write_text("not mlir")
        assert make(path.read_bytes(), options) == tool(command, path, "--json").stdout.decode()
        path.write_text(ACCURATE)
    assert _core.ops_json("gather") == tool("ops", "gather", "--json").stdout.decode()
    assert _core.rules_json(None) == tool("rules", "--json").stdout.decode()
    assert _core.versions_json("1.8.0..1.9.0", None) == tool("versions", "1.8.0..1.9.0", "--json").stdout.decode()


def test_consumers_can_be_pickled():
    assert pickle.loads(pickle.dumps(shlo.consumers)) is shlo.consumers
    own = shlo.Consumers('{"consumers": [{"package": "plugin", "version": "2.1", "stablehlo": "1.4.0"}]}')
    assert pickle.loads(pickle.dumps(own))["plugin==2.1"].version == "1.4.0"
