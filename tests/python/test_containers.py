"""jax.export files and SavedModels, without jax and TensorFlow."""

import pytest
import shlo
import shlo.jax
import shlo.tf


def test_jax_export(containers):
    data = (containers / "gradients.bin").read_bytes()
    programs = shlo.reads(data)
    assert len(programs) == 3 and {p.format for p in programs} == {"jax-export"} and shlo.detect(data) == "jax-export"
    assert shlo.load(containers / "gradients.bin") == programs[0]
    older = shlo.jax.downgrade(data, "1.9.0", allow_outside_window=True, prove=True)
    assert [p.version for p in shlo.reads(older)] == [62] * 3
    with pytest.raises(shlo.UsageError):
        shlo.replace_programs(data, programs[:1])
    with pytest.raises(shlo.ShloError):
        shlo.reads((containers / "broken.bin").read_bytes())


def test_saved_model(containers, tmp_path):
    programs = shlo.tf.load(containers / "model")
    assert len(programs) == 2 and all(p.name for p in programs)
    with pytest.raises(shlo.UnsupportedError, match="no StableHLO program"):
        shlo.tf.load(containers / "none.pb")
    target = tmp_path / "older"
    shlo.tf.convert(containers / "model", "1.9.0", target)
    assert [p.version for p in shlo.tf.load(target)] == [62, 62]
    assert (target / "variables" / "variables.index").read_text() == "weights"
    with pytest.raises(FileExistsError):
        shlo.tf.save(containers / "model", programs, target)
    with pytest.raises(shlo.ShloError):
        shlo.tf.save(containers / "model", programs[:1], tmp_path / "one")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["older"]


def test_load_many(containers, tmp_path):
    (tmp_path / "bad.mlir").write_text("not mlir")
    found = dict(shlo.load_many([containers / "one.bin", tmp_path, str(containers / "gradi*")], keep_going=True, progress=False))
    assert [len(v) if isinstance(v, list) else type(v).__name__ for v in found.values()] == [1, "ParseError", 3]
    with pytest.raises(shlo.ParseError):
        list(shlo.load_many(tmp_path))
