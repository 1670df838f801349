"""Versions, consumers, conversion and negotiation."""

import datetime
import json
import logging
import pickle
import warnings

import pytest
import shlo
from conftest import ACCURATE, TANH


def test_versions():
    current = shlo.versions.current
    assert shlo.versions["current"] == current == list(shlo.versions)[-1] == next(reversed(shlo.versions))
    assert shlo.versions.minimum == shlo.versions[37] == list(shlo.versions)[0] == 37
    assert (shlo.versions.first_release.release, len(shlo.versions)) == ("0.9.0", int(current) - 36)
    v = shlo.versions["1.9.0"]
    assert isinstance(v, int) and v == 62 and str(v) == "1.9.0 (62)" and repr(v) == "shlo.Version(62, '1.9.0')"
    assert v.date == datetime.date(2025, 2, 4) or v.date.year == 2025
    assert (v.bytecode_format, v.date_is_bound) == (6, False) and v.change
    assert shlo.Version("v40") == shlo.Version("40") == 40 and shlo.Version(40).release is None
    assert pickle.loads(pickle.dumps(v)).release == "1.9.0"
    assert "1.9.0" in shlo.versions._repr_html_()
    with pytest.raises(shlo.VersionError) as caught:
        shlo.versions["9.9.9"]
    assert isinstance(caught.value, ValueError)
    assert shlo.versions.changes("1.8.0", "1.9.0")


def test_versions_are_indexed_by_number_or_release():
    v = shlo.versions["1.9.0"]
    assert shlo.versions[62] == shlo.versions[v] == shlo.versions["v62"] == v
    assert v in shlo.versions and 62 in shlo.versions and "1.9.0" in shlo.versions
    assert 3 not in shlo.versions and "9.9.9" not in shlo.versions and None not in shlo.versions
    for missing in (0, -1, 1000):
        with pytest.raises(shlo.VersionError):
            shlo.versions[missing]
    for wrong in (slice(2), 1.5, True, None):
        with pytest.raises(TypeError, match="expected a shlo.Version, a whole number or a text"):
            shlo.versions[wrong]
    assert "1.9.0" in shlo.versions._ipython_key_completions_()


def test_versions_compare_with_text_and_have_no_arithmetic():
    v = shlo.Version("1.9.0")
    assert v == "1.9.0" == v and v == "v62" and v == 62 and v == str(v) and not v != "1.9.0"
    assert v != "1.10.0" and v != "no version" and v != None and v != "" and "1.9.0" in [v]  # noqa: E711
    assert v < "1.10.0" and v <= "1.9.0" and v > "1.8.0" and v >= "1.0.0" and "1.8.0" < v and not v < "1.9.0"
    assert max([shlo.Version(40), v, 41]) is v and {v: 1}[62] == 1 and f"{v:d}" == "62"
    assert shlo.Version(str(v)) == shlo.loads(TANH).convert(str(v)).version == 62
    with pytest.raises(shlo.VersionError):
        v < "newest"
    for wrong in (lambda: v + 1, lambda: 1 + v, lambda: v - v, lambda: 75 - v, lambda: 2 * v, lambda: v // 2, lambda: v / 2,
                  lambda: v % 2, lambda: -v, lambda: +v, lambda: ~v, lambda: abs(v), lambda: v & 1, lambda: v | 1, lambda: v ^ 1,
                  lambda: v << 1, lambda: v >> 1, lambda: v**2, lambda: divmod(v, 2), lambda: sum([v, v])):  # fmt: skip
        with pytest.raises(TypeError, match="no arithmetic"):
            wrong()


def test_versions_are_formatted_as_text():
    version = shlo.Version("1.9.0")
    assert f"{version}|{version:>12}|{version:d}|{version:04x}" == "1.9.0 (62)|  1.9.0 (62)|62|003e"


def test_a_target_of_no_consumers_and_of_a_package():
    program = shlo.loads(TANH)
    with pytest.raises(shlo.UsageError, match="no consumers"):
        program.convert([])
    with pytest.raises(shlo.UsageError, match="write jaxlib==VERSION, from .*; shlo.consumers lists them"):
        program.convert("jaxlib")
    with pytest.raises(shlo.VersionError):
        program.convert("jaxlibb")


