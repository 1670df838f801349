"""Diagnostics, and the exceptions and warnings that carry them."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Iterable, NamedTuple, Sequence

from ._printed import printed
from ._words import in_python

_PACKAGES = ("shlo", "shlo.fleet")


class Diagnostic(NamedTuple):
    """An error, warning or note. Texts are empty, numbers 0, where something is unknown."""

    severity: str
    """``"error"``, ``"warning"`` or ``"note"``."""
    code: str
    """Category, for scripts: ``"blocked"``, ``"syntax"``, ``"invalid-program"``, ..."""
    message: str
    hint: str
    """The remedy."""
    op: str
    """Name of the op, such as ``"stablehlo.add"``."""
    version: int
    """The version concerned; 0 if none is."""
    file: str
    line: int
    """Line of the file, from 1."""
    column: int
    """Column of the line, in bytes, from 1."""
    section: str
    """Binary section that `offset` is relative to."""
    offset: int | None
    """Bytes from the start of that section, or of the file."""
    function: str
    """Symbol name of the enclosing function."""
    location: str
    """The op's MLIR location, as text."""
    source_line: str
    """The line of text that the diagnostic is about."""
    place_count: int = 1
    """Places with the same cause, of which this is the first."""

    def __str__(self) -> str:
        place = printed(self.file, "name") if self.file else ""
        if self.line:
            place += f":{self.line}:{self.column}"
        subject = f"'{self.op}': " if self.op else ""
        times = f" ({self.place_count} times)" if self.place_count > 1 else ""
        return f"{place + ': ' if place else ''}{self.severity}: {printed(subject + self.message, 'message')}{times} [{self.code}]"


def diagnostic_of(fields: Sequence[Any]) -> Diagnostic:
    """Makes a diagnostic of the library, in the words of Python."""
    found = Diagnostic(*fields)
    return found._replace(message=in_python(found.message), hint=in_python(found.hint, hint=True))


class ShloWarning(UserWarning):
    """A warning about a program. `diagnostic` has its parts."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return str(self.diagnostic)


def _outside() -> int:
    """Returns the stack level of the first frame that is not of the package, for the caller of the caller."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__package__", "") in _PACKAGES:
        frame, level = frame.f_back, level + 1
    return level


def warn(found: Iterable[Sequence[Any]]) -> None:
    """Issues a Python warning for each warning, at the line that called the package; notes tell how a request was
    understood and are left out."""
    for fields in found:
        diagnostic = diagnostic_of(fields)
        if diagnostic.severity == "warning":
            warnings.warn(ShloWarning(diagnostic), stacklevel=_outside())
