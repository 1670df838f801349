"""Programs of PyTorch, exported by torchax."""

from __future__ import annotations

import importlib
from typing import Any, Callable

from . import jax as _jax
from ._checked import checked
from ._errors import missing_package
from ._program import Program


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise missing_package(package, f"pip install {package}") from None


@checked
def export(module: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[list[Any], Program]:
    """Exports a ``torch.nn.Module`` for example arguments, and returns its weights and its program, whose first arguments
    they are: ``program.eval(*weights, *args)``."""
    torch = _import("torch")
    return program(torch.export.export(module, args, kwargs))


@checked
def program(exported: Any) -> tuple[list[Any], Program]:
    """Returns the weights and the program of a ``torch.export.ExportedProgram``."""
    weights, stablehlo = _import("torchax.export").exported_program_to_stablehlo(exported)
    found = list(weights.values()) if isinstance(weights, dict) else list(weights)
    return found, _jax.program(stablehlo)


@checked
def eval(exported: Any, *args: Any) -> list[Any]:
    """Evaluates a ``torch.export.ExportedProgram``, and returns its results as tensors of PyTorch."""
    torch = _import("torch")
    weights, made = program(exported)
    return [torch.from_numpy(result.copy()) for result in made.eval(*weights, *args)]


__all__ = ["eval", "export", "program"]


def __dir__() -> list[str]:
    return __all__
