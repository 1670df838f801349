"""Evaluation of a function on arrays."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from . import _core
from ._arrays import handle_of, value_of
from ._binding import bind, is_tree, wrong_count
from ._checked import shown
from ._errors import argument_error, not_found, usage_error
from ._printed import counted, loads, printed
from ._walk import Function, Operation

if TYPE_CHECKING:
    from ._program import Program
    from .fleet._placement import Place


class Results(list[Any]):
    """The results of a function that was measured."""

    profile: dict[str, Any]
    """Time and memory per op, as in the document of ``shlo-compat eval --json``."""


def _function(program: Program, name: str | None) -> Function | None:
    if name is not None:
        return program[name] if name in program else None
    try:
        return program.main
    except KeyError:
        return None


def _custom_call(program: Program, target: str, function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """Returns a function of tensors of the extension for a function of arrays."""
    if not callable(function):
        raise argument_error("custom_calls", f"expected a function for '{target}', got {shown(function)}", type=True)
    try:
        wants_op = "op" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        wants_op = False

    def call(op: int, operands: Sequence[Any], count: int) -> list[Any]:
        arrays = [value_of(operand) for operand in operands]
        made = Operation(program, op)
        results = function(*arrays, op=made) if wants_op else function(*arrays)
        made_none = results is None
        if made_none:
            results = ()
        elif count == 1 and not (isinstance(results, (tuple, list)) and len(results) == 1):
            results = (results,)
        if len(results) != count:
            returned = "None" if made_none else str(len(results))
            message = f"the custom call '{target}' has {counted(count, 'result')}, but its function returned {returned}"
            raise usage_error(message, "return an array, or a tuple of arrays", type=True)
        return [
            handle_of(result, value.type, f"result {i} of the custom call '{target}'")
            for i, (result, value) in enumerate(zip(results, made.results))
        ]

    return call


def custom_calls_of(program: Program, functions: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., list[Any]]]:
    """Returns functions of tensors of the extension for functions of arrays, by target."""
    return {target: _custom_call(program, target, function) for target, function in functions.items()}


def _check_targets(program: Program, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Raises `NotFoundError` for a function that computes no custom call of the program."""
    calls = program.module.ops("stablehlo.custom_call")
    targets = list(dict.fromkeys(str(call.attributes["call_target_name"].value) for call in calls))
    for name in functions:
        if name not in targets:
            raise not_found(f"the program has no custom call '{name}'", name, targets, there="it calls")


OPTIONS = frozenset({
    "function", "fast", "custom_calls", "print", "replicas", "partitions", "functions", "infeed", "wait_timeout",
    "platform_index", "profile", "place", "limits", "kwargs",
})  # fmt: skip
"""The keywords of `Program.eval`; others are names of arguments."""


def _bound(
    function: Function | None, args: Sequence[Any], named: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Sequence[Any], list[Any]]:
    """Returns the arguments in the order of the program's, and as tensors of the extension."""
    if function is None or "functions" in options:
        return args, [handle_of(value, None, f"argument {i}") for i, value in enumerate(args)]
    signature = function.signature
    taken = [value for value in signature.arguments if value.index is not None]
    types = function.type.inputs
    processes, rest = divmod(len(args), len(taken)) if taken else (0, len(args))
    if named or (any(map(is_tree, args)) and processes <= 1) or (rest and len(args) == len(signature.arguments)):
        args, processes, rest = bind(signature, args, named, sorted(OPTIONS)), 1, 0
    elif len(args) == len(types) > len(taken):
        # With the index of the platform.
        return args, [handle_of(value, type, f"argument {i}") for i, (value, type) in enumerate(zip(args, types))]
    if rest or (processes != 1 and taken and not _in_processes(function, options)):
        raise wrong_count(signature, len(args))

    def where(i: int) -> str:
        value = taken[i % len(taken)]
        return f"argument {i}" + ("" if value.name == f"argument {value.index}" else f" ({printed(value.name, 'name')})")

    wanted = [types[value.index or 0] for value in taken]
    return args, [handle_of(value, wanted[i % len(taken)], _Where(where, i)) for i, value in enumerate(args)]


class _Where:
    """The name of an argument, which only an error needs."""

    __slots__ = ("_name", "_i")

    def __init__(self, name: Callable[[int], str], i: int):
        self._name = name
        self._i = i

    def __str__(self) -> str:
        return self._name(self._i)


def _in_processes(function: Function, options: Mapping[str, Any]) -> bool:
    """Whether arguments may be those of several processes."""
    if options.get("replicas") or options.get("partitions"):
        return True
    attributes = function.program.module.attributes
    stated = any(name in attributes for name in ("mhlo.num_replicas", "mhlo.num_partitions"))
    return stated or next(function.program.ops("sdy.mesh"), None) is not None


def evaluate(
    program: Program,
    args: Sequence[Any],
    named: Mapping[str, Any],
    name: str | None,
    custom_calls: Mapping[str, Callable[..., Any]] | None,
    print_text: Callable[[str], object] | None,
    profile: bool,
    place: Place | None,
    options: dict[str, Any],
) -> list[Any]:
    """Evaluates a function: see `Program.eval`."""
    import numpy

    if name is not None:
        if name not in program:
            raise not_found(f"the program has no function '{name}'", name, program.functions)
        options["function"] = name
    args, handles = _bound(_function(program, name), args, named, options)
    options["print"] = print_text or (lambda text: sys.stdout.write(printed(text, "lines")))
    if custom_calls:
        _check_targets(program, custom_calls)
        options["custom_calls"] = custom_calls_of(program, custom_calls)
    if place is not None:
        from .fleet._placement import placement_of

        options["place"] = placement_of(place, program, custom_calls)
    if profile:
        options["profile"] = True
    returned, _, measured = _core.evaluate(program._handle, handles, options)
    arrays = [value for value in args if isinstance(value, numpy.ndarray)]
    results = [_own(value_of(handle), arrays) for _, handle in returned]
    if not profile:
        return results
    out = Results(results)
    out.profile = loads(measured)
    return out


def _own(result: Any, arrays: Sequence[Any]) -> Any:
    """A result that is an argument itself becomes a copy: the caller may change the argument."""
    import numpy

    if isinstance(result, tuple):
        return tuple(_own(member, arrays) for member in result)
    if isinstance(result, numpy.ndarray) and any(numpy.may_share_memory(result, array) for array in arrays):
        result = result.copy()
        result.flags.writeable = False
    return result
