"""Programs of jax: ``jax.export`` objects and files.

Needs jax only for functions that take or return its objects.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from ._checked import checked, shown
from ._documented import documented
from ._errors import argument_error, missing_package, usage_error
from ._progress import progress as show_progress
from ._program import PathLike, Program, loads, reads, replace_programs
from ._versions import Consumer, ConsumerLike, VersionLike, known, parse

if TYPE_CHECKING:
    from jax.export import Exported
    from typing_extensions import Unpack

    from ._program import ConvertOptions

Target = Any
"""A jaxlib (``"jaxlib==0.4.30"``), or a version in any notation."""


def _import_jax() -> Any:
    try:
        import jax
        import jax.export
    except ImportError:
        raise missing_package("jax", "pip install 'shlo[jax]'") from None
    return jax


def _check(exported: Any) -> None:
    if not hasattr(exported, "mlir_module_serialized"):
        hint = "pass shlo.loads(lowered.as_text()) for what jit(...).lower(...) returned"
        raise argument_error("exported", f"expected a jax.export.Exported, got {shown(exported)}", hint, type=True)


@checked
def program(exported: Exported) -> Program:
    """Returns the program of an exported function."""
    _check(exported)
    return loads(bytes(exported.mlir_module_serialized), name=str(exported.fun_name))


@checked
def export(function: Callable[..., Any], *args: Any, **options: Any) -> Program:
    """Exports a function of jax for arguments (arrays, or ``jax.ShapeDtypeStruct``), and returns its program. Takes the
    options of ``jax.export.export``."""
    jax = _import_jax()
    jitted: Any = function if hasattr(function, "lower") else jax.jit(function)
    return program(jax.export.export(jitted, **options)(*args))


@checked
def downgrade(
    exported: Exported | bytes, target: VersionLike | ConsumerLike, *, prove: bool = False, **options: Unpack[ConvertOptions]
) -> Any:
    """Returns an exported function, or the content of a ``jax.export`` file, as an older jaxlib reads it.

    Args:
        exported: an ``Exported``, whose program is replaced, for this jax to serialize; or a file, which becomes one of
            the release of jax that the target belongs to.
        target: ``"jaxlib==0.4.30"``, or a version, which means the newest jaxlib with at most that release.
        prove: compare each program before and after.
        options: as for `Program.convert`, such as `expand` and `allow_outside_window`.

    Raises:
        BlockedError, OutsideWindowError, NotEqualError: as `Program.convert`.
    """
    if isinstance(exported, (bytes, bytearray, memoryview)):
        data = bytes(exported)
        consumer = _jaxlib(target)
        converted = [
            one.convert(target, portable=True, prove=prove, **options)
            for one in show_progress(reads(data, name="<jax.export>"), label="converting")
        ]
        return replace_programs(data, converted, version=consumer.package_version or None)
    converted_program = program(exported).convert(target, portable=True, prove=prove, **options)
    return dataclasses.replace(exported, mlir_module_serialized=converted_program.bytes("mlirbc"))


def _jaxlib(target: VersionLike | ConsumerLike) -> Consumer:
    if isinstance(target, Consumer):
        return target
    return known().find(str(parse(target).release) if isinstance(target, int) else target)


@checked
def serialize(
    exported: Exported,
    target: VersionLike | ConsumerLike | None = None,
    *,
    vjp_order: int = 0,
    **options: Unpack[ConvertOptions],
) -> bytes:
    """Returns a ``jax.export`` file, for this jax or for an older jaxlib. Options are as for `Program.convert`."""
    _check(exported)
    data = bytes(exported.serialize(vjp_order=vjp_order))
    return data if target is None else bytes(downgrade(data, target, **options))


@checked
def save(
    exported: Exported,
    path: PathLike,
    target: VersionLike | ConsumerLike | None = None,
    *,
    vjp_order: int = 0,
    **options: Unpack[ConvertOptions],
) -> None:
    """Writes a ``jax.export`` file, for this jax or for an older jaxlib. Readers never see a part of it."""
    _write(path, serialize(exported, target, vjp_order=vjp_order, **options))


@checked
def deserialize(data: bytes, **options: Unpack[ConvertOptions]) -> Exported:
    """Returns the exported function of a ``jax.export`` file of any release of jax, converted to what this jaxlib reads.
    Options are as for `Program.convert`, which applies if the file is newer than this jaxlib."""
    jax = _import_jax()
    from jaxlib import version as jaxlib

    consumer = f"jaxlib=={jaxlib.__version__}"
    try:
        found = known().find(consumer)
    except ValueError:
        found = None  # a jaxlib that is newer than this package
    if found is not None and found.version is not None:
        programs = reads(data, name="<jax.export>")
        newer = any(one.version > found.version for one in programs)
        settings: ConvertOptions = {"allow_outside_window": True, **options}
        converted = [one.convert(found, portable=True, **settings) if newer else one for one in programs]
        data = replace_programs(data, converted, version=jax.__version__)
    return jax.export.deserialize(bytearray(data))


@checked
def load(path: PathLike, **options: Unpack[ConvertOptions]) -> Exported:
    """Reads a ``jax.export`` file of any release of jax: see `deserialize`. `shlo.load` reads its program without jax."""
    _import_jax()
    with open(path, "rb") as file:
        return deserialize(file.read(), **options)


@documented
class Comparison(NamedTuple):
    """Results of this package and of jax."""

    equal: bool
    """Whether all bits are equal."""
    max_difference: float
    """The largest absolute difference of two elements."""
    ours: list[Any]
    theirs: list[Any]


@checked
def eval(exported: Exported, *args: Any, **kwargs: Any) -> Any:
    """Evaluates an exported function with this package's evaluator, and returns results in the structure that jax
    returns them in, as arrays of NumPy."""
    _check(exported)
    jax = _import_jax()
    flat, tree = jax.tree.flatten((args, kwargs))
    if tree != exported.in_tree:
        raise usage_error(f"arguments have the structure {tree}, expected {exported.in_tree}", type=True)
    kept = [flat[i] for i in exported.module_kept_var_idx]
    results = program(exported).eval(*kept)
    return jax.tree.unflatten(exported.out_tree, results[len(results) - exported.out_tree.num_leaves :])


@checked
def compare(exported: Exported, *args: Any, **kwargs: Any) -> Comparison:
    """Evaluates an exported function here and in jax, on the same arguments."""
    _check(exported)
    jax = _import_jax()
    import numpy

    ours = [numpy.asarray(leaf) for leaf in jax.tree.leaves(eval(exported, *args, **kwargs))]
    theirs = [numpy.asarray(leaf) for leaf in jax.tree.leaves(exported.call(*args, **kwargs))]
    largest = 0.0
    for a, b in zip(ours, theirs):
        wide = numpy.complex128 if a.dtype.kind == "c" else numpy.float64
        with numpy.errstate(invalid="ignore"):
            off = numpy.abs(a.astype(wide) - b.astype(wide))
        same = (a == b) | ((a != a) & (b != b))
        largest = max(largest, float(numpy.max(numpy.where(same, 0, off), initial=0.0)))
    equal = len(ours) == len(theirs) and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(ours, theirs)
    )
    return Comparison(equal, largest, ours, theirs)


def _write(path: PathLike, data: bytes) -> None:
    """Writes a file next to `path` and puts it in place when it is complete."""
    part = f"{os.fspath(path)}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.remove(part)
        raise


__all__ = [
    "Comparison", "compare", "deserialize", "downgrade", "eval", "export", "load", "program", "save", "serialize",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
