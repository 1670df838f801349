"""Fixtures of the tests of the Python package. SHLO_TOOL is the tool of the same build, SHLO_WRITE_CONTAINERS the program
that writes containers; run.py sets both."""

import os
import pathlib
import subprocess
import sys
import warnings

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "generator"))

TANH = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.add %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""
# Uses an attribute of 1.10.0 (63).
ACCURATE = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


@pytest.fixture(scope="session")
def tool():
    """Returns a function that runs the tool and returns the finished process."""

    def run(*args, **options):
        return subprocess.run([os.environ["SHLO_TOOL"], *map(str, args)], capture_output=True, **options)

    return run


@pytest.fixture(scope="session")
def containers(tmp_path_factory):
    """A folder with jax.export files and SavedModels."""
    folder = tmp_path_factory.mktemp("containers")
    subprocess.run([os.environ["SHLO_WRITE_CONTAINERS"], str(folder)], check=True)
    return folder


def generated(count, *, stablehlo=False, seed=0):
    """Yields (seed, text) of generated programs; with `stablehlo`, of those with StableHLO ops only."""
    from generate import RECIPES, make_program

    names = [name for name in RECIPES if name.startswith("stablehlo.")] if stablehlo else None
    for number in range(seed, seed + count):
        yield number, make_program(number, names=names)[0]


def quiet(function, *args, **options):
    """Calls a function without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)
