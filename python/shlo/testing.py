"""Assertions about programs, for tests. Their errors show what differs.

Examples:
    >>> from shlo.testing import assert_equal, assert_proved
    >>> assert_equal(shlo.load("model.mlirbc"), m)
    >>> assert_proved(m, m.convert("1.9.0"), at_least="laws")
"""

from __future__ import annotations

from ._checked import checked
from ._compare import EVIDENCE, Evidence, diff, prove
from ._errors import usage_error
from ._limits import Limits
from ._program import Program

_EVIDENCE = EVIDENCE[-2::-1]  # from the weakest to the strongest


@checked
def assert_equal(a: Program, b: Program, *, locations: bool = False, lines: int = 50, limits: Limits | None = None) -> None:
    """Raises `AssertionError` with the report of `shlo.diff` if two programs differ by structure.

    Args:
        a, b: the programs. They may differ in version, in the names of values and in the order of independent ops.
        locations: compare locations, too.
        lines: lines of differences to show; 0: all.
        limits: the budget of the call.
    """
    __tracebackhide__ = True
    found = diff(a, b, locations=locations, limits=limits)
    if not found:
        raise AssertionError(f"the programs differ\n{found.text(lines)}".rstrip("\n"))


@checked
def assert_proved(
    a: Program,
    b: Program,
    *,
    at_least: Evidence = "exhaustive",
    seed: int = 1,
    max_inputs: int | None = None,
    max_elements: int | None = None,
    evaluate_only: bool = False,
    limits: Limits | None = None,
) -> None:
    """Raises `AssertionError` with the report of `shlo.prove` unless two programs are proved to compute the same.

    Args:
        a, b: the programs.
        at_least: the weakest evidence that is enough, as for ``shlo-compat prove --at-least``: ``"sampled"``,
            ``"exhaustive"``, ``"laws"`` or ``"congruence"``.
        seed, max_inputs, max_elements, evaluate_only, limits: as for `shlo.prove`.
    """
    __tracebackhide__ = True
    if at_least not in _EVIDENCE:
        raise usage_error(f"unknown evidence '{at_least}'", f"pass one of {', '.join(_EVIDENCE)}")
    proof = prove(
        a, b, seed=seed, max_inputs=max_inputs, max_elements=max_elements, evaluate_only=evaluate_only, limits=limits
    )
    if not proof:
        raise AssertionError(f"the programs are not proved equal: {proof.verdict}\n{proof}")
    if proof.evidence not in _EVIDENCE[_EVIDENCE.index(at_least) :]:
        raise AssertionError(f"the programs are equal by {proof.evidence} evidence, expected at least {at_least}\n{proof}")


__all__ = ["assert_equal", "assert_proved"]


def __dir__() -> list[str]:
    return __all__
