"""The exceptions of the package. All are a `ShloError`, and carry the diagnostics that the library found."""

from __future__ import annotations

import errno
import functools
import os
from typing import Any, Dict, Iterable, Sequence, TypeVar

from ._diagnostics import Diagnostic, diagnostic_of
from ._printed import printed

_Value = TypeVar("_Value")
_Error = TypeVar("_Error", bound="ShloError")


class ShloError(Exception):
    """A call failed. ``str(error)`` is what the command prints, for the first 20 diagnostics."""

    diagnostics: tuple[Diagnostic, ...]
    """At least one error, with its notes, in the order in which they were found."""
    code: str
    """Category of the first error: ``"blocked"``, ``"syntax"``, ..."""
    exit_code: int
    """Exit code of the command for this error: 1 negative result, 2 usage, 3 invalid input, 4 system error."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = (), code: str = "usage", exit_code: int = 2):
        super().__init__(text)
        self.text = text
        self.diagnostics = tuple(diagnostics)
        self.code = code
        self.exit_code = exit_code

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.diagnostics, self.code, self.exit_code)


class UsageError(ShloError, ValueError):
    """The call is wrong, whatever the program."""


class UsageTypeError(UsageError, TypeError):
    """An argument of a wrong type: of Python, or of the elements of an array."""


class VersionError(UsageError):
    """A text that names no known version."""


class NotFoundError(UsageError, KeyError):
    """A name that nothing has: of a function, an op, an attribute, a consumer. The hint has the names that there are."""


class MissingPackageError(UsageError, ModuleNotFoundError):
    """A Python package that the call needs is not installed."""


class InvalidInputError(ShloError, ValueError):
    """A file or text that is not a program."""


class ParseError(InvalidInputError):
    """Text that does not follow MLIR's grammar."""


class FormatError(InvalidInputError):
    """Bytes that do not follow their format, or changed after they were written."""


class NewerVersionError(InvalidInputError):
    """An artifact of a newer release than this package knows."""


class VerificationError(ShloError, ValueError):
    """A program that does not verify."""


class ConversionError(ShloError):
    """A program that cannot be converted to a target."""


class BlockedError(ConversionError):
    """The target version cannot represent the program. `diagnostics` has every blocker."""


class OutsideWindowError(ConversionError):
    """The conversion is outside the compatibility window. Pass ``allow_outside_window=True`` to convert anyway."""


class EvaluationError(ShloError):
    """Evaluation failed."""


class NotEqualError(ShloError):
    """Two programs or values differ. After ``convert(..., prove=True)``, `proof` is the comparison."""

    proof: Any = None


class PolicyError(ShloError):
    """A rule of a policy was broken."""


class LimitError(ShloError):
    """A limit was exceeded. Pass `limits` to raise it."""


class TimeLimitError(LimitError, TimeoutError):
    """The call took longer than ``Limits(timeout=...)``."""


class UnsupportedError(ShloError, NotImplementedError):
    """A valid request that is not implemented."""


class FileError(ShloError, OSError):
    """A system error, of a file or of memory. `errno`, `strerror` and `filename` are set where the system stated them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), {name: getattr(self, name) for name in ("errno", "strerror", "filename")})


class FileMissingError(FileError, FileNotFoundError):
    """A file, or the folder to write it to, does not exist."""


class FileDeniedError(FileError, PermissionError):
    """A file that may not be read, or written."""


class FileIsFolderError(FileError, IsADirectoryError):
    """A folder where a file is needed."""


_CLASSES: dict[str, type[ShloError]] = {
    "syntax": ParseError,
    "malformed": FormatError,
    "checksum": FormatError,
    "limit": LimitError,
    "unknown-version": VersionError,
    "newer-version": NewerVersionError,
    "invalid-program": VerificationError,
    "constraint": VerificationError,
    "blocked": BlockedError,
    "outside-window": OutsideWindowError,
    "unsupported": UnsupportedError,
    "evaluation": EvaluationError,
    "not-equal": NotEqualError,
    "policy": PolicyError,
    "usage": UsageError,
    "io": FileError,
}


def make_error(text: str, fields: Sequence[Sequence[Any]], code: str, exit_code: int) -> ShloError:
    """Makes the exception for an error of the library. Called by the extension."""
    diagnostics = [diagnostic_of(parts) for parts in fields]
    for found, parts in zip(diagnostics, fields):
        for said, stated in ((found.message, parts[2]), (found.hint, parts[3])):
            if said != stated:
                text = text.replace(printed(stated), printed(said))
    return error_with(text, diagnostics, code, exit_code)


_MOST_SHOWN = 20


def _shortened(text: str) -> str:
    """Returns the text of the first diagnostics. A traceback with hundreds of them hides the call."""
    lines = text.rstrip("\n").split("\n")
    starts = [i for i, line in enumerate(lines) if not line.startswith("  ")]
    if len(starts) <= _MOST_SHOWN + 1:
        return "\n".join(lines)
    return "\n".join([*lines[: starts[_MOST_SHOWN]], f"... {len(starts) - _MOST_SHOWN} more: see the error's diagnostics"])


def error_with(text: str, diagnostics: Sequence[Diagnostic], code: str, exit_code: int) -> ShloError:
    """Makes the exception for diagnostics, whose `text` is printed."""
    text = _shortened(text)
    first = next((found for found in diagnostics if found.severity == "error"), None)
    if code == "limit" and first is not None and first.message == "not done at the deadline":
        return TimeLimitError(text, diagnostics, code, exit_code)
    if code != "io" or first is None:
        return class_of(code)(text, diagnostics, code, exit_code)
    # The library states errors of the system in its words, at the end of the message.
    reason = first.message.rpartition(": ")[2]
    number = _numbers().get(reason)
    error = _FILE_CLASSES.get(number or 0, FileError)(text, diagnostics, code, exit_code)
    if number is not None:
        error.errno, error.strerror, error.filename = number, os.strerror(number), first.file or None
    return error


_FILE_CLASSES: dict[int, type[FileError]] = {
    errno.ENOENT: FileMissingError, errno.EACCES: FileDeniedError, errno.EPERM: FileDeniedError, errno.EISDIR: FileIsFolderError,
}  # fmt: skip


@functools.lru_cache(maxsize=None)
def _numbers() -> dict[str, int]:
    """Returns the numbers of the system's errors by their words."""
    return {**{os.strerror(number): number for number in errno.errorcode}, "no file matches the pattern": errno.ENOENT}


