"""The work on a batch of files: fetch those at URLs, run the tool on them, put outputs where they belong."""

from __future__ import annotations

import os
from typing import Any, Iterable, NamedTuple, Sequence

from .. import _core
from .._diagnostics import Diagnostic
from .._errors import error_with
from .._printed import rendered
from .._words import in_python
from . import _tool
from ._child import Refusal
from ._inputs import Item, JsonObject, claims_program
from ._store import Scratch, digest, fetch, head, is_url, join, place, transfer

HEAD = 64 << 10


class Done(NamedTuple):
    """The result of one file."""

    status: str
    """``"done"``, ``"failed"``, ``"kept"`` (an earlier output is as it was), ``"other"`` (not an input after all)."""
    entry: JsonObject
    """Its entry in the document of the command."""
    state: JsonObject
    """Digests of its content and of that of its output, to tell later whether they changed."""
    run: JsonObject
    """The part of the document that is about the run, the same in each: notes on the command line, the policy."""


class Task(NamedTuple):
    """One file, or a pair of them, with what is known from an earlier run."""

    item: Item
    other: Item | None = None
    output: str = ""
    """Where its output belongs; for conversions without the name, which the tool chooses."""
    known: JsonObject | None = None
    """The state of an earlier run with the same options."""
    inputs: Item | None = None
    """The file of arguments of an evaluation."""

    def items(self) -> list[Item]:
        """Returns what is read."""
        return [item for item in (self.item, self.other, self.inputs) if item]

    def size(self) -> int:
        """Returns how many bytes are read."""
        return sum(item.size for item in self.items())


class Sniff:
    """Tells which files are programs. Workers call `batch`."""

    def __init__(self, folder: str):
        self.folder = folder

    def __call__(self, item: Item) -> bool:
        return self.batch([item])[0]

    def batch(self, items: list[Item]) -> list[bool]:
        """Returns whether each is a program by its content."""
        return [bool(_core.is_program(head)) for head in transfer(self._head, items)]

    def _head(self, item: Item) -> bytes:
        return head(item.name, HEAD) if is_url(item.name) else _head(os.path.join(self.folder, item.name))


class Work:
    """A command with its options. Workers call `batch`."""

    def __init__(
        self,
        command: str,
        words: Sequence[str],
        *,
        folder: str,
        aside: str = "",
        files: Sequence[tuple[str, str, bytes]] = (),
        policy: tuple[str, str, bytes] | None = None,
        keeps_state: bool = False,
        suffix: str = ".npz",
    ):
        """`folder`: the current folder of relative paths. `aside`: see `place`. `files`: flags whose files travel with the
        command, each with the name and the content. `policy`: its name, the folder that its paths are relative to, and its
        content. `keeps_state`: whether digests are needed. `suffix`: that of files of results."""
        self.command, self.words, self.folder, self.aside = command, list(words), folder, aside
        self.files, self.policy, self.keeps_state, self.suffix = list(files), policy, keeps_state, suffix

    def __call__(self, task: Task) -> Done:
        return self.batch([task])[0]

    def batch(self, tasks: list[Task]) -> list[Done]:
        """Returns what became of each file."""
        size = sum(task.size() for task in tasks)
        with Scratch(4 * size) as scratch:
            at = _Place(self, scratch, tasks)
            return at.work()


