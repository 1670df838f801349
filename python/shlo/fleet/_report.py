"""The report of a run over many files: the document that the tool prints for many files with ``--json``, and the formats of
`check`."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from .._compare import REPORT_FORMATS
from .._compare import Report as CheckReport
from .._errors import usage_error
from .._printed import counted, dumped
from . import _render
from ._run import Statistics
from ._store import aside_of, local_path, place, remove

JsonObject = dict[str, Any]


class Report(CheckReport):
    """The findings of a run. It is true if the exit code is 0. The same inputs and options give the same report, wherever and in
    whatever order the work was done."""

    def __init__(self, document: JsonObject, statistics: Statistics):
        self._full = document
        super().__init__(document["exit"], _public(document), self._rendered)
        self.statistics = statistics
        """Counts of batches, tries and seconds; not part of the report."""

    @property
    def _content(self) -> _render.Content:
        if self._full["command"].startswith("archive "):
            return _render.of_archive(self._full)
        return (_render.of_check if self._full["command"] == "check" else _render.of_files)(self._full)

    @property
    def findings(self) -> list[dict[str, Any]]:
        """All findings, and why files could not be worked on: each with its `file`, `rule`, `severity`, `fingerprint` and
        `diagnostic`."""
        return [
            {"file": f.path, "rule": f.rule, "severity": f.severity, "waived": f.waived or None, "fingerprint": f.fingerprint,
             "diagnostic": _without_line(f.diagnostic)}
            for f in self._content.findings()
        ]  # fmt: skip

    def _rendered(self, format: str) -> str:
        if format not in REPORT_FORMATS:
            raise usage_error(f"unknown format '{format}'", f"pass one of {', '.join(REPORT_FORMATS)}")
        return dumped(self.document) if format == "json" else _render.render(self._content, format)

    def render(self, format: str) -> str:
        """Returns the report in a format: ``"text"``, ``"json"``, ``"sarif"``, ``"junit"``, ``"github"``, ``"gitlab"``,
        ``"markdown"`` or ``"html"``."""
        return self._rendered(format)

    def for_terminal(self) -> str:
        """Returns the text of a check without failures, which are on standard error."""
        entries = [entry._replace(findings=[f for f in entry.findings if not f.failed]) for entry in self._content.entries]
        shown = _render.render(self._content._replace(entries=entries), "text")
        return "".join(shown.splitlines(keepends=True)[:-1]) + self.summary() + "\n"

    def shown_diagnostics(self) -> list[JsonObject]:
        """Returns what the tool prints to standard error: diagnostics in the order of the files, with their lines."""
        if self._full["command"] == "check":
            return [found for entry in self._full["files"] for found in entry["failures"]]
        return list(self._full["diagnostics"])

    def save(self, path: str | os.PathLike[str], format: str) -> None:
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
        if self.document["command"].startswith("archive "):
            return _of_archive(self.document)
        if "summary" not in self.document:
            return _render.render(self._content, "text").splitlines()[-1]
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


def _of_archive(document: JsonObject) -> str:
    """Returns the counts of a command on an archive."""
    if "records" in document:
        damaged = len(document.get("damage", ()))
        return f"verified {counted(document['records'], 'record')} in {counted(document['packs'], 'pack')}" + (f", {damaged} damaged" if damaged else "")
    counts = dict(document.get("summary", {}))
    if document["command"] == "archive add":
        counts = {"added": counts["done"], "failed": counts["failed"]}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to do"


_DONE = {"convert": "converted", "verify": "verified", "prove": "passed", "eval": "evaluated"}


def _public(document: JsonObject) -> JsonObject:
    """Returns a document without what only other formats show."""
    out = dict(document)
    for key in ("files", "pairs"):
        if isinstance(out.get(key), list):
            out[key] = [_public_entry(entry) for entry in out[key]]
    return _public_entry(out)


def _public_entry(entry: JsonObject) -> JsonObject:
    changed = {key: [_without_line(found) for found in entry[key]] for key in ("diagnostics", "failures") if entry.get(key)}
    for key in ("findings", "policy_findings"):
        if entry.get(key):
            changed[key] = [{**row, "diagnostic": _without_line(row["diagnostic"])} for row in entry[key]]
    return {**entry, **changed} if changed else entry


def _without_line(found: JsonObject) -> JsonObject:
    return {key: value for key, value in found.items() if not key.startswith("_")}
