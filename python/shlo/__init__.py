"""StableHLO programs: read, write, convert between versions, evaluate and compare them.

::

    import shlo

    m = shlo.load("model.mlirbc")
    old = m.convert("WEEK_12", prove=True)     # a program for a plugin that is 12 weeks old
    old.save("model-old.mlirbc")
    y = m["main"](x)                           # evaluate it on arrays

`shlo.jax`, `shlo.tf` and `shlo.torch` work with the files and objects of these packages, `shlo.stablehlo` has the
functions of the reference's Python package under its names. `shlo.archive` keeps models in all their versions,
`shlo.fleet` works on many files, and `shlo.testing` has assertions for tests.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._arrays import Tensor
from ._diagnostics import Diagnostic, ShloWarning
from ._errors import (
    BlockedError,
    ConversionError,
    EvaluationError,
    FileDeniedError,
    FileError,
    FileIsFolderError,
    FileMissingError,
    FormatError,
    InvalidInputError,
    LimitError,
    MissingPackageError,
    NewerVersionError,
    NotEqualError,
    NotFoundError,
    OutsideWindowError,
    ParseError,
    PolicyError,
    ShloError,
    TimeLimitError,
    UnsupportedError,
    UsageError,
    UsageTypeError,
    VerificationError,
    VersionError,
)
from ._limits import Limits
from ._ops import OpInfo, Ops, table_of_ops
from ._program import Conversion, Dialect, Program, detect, load, loads, read, reads, replace_programs
from ._versions import Consumer, Consumers, Version, Versions
from ._walk import Attribute, Attributes, Block, Function, Location, Operation, Place, Region, Type, Use, Value
from . import _core

if TYPE_CHECKING:
    from . import archive, fleet, jax, stablehlo, testing, tf, torch
    from ._builder import Builder, BuilderAttribute, BuilderBlock, BuilderOp, BuilderRegion, BuilderValue
    from ._compare import Diff, FunctionProof, Proof, Report, check, check_certificate, diff, negotiate, prove, rules
    from ._files import load_many, load_tensors, save_tensors
    from ._signature import Signature, SignatureValue

versions: Versions = Versions()
"""The version history."""
ops: Ops = table_of_ops
"""All ops, by name."""
consumers: Consumers
"""Packages that are known to read programs."""
__version__: str = _core.library_version()

# Modules and functions that are imported when they are used.
_LAZY = {
    "Builder": "_builder",
    "BuilderAttribute": "_builder",
    "BuilderBlock": "_builder",
    "BuilderOp": "_builder",
    "BuilderRegion": "_builder",
    "BuilderValue": "_builder",
    "Diff": "_compare",
    "FunctionProof": "_compare",
    "Proof": "_compare",
    "Report": "_compare",
    "Signature": "_signature",
    "SignatureValue": "_signature",
    "check": "_compare",
    "check_certificate": "_compare",
    "diff": "_compare",
    "negotiate": "_compare",
    "prove": "_compare",
    "rules": "_compare",
    "load_many": "_files",
    "load_tensors": "_files",
    "save_tensors": "_files",
}
# Not in __all__: `from shlo import *` leaves the jax and torch of the caller alone.
_MODULES = ("archive", "fleet", "jax", "stablehlo", "testing", "tf", "torch")


def __getattr__(name: str) -> Any:
    if name == "consumers":
        from ._versions import known

        value: Any = known()
    elif name in _LAZY:
        value = getattr(importlib.import_module("." + _LAZY[name], __name__), name)
    elif name in _MODULES:
        value = importlib.import_module("." + name, __name__)
    else:
        raise AttributeError(f"module 'shlo' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"])


__all__ = [
    "Attribute", "Attributes", "Block", "BlockedError", "Builder", "BuilderAttribute", "BuilderBlock", "BuilderOp",
    "BuilderRegion", "BuilderValue", "Consumer", "Consumers", "Conversion", "ConversionError", "Diagnostic",
    "Dialect", "Diff", "EvaluationError", "FileDeniedError", "FileError", "FileIsFolderError", "FileMissingError",
    "FormatError", "Function", "FunctionProof", "InvalidInputError", "LimitError", "Limits", "Location", "MissingPackageError",
    "NewerVersionError", "NotEqualError", "NotFoundError", "OpInfo", "Operation", "Ops", "OutsideWindowError", "ParseError", "Place",
    "PolicyError", "Program", "Proof", "Region", "Report", "ShloError", "ShloWarning", "Signature", "SignatureValue", "Tensor",
    "TimeLimitError", "Type", "UnsupportedError", "UsageError", "UsageTypeError", "Use", "Value", "VerificationError",
    "Version", "VersionError", "Versions",
    "check", "check_certificate", "consumers", "detect", "diff", "load", "load_many", "load_tensors", "loads",
    "negotiate", "ops", "prove", "read", "reads", "replace_programs", "rules", "save_tensors", "versions",
]  # fmt: skip
