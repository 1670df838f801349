"""The report of a run over many files: the document that the tool prints for many files with ``--json``, and the formats of
`check`."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable, Iterator, Sequence

from .. import _core
from .._compare import EVIDENCE, REPORT_FORMATS, ReportFormat
from .._compare import Report as CheckReport
from .._printed import counted, dumped, encoded, loads, printed
from ._run import Statistics
from ._store import aside_of, local_path, place, remove

JsonObject = dict[str, Any]


class Report(CheckReport):
    """The findings of a run. It is true if the exit code is 0. The same inputs and options give the same report, wherever and in
    whatever order the work was done."""

    def __init__(self, document: JsonObject, statistics: Statistics):
        self._full = document
        self.statistics = statistics
        """Counts of batches, tries and seconds; not part of the report."""
        self._is_check = document["command"] == "check"
        if self._is_check:
            document = self._content()
        super().__init__(document["exit"], _public(document), self._rendered)

    def __reduce__(self) -> tuple[Any, ...]:
        return Report, (self._full, self.statistics)

    def _handle(self, *, failures: bool = True) -> Any:
        """Returns the report of the library, with or without failures."""
        full = self._full
        found = full if self._is_check else {"command": full["command"], "files": _of_archive(full) if _is_archive(full) else _of_files(full)}
        if not failures:
            found = {**found, "files": [{**entry, "failures": []} for entry in found["files"]]}
        return _core.report_read(encoded(found))

    def _native(self, format: ReportFormat, **options: Any) -> str:
        return str(_core.report_render(self._handle(**options), REPORT_FORMATS.index(format)))

    def _content(self) -> JsonObject:
        document: JsonObject = loads(self._native("json"))
        return document

    def _rendered(self, format: ReportFormat) -> str:
        return dumped(self.document) if format == "json" else self._native(format)

    def for_terminal(self) -> str:
        """Returns the text of a check without failures, which are on standard error."""
        shown = self._native("text", failures=False)
        return "".join(shown.splitlines(keepends=True)[:-1]) + self.summary() + "\n"

    def shown_diagnostics(self) -> list[JsonObject]:
        """Returns what the tool prints to standard error: diagnostics in the order of the files, with their lines."""
        if self._is_check:
            return [found for entry in self._full["files"] for found in entry["failures"]]
        return list(self._full["diagnostics"])

    def save(self, path: str | os.PathLike[str], format: ReportFormat) -> None:
        """Writes the report to a file or a URL. Readers never see a part of it."""
        target = local_path(os.fspath(path))
        folder = target.rpartition("/")[0] or "."
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
            file.write(self.render(format))
            file.flush()
            place(file.name, target, aside_of(folder))
        remove(aside_of(folder))

    def summary(self) -> str:
        """Returns the counts in one line, as the tool prints them."""
        if _is_archive(self.document):
            return _counts(self.document)
        if self._is_check:
            return self._native("text").splitlines()[-1]
        counts = self.document["summary"]
        out = f"{counts['done']} {_DONE[self.document['command']]}"
        if counts["up_to_date"]:
            out += f", {counts['up_to_date']} up to date"
        if counts["failed"]:
            out += f", {counts['failed']} failed"
        if counts["not_programs"]:
            out += ", 1 is not a program" if counts["not_programs"] == 1 else f", {counts['not_programs']} are not programs"
        return out

    def __repr__(self) -> str:
        return f"<shlo.fleet.Report {self.document['command']}, exit code {self.exit_code}, {self.summary()}>"


def _is_archive(document: JsonObject) -> bool:
    return str(document["command"]).startswith("archive ")


def _counts(document: JsonObject) -> str:
    """Returns the counts of a command on an archive."""
    if "records" in document:
        damaged = len(document.get("damage", ()))
        return f"verified {counted(document['records'], 'record')} in {counted(document['packs'], 'pack')}" + (f", {damaged} damaged" if damaged else "")
    counts = dict(document.get("summary", {}))
    if document["command"] == "archive add":
        counts = {"added": counts["done"], "failed": counts["failed"]}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to do"


_DONE = {"convert": "converted", "verify": "verified", "prove": "passed", "eval": "evaluated"}


def _entry(path: str, found: Sequence[JsonObject], failed: Callable[[JsonObject], bool]) -> JsonObject:
    """Returns the entry of a file as that of ``check``: a diagnostic is a finding, or says why there are none."""
    findings = [{"severity": d["severity"], "diagnostic": d} for d in found if not failed(d)]
    return {"file": path, "failures": [d for d in found if failed(d)], "findings": findings}


def _of_files(document: JsonObject) -> list[JsonObject]:
    """Returns the findings of a command on files or pairs of them. A file that could not be read, or worked on, is a failure."""
    entries = []
    for entry in document["pairs"] if "pairs" in document else document["files"]:
        path = entry["file"] if "file" in entry else entry["files"][0]["file"]
        found = [*entry["diagnostics"], *_differences(entry, path)]
        entries.append(_entry(path, found, lambda d, stopped=entry["exit"] > 1: stopped and d["severity"] == "error"))  # type: ignore[misc]
    return entries


def _of_archive(document: JsonObject) -> list[JsonObject]:
    """Returns the findings of a command on an archive: its diagnostics, by file."""
    found: dict[str, list[JsonObject]] = {}
    for d in document["diagnostics"]:
        found.setdefault(d.get("file", "archive"), []).append(d)
    for row in document["files"] if isinstance(document.get("files"), list) else ():
        found.setdefault(row["file"], [])
    for row in document.get("models", ()):
        found.setdefault(row["model"], [])
    return [_entry(path, found[path], lambda d: d["severity"] == "error" and d["code"] in ("io", "limit")) for path in sorted(found)]


def _differences(entry: JsonObject, path: str) -> Iterator[JsonObject]:
    """Yields a finding for each function that is not proved equal."""
    if entry["exit"] != 1 or "functions" not in entry:
        return
    for function in entry["functions"]:
        detail = function.get("detail", "")
        is_equal = function["verdict"] == "equal"
        if is_equal and EVIDENCE.index(function["evidence"]) <= EVIDENCE.index(entry["at_least"]):
            continue
        symbol = printed(function["name"], "symbol")
        message = f"{symbol}: {function['verdict']}" + (f", {detail}" if detail else "")
        if is_equal:
            message = f"{symbol}: equal by {function['evidence']} evidence, not by {entry['at_least']}"
        yield {"severity": "error", "code": "not-equal", "message": message, "file": path, "function": function["name"]}
    for d in entry.get("contract", ()):
        yield {**d, "file": d.get("file", path)}


def _public(value: Any) -> Any:
    """Returns a document without the lines that diagnostics are about."""
    if isinstance(value, list):
        return [_public(item) for item in value]
    return {key: _public(item) for key, item in value.items() if key != "source_line"} if isinstance(value, dict) else value
