"""The progress of a run, in a file: a run that was killed continues where it was, and a later one skips what has not
changed.

The file is text. After the line ``shlo-fleet checkpoint 1`` it has a JSON object for each item, with its `key`, the SHA-256
of the `options` of the run, and the keys of the record. The last line of a key counts; a line that is not complete counts
for nothing. On this machine, lines are appended as items are done. An object store cannot append: there the file is
written as a whole every 30 seconds, and at the end.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from typing import Any

from .._errors import FileError
from ._store import fetch, is_url, local_path, place, remove

_HEADER = "shlo-fleet checkpoint 1\n"
_PERIOD = 30.0


class Checkpoint:
    """Records of the items that are done, by key."""

    def __init__(self, path: str, options: str):
        """`options` is a text that differs if results of the same items may differ."""
        self._path = local_path(path)
        self._options = hashlib.sha256(options.encode("utf-8", "surrogateescape")).hexdigest()
        self._records: dict[str, dict[str, Any]] = {}
        self._file: int | None = None
        self._written = time.monotonic()

    def open(self, resume: bool) -> None:
        """Creates the file, with the records of an earlier run if `resume`. Raises `FileError`."""
        try:
            self._records = self._read() if resume else {}
            self._write()
            if not is_url(self._path):
                self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        except OSError as error:
            raise FileError(f"{self._path}: error: cannot write the checkpoint: {error} [io]", (), "io", 4) from None

    def get(self, key: str) -> dict[str, Any] | None:
        """Returns the record of an item that was made with these options."""
        record = self._records.get(key)
        return record if record is not None and record["options"] == self._options else None

    def add(self, key: str, record: dict[str, Any]) -> None:
        """Notes that an item is done."""
        self._records[key] = {"key": key, "options": self._options, **record}
        if self._file is not None:
            os.write(self._file, _line(self._records[key]))  # in one call, so that the line is whole or the last
        elif time.monotonic() > self._written + _PERIOD:
            self._write()

    def records(self) -> list[dict[str, Any]]:
        """Returns all records with these options."""
        return [record for record in self._records.values() if record["options"] == self._options]

    def close(self, keep: bool) -> None:
        """Orders the records, or removes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if keep:
            self._write()
        else:
            remove(self._path)

    def _read(self) -> dict[str, dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder:
            path = self._path
            if is_url(path):
                path = os.path.join(folder, "checkpoint")
                fetch(self._path, path)
            if not os.path.exists(path):
                return {}
            with open(path, "rb") as file:
                lines = file.read().split(b"\n")[:-1]
        if not lines or lines[0] + b"\n" != _HEADER.encode():
            if not lines and os.path.getsize(path) == 0:
                return {}
            raise FileError(f"{self._path}: error: not a checkpoint [io]\n  hint: name another file", (), "io", 4)
        records: dict[str, dict[str, Any]] = {}
        for line in lines[1:]:
            try:
                record = json.loads(line)
                records[record["key"]] = {**record, "options": str(record["options"])}
            except (ValueError, KeyError, TypeError):
                continue
        return records

    def _write(self) -> None:
        lines = b"".join([_HEADER.encode(), *map(_line, self._records.values())])
        if not is_url(self._path):
            os.makedirs(os.path.dirname(self._path) or ".", exist_ok=True)
            with open(self._path + ".new", "wb") as file:
                file.write(lines)
            os.replace(self._path + ".new", self._path)
        else:
            with tempfile.NamedTemporaryFile() as file:
                file.write(lines)
                file.flush()
                place(file.name, self._path, self._path + ".new")
        self._written = time.monotonic()


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