class _Place:
    """A batch in its scratch folder. Files of URLs have the path ``scheme:/host/path`` there, so that the tool, which runs
    in that folder, names them by their URLs."""

    def __init__(self, work: Work, scratch: str, tasks: list[Task]):
        self.of, self.scratch, self.tasks = work, scratch, tasks
        remote = any(is_url(item.name) for task in tasks for item in task.items())
        self.folder = os.path.join(scratch, "files") if remote else work.folder
        os.makedirs(os.path.join(scratch, "files"))
        # Names of files in the scratch folder, and what they are called elsewhere.
        self.names: dict[str, str] = {}
        self.words = [*work.words, *self._flags()]

    def _flags(self) -> Iterable[str]:
        for i, (flag, name, content) in enumerate(self.of.files):
            path = os.path.join(self.scratch, "flags", str(i), os.path.basename(name))
            self._write(path, name, content)
            yield f"{flag}={path}"
        if self.of.policy:
            name, root, content = self.of.policy
            path = os.path.join(root, os.path.basename(name))
            self._write(os.path.join(self.folder, path), name, content)
            self.names[path] = name
            yield f"--policy={path}"

    def _write(self, path: str, name: str, content: bytes) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        self.names[path] = name

    def path(self, item: Item) -> str:
        """Returns where the file of an item is."""
        return os.path.join(self.folder, item.name)

    def work(self) -> list[Done]:
        self.fetch()
        results: dict[int, Done] = {}
        for i, task in enumerate(self.tasks):
            if not task.item.sure and not _core.is_program(_head(self.path(task.item))):
                results[i] = Done("other", {}, {}, {})
        states = [self.state(task) for task in self.tasks]
        for i, task in enumerate(self.tasks):
            if i not in results and task.known and _holds(task, states[i]):
                results[i] = Done("kept", {}, task.known, {})
        rest = [i for i in range(len(self.tasks)) if i not in results]
        if rest:
            run = getattr(self, "run_" + self.of.command)
            for i, done in zip(rest, run([self.tasks[i] for i in rest], [states[i] for i in rest])):
                results[i] = done
        return [results[i] for i in range(len(self.tasks))]

    def fetch(self) -> None:
        wanted: list[tuple[str, str]] = []
        for task in self.tasks:
            for item in task.items() if self.folder != self.of.folder else ():
                if not is_url(item.name):
                    self.link(item.name)
                elif item.parts:
                    wanted += [(join(item.name, part), os.path.join(self.path(item), part)) for part in item.parts]
                else:
                    wanted.append((item.name, self.path(item)))
        transfer(lambda pair: fetch(*pair), dict.fromkeys(wanted))

    def link(self, name: str) -> None:
        """Makes a file of this machine appear among those of URLs."""
        path = os.path.join(self.folder, name)
        if not os.path.isabs(name) and not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(os.path.join(self.of.folder, name), path)

    def state(self, task: Task) -> JsonObject:
        if not self.of.keeps_state:
            return {}
        inputs = task.items()
        return {"input": [digest(self.path(item)) for item in inputs], "tags": [item.tag for item in inputs]}

    # --- The tool ---

    def document(self, words: Sequence[str], folder: str | None = None) -> JsonObject:
        """Runs the tool. Returns nothing if no file is a program. Raises `Refusal` if the command line is wrong, whatever
        the files are."""
        output = _tool.run(["--json", *words], folder or self.folder)
        document = output.document()
        if output.code != 2 or document.get("files"):
            return document
        if document["diagnostics"][0]["message"] == "found no programs":
            return {}
        raise Refusal(error_of([self.named(found) for found in document["diagnostics"]]))

    def named(self, diagnostic: JsonObject) -> JsonObject:
        """Returns a diagnostic with the names of files that they have for the user."""
        file = diagnostic.get("file", "")
        return {**diagnostic, "file": self.names[file]} if file in self.names else diagnostic

    def lines(self, diagnostics: Iterable[JsonObject], path: str) -> None:
        """Adds the lines of text that diagnostics are about."""
        text: list[bytes] | None = None
        for found in diagnostics:
            if not found.get("line") or not os.path.isfile(path):
                continue
            if text is None:
                with open(path, "rb") as file:
                    text = file.read().split(b"\n")
            line = text[found["line"] - 1] if found["line"] <= len(text) else b""
            # Diagnostics of syntax omit long lines, others cut them.
            if len(line) <= 4096 or found["code"] != "syntax":
                found["source_line"] = line[:4096].decode("utf-8", "surrogateescape")

    def run_verify(self, tasks: list[Task], states: list[JsonObject]) -> list[Done]:
        names = [task.item.name for task in tasks]
        document = self.document(["verify", *self.words, "-j1", "--", *names])
        return [self.done(task, state, entry) for task, state, entry in zip(tasks, states, _entries(document))]

    def run_check(self, tasks: list[Task], states: list[JsonObject]) -> list[Done]:
        document = self.document(["check", *self.words, "-j1", "--", *(task.item.name for task in tasks)])
        if not document:  # the policy excludes all of them
            return [Done("other", {}, {}, {})] * len(tasks)
        if self.of.policy:
            document["policy"] = self.of.policy[0]
        run = {key: document[key] for key in ("policy", "baseline", "today", "policy_findings")}
        for finding in run["policy_findings"]:
            finding["diagnostic"] = self.named(finding["diagnostic"])
        names = {task.item.name for task in tasks}
        run["removed"] = [entry for entry in document["files"] if entry["file"] not in names]
        entries = {entry["file"]: entry for entry in document["files"] if entry["file"] in names}
        results = []
        for task, state in zip(tasks, states):
            entry = entries.get(task.item.name)
            if entry is None:  # excluded, or not changed
                results.append(Done("other", {}, {}, run))
                continue
            self.lines([*entry["failures"], *(f["diagnostic"] for f in entry["findings"])], self.path(task.item))
            failed = entry["failures"] or any(f["severity"] == "error" and f["waived"] is None for f in entry["findings"])
            results.append(Done("failed" if failed else "done", entry, state, run))
        return results

    def run_prove(self, tasks: list[Task], states: list[JsonObject]) -> list[Done]:
        results = []
        for task, state in zip(tasks, states):
            assert task.other is not None
            document = self.document(["prove", *self.words, "--", task.item.name, task.other.name])
            entry = {key: value for key, value in document.items() if key not in ("format_version", "command")}
            results.append(self.done(task, state, entry))
        return results

    def run_eval(self, tasks: list[Task], states: list[JsonObject]) -> list[Done]:
        results = []
        for i, (task, state) in enumerate(zip(tasks, states)):
            target = os.path.join(self.scratch, f"result{i}{self.of.suffix}")
            words = ["eval", *self.words]
            if task.inputs:
                words.append(f"--inputs={task.inputs.name}")
            # Large results take long to print, so they are printed only if there is something to report.
            output = _tool.run([*words, f"--outputs={target}", "--", task.item.name], self.folder)
            entry: JsonObject = {"file": task.item.name, "exit": 0, "diagnostics": []}
            if output.code:
                document = self.document([*words, "--", task.item.name])
                entry.update(exit=document["exit"], diagnostics=document["diagnostics"])
                printed = document.get("printed", "")
            else:
                printed = output.out.decode("utf-8", "replace")
                entry["sha256"] = place(target, task.output, self.of.aside) if task.output else digest(target)
                if task.output:
                    entry["output"] = task.output
                    state.update(output=entry["sha256"], target=task.output)
                os.unlink(target)
            if printed:
                entry["printed"] = printed[:HEAD]
            results.append(self.done(task, state, entry))
        return results

    def run_convert(self, tasks: list[Task], states: list[JsonObject]) -> list[Done]:
        """Converts a folder of links, in which files have the paths that outputs have."""
        source, target = os.path.join(self.scratch, "source"), os.path.join(self.scratch, "target")
        links = [_visible(task.item.relative) for task in tasks]
        for task, link in zip(tasks, links):
            path = os.path.join(source, link)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(os.path.abspath(self.path(task.item)), path)
            self.names[link] = task.item.name
        # A folder does not list links without a file, but those whose names are that of a program.
        missing = [link for link in links if not (claims_program(link) or os.path.exists(os.path.join(source, link)))]
        document = self.document([*self.words, f"--out-dir={target}", "--keep-going", "-j1", "--", "**", *missing], source)
        if not document:
            return [Done("other", {}, {}, {})] * len(tasks)
        notes = _notes(document)
        entries = {entry["file"]: entry for entry in document["files"]}
        results: list[Done] = []
        made_of: dict[int, str] = {}
        for task, state, link in zip(tasks, states, links):
            entry = entries.get(link)
            if entry is None:
                if len(tasks) > 1:
                    raise OSError(f"'{task.item.name}' is twice in a batch")
                results.append(Done("other", {}, {}, {}))
                continue
            made = entry["output"]
            name = os.path.basename(made)
            name = name[1:] if task.item.relative.rpartition("/")[2].startswith(".") else name
            entry["output"] = join(task.output, name)
            results.append(self.done(task, state, entry, notes))
            if entry["exit"] == 0:
                made_of[id(entry)] = made
        made_here = [done for done in results if done.status == "done"]
        digests = transfer(
            lambda done: place(made_of[id(done.entry)], done.entry["output"], self.of.aside), made_here, is_url(self.of.aside)
        )
        for done, found in zip(made_here, digests):
            done.state.update(output=found, target=done.entry["output"])
        return results

    def done(self, task: Task, state: JsonObject, entry: JsonObject, run: JsonObject | None = None) -> Done:
        if self.names:
            entry["diagnostics"] = [self.named(found) for found in entry["diagnostics"]]
            entry["file"] = self.names.get(entry["file"], entry["file"]) if "file" in entry else None
        mine = {item.name: item for item in (task.item, task.other) if item}
        for name, item in mine.items():
            self.lines([found for found in entry["diagnostics"] if found.get("file") == name], self.path(item))
        return Done("failed" if entry["exit"] else "done", entry, state, run or {})


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(HEAD)
    except OSError:
        return b"\x08\x01\x12\x02\x0a"  # the tool says what is wrong with it


