"""The budget of a call."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from ._checked import checked
from ._documented import documented
from ._errors import argument_error

_NO_LIMIT = 2**64 - 1
_INFINITE = float("inf")


@checked
@documented
class Limits(NamedTuple):
    """The budget of one call. Exceeding a limit raises `LimitError`.

    By default, limits grow with the input: an input of 1 MB takes no more than about 2 s and 256 MB. Evaluation has
    no limit of steps and work by default, because Ctrl-C ends it. Pass ``float("inf")`` for no limit.
    """

    max_memory: float | None = None
    """Bytes of decoding beyond the input, or of live tensors."""
    max_output: float | None = None
    """Bytes of text."""
    max_steps: float | None = None
    """Evaluated ops."""
    max_work: float | None = None
    """Work of evaluation, in approximate nanoseconds."""
    timeout: float | None = None
    """Time of the call, in seconds."""
    max_depth: int | None = None
    """Nesting of regions, types and attributes, up to 2000 (default: 500)."""
    threads: int | None = None
    """Threads of one program, with the same result for any number (default: one per processor)."""


def _in_range(make: Any) -> Any:
    @functools.wraps(make)
    def new(kind: type[Limits], *args: Any, **options: Any) -> Limits:
        limits: Limits = make(kind, *args, **options)
        for name, value in zip(limits._fields, limits):
            if value is not None and not 0 < value <= (2**32 - 1 if name in ("max_depth", "threads") else _INFINITE):
                raise argument_error(name, f"expected a number above 0, got {value}", of="shlo.Limits")
        return limits

    return new


# Methods that a NamedTuple may not define itself: all ways to make one check its values.
setattr(Limits, "__new__", _in_range(Limits.__new__))
setattr(Limits, "_make", classmethod(lambda kind, values: kind(*values)))


def numbers(limits: Limits | None) -> list[int] | None:
    """Returns the limits as the extension takes them: 0 for a default."""
    if limits is None:
        return None

    def whole(value: float | None, unit: int = 1) -> int:
        if value is None:
            return 0
        return _NO_LIMIT if value == float("inf") else max(1, min(_NO_LIMIT, int(value * unit)))

    return [
        whole(limits.max_memory),
        whole(limits.max_output),
        whole(limits.max_steps),
        whole(limits.max_work),
        0 if limits.timeout == float("inf") else whole(limits.timeout, 1000),
        limits.max_depth or 0,
        limits.threads or 0,
    ]
