"""Reports in the formats of `shlo-compat check`, from documents of any command. For `check` they are the bytes that the tool
writes; a test compares them."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Iterator, NamedTuple

from .. import _core
from .._printed import dumped, loads, printed

JsonObject = dict[str, Any]
_WIDTH = 160


class Finding(NamedTuple):
    """A finding in a file, or, if `failed`, why the file could not be worked on."""

    path: str
    rule: str
    severity: str
    message: str
    """With its op and count."""
    diagnostic: JsonObject
    waived: str
    fingerprint: str
    failed: bool


class Entry(NamedTuple):
    """The findings of a file."""

    path: str
    findings: list[Finding]


class Rules(NamedTuple):
    """The rules that findings are of."""

    ids: list[str]
    described: list[JsonObject]
    """As SARIF has them."""


class Content(NamedTuple):
    """The content of a report, for all formats."""

    command: str
    entries: list[Entry]
    about_policy: list[Finding]
    policy: str
    baseline: JsonObject | None
    rules: Rules

    def findings(self) -> Iterator[Finding]:
        """Yields all findings: those of each file, with its failures first, then those about the policy."""
        for entry in self.entries:
            yield from (f for f in entry.findings if f.failed)
            yield from (f for f in entry.findings if not f.failed)
        yield from self.about_policy


def rendered(d: JsonObject, code: str = "") -> str:
    """Returns a diagnostic as the tool prints it. `code` takes the place of its code."""
    out = f"{printed(d['file'], 'name')}:" if d.get("file") else ""
    if d.get("line"):
        out += f"{d['line']}:{d.get('column', 0)}:"
    if d.get("section"):
        out += f"{printed(d['section'])}:"
    if d.get("offset") is not None:
        out += f"byte {d['offset']}:"
    out += (" " if out else "") + d["severity"] + ": "
    op = d.get("op", "")
    if op and not d["message"].startswith(f"'{op}' op"):
        out += f"'{printed(op, 'message')}': "
    out += printed(d["message"], "message") + _times(d.get("count", 1))
    if d.get("function") and not d.get("line"):
        out += f", in {printed(d['function'], 'symbol')}"
    if d.get("location"):
        out += f", at {printed(d['location'], 'message')}"
    if code or d["severity"] != "note":
        out += f" [{code or d['code']}]"
    out += "\n" + _line_of(d)
    out += f"  hint: {printed(d['hint'], 'message')}\n" if d.get("hint") else ""
    return printed(out, "lines")


def _line_of(d: JsonObject) -> str:
    """Returns the line of text that a diagnostic is about, cut around its column, and a caret."""
    line = d.get("_source_line", "").encode("utf-8", "surrogateescape")
    if not (line and d.get("line") and d.get("column")):
        return ""
    column = d["column"] - 1
    first = column - _WIDTH // 2 if column > _WIDTH * 3 // 4 else 0
    if first >= len(line):
        return ""
    shown = printed(line[first : first + _WIDTH].decode("utf-8", "surrogateescape"), "line")
    return f"  {shown}\n  {' ' * (column - first)}^\n"


def _shown(text: str) -> str:
    """Returns a text that is not too long, without bytes that are not UTF-8."""
    return printed(text, "shown")


def _message(d: JsonObject, count: int = 1) -> str:
    op = d.get("op", "")
    return (f"{_shown(op)}: " if op else "") + _shown(d["message"]) + _times(count)


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""


def _fingerprint(path: str, d: JsonObject) -> str:
    parts = [d["code"], path, d.get("function", ""), d.get("op", ""), d["message"]]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def of_check(document: JsonObject) -> Content:
    """Returns the content of a document of `check`."""

    def finding(row: JsonObject, path: str) -> Finding:
        d = {**row["diagnostic"], "count": row["count"]}
        message = _message(d, row["count"])
        return Finding(path, row["rule"], row["severity"], message, d, row["waived"] or "", row["fingerprint"], False)

    entries = []
    for file in document["files"]:
        path = file["file"]
        found = [
            Finding(path, d["code"], "error", d["message"], d, "", d.get("_fingerprint") or _fingerprint(path, d), True)
            for d in file["failures"]
        ]
        entries.append(Entry(path, found + [finding(row, path) for row in file["findings"]]))
    policy = document["policy"] or ""
    rules = loads(_core.rules_json(None))["rules"]
    described = [_described_rule(rule) for rule in rules]
    about = [finding(row, policy) for row in document["policy_findings"]]
    return Content("check", entries, about, policy, document["baseline"], Rules([rule["id"] for rule in rules], described))


def _described_rule(rule: JsonObject) -> JsonObject:
    off = rule["severity"] == "off"
    level = "warning" if off else rule["severity"]
    return {
        "id": rule["id"],
        "shortDescription": {"text": f"Reports {rule['summary']}."},
        "fullDescription": {"text": rule["page"]},
        "help": {"text": rule["page"]},
        "defaultConfiguration": {"enabled": not off, "level": level},
    }


def of_files(document: JsonObject) -> Content:
    """Returns the content of a document of another command: a diagnostic is a finding of the rule with its code. A file
    that could not be read, or worked on, is a failure."""
    entries = []
    for entry in document["pairs"] if "pairs" in document else document["files"]:
        path = entry["file"] if "file" in entry else entry["files"][0]["file"]
        found = []
        for d in [*entry["diagnostics"], *_differences(entry, path)]:
            failed = entry["exit"] > 1 and d["severity"] == "error"
            message = d["message"] if failed else _message(d)
            found.append(Finding(path, d["code"], d["severity"], message, d, "", _fingerprint(path, d), failed))
        entries.append(Entry(path, found))
    ids = sorted({finding.rule for entry in entries for finding in entry.findings})
    return Content(document["command"], entries, [], "", None, Rules(ids, [{"id": rule} for rule in ids]))


def of_archive(document: JsonObject) -> Content:
    """Returns the content of a document about an archive: its diagnostics, by file."""
    entries: dict[str, list[Finding]] = {}
    for d in document["diagnostics"]:
        path = d.get("file", "archive")
        failed = d["severity"] == "error" and d["code"] in ("io", "limit")
        finding = Finding(path, d["code"], d["severity"], d["message"] if failed else _message(d), d, "", _fingerprint(path, d), failed)
        entries.setdefault(path, []).append(finding)
    for row in document["files"] if isinstance(document.get("files"), list) else ():
        entries.setdefault(row["file"], [])
    for row in document.get("models", ()):
        entries.setdefault(row["model"], [])
    ids = sorted({finding.rule for found in entries.values() for finding in found})
    listed = [Entry(path, entries[path]) for path in sorted(entries)]
    return Content(document["command"], listed, [], "", None, Rules(ids, [{"id": rule} for rule in ids]))


def _differences(entry: JsonObject, path: str) -> Iterator[JsonObject]:
    """Yields a finding for each function that is not proved equal."""
    if entry["exit"] != 1 or "functions" not in entry:
        return
    enough = ("none", "sampled", "exhaustive", "laws", "congruence")
    for function in entry["functions"]:
        detail = function.get("detail", "")
        if function["verdict"] == "equal" and enough.index(function["evidence"]) >= enough.index(entry["at_least"]):
            continue
        symbol = printed(function["name"], "symbol")
        message = f"{symbol}: {function['verdict']}" + (f", {detail}" if detail else "")
        if function["verdict"] == "equal":
            message = f"{symbol}: equal by {function['evidence']} evidence, not by {entry['at_least']}"
        yield {"severity": "error", "code": "not-equal", "message": message, "file": path, "function": function["name"], "line": 0}
    for d in entry.get("contract", ()):
        yield {**d, "file": d.get("file", path)}


# --- Formats ---


def render(content: Content, format: str) -> str:
    """Returns a report."""
    made: str = _FORMATS[format](content)
    return made


def totals(content: Content) -> dict[str, int]:
    """Counts findings that are not waived, by severity; waived ones; files that could not be worked on."""
    found = [finding for finding in content.findings() if not finding.failed]
    out = {
        f"{severity}s": sum(1 for f in found if f.severity == severity and not f.waived)
        for severity in ("error", "warning", "note")
    }
    out["waived"] = sum(1 for f in found if f.waived)
    out["not_checked"] = sum(1 for entry in content.entries if any(f.failed for f in entry.findings))
    return out


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _totals_text(content: Content) -> str:
    t = totals(content)
    out = f"{_count(t['errors'], 'error')}, {_count(t['warnings'], 'warning')}"
    if t["notes"]:
        out += ", " + _count(t["notes"], "note")
    if t["waived"]:
        out += f", {t['waived']} waived"
    out += f" in {_count(len(content.entries), 'file')}"
    if t["not_checked"]:
        out += f"; {t['not_checked']} not checked"
    if content.baseline:
        out += f"; baseline {printed(content.baseline['revision'], 'name')} ({content.baseline['commit'][:12]})"
    return out


def _place(finding: Finding) -> str:
    line = finding.diagnostic.get("line")
    return f"{_shown(finding.path)}:{line}" if line else _shown(finding.path)


def _text(content: Content) -> str:
    out = []
    for f in content.findings():
        if f.waived:
            continue
        if f.failed:
            out.append(rendered(f.diagnostic))
            continue
        # The id of the rule says more than the class of the diagnostic.
        out.append(rendered(f.diagnostic, f.rule))
    return "".join(out) + printed(_totals_text(content)) + "\n"


def _cell(text: str) -> str:
    return printed(text, "markdown")


def _markdown(content: Content) -> str:
    out = f"### shlo-compat {content.command}\n\n{_cell(_totals_text(content))}\n"
    rows = [
        f"| {'not checked' if f.failed else 'waived' if f.waived else f.severity} | {f.rule} | {_cell(_place(f))} |"
        f" {_cell(f.message)} |\n"
        for f in content.findings()
    ]
    return out + ("\n| | Rule | Place | Finding |\n| --- | --- | --- | --- |\n" + "".join(rows) if rows else "")


def _property(text: str) -> str:
    return printed(text, "property")


def _github(content: Content) -> str:
    out = []
    for f in content.findings():
        if f.waived:
            continue
        d = f.diagnostic
        level, title = ("error", "not checked") if f.failed else ("notice" if f.severity == "note" else f.severity, f.rule)
        line = f"::{level} file={_property(f.path)}"
        if d.get("line"):
            line += f",line={d['line']}" + (f",col={d['column']}" if d.get("column") else "")
        message = printed(f.message, "command") + (f"%0A{printed(_shown(d['hint']), 'command')}" if d.get("hint") else "")
        out.append(f"{line},title={_property(title)}::{message}\n")
    return "".join(out)


def _people(text: str) -> str:
    """Returns a text for people. Text that looks like a link of SARIF is escaped."""
    return printed(text, "message").replace("](", "]\\28")


def _gitlab(content: Content) -> str:
    levels = {"error": "major", "warning": "minor", "note": "info"}
    return dumped([
        {
            "description": ("not checked: " if f.failed else "") + _people(f.message),
            "check_name": f.rule,
            "fingerprint": f.fingerprint,
            "severity": "blocker" if f.failed else levels[f.severity],
            "location": {"path": f.path, "lines": {"begin": f.diagnostic.get("line") or 1}},
        }
        for f in content.findings()
        if not f.waived
    ])  # fmt: skip


def _location(finding: Finding) -> JsonObject:
    d = finding.diagnostic
    uri = re.sub(rb"[^A-Za-z0-9\-._~/]", lambda c: b"%%%02X" % c[0][0], finding.path.encode("utf-8", "surrogateescape"))
    physical: JsonObject = {"artifactLocation": {"uri": uri.decode()}}
    if d.get("line"):
        physical["region"] = {"startLine": d["line"]}
        if d.get("column"):
            physical["region"]["startColumn"] = d["column"]
    out: JsonObject = {"physicalLocation": physical}
    if d.get("function"):
        out["logicalLocations"] = [{"fullyQualifiedName": d["function"], "kind": "function"}]
    return out


def _sarif(content: Content) -> str:
    results, notifications = [], []
    for f in content.findings():
        if f.failed:
            message = {"text": _people(f.diagnostic["message"])}
            notifications.append({"level": "error", "message": message, "locations": [_location(f)]})
            continue
        hint = f.diagnostic.get("hint")
        result: JsonObject = {
            "ruleId": f.rule,
            "ruleIndex": content.rules.ids.index(f.rule),
            "level": f.severity,
            "message": {"text": _people(f.message) + (f"\n{_people(hint)}" if hint else "")},
            "locations": [_location(f)],
            "partialFingerprints": {"shloCompat/v1": f.fingerprint},
        }
        if f.waived:
            result["suppressions"] = [{"kind": "external", "justification": _people(f.waived)}]
        results.append(result)
    driver = {"name": "shlo-compat", "version": _core.library_version(), "rules": content.rules.described}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "columnKind": "utf16CodeUnits",
        "results": results,
    }
    return dumped({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})


def _escaped(text: str) -> str:
    return printed(_shown(text), "xml")


def _junit(content: Content) -> str:
    tests = list(content.entries)
    if content.about_policy:
        tests.append(Entry(content.policy, content.about_policy))
    cases, failures, errors = [], 0, 0
    for entry in tests:
        inner, others = "", ""
        failed = [f for f in entry.findings if f.failed]
        for f in failed:
            inner += _case("error", f.rule, f.diagnostic["message"], f.diagnostic)
        fails = False
        for f in entry.findings:
            if f.failed:
                continue
            if not f.waived and f.severity == "error":
                fails = True
                inner += "" if failed else _case("failure", f.rule, f.message, f.diagnostic)
            else:
                reason = f" ({_escaped(f.waived)})" if f.waived else ""
                others += f"{'waived' if f.waived else f.severity} {f.rule}: {printed(f.message, 'xml')}{reason}\n"
        errors += bool(failed)
        failures += fails and not failed
        if others:
            inner += f"      <system-out>{others}</system-out>\n"
        end = f">\n{inner}    </testcase>\n" if inner else "/>\n"
        cases.append(f'    <testcase classname="shlo-compat.{content.command}" name="{_escaped(entry.path)}"{end}')
    counts = f'tests="{len(tests)}" failures="{failures}" errors="{errors}"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {counts}>\n'
        f'  <testsuite name="shlo-compat {content.command}" {counts} skipped="0">\n'
        f"{''.join(cases)}  </testsuite>\n</testsuites>\n"
    )


def _case(kind: str, rule: str, message: str, d: JsonObject) -> str:
    lines = printed(rendered({**d, "count": 1}, rule), "xml-lines")  # the message has the count
    return f'      <{kind} type="{rule}" message="{_escaped(message)}">{lines}</{kind}>\n'


# Without its style a report is a plain page, which mail programs show. Only lines of programs are wider than a phone; they
# scroll by themselves.
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em}"
    "h2{font-size:1.15em;margin:2em 0 0}table{border-collapse:collapse}"
    "td,th{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;border-bottom:1px solid #8884}"
    ".number{text-align:right}ul{list-style:none;margin:.3em 0 1.2em;padding:0}"
    "code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:break-word}"
    "pre{font:12px/1.4 ui-monospace,monospace;overflow-x:auto;margin:.2em 0 .6em;padding:.4em .6em;"
    "background:#8881}p{margin:.4em 0}small,.waived,.note{color:#666}"
    "b{display:inline-block;border-radius:3px;padding:0 .45em;color:#fff;background:#666}"
    "b.error,b.failed{background:#b3261e}b.warning{background:#8a5a00}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}small,.waived,.note{color:#aaa}"
    "}"
)
_KINDS = ("failed", "error", "warning", "note", "waived")
"""The kinds of findings in the order of the page."""


def _kind(f: Finding) -> str:
    return "failed" if f.failed else "waived" if f.waived else f.severity


def _path(path: str) -> str:
    """Returns a path that breaks after its slashes."""
    return "<wbr>".join(printed(part, "xml") for part in re.findall("[^/]*/|[^/]+", path))


def _place_item(f: Finding) -> str:
    line = f.diagnostic.get("line")
    excerpt = [text[2:] for text in _line_of(f.diagnostic).splitlines()]
    shown = f"<pre>{printed(excerpt[0], 'xml')}\n{excerpt[1]}</pre>" if excerpt else ""
    return f"<li><code>{_path(_shown(f.path))}{f':{line}' if line else ''}</code>{shown}</li>\n"


def _finding_list(found: list[Finding]) -> str:
    """Returns the findings of a rule. The same finding elsewhere is another place."""
    places: dict[tuple[str, str, str], list[Finding]] = {}
    for f in found:
        places.setdefault((f.message, f.diagnostic.get("hint", ""), f.waived), []).append(f)
    out = ""
    for (message, *more), same in places.items():
        notes = "".join(f"<br><small>{_escaped(text)}</small>" for text in more if text)
        out += f'<p class="{_kind(same[0])}">{_escaped(message)}{notes}</p>\n<ul>\n{"".join(map(_place_item, same))}</ul>\n'
    return out


def _html(content: Content) -> str:
    summaries = {rule["id"]: rule["shortDescription"]["text"][len("Reports ") : -1] for rule in content.rules.described if len(rule) > 1}
    groups: dict[tuple[int, str], list[Finding]] = {}
    for f in content.findings():
        groups.setdefault((_KINDS.index(_kind(f)), f.rule), []).append(f)
    title = f"shlo-compat {content.command}"
    about = f"<tr><td>Result</td><td>{printed(_totals_text(content), 'xml')}</td></tr>\n"
    for what, value in (("Policy", content.policy), ("Tool", f"shlo-compat {_core.library_version()}")):
        about += f"<tr><td>{what}</td><td><code>{_path(value)}</code></td></tr>\n" if value else ""
    out = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head>\n'
        f"<body><h1>{title}</h1>\n<table><tbody>\n{about}</tbody></table>\n"
    )
    rows, sections = "", ""
    for (at, rule), found in sorted(groups.items()):
        badge = f'<b class="{_KINDS[at]}">{_KINDS[at]}</b>'
        rows += f'<tr><td>{badge}</td><td><code>{rule}</code></td><td class="number">{len(found)}</td></tr>\n'
        summary = "why files were not checked" if _KINDS[at] == "failed" else summaries.get(rule, "")
        sections += f"<h2>{badge} {rule}</h2>\n<p><small>{_escaped(summary)}</small></p>\n{_finding_list(found)}"
    if sum(map(len, groups.values())) > 1:
        out += (
            '<h2>By rule</h2>\n<table><thead><tr><th></th><th>Rule</th><th class="number">Findings</th></tr></thead><tbody>\n'
            f"{rows}</tbody></table>\n"
        )
    return f"{out}{sections}</body></html>\n"


_FORMATS = {
    "text": _text, "markdown": _markdown, "github": _github, "gitlab": _gitlab, "sarif": _sarif, "junit": _junit,
    "html": _html,
}  # fmt: skip
