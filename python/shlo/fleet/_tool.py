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
