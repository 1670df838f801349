"""The options of the tool that a fleet passes to it, by command."""

from __future__ import annotations

import datetime
import difflib
import math
import os
from typing import Any, Iterable, Mapping

from .._checked import shown
from .._errors import argument_error, usage_error
from .._limits import Limits
from .._program import Dialect
from .._versions import Consumer

_MOST = 1 << 40

# "switch": no value; "value": one; "optional": [=V]; "list": any number; "files": any number, which travel with the command.
_READ = {
    "program": "value", "from": "value", "dialect": "files", "max-depth": "value", "max-memory": "value",
    "max-output": "value", "threads": "value", "lenient": "switch",
}  # fmt: skip
_EVALUATE = {"max-steps": "value", "max-work": "value"}
_CONSUMERS = {"for": "list", "consumers": "files", "today": "value"}
FLAGS: dict[str, dict[str, str]] = {
    "convert": {
        "target": "value", **_CONSUMERS, "dialect-target": "list", "emit": "value", "extract": "optional",
        "container-version": "value", "window": "value", "allow-outside-window": "switch",
        "allow-other-dialects": "switch", "strip-debuginfo": "switch", "expand": "switch",
        "expand-composites": "switch", "fold": "switch", "fold-limit": "value", "locations": "switch",
        "prove": "optional", "at-least": "value", **_EVALUATE, **_READ,
    },
    "check": {
        "policy": "value", "no-policy": "switch", "against": "value", "changed-since": "value", "rule": "list",
        **_CONSUMERS, **_EVALUATE, **_READ,
    },
    "verify": {**_READ},
    "prove": {
        "at-least": "value", "evaluate-only": "switch", "seed": "value", "inputs": "value", **_EVALUATE, **_READ,
    },
    "eval": {
        "entry": "value", "inputs": "value", "platform-index": "value", "replicas": "value", "partitions": "value",
        "fast": "switch", **_EVALUATE, **_READ,
    },
    "archive add": {
        "tag": "list", "meta": "list", "producer": "value", "parent": "list", "new-version": "switch", "golden": "value",
        "entry": "value", "tolerance": "value", "catalog": "value", "wait": "value", **_READ,
    },
    "archive verify": {
        "goldens": "switch", "certificates": "switch", "files": "switch", "checksums": "switch", "catalog": "value", **_READ,
    },
    "archive migrate": {
        "to": "value", "policy": "files", "at-least": "value", "window": "value", "allow-outside-window": "switch",
        "allow-other-dialects": "switch", "expand": "switch", "dry-run": "switch", "today": "value", "catalog": "value",
        "wait": "value", **_READ,
    },
}  # fmt: skip


# Options that Python calls differently; None: one of `limits`, or a separate argument.
_NAMES: dict[str, str | None] = {
    "from": "version", "dialect": "dialects", "for": None, "target": None, "rule": "rules", "entry": "function",
    "dialect-target": "dialect_targets", "tag": "tags", "meta": "metadata", "parent": "parents",
    "max-depth": None, "max-memory": None, "max-output": None, "max-steps": None, "max-work": None, "threads": None,
}  # fmt: skip
_OWN: dict[tuple[str, str], str | None] = {
    ("check", "for"): "requires", ("prove", "inputs"): "max_inputs", ("check", "policy"): None, ("eval", "inputs"): None,
}  # fmt: skip


def names_of(command: str) -> dict[str, str]:
    """Returns the flags of a command by the names that their options have in Python, without those of `limits`."""
    names = {flag: _OWN.get((command, flag), _NAMES.get(flag, flag.replace("-", "_"))) for flag in FLAGS[command]}
    return {name: flag for flag, name in names.items() if name is not None}


def _texts(value: Any) -> list[str]:
    if isinstance(value, (str, os.PathLike, Consumer)):
        value = [value]
    if isinstance(value, Mapping):
        return [f"{key}={_text(item)}" for key, item in value.items()]
    return [_text(item) for item in value]


