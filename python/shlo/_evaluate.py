"""Evaluation of a function on arrays."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from . import _core
from ._arrays import handle_of, value_of
from ._errors import not_found
from ._printed import loads, printed
from ._walk import Function, Operation

if TYPE_CHECKING:
    from ._program import Program
    from ._walk import Type
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
    try:
        wants_op = "op" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        wants_op = False

    def call(op: int, operands: Sequence[Any], count: int) -> list[Any]:
        arrays = [value_of(operand) for operand in operands]
        made = Operation(program, op)
        results = function(*arrays, op=made) if wants_op else function(*arrays)
        if results is None:
            results = ()
        elif count == 1 and not (isinstance(results, (tuple, list)) and len(results) == 1):
            results = (results,)
        if len(results) != count:
            raise TypeError(f"custom call '{target}' has {count} results, but its function returned {len(results)}")
        return [handle_of(result, value.type) for result, value in zip(results, made.results)]

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


def evaluate(
    program: Program,
    args: Sequence[Any],
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
    function = _function(program, name)
    types: list[Type] = function.type.inputs if function is not None and "functions" not in options else []
    processes = len(args) // len(types) if types else 0
    expected: list[Type | None] = [*types] * processes if processes * len(types) == len(args) else [None] * len(args)
    handles = [handle_of(value, type) for value, type in zip(args, expected)]
    options["print"] = print_text or (lambda text: sys.stdout.write(printed(text, "lines")))
    if custom_calls:
        _check_targets(program, custom_calls)
        options["custom_calls"] = custom_calls_of(program, custom_calls)
    if place is not None:
        from .fleet._placement import placement_of

        options["place"] = placement_of(place, program, custom_calls)
    if profile:
        options["profile"] = True
    named, _, measured = _core.evaluate(program._handle, handles, options)
    arrays = [value for value in args if isinstance(value, numpy.ndarray)]
    results = [_own(value_of(handle), arrays) for _, handle in named]
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
