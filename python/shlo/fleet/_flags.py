"""The options of the tool that a fleet passes to it, by command."""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping

from .._errors import usage_error

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
        "target": "value", "policy": "files", "at-least": "value", "window": "value", "allow-outside-window": "switch",
        "allow-other-dialects": "switch", "expand": "switch", "dry-run": "switch", "today": "value", "catalog": "value",
        "wait": "value", **_READ,
    },
}  # fmt: skip


def _texts(value: Any) -> list[str]:
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(text) for text in value]


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def read_options(command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options by the names of flags, without those that are not given. Raises `TypeError` for one that the command
    does not have."""
    known = FLAGS[command]
    out = {}
    for key, value in options.items():
        name = _name(key)
        if name not in known:
            raise TypeError(f"'{command}' has no option '{key}'; it has {', '.join(sorted(known)).replace('-', '_')}")
        if value is not None and value is not False:
            out[name] = value
    return out


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
            out.append(f"--{name}={value}")
    return out


def files_of(command: str, options: Mapping[str, Any]) -> list[tuple[str, str, bytes]]:
    """Returns the files of options: the flag, the name and the content of each. Raises `UsageError` for one that cannot be
    read."""
    out = []
    for name, value in options.items():
        if FLAGS[command][name] == "files":
            out += [(f"--{name}", path, read_file(path)) for path in _texts(value)]
    return out


def read_file(path: str) -> bytes:
    """Returns the content of a file of the command line."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise usage_error(f"cannot read '{path}': {error.strerror}") from None
