"""How texts that files chose are shown, and what documents make of names that are not UTF-8. The rules are those of the
tool (lib/base/printable.h), which applies them."""

from __future__ import annotations

import json
from typing import Any

from . import _core


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, which no file has
        return text.encode("utf-8", "backslashreplace")


def printed(text: object, medium: str = "terminal") -> str:
    """Returns a text for a medium: "terminal" or "xml"; or a "name", a "symbol", or a "message" of at most 12 KiB as the tool
    prints them in a terminal."""
    return str(_core.printed_text(_bytes(str(text)), medium))


def counted(number: int, noun: str) -> str:
    """Returns "1 op", "2 ops"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def loads(document: str | bytes) -> Any:
    """Returns a document of the tool. Names that are not UTF-8 are as Python has them (surrogateescape)."""
    return _restored(json.loads(document))


def _restored(value: Any) -> Any:
    if isinstance(value, str):
        return bytes.fromhex(value[1:]).decode("utf-8", "surrogateescape") if value.startswith("\0") else value
    if isinstance(value, list):
        return [_restored(item) for item in value]
    return {_restored(key): _restored(item) for key, item in value.items()} if isinstance(value, dict) else value


def dumped(document: Any) -> str:
    """Returns JSON as the tool writes it."""
    text = json.dumps(_kept(document), indent=2, ensure_ascii=False)
    return printed(text, "json") + "\n"


def encoded(document: Any) -> bytes:
    """Returns JSON for the library to read."""
    return json.dumps(_kept(document)).encode()


def rendered(diagnostic: dict[str, Any]) -> str:
    """Returns a diagnostic of a document as the tool prints it, with the line of text that it has as `source_line`."""
    return str(_core.printed_text(encoded(diagnostic), "diagnostic"))


def _kept(value: Any) -> Any:
    if isinstance(value, str):
        data = _bytes(value)
        return "\0" + data.hex().upper() if value.startswith("\0") or data.decode("utf-8", "replace") != value else value
    if isinstance(value, list):
        return [_kept(item) for item in value]
    return {_kept(key): _kept(item) for key, item in value.items()} if isinstance(value, dict) else value