def test_consumers():
    jaxlib = shlo.consumers["jaxlib==0.4.30"]
    assert (jaxlib.package, jaxlib.package_version, jaxlib.version) == ("jaxlib", "0.4.30", shlo.Version("1.1.0"))
    assert pickle.loads(pickle.dumps(jaxlib)) == jaxlib and "jaxlib 0.4.30" in repr(jaxlib)
    assert any(c.package == "tensorflow-cpu" for c in shlo.consumers.values()) and len(shlo.consumers) > 10
    with pytest.raises(shlo.UsageError):
        shlo.consumers["nothing==1.0"]
    assert "jaxlib==0.7.0" in shlo.consumers and "jaxlib==0.7.0" in list(shlo.consumers) and "jaxlib == 0.7.0" in shlo.consumers
    assert "jaxlib==0.7.3" not in shlo.consumers and "nothing==1.0" not in shlo.consumers and 7 not in shlo.consumers
    assert dict(shlo.consumers.items())["jaxlib==0.7.0"].version == shlo.consumers.get("jaxlib==0.7.0").version
    assert shlo.consumers.get("nothing==1.0") is None and all(name in shlo.consumers for name in shlo.consumers)
    with pytest.raises(KeyError, match="jaxlib"):
        shlo.consumers["nothing==1.0"]
    mine = shlo.Consumers('{"consumers": [{"package": "plugin", "version": "2.1", "stablehlo": "1.4.0"}]}')
    assert mine.find("plugin==2.1").version == shlo.Version("1.4.0")
    assert json.loads(mine.json())["consumers"][0]["package"] == "plugin"
    assert "plugin" in mine._repr_html_()


def test_convert():
    program = shlo.loads(TANH)
    old = program.convert("1.9.0", prove=True)
    assert (old.version, old.conversion.source, old.conversion.target) == (62, program.version, 62)
    assert old.conversion.proof.equal and old["main"] and [s["to"] for s in old.conversion.steps] == ["vhlo.tanh_v1"]
    assert program.convert(62) == program.convert(shlo.versions["1.9.0"]) == old
    assert program.convert("WEEK_12").version <= program.version
    assert old.convert("current").version == shlo.versions.current
    assert "1.9.0 (62)" in repr(old.conversion)
    assert program.conversion is None


def test_convert_for_a_consumer():
    program = shlo.loads(TANH)
    with pytest.raises(shlo.OutsideWindowError) as caught:
        program.convert("jaxlib==0.4.30", window="forward=1d")
    assert "the newest release" in str(caught.value) and "the forward window is 1 day" in str(caught.value)
    assert caught.value.code == "outside-window" and isinstance(caught.value, shlo.ConversionError)
    old = program.convert("jaxlib==0.4.30", allow_outside_window=True)
    assert old.version == shlo.Version("1.1.0")
    both = program.convert(["jaxlib==0.4.30", "jaxlib==0.7.0"], allow_outside_window=True)
    assert both.version == old.version
    assert not shlo.consumers["jaxlib==0.4.30"].assumed_as
    with pytest.warns(shlo.ShloWarning, match="jaxlib 0.4.32 is not a known version, and is assumed to have StableHLO .* as jaxlib 0.4.31 has"):
        guess = shlo.consumers["jaxlib==0.4.32"]
    assert guess.assumed_as == "0.4.31" and "assumed" in guess.name


def test_a_release_that_is_not_known_is_a_warning():
    program = shlo.loads(TANH)
    calls = (
        lambda: program.convert("jaxlib==0.7.3"), lambda: program.convert(["jaxlib==0.7.3"]), lambda: program.blockers("jaxlib==0.7.3"),
        lambda: shlo.negotiate(program, "jaxlib==0.7.3"), lambda: shlo.consumers.find("jaxlib==0.7.3"),
        lambda: shlo.jax.downgrade(program.bytes(), "jaxlib==0.7.3"), lambda: shlo.check("none", requires="jaxlib==0.7.3"),
    )  # fmt: skip
    for call in calls:
        with pytest.warns(shlo.ShloWarning, match="0.7.3 is not a known version") as found:
            try:
                call()
            except shlo.UsageError:
                pass  # these bytes are no container
        assert {warning.filename for warning in found} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program.convert("jaxlib==0.7.2")


