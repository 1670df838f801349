"""The functions of the reference's Python package, ``jaxlib.mlir.dialects.stablehlo``, under their names.

Where a program of the reference is an ``ir.Module`` of MLIR's bindings, these functions also take a `shlo.Program`, MLIR
text or bytecode, and need no jaxlib. They refuse what the reference refuses, with its `ValueError`; the reason is the
`ShloError` in its ``__cause__``. Versions are the ones known to this package, which may be newer than jaxlib's.
"""

from __future__ import annotations

import enum
import re
from typing import Any, Sequence, Union

from . import _core
from ._arrays import Tensor
from ._checked import checked, shown
from ._errors import ShloError, argument_error, usage_error
from ._program import Program, loads
from ._versions import Version, Versions, parse
from ._walk import Block, Operation

ModuleLike = Union[Program, str, bytes, Any]
"""A program, MLIR text or bytecode, or an ``ir.Module``."""


class StablehloCompatibilityRequirement(enum.Enum):
    """How old a consumer may be."""

    NONE = 0
    """As new as this package."""
    WEEK_4 = 1
    """Four weeks."""
    WEEK_12 = 2
    """Twelve weeks."""
    MAX = 3
    """As old as anything that has a release."""


def get_api_version() -> int:
    """Returns the version of the reference's interface that this module mirrors."""
    return 9


def get_current_version() -> str:
    """Returns the newest release: ``"1.20.0"``."""
    return str(Versions().current.release)


def get_minimum_version() -> str:
    """Returns the oldest release: ``"0.9.0"``."""
    return str(Versions().first_release.release)


_RELEASE = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)")


def _numbers(release: str) -> tuple[int, ...] | None:
    match = _RELEASE.fullmatch(release)
    return None if match is None else tuple(map(int, match.groups()))


@checked
def get_smaller_version(version1: str, version2: str) -> str:
    """Returns the older one of two releases, which need not be known."""
    numbers = [_numbers(version1), _numbers(version2)]
    known = [number for number in numbers if number is not None]
    if len(known) != 2:
        raise ValueError("failed to convert version to stablehlo version")
    return ".".join(map(str, min(known)))


@checked
def get_version_from_compatibility_requirement(requirement: StablehloCompatibilityRequirement | int) -> str:
    """Returns the newest release that consumers of that age read, counted back from today."""
    requirement = StablehloCompatibilityRequirement(requirement)
    if requirement is StablehloCompatibilityRequirement.NONE:
        return get_current_version()
    if requirement is StablehloCompatibilityRequirement.MAX:
        return get_minimum_version()
    return str(parse(requirement.name).release)


def _target(release: str) -> Version:
    """Parses a release up to the current one, whether it exists or not: ``"1.4.1"`` is 1.4.0."""
    numbers = _numbers(release)
    if numbers is None:
        raise usage_error(f"invalid target version '{release}'", "pass a release of the form #.#.#")
    known = [v for v in Versions() if v.release]
    found = [v for v in known if (_numbers(str(v.release)) or ()) <= numbers]
    if not found:
        raise usage_error(f"target version {release} is older than {known[0]}")
    if numbers > (_numbers(str(known[-1].release)) or ()):
        raise usage_error(f"target version {release} is newer than {known[-1]}")
    return found[-1]


def _program(module: ModuleLike, locations: str | None = None) -> Program:
    """Returns the program of a module. Ops of a text without a location get their place in `locations`, as with
    MLIR's parser."""
    if isinstance(module, Program):
        return module
    if isinstance(module, (str, bytes, bytearray)):
        data = module.encode("utf-8", "surrogateescape") if isinstance(module, str) else bytes(module)
    elif not hasattr(module, "operation"):
        raise argument_error("module", f"expected a program, MLIR text or bytecode, or an ir.Module, got {shown(module)}", type=True)
    else:
        data = module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True).encode()
        locations = None
    options: dict[str, Any] = {"source_name": "-", "allow_empty": 1}
    if locations is not None:
        options["implicit_locations"] = locations
    return Program._of(_core.program_read(data, options)[0])


def _flows_between_dialects(program: Program) -> str | None:
    """Returns the name of an op between which and VHLO a value flows; the reference needs a cast for it."""

    def is_vhlo(op: Operation) -> bool:
        return op.vhlo_name is not None or op.name == "builtin.module"

    for op in program.ops():
        if op.name == "builtin.unrealized_conversion_cast":
            continue
        for operand in op.operands:
            owner = operand.owner
            producer = owner.region.op if isinstance(owner, Block) else owner
            if producer.name == "builtin.unrealized_conversion_cast":
                continue
            if is_vhlo(op) != is_vhlo(producer):
                return op.name if not is_vhlo(op) else producer.name
    return None


