"""The reference's functions without jaxlib: jaxlib_peer.py compares them with it."""

import numpy as np
import pytest
import shlo
from conftest import ACCURATE, TANH
from shlo import stablehlo


def test_versions():
    assert stablehlo.get_current_version() == shlo.versions.current.release
    assert stablehlo.get_minimum_version() == "0.9.0" and stablehlo.get_api_version() == 9
    assert stablehlo.get_smaller_version("1.0.0", "0.9.0") == "0.9.0"
    assert stablehlo.get_smaller_version("99.0.0", "100.0.0") == "99.0.0"
    for bad in ("x", "1.0", "1.0.0.0", ""):
        with pytest.raises(ValueError, match="failed to convert version"):
            stablehlo.get_smaller_version("1.0.0", bad)
    ages = [stablehlo.get_version_from_compatibility_requirement(r) for r in stablehlo.StablehloCompatibilityRequirement]
    assert ages[0] == stablehlo.get_current_version() and ages[3] == "0.9.0"
    assert [stablehlo.get_smaller_version(a, b) for a, b in zip(ages, ages[1:])] == ages[1:]
    assert stablehlo.get_version_from_compatibility_requirement(3) == "0.9.0"


def test_artifacts():
    artifact = stablehlo.serialize_portable_artifact_str(TANH, "1.0.0")
    assert artifact.startswith(b"ML\xefR\rStableHLO_v1.0.0\0")
    assert stablehlo.serialize_portable_artifact(shlo.loads(TANH), "1.0.0") != b""
    program = stablehlo.deserialize_portable_artifact(None, artifact)
    assert program.version == shlo.versions.current and program == shlo.loads(program.text(locations=True))
    raw = stablehlo.deserialize_portable_artifact_str(artifact)
    assert shlo.loads(raw)["main"](np.zeros(4, np.float32)).tolist() == [0] * 4
    assert stablehlo.serialize_portable_artifact_str(raw, "1.0.0")[:20] == artifact[:20]


@pytest.mark.parametrize("text, target", [(TANH, "99.0.0"), (TANH, "0.5.0"), (TANH, "current"), (TANH, "x"), ("garbage", "1.0.0"), (ACCURATE, "1.0.0")])
def test_refusals(text, target):
    with pytest.raises(ValueError, match="failed to serialize module") as caught:
        stablehlo.serialize_portable_artifact_str(text, target)
    assert isinstance(caught.value.__cause__, shlo.ShloError)


def test_what_is_not_an_artifact():
    artifact = stablehlo.serialize_portable_artifact_str(TANH, "1.0.0")
    for bad in (b"garbage", artifact[:50]):
        for call in (stablehlo.deserialize_portable_artifact_str, lambda a: stablehlo.deserialize_portable_artifact(None, a)):
            with pytest.raises(ValueError, match="failed to deserialize module"):
                call(bad)


def test_eval_module():
    x = np.array([0, 1, 2, 3], np.float32)
    (result,) = stablehlo.eval_module(TANH, [x])
    assert np.allclose(result, x + np.tanh(x))
    for wrong in ([], [x, x], [x.astype(np.int32)], [x[:2]]):
        with pytest.raises(ValueError, match="interpreter failed"):
            stablehlo.eval_module(TANH, wrong)
    stablehlo.register_dialect(None)
    stablehlo.register_interpreter_dialect(None)
    stablehlo.register_stablehlo_passes()
