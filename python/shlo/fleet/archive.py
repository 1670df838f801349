"""Work on an archive (docs/archive.md) by many workers, of which one at a time writes to it.

::

    from shlo.fleet import archive

    archive.add("/data/models", "s3://incoming/**", tags=["nightly"])
    archive.verify("/data/models", goldens=True, on="ray")
    archive.migrate("/data/models", target="current")

Workers read the archive, a folder that they all share or the URL of an object store, and write what they add to bundles.
One import at the end adds the bundles, so that a run that is killed leaves the archive as it was, and a second one does
the same again. `command` runs any other command of ``shlo-compat archive`` on an archive at a URL.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, Sequence, Union

from .._checked import checked
from .._errors import usage_error
from .._program import PathLike
from . import _flags, _tool
from ._child import Refusal
from ._command import Command, Paths, problem_of, texts_of
from ._inputs import Item, JsonObject, without_format
from ._mirror import Mirror, copy_of, local
from ._report import Report
from ._run import Outcome, Runner, Statistics, available_cores, shown
from ._store import Scratch, exists, fetch, is_url, join, place, remove
from ._work import error_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import AddOptions, MigrateOptions, VerifyArchiveOptions

Models = Union[str, Sequence[str]]
"""Models, or patterns of them: ``"vision/*"``, ``["resnet@2", "**@prod"]``."""


@checked
def verify(archive: PathLike, models: Models = (), *, parts: int | None = None, **options: Unpack[VerifyArchiveOptions]) -> Report:
    """Compares all bytes of an archive with their checksums, and with `goldens`, `certificates` or `files` more, in `parts`
    parts (default: four for each worker).

    Other options are as for `shlo.archive.Archive.verify` and for a run: see `shlo.fleet`.
    """
    run = _Run("archive verify", archive, dict(options))
    if not run.command.options.keys() & {"goldens", "certificates"}:
        run.at = run.at._replace(fresh=uuid.uuid4().hex)
    documents = run.parts(models, parts, "verifying")
    result: JsonObject = {}
    for key in ("packs", "records", "size", "files"):  # which of them depends on the options
        if any(key in document for document in documents):
            result[key] = sum(document.get(key, 0) for document in documents)
    if any("damage" in document for document in documents):
        damage = [row for document in documents for row in document.get("damage", ())]
        result["damage"] = sorted(damage, key=lambda row: (row["file"], row["offset"] or 0))
    if any("models" in document for document in documents):
        result["models"] = _models(documents)
    if any("summary" in document for document in documents):
        result["summary"] = _summary(documents)
    return run.report(result, documents)


@checked
def migrate(
    archive: PathLike,
    models: Models = (),
    *,
    parts: int | None = None,
    bundles: PathLike | None = None,
    **options: Unpack[MigrateOptions],
) -> Report:
    """Converts models to a newer version (`to`, or a file `policy`), proves them, and adds the results, in `parts` parts
    (default: four for each worker).

    `bundles`: a new folder that the workers share, for their results; by default next to the archive. Other options are
    as for `shlo.archive.Archive.migrate` and for a run: see `shlo.fleet`.
    """
    run = _Run("archive migrate", archive, dict(options))
    with _Bundles(run.at.archive, bundles) as folder:
        documents = run.parts(models, parts, "migrating", folder)
        imported = run.add_bundles(documents)
    leaving: dict[tuple[str, int], JsonObject] = {}
    for document in documents:
        for row in document.get("leaving", ()):
            place = leaving.setdefault((row["last_day"], row["version"]["n"]), {**row, "models": []})
            place["models"] = sorted([*place["models"], *row["models"]], key=_order)
    result = {"models": _models(documents), "summary": _summary(documents), "leaving": [leaving[key] for key in sorted(leaving)]}
    return run.report(result, documents + imported)


@checked
def add(archive: PathLike, paths: Paths, *, name: str = "", bundles: PathLike | None = None, **options: Unpack[AddOptions]) -> Report:
    """Adds programs to an archive: files, folders, patterns and URLs. Their names are the paths below their folders without
    the ending of the format, below `name`.

    `bundles`: a new folder that the workers share, for their results; by default next to the archive. Other options are
    as for `shlo.archive.Archive.add` (`tags`, `metadata`, `golden`, ...) and for a run: see `shlo.fleet`.
    """
    run = _Run("archive add", archive, dict(options))
    items = run.command.programs(run.command.inputs(texts_of(paths))[0])
    if not items:
        raise usage_error("found no programs", "pass files, folders, patterns or URLs")
    by_name: dict[str, Item] = {}
    for item in items:
        model = without_format(item.relative)
        other = by_name.setdefault(model, item)
        if other is not item:
            message = f"'{other.name}' and '{item.name}' would both be '{name}{model}'"
            raise usage_error(message, "add them one by one, to make them versions of it, or pass name")
    missing = [item for item in items if item.problem]
    found = [item for item in items if not item.problem]
    with _Bundles(run.at.archive, bundles) as folder:
        work = _Add(run.words, run.files, run.at, name, folder)
        answers = run.run(work, found, lambda item: str(item.name), "adding", lambda item: item.size)
        documents = [_failed(item.name, item.problem) for item in missing if item.problem]
        for answer in answers:
            documents.append(_failed(answer.key, run.problem(answer, answer.key)) if answer.problem else answer.value)
        imported = run.add_bundles(documents)
    entries = {entry["file"]: entry for document in documents for entry in document["files"]}
    ordered = [entries[item.name] for item in items if item.name in entries]
    done = [entry for entry in ordered if not entry["exit"]]
    files = done + [entry for entry in ordered if entry["exit"]]
    return run.report({"files": files, "summary": {"done": len(done), "failed": len(files) - len(done)}}, documents + imported)


@checked
def command(archive: PathLike, name: str, *words: str) -> _tool.Output:
    """Runs a command of ``shlo-compat archive``, such as ``"ls"``, on an archive, which may be at a URL, with more `words` of its
    command line: ``command("s3://models", "get", "resnet@3", "-o", "m.mlirbc")``. Returns its exit code and output.

    An archive at a URL is copied to this machine, where only what is new is fetched. Another writer of it may have come
    first: then the command runs again, after what that one wrote.
    """

    def run(folder: str) -> _tool.Output:
        with Scratch(0) as scratch:
            named = [_word(name, word, scratch) for word in words]
            where = [folder] if name == "init" else [f"--archive={folder}"]
            line = [sys.executable, "-m", "shlo", "archive", name, *where, *named]
            path = os.pathsep.join(filter(None, sys.path))  # that of this process: it may have been changed
            done = subprocess.run(line, capture_output=True, env={**os.environ, "PYTHONPATH": path})
            return _tool.Output(done.returncode, done.stdout, done.stderr)

    where = os.fspath(archive)
    return Mirror(where).run(name, run) if is_url(where) else run(where)


def _word(command: str, word: str, scratch: str) -> str:
    """Returns a word of a command line with a path for a URL."""
    flag, _, value = word.rpartition("=")
    if flag == "--from" and is_url(value):
        return f"--from={copy_of(value)}"
    return local(word, scratch) if command in ("add", "import") and is_url(word) else word


class _At(NamedTuple):
    """Where a command works."""

    archive: str
    """Folder, or URL."""
    folder: str
    """The current folder of the program that started the run."""
    fresh: str = ""
    """Name of the run, if it must see the bytes of the store (`Mirror`)."""


class _Step(NamedTuple):
    """One command on the archive."""

    key: str
    words: list[str]
    bundle: str = ""


class _Commands:
    """Runs steps. Workers call it."""

    def __init__(self, files: Sequence[tuple[str, str, bytes]], at: _At):
        self.files, self.at = list(files), at

    def __call__(self, step: _Step) -> JsonObject:
        with Scratch(0) as scratch:
            return _document(step.words, _written(self.files, scratch), step.bundle, self.at)


class _Add:
    """Adds files to bundles: those of one folder at once, because names depend on it. Workers call `batch`."""

    def __init__(self, words: list[str], files: Sequence[tuple[str, str, bytes]], at: _At, name: str, bundles: str):
        self.words, self.files, self.at, self.name, self.bundles = words, list(files), at, name, bundles

    def __call__(self, item: Item) -> JsonObject:
        return self.batch([item])[0]

    def batch(self, items: list[Item]) -> list[JsonObject]:
        """Returns the document of each file."""
        groups: dict[str, list[Item]] = {}
        for item in items:
            groups.setdefault(item.relative.rpartition("/")[0], []).append(item)
        made: dict[str, JsonObject] = {}
        with Scratch(2 * sum(item.size for item in items)) as scratch:
            flags = _written(self.files, scratch)
            for above, group in groups.items():
                made.update(self._add(above, group, flags, scratch))
        return [made[item.name] for item in items]

    def _add(self, above: str, items: list[Item], flags: list[str], scratch: str) -> dict[str, JsonObject]:
        names = {self._path(item, scratch): item.name for item in items}
        key = hashlib.sha256("\n".join(names.values()).encode("utf-8", "surrogateescape")).hexdigest()
        prefix = self.name + (above + "/" if above else "")
        flags = [*flags, *([f"--name={prefix}"] if prefix else [])]
        document = _document([*self.words, "--", *names], flags, join(self.bundles, key), self.at)
        out = {}
        for entry in document["files"]:
            about = [found for found in document["diagnostics"] if found.get("file") == entry["file"]]
            name = names[entry["file"]]
            out[name] = {**document, "files": [{**entry, "file": name}], "exit": entry["exit"],
                         "diagnostics": [{**found, "file": name} for found in about]}  # fmt: skip
        return out

    def _path(self, item: Item, scratch: str) -> str:
        if not is_url(item.name):
            return item.name
        path = os.path.join(scratch, "files", item.relative)
        for part in item.parts:
            fetch(join(item.name, part), os.path.join(path, part))
        if not item.parts:
            fetch(item.name, path)
        return path


def _written(files: Iterable[tuple[str, str, bytes]], scratch: str) -> list[str]:
    """Writes the files of the command line, and returns their flags."""
    out = []
    for i, (flag, name, content) in enumerate(files):
        path = os.path.join(scratch, str(i), os.path.basename(name))
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(content)
        out.append(f"{flag}={path}")
    return out


def _document(words: list[str], flags: list[str], bundle: str, at: _At) -> JsonObject:
    """Runs a command with more flags and returns its document, with the `bundle` that it made. Raises `Refusal` if the command
    line is wrong."""
    end = words.index("--")
    with Scratch(0) as scratch:
        made = os.path.join(scratch, "made") if is_url(bundle) else bundle
        if bundle:
            remove(bundle)
            flags = [*flags, f"--bundle={made}"]
        named = [local(word, scratch) for word in words[end:]]

        def run(folder: str) -> _tool.Output:
            return _tool.run([*words[:end], f"--archive={folder}", *flags, *named], at.folder)

        # A bundle leaves the archive as it is.
        what = "" if bundle else words[1]
        output = Mirror(at.archive, at.fresh).run(what, run) if is_url(at.archive) else run(at.archive)
        document = output.document()
        if output.code == 2:
            raise Refusal(error_of(document["diagnostics"]))
        if made != bundle and os.path.exists(made):
            place(made, bundle, join(os.path.dirname(bundle), ".new"))
    return {**document, "bundle": bundle if bundle and exists(bundle) else ""}


class _Run:
    """One run on an archive."""

    def __init__(self, command: str, archive: PathLike, options: dict[str, Any]):
        self.at = _At(os.fspath(archive), os.getcwd())
        for key in ("checkpoint", "resume"):
            if options.pop(key, None):
                raise usage_error(f"'{command}' has no {key}", "run it again: it skips finished work")
        self.command = Command(command, options)
        self.files = self.command.files
        self.words = [*command.split(), "--json", *_flags.words_of(command, self.command.options)]
        if "threads" not in self.command.options and self.command.run_options.get("jobs") != 1:
            self.words.append("--threads=1")
        self.statistics = Statistics()

    def run(
        self, work: Any, items: Sequence[Any], key: Callable[[Any], str], label: str, size: Callable[[Any], int] | None = None,
        **options: Any,
    ) -> list[Outcome]:  # fmt: skip
        """Returns the outcomes of items in their order. `options` are more of a run."""
        runner = Runner(work, items, key=key, size=size, **{**self.command.run_options, **options})
        found: dict[int, Outcome] = {}
        for i, outcome in shown(runner.outcomes(), len(items), label, self.command.progress):
            found[i] = outcome
        mine, more = self.statistics, runner.statistics
        self.statistics = Statistics(
            mine.items + more.items, 0, mine.batches + more.batches, mine.repeated + more.repeated, mine.ended + more.ended,
            mine.seconds + more.seconds,
        )  # fmt: skip
        return [found[i] for i in range(len(items))]

    def parts(self, models: Models, count: int | None, label: str, bundles: str = "") -> list[JsonObject]:
        """Returns the documents of all parts."""
        if count is not None and count < 1:
            raise usage_error("parts must be a positive number")
        count = count or 4 * int(self.command.run_options.get("jobs") or available_cores())
        chosen = [models] if isinstance(models, str) else list(models)
        steps = [
            _Step(f"part {i}/{count}", [*self.words, f"--part={i}/{count}", "-j1", "--", *chosen], join(bundles, f"part{i}") if bundles else "")
            for i in range(1, count + 1)
        ]
        # A part is much work; in batches, one that ends its process would repeat others.
        self.command.run_options["batch_items"] = 1
        answers = self.run(_Commands(self.files, self.at), steps, lambda step: step.key, label)
        return [self._answer(answer) for answer in answers]

    def problem(self, outcome: Outcome, file: str) -> JsonObject:
        """Returns the diagnostic for an outcome without a value."""
        return problem_of(outcome, self.command.timeout, file)

    def _answer(self, outcome: Outcome) -> JsonObject:
        """Returns the document of a step."""
        if not outcome.problem:
            return dict(outcome.value)
        found = self.problem(outcome, self.at.archive)
        return {"exit": 4 if found["code"] == "io" else 3, "diagnostics": [{**found, "message": f"{outcome.key}: {found['message']}"}]}

    def add_bundles(self, documents: Sequence[JsonObject]) -> list[JsonObject]:
        """Adds the bundles that documents have to the archive, and returns what is to be said about that.

        One import adds all. If its process ends, or it takes too long, its halves are imported one after the other.
        """
        bundles = list(dict.fromkeys(document["bundle"] for document in documents if document.get("bundle")))
        if not bundles or "dry-run" in self.command.options:
            return []
        words = ["archive", "import", "--json"]
        if "wait" in self.command.options:
            words.append(f"--wait={self.command.options['wait']}")
        waiting, answers = [bundles], []
        while waiting:
            group = waiting.pop()
            step = _Step("import", [*words, "--", *group])
            # The same again would end where it ended, if that is because somebody ends what runs for long.
            more: dict[str, Any] = {"retries": 0} if len(group) > 1 else {}
            (outcome,) = self.run(_Commands((), self.at), [step], lambda step: step.key, "importing", **more)
            if outcome.problem and outcome.problem.kind != "raised" and len(group) > 1:
                waiting += [group[len(group) // 2 :], group[: len(group) // 2]]
                continue
            document = self._answer(outcome)
            # Notes are about the run: it waited for an import whose worker ended.
            said = [found for found in document["diagnostics"] if found["severity"] != "note"]
            answers.append({"exit": document["exit"], "diagnostics": said})
        return answers

    def report(self, result: JsonObject, documents: Sequence[JsonObject]) -> Report:
        """Makes the report of all documents."""
        diagnostics = [found for document in documents for found in document["diagnostics"]]
        whole = {"format_version": 1, "command": self.command.command, **result, "exit": max(document["exit"] for document in documents),
                 "diagnostics": sorted(diagnostics, key=lambda found: str(found.get("file", "")))}  # fmt: skip
        return Report(whole, self.statistics)


class _Bundles:
    """A new folder for bundles, which ends with the run."""

    def __init__(self, archive: str, folder: PathLike | None):
        given = os.fspath(folder) if folder is not None else ""
        self.folder = given if is_url(given) else os.path.abspath(given) if given else ""
        self.archive = archive

    def __enter__(self) -> str:
        if is_url(self.folder):
            if exists(self.folder):
                raise usage_error(f"'{self.folder}' exists", "pass a new folder for bundles")
        elif self.folder:
            os.makedirs(self.folder)
        elif is_url(self.archive):
            self.folder = join(self.archive, f"bundles-{uuid.uuid4().hex}")
        else:
            above, name = os.path.split(os.path.abspath(self.archive))
            self.folder = tempfile.mkdtemp(prefix=f".{name}-bundles-", dir=above)
        return self.folder

    def __exit__(self, *error: object) -> None:
        remove(self.folder)


def _summary(documents: Sequence[JsonObject]) -> dict[str, int]:
    """Adds up the counts of all parts."""
    out: dict[str, int] = {}
    for document in documents:
        for what, count in document.get("summary", {}).items():
            out[what] = out.get(what, 0) + count
    return dict(sorted(out.items()))


def _models(documents: Sequence[JsonObject]) -> list[JsonObject]:
    return sorted((row for document in documents for row in document.get("models", ())), key=lambda row: _order(row["model"]))


def _order(model: str) -> tuple[str, int]:
    """Orders models by name, and their versions by number."""
    name, _, version = model.rpartition("@")
    return name, int(version) if version.isdigit() else 0


def _failed(name: str, found: JsonObject) -> JsonObject:
    """Makes the document of a file that could not be worked on."""
    code = 4 if found["code"] == "io" else 3
    entry = {"file": name, "programs": [], "exit": code, "model": None, "existed": False, "goldens": 0}
    return {"files": [entry], "exit": code, "diagnostics": [found]}


__all__ = ["Models", "add", "command", "migrate", "verify"]


def __dir__() -> list[str]:
    return __all__