def test_notes_reach_the_log(caplog):
    from shlo import _diagnostics

    with caplog.at_level(logging.INFO, "shlo"):
        _diagnostics.warn([("note", "usage", "a note", "", "", 0, "", 0, 0, "", None, "", "", "")])
    assert "note: a note" in caplog.text


def test_hints():
    program = shlo.loads("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""")
    (blocker,) = program.blockers("jaxlib==0.6.2")
    assert "drop_hints=True" in blocker.hint
    assert program.blockers("jaxlib==0.6.2", drop_hints=True) == []
    old = program.convert("jaxlib==0.6.2", drop_hints=True, allow_outside_window=True)
    assert old.conversion.dropped_hints == [{"name": "sdy.sharding_rule", "count": 1}]


def test_blockers():
    program = shlo.loads(ACCURATE, name="accurate.mlir")
    assert program.lowest_target == 63 and program.targets()[0] == 63
    (blocker,) = program.blockers("1.9.0")
    assert (blocker.code, blocker.op, blocker.line, blocker.version) == ("blocked", "stablehlo.tanh", 2, 63)
    assert program.blockers("1.10.0") == [] and "<table>" in program.blockers("1.9.0")._repr_html_()
    # One for a cause, which counts its places.
    line = ACCURATE.splitlines()[1]
    twice = shlo.loads(ACCURATE.replace(line, line + "\n" + line.replace("%0", "%1")))
    (both,) = twice.blockers("1.9.0")
    assert both.place_count == 2 and "(2 times)" in str(both) and blocker.place_count == 1
    assert len(twice.blockers("1.9.0", every_place=True)) == 2
    assert program.blockers("jaxlib==0.4.30")
    with pytest.raises(shlo.BlockedError) as caught:
        program.convert("1.9.0")
    assert caught.value.exit_code == 1
    assert caught.value.diagnostics[0].message == blocker.message
    assert caught.value.diagnostics[-1].severity == "note" and "1.10.0 (63)" in caught.value.diagnostics[-1].message


def test_expand_and_fold():
    program = shlo.loads("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""")
    expanded = program.convert("current", expand=True, prove=True)
    assert [op.name for op in expanded.ops() if op.name.startswith("chlo")] == []
    assert expanded.conversion.expanded


def test_negotiate():
    program = shlo.loads(TANH)
    assert shlo.negotiate(program, "jaxlib==0.7.0") == shlo.consumers["jaxlib==0.7.0"].version
    assert shlo.negotiate(program, consumer_current="1.9.0", allow_outside_window=True) == 62
    assert shlo.negotiate(None, consumer_minimum="1.0.0", consumer_current="99.0.0") == shlo.versions.current
    with pytest.raises(shlo.BlockedError, match="no release is common"):
        shlo.negotiate(None, producer_current="1.0.0", consumer_minimum="1.5.0", consumer_current="1.9.0")
    with pytest.raises(shlo.BlockedError):
        shlo.negotiate(shlo.loads(ACCURATE), consumer_current="1.8.0", allow_outside_window=True)
    with pytest.raises(shlo.VersionError):
        shlo.negotiate(None, consumer_current="newest")


def test_ops():
    gather = shlo.ops["gather"]
    assert gather.name == shlo.ops["stablehlo.gather"].name == shlo.ops["vhlo.gather_v2"].name == "stablehlo.gather"
    assert gather.since == 37 and gather.until is None and len(gather.revisions) == 2
    assert gather.operands == ["operand", "start_indices"] and "slice_sizes" in gather.attributes
    assert "C1" in gather.constraints and gather.evaluated and "stablehlo.gather" in gather.example
    assert "gather_v2" in gather._repr_html_() and "stablehlo.gather" in repr(gather)
    assert len(shlo.ops) > 100 and "stablehlo.add" in shlo.ops and "gether" not in shlo.ops
    with pytest.raises(KeyError, match="gathr"):
        shlo.ops["gathr"]