def _text(value: Any) -> str:
    if isinstance(value, Consumer):
        return value.text
    return os.fspath(value) if isinstance(value, os.PathLike) else str(int(value)) if isinstance(value, int) else str(value)


def _limits(limits: Limits) -> dict[str, Any]:
    """Returns the flags of limits, which are in MiB and milliseconds."""

    def scaled(value: float | None, unit: int) -> int | None:
        return None if value is None else _MOST if value == float("inf") else max(1, math.ceil(value / unit))

    return {
        "max-depth": limits.max_depth, "threads": limits.threads, "max-memory": scaled(limits.max_memory, 1 << 20),
        "max-output": scaled(limits.max_output, 1 << 20), "max-steps": scaled(limits.max_steps, 1),
        "max-work": scaled(limits.max_work, 1_000_000),
    }  # fmt: skip


def _check_value(command: str, key: str, kind: str, value: Any) -> None:
    """Raises `UsageTypeError` unless a value can be that of a flag."""
    is_word = isinstance(value, (str, os.PathLike, int, float, datetime.date)) and not isinstance(value, bool)
    if kind == "switch":
        expected, fits = "True or False", value is True
    elif kind in ("list", "files"):
        items = value if isinstance(value, (list, tuple, set, frozenset, Mapping)) else [value]
        expected = "a text or a list of texts"
        fits = all(isinstance(item, (str, os.PathLike, Consumer, Dialect)) for item in items)
    else:
        expected, fits = "a text or a number", is_word or (kind == "optional" and value is True)
    if not fits:
        raise argument_error(key, f"expected {expected}, got {shown(value)}", of=f"fleet.{command.replace(' ', '.')}", type=True)


def read_options(command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options by the names of flags, without those that are not given. A flag of a command line has its dashes.
    Raises `UsageTypeError` for an option that the command does not have."""
    flags = {**{f"--{flag}": flag for flag in FLAGS[command]}, **names_of(command)}
    given: dict[str, Any] = {}
    for key, value in options.items():
        if key == "limits":
            given.update({} if value is None else _limits(value))
        elif key in flags:
            if value is not None and value is not False:
                _check_value(command, key, FLAGS[command][flags[key]], value)
            given[flags[key]] = value
        else:
            names = sorted([*names_of(command), "limits"])
            close = difflib.get_close_matches(key, names, 1)
            hint = f"did you mean '{close[0]}'? " if close else ""
            raise usage_error(f"'{command}' has no option '{key}'", f"{hint}it has {', '.join(names)}", type=True)
    for flag in given.keys() - FLAGS[command].keys():
        if given[flag] is not None:
            raise usage_error(f"'{command}' has no limit '{flag.replace('-', '_')}'")
    return {flag: value for flag, value in given.items() if value is not None and value is not False}


def words_of(command: str, options: Mapping[str, Any], skip: Iterable[str] = ()) -> list[str]:
    """Returns the words of options on a command line, but for files."""
    out: list[str] = []
    for name, value in options.items():
        kind = FLAGS[command][name]
        if name in skip or kind == "files":
            continue
        if kind == "list":
            out += [f"--{name}={text}" for text in _texts(value)]
        elif kind == "switch" or value is True:
            out.append(f"--{name}")
        else:
            out.append(f"--{name}={_text(value)}")
    return out


def files_of(command: str, options: Mapping[str, Any]) -> list[tuple[str, str, bytes]]:
    """Returns the files of options: the flag, the name and the content of each. Raises `UsageError` for one that cannot be
    read."""
    out = []
    for name, value in options.items():
        if FLAGS[command][name] == "files":
            one = isinstance(value, (str, os.PathLike, Dialect))
            for file in [value] if one else value:
                out.append((f"--{name}", *_file(file)))
    return out


def _file(file: Any) -> tuple[str, bytes]:
    """Returns the name and the content of a file, or of what was read from one."""
    if isinstance(file, Dialect):
        content, name = file._source
        return name, content
    path = os.fspath(file)
    return path, read_file(path)


def read_file(path: str) -> bytes:
    """Returns the content of a file of the command line."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise usage_error(f"cannot read '{path}': {error.strerror}") from None