def class_of(code: str) -> type[ShloError]:
    """Returns the class of errors of a category."""
    return _CLASSES.get(code, ShloError)


def _text(code: str, message: str, hint: str) -> str:
    return f"error: {printed(message)} [{code}]" + (f"\n  hint: {printed(hint)}" if hint else "")


def _parts(code: str, exit_code: int, message: str, hint: str) -> tuple[list[Diagnostic], str, int]:
    """Returns the arguments of an exception after its text."""
    return [Diagnostic("error", code, message, hint, "", 0, "", 0, 0, "", None, "", "", "")], code, exit_code


def _error_of(code: str, exit_code: int, message: str, hint: str) -> ShloError:
    return error_with(_text(code, message, hint), *_parts(code, exit_code, message, hint))


def usage_error(message: str, hint: str = "", *, type: bool = False) -> UsageError:
    """Makes an error about a call. `type`: it is one about a type."""
    kind = UsageTypeError if type else UsageError
    return kind(_text("usage", message, hint), *_parts("usage", 2, message, hint))


# Options of the extension that have another name in Python.
_PARAMETERS = {
    "source_name": "name", "container_version": "version", "wait_timeout_ms": "wait_timeout", "requirements": "requires",
    "unverified": "verify",
}  # fmt: skip


def argument_error(name: object, message: str, hint: str = "", *, of: str = "", type: bool = False) -> UsageError:
    """Makes an error about an argument, by the name of its parameter or in words (``"argument 0 (args[0]['b'])"``). `of`:
    the function. `type`: it is one about a type. Called by the extension, too."""
    subject = _PARAMETERS.get(str(name), str(name))
    if subject.isidentifier():
        subject = f"argument '{subject}'" + (f" of {of}" if of else "")
    return usage_error(f"{subject}: {message}", hint, type=type)


def parse_error(message: str, hint: str = "") -> ShloError:
    """Makes an error about a text that is not what it should be."""
    return _error_of("syntax", 3, message, hint)


def system_error(message: str, hint: str = "") -> ShloError:
    """Makes an error about the system: a process that ended, for one."""
    return _error_of("io", 4, message, hint)


def file_error(kind: type[FileError], number: int, filename: str, message: str, hint: str = "") -> FileError:
    """Makes an error about a file, with the number of the system's error."""
    error = kind(_text("io", message, hint), *_parts("io", 4, message, hint))
    error.errno, error.strerror, error.filename = number, os.strerror(number), filename
    return error


def not_found(message: str, name: str, known: Iterable[str], *, there: str = "it has") -> NotFoundError:
    """Makes the error for a name that is not one of `known`, whose hint has the nearest of them and the list."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    listed = ", ".join(names[:_MOST_NAMES]) + (f", ... ({len(names)} in all)" if len(names) > _MOST_NAMES else "")
    hint = f"did you mean '{near[0]}'? " if near else ""
    hint += f"{there} {listed}" if names else f"{there} none"
    return named_error(NotFoundError, usage_error(message, hint))


def named_error(kind: type[_Error], error: ShloError) -> _Error:
    """Returns an error as one of another class."""
    return kind(error.text, error.diagnostics, error.code, error.exit_code)


_MOST_NAMES = 20


def missing_package(package: str, remedy: str) -> MissingPackageError:
    """Makes the error about a package that is not installed."""
    made = named_error(MissingPackageError, usage_error(f"{package} is not installed", remedy))
    made.name = package.lower()
    return made


class Named(Dict[str, _Value]):
    """A dictionary of the parts of a program by name. A name that it does not have is a `NotFoundError`."""

    def __init__(self, what: str, items: Iterable[tuple[str, _Value]]):
        super().__init__(items)
        self._what = what

    def __missing__(self, name: str) -> _Value:
        raise not_found(f"the program has no {self._what} '{name}'", str(name), self)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)