def _serialize(module: ModuleLike, target: str, allow_other_dialects: bool, writer: str | None = None) -> bytes:
    program = _program(module, "-")
    version = _target(target)
    if not allow_other_dialects and (found := _flows_between_dialects(program)):
        raise usage_error(
            f"values flow between '{found}' and VHLO ops", "pass allow_other_dialects=True to insert casts"
        )
    if program.version != version:
        options: dict[str, Any] = {"allow_outside_window": 1, "allow_other_dialects": 1}
        program = Program._of(_core.convert(program._handle, int(version), options)[0])
    options = {"format": 3, "producer": f"StableHLO_v{target.strip()}", "writer": int(parse(writer or "current"))}
    options["allow_other_dialects" if allow_other_dialects else "only_vhlo"] = 1
    return bytes(_core.program_write(program._handle, options)[0])


@checked
def serialize_portable_artifact(
    module: ModuleLike, target: str, allow_other_dialects: bool = False, *, writer: str | None = None
) -> bytes:
    """Returns a portable artifact of a module for a release, byte for byte as release `writer` of the reference writes it
    (default: the newest). Raises `ValueError` if that release cannot represent it."""
    try:
        return _serialize(module, target, allow_other_dialects, writer)
    except ShloError as error:
        raise ValueError("failed to serialize module") from error


@checked
def serialize_portable_artifact_str(
    module_str: str | bytes, target_version: str, *, writer: str | None = None
) -> bytes:
    """Returns a portable artifact of a program in MLIR text or bytecode, for a release. Raises `ValueError` if the
    program is not valid, or if that release cannot represent it."""
    return serialize_portable_artifact(module_str, target_version, writer=writer)


def _deserialize(artifact: str | bytes) -> Program:
    data = artifact.encode("utf-8", "surrogateescape") if isinstance(artifact, str) else bytes(artifact)
    program = loads(data, name="-")
    current = Versions().current
    if program.version != current:
        program = Program._of(
            _core.convert(program._handle, int(current), {"allow_outside_window": 1, "allow_other_dialects": 1})[0]
        )
    return program


@checked
def deserialize_portable_artifact(context: Any, artifact: str | bytes) -> Any:
    """Returns the program of a portable artifact at the newest version: an ``ir.Module`` in a context of jaxlib's
    bindings, or without one a `shlo.Program`. Raises `ValueError` if it is not an artifact."""
    try:
        program = _deserialize(artifact)
    except ShloError as error:
        raise ValueError("failed to deserialize module") from error
    if context is None:
        return program
    from jaxlib.mlir import ir

    try:
        return ir.Module.parse(program.text(mlir_style=True, generic=True, locations=True), context)
    except ir.MLIRError as error:
        raise ValueError("failed to deserialize module") from error


@checked
def deserialize_portable_artifact_str(artifact_str: str | bytes, *, writer: str | None = None) -> bytes:
    """Returns the program of a portable artifact as StableHLO in MLIR bytecode. No release promises to read
    another release's: pass the reader's release as `writer` (default: the newest). Raises `ValueError` if it is not an
    artifact."""
    try:
        return _deserialize(artifact_str).bytes("mlirbc", plain=True, writer=writer)
    except ShloError as error:
        raise ValueError("failed to deserialize module") from error


@checked
def eval_module(module: ModuleLike, args: Sequence[Any], probe_instrumentation_dir: str = "") -> list[Any]:
    """Evaluates the function ``main``, or the only one, and returns its results. Arguments that are ``DenseElementsAttr``
    of jaxlib's bindings give results of that class; arrays give arrays. Raises `ValueError` if evaluation fails."""
    if probe_instrumentation_dir:
        raise ValueError("interpreter failed: files of probes are not written; use shlo-compat --interpret")
    attributes = [hasattr(arg, "maybe_downcast") or type(arg).__module__.startswith("jaxlib.") for arg in args]
    try:
        values = [Tensor.parse(str(arg)) if is_attribute else arg for arg, is_attribute in zip(args, attributes)]
    except ShloError as error:
        raise ValueError("input args must be DenseElementsAttr") from error
    try:
        results = _program(module).eval(*values)
    except (ShloError, TypeError) as error:
        raise ValueError("interpreter failed") from error
    context = getattr(module, "context", None)
    if context is None:
        return results
    from jaxlib.mlir import ir

    return [ir.Attribute.parse(Tensor(result).text(), context) for result in results]


@checked
def register_dialect(context: Any, load: bool = True) -> None:
    """Registers the dialect in a context of jaxlib's bindings; this package needs no registration."""
    if context is not None:
        from jaxlib.mlir.dialects import stablehlo

        stablehlo.register_dialect(context, load)


@checked
def register_interpreter_dialect(context: Any, load: bool = True) -> None:
    """Registers the dialect of the interpreter in a context of jaxlib's bindings."""
    if context is not None:
        from jaxlib.mlir.dialects import stablehlo

        stablehlo.register_interpreter_dialect(context, load)


def register_stablehlo_passes() -> None:
    """Does nothing: this package has no passes. Its counterparts are options of `Program.convert`."""


__all__ = [
    "StablehloCompatibilityRequirement", "deserialize_portable_artifact", "deserialize_portable_artifact_str",
    "eval_module", "get_api_version", "get_current_version", "get_minimum_version", "get_smaller_version",
    "get_version_from_compatibility_requirement", "register_dialect", "register_interpreter_dialect",
    "register_stablehlo_passes", "serialize_portable_artifact", "serialize_portable_artifact_str",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
