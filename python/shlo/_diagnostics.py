"""Diagnostics, and the exceptions and warnings that carry them."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Iterable, List, Literal, NamedTuple, Sequence

from ._documented import documented
from ._printed import printed
from ._words import in_python

Severity = Literal["error", "warning", "note"]


@documented
class Diagnostic(NamedTuple):
    """An error, warning or note. Texts are empty, numbers 0, where something is unknown."""

    severity: Severity
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
    """A warning about a program, or about how a request was understood. `diagnostic` has its parts."""

    diagnostic: Diagnostic

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return str(self.diagnostic)


class Diagnostics(List[Diagnostic]):
    """A list of diagnostics, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        from ._html import table

        rows = [(d.severity, f"{d.file}:{d.line}" if d.line else d.file, d.op, d.message, d.place_count, d.hint) for d in self]
        return table(("", "place", "op", "message", "places", "hint"), rows)


def diagnostics_of(found: Iterable[Sequence[Any]]) -> Diagnostics:
    """Returns the diagnostics of a call of the extension, in the words of Python."""
    return Diagnostics(diagnostic_of(fields) for fields in found)


def _stacklevel() -> int:
    """Returns the level of the first caller outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "shlo":
        level, frame = level + 1, frame.f_back
    return level


def warn(found: Iterable[Sequence[Any]]) -> None:
    """Issues a Python warning for each warning, where the package was called. Notes go to the logger ``shlo`` as
    information."""
    for diagnostic in diagnostics_of(found):
        if diagnostic.severity == "warning":
            warnings.warn(ShloWarning(diagnostic), stacklevel=_stacklevel())
        else:
            import logging

            logging.getLogger("shlo").info("%s", diagnostic)


def warning(code: str, message: str) -> None:
    """Issues a Python warning of this package."""
    warn([("warning", code, message, "", "", 0, "", 0, 0, "", None, "", "", "")])
