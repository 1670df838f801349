"""The command line of the tool in this process, with its output: for processes that do nothing else (see `Slot`)."""

from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any, Sequence

from .. import _core
from .._printed import loads

JsonObject = dict[str, Any]


class Output:
    """The exit code and the output of a command."""

    code: int
    """The exit code."""
    out: bytes
    """The standard output."""
    err: bytes
    """The standard error."""

    def __init__(self, code: int, out: bytes, err: bytes):
        self.code, self.out, self.err = code, out, err

    def document(self) -> JsonObject:
        """Returns the document of ``--json``."""
        found: JsonObject = loads(self.out)
        return found


def run(words: Sequence[str], folder: str) -> Output:
    """Runs a command line in a folder."""
    before, streams = os.getcwd(), [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            os.chdir(folder)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            code = _core.run_command(["shlo-compat", *words])
            ctypes.CDLL(None).fflush(None)  # what the tool has printed is in a buffer of the C library
        finally:
            os.dup2(streams[0], 1)
            os.dup2(streams[1], 2)
            os.close(streams[0])
            os.close(streams[1])
            os.chdir(before)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return Output(code, *texts)


def are_programs(heads: Sequence[bytes]) -> list[bool]:
    """Returns which files are programs, by the first bytes of each."""
    found = [_format(head) for head in heads]
    texts = [i for i, known in enumerate(found) if known is None]
    if texts:
        # The tool tells programs from other texts when it searches a folder.
        with tempfile.TemporaryDirectory() as folder:
            for i in texts:
                with open(os.path.join(folder, f"{i}.txt"), "wb") as file:
                    file.write(heads[i])
            document = run(["verify", "--json", "--max-memory=64", "-j1", folder], folder).document()
        listed = {os.path.basename(entry["file"]) for entry in document.get("files", ())}
        for i in texts:
            found[i] = f"{i}.txt" in listed
    return [bool(known) for known in found]


def _format(head: bytes) -> bool | None:
    """Whether it is a program, or None for a text that may be one."""
    if _core.format_detect(head) != "text":
        return True
    return False if b"\0" in head[:4096] else None