def _holds(task: Task, state: JsonObject) -> bool:
    known = task.known or {}
    if "" in state["input"] or state["input"] != known.get("input"):
        return False
    target = known.get("target", "")
    if not target:
        return True
    with Scratch(0) as scratch:
        path = target
        if is_url(target):
            path = os.path.join(scratch, "output")
            fetch(target, path)
        return digest(path) == str(known["output"])


def _visible(relative: str) -> str:
    """Returns a path whose names the tool finds in a folder."""
    return "/".join("_" + name if name.startswith(".") else name for name in relative.split("/"))


def _entries(document: JsonObject) -> list[JsonObject]:
    """Returns the entries of files, also of a document about one file."""
    entries: list[JsonObject] = document["files"]
    if "summary" not in document:
        entries[0].update(exit=document["exit"], diagnostics=document["diagnostics"])
    return entries


def _notes(document: JsonObject) -> JsonObject:
    """Returns what a document says of the command line: its diagnostics, and the consumers that it names."""
    of_files = sum(len(entry["diagnostics"]) for entry in document["files"])
    notes = {"diagnostics": document["diagnostics"][: len(document["diagnostics"]) - of_files]}
    return {**notes, "consumers": document["consumers"]} if "consumers" in document else notes


def fields_of(diagnostics: Sequence[JsonObject]) -> list[Diagnostic]:
    """Returns diagnostics of a document."""
    return [
        Diagnostic(
            d["severity"], d["code"], d["message"], d.get("hint", ""), d.get("op", ""), (d.get("version") or {}).get("n", 0),
            d.get("file", ""), d.get("line", 0), d.get("column", 0), d.get("section", ""), d.get("offset"),
            d.get("function", ""), d.get("location", ""), d.get("source_line", ""), d.get("count", 1),
        )
        for d in diagnostics
    ]  # fmt: skip


def error_of(diagnostics: Sequence[JsonObject], exit_code: int = 2) -> Any:
    """Makes the exception for diagnostics of a document."""
    said = [{**d, "message": in_python(d["message"]), "hint": in_python(d.get("hint", ""), hint=True)} for d in diagnostics]
    fields = fields_of(said)
    text = "".join(rendered(found) for found in said)
    errors = [d for d in fields if d.severity == "error"] or fields
    found = errors + [d for d in fields if d.severity != "error"]
    return error_with(text, found, errors[0].code, exit_code)
