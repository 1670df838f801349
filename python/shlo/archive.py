"""Archives: folders, or URLs, that keep models in all their versions, with proofs (docs/archive.md).

Examples:
    >>> models = shlo.archive.create("models")
    >>> models.add("model.mlirbc", tags=["prod"])
    [<shlo.archive.Model model@1, mlirbc, 1.9.0 (62), tags=['prod']>]
    >>> old = models.load("model@prod", "1.6.0")            # for an older consumer
    >>> shlo.load("models:model@prod")                      # as it is
    <shlo.Program models:model@prod, version 1.9.0 (62), 4 ops: @main>

`shlo.fleet.archive` adds, migrates and verifies by many workers.
"""

from __future__ import annotations

import datetime
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence, TypedDict, Union

from ._checked import checked
from ._compare import Diff, Evidence
from ._diagnostics import warn
from ._documented import documented
from ._errors import NotFoundError, UsageError, make_error, named_error, usage_error
from ._program import PathLike, Program, WriteFormat, load
from ._versions import ConsumerLike, Version, VersionLike, parse

if TYPE_CHECKING:
    from typing_extensions import Unpack

Models = Union[str, Sequence[str]]
"""Models, or patterns of them: ``"vision/*"``, ``["resnet@2", "**@prod"]``. A name is its newest version, ``"resnet@*"`` all of them."""
JsonObject = dict[str, Any]


class FormOptions(TypedDict, total=False):
    """Options of `Archive.write` that choose a form of a model, for functions that pass them on."""

    newest: bool
    original: bool
    form: VersionLike | None
    claimed: bool
    expand: bool
    window: str | None
    allow_outside_window: bool
    allow_other_dialects: bool


@documented
class Form(NamedTuple):
    """A form of a model: the file that was added, or the same program at a newer version."""

    version: Version | None
    """The version of its programs."""
    format: str
    size: int
    """Bytes of its files."""
    time: datetime.datetime
    original: bool
    """Whether it is as it was added."""
    accepted: bool
    """Whether this archive has verified its certificates."""
    document: JsonObject
    """All that is known, as ``shlo-compat archive show --json`` has it."""


@documented
class Model(NamedTuple):
    """A version of a model."""

    name: str
    """``"vision/resnet"``."""
    version: int
    """The version of the model, from 1."""
    format: str
    """The format of its newest form."""
    program_version: Version | None
    """The version of StableHLO of its newest form."""
    size: int
    """Bytes of its newest form."""
    added: datetime.datetime
    """When it was added."""
    tags: tuple[str, ...]
    document: JsonObject
    """All that is known, as ``shlo-compat archive ls --json`` has it; from `Archive.show`, as ``show`` has it."""

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    def __repr__(self) -> str:
        tags = f", tags={list(self.tags)}" if self.tags else ""
        return f"<shlo.archive.Model {self}, {self.format}, {self.program_version}{tags}>"

    @property
    def metadata(self) -> dict[str, str]:
        """Its metadata. Only of `Archive.show`."""
        return dict(self.document["metadata"])

    @property
    def forms(self) -> list[Form]:
        """Its forms, oldest first. Only of `Archive.show`."""
        return [
            Form(_version(row["version"]), row["format"], row["size"], _time(row["time"]), row["from"] is None, row["accepted"], row)
            for row in self.document["forms"]
        ]


@checked
class Archive:
    """An archive. It has no state: every call sees what all writers have done.

    All methods raise `NotFoundError` for a model that is not there, `UsageError` for a folder that is not an archive,
    `FileError` if another writer holds the archive for longer than a minute, and `FormatError` if it is damaged.
    """

    __slots__ = ("path",)
    path: str
    """The folder, or URL."""

    def __init__(self, path: PathLike):
        self.path = os.fspath(path)

    def _run(self, command: str, *words: str) -> JsonObject:
        """Runs a command of the tool, and returns its document. Warns and raises like the command."""
        from .fleet import _work
        from .fleet.archive import command as run

        output = run(self.path, command, "--json", *words)
        try:
            document = output.document()
        except ValueError:
            raise make_error(output.err.decode("utf-8", "surrogateescape"), _OTHER, "io", 4) from None
        if document["exit"]:
            found = document["diagnostics"] or [{"severity": "error", "code": "io", "message": output.err.decode(errors="replace").strip()}]
            error = _work.error_of(found, document["exit"])
            missing = error.diagnostics[0].message.startswith("the archive has no model")
            raise named_error(NotFoundError, error) if missing else error
        warn(_work.fields_of(document["diagnostics"]))
        return document

    # --- Reading ---

    def ls(self, models: Models = ()) -> list[Model]:
        """Lists models, by name and version: all by default, and the newest version of each that is named."""
        return [_model(row) for row in self._run("ls", *_words(models))["models"]]

    def __iter__(self) -> Iterator[Model]:
        return iter(self.ls())

    def __contains__(self, model: object) -> bool:
        try:
            return isinstance(model, str) and bool(self._run("show", "--", model)["models"])
        except UsageError:
            return False

    def __len__(self) -> int:
        """The number of models, each in all its versions."""
        return len(self.ls())

    def __getitem__(self, model: str) -> Model:
        """Returns the facts of a model, as `show` does: ``models["resnet@prod"]``."""
        return self.show(model)

    def _ipython_key_completions_(self) -> list[str]:
        models = self.ls()
        return [*dict.fromkeys(model.name for model in models), *map(str, models)]

    def show(self, model: str) -> Model:
        """Returns the facts of a model: `forms`, `metadata`, and programs, goldens, proofs and lineage in its
        `document`."""
        return _model(self._run("show", "--", model)["models"][0])

    def get(
        self,
        model: str,
        target: VersionLike | ConsumerLike | Sequence[ConsumerLike] | None = None,
        *,
        format: WriteFormat | None = None,
        strip_debuginfo: bool = False,
        **options: Unpack[FormOptions],
    ) -> bytes:
        """Returns the file of a model. Takes the options of `write`."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "model")
            self.write(model, out, target, format=format, strip_debuginfo=strip_debuginfo, **options)
            if os.path.isdir(out):
                raise usage_error(f"'{model}' is a SavedModel, which is a folder", "pass a path to Archive.write")
            return pathlib.Path(out).read_bytes()

    def write(
        self,
        model: str,
        path: PathLike,
        target: VersionLike | ConsumerLike | Sequence[ConsumerLike] | None = None,
        *,
        format: WriteFormat | None = None,
        newest: bool = False,
        original: bool = False,
        form: VersionLike | None = None,
        claimed: bool = False,
        expand: bool = False,
        window: str | None = None,
        allow_outside_window: bool = False,
        allow_other_dialects: bool = False,
        strip_debuginfo: bool = False,
    ) -> None:
        """Writes a model to a file, or to the new folder of a SavedModel.

        Args:
            model: ``"resnet"`` for its newest version, ``"resnet@3"``, ``"resnet@prod"``.
            path: the file or folder.
            target: a version or consumers to convert to, as for `Program.convert` (default: as it is).
            format: another format than the model's.
            newest: the newest form, which is the default with a `target`.
            original: the file that was added, which is the default without.
            form: the form at this version.
            claimed: also forms whose certificates this archive did not verify.
            expand, window, allow_outside_window, allow_other_dialects, strip_debuginfo: as for `Program.convert`.

        Raises:
            BlockedError, OutsideWindowError: it cannot be converted.
        """
        from .fleet._commands import target_of

        words = _switches(
            newest=newest, original=original, claimed=claimed, expand=expand, allow_outside_window=allow_outside_window,
            allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo,
        )  # fmt: skip
        words += _values(output=path, emit=format, form=None if form is None else str(int(parse(form))), window=window)
        for flag, value in target_of(target).items():
            words += [f"{flag}={text}" for text in ([value] if isinstance(value, str) else value)]
        self._run("get", *words, "--", model)

    def load(
        self,
        model: str,
        target: VersionLike | ConsumerLike | Sequence[ConsumerLike] | None = None,
        *,
        program: str | None = None,
        **options: Unpack[FormOptions],
    ) -> Program:
        """Returns the program of a model. Takes the options of `write`; `program` names one of a container."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, model.replace("/", "_"))
            self.write(model, out, target, **options)
            return load(out, program=program)

    def diff(self, a: str, b: str, *, locations: bool = False) -> Diff:
        """Compares two models by structure, as `shlo.diff` does. The document says which weights they share."""
        from .fleet.archive import command as run

        words = [*(["--locations"] if locations else []), a, b]
        output = run(self.path, "diff", "--json", *words)
        if output.code > 1:
            self._run("diff", *words)
        document = output.document()
        return Diff(output.code == 0, document, lambda lines: run(self.path, "diff", f"--limit={lines}", *words).out.decode("utf-8", "surrogateescape"))

    def log(self, models: Models = ()) -> list[JsonObject]:
        """Returns the journal: additions, conversions, tags and removals, with dates."""
        return list(self._run("log", *_words(models))["lines"])

    def stats(self) -> JsonObject:
        """Returns sizes: of models, of stored data, and the savings of sharing and compression."""
        return {key: value for key, value in self._run("stats").items() if key not in _FRAME}

    def verify(self, models: Models = (), *, goldens: bool = False, certificates: bool = False, files: bool = False, checksums: bool = False) -> JsonObject:
        """Compares all bytes with their checksums, and returns counts: ``packs``, ``records``, ``size``, ``damage``.

        Args:
            models: models to verify (default: everything).
            goldens: compute the results of goldens again.
            certificates: verify the certificates of converted forms again.
            files: assemble each file, and compare its SHA-256.
            checksums: compare checksums only, without decompressing.

        Raises:
            ShloError: something is damaged or differs; `diagnostics` has all of it.
        """
        words = _switches(goldens=goldens, certificates=certificates, files=files, checksums=checksums)
        document = self._run("verify", *words, *_words(models))
        return {key: value for key, value in document.items() if key not in _FRAME}

    # --- Writing ---

    def add(
        self,
        paths: PathLike | Program | Sequence[PathLike],
        *,
        name: str = "",
        tags: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
        producer: str | None = None,
        parents: Sequence[str] = (),
        new_version: bool = False,
        golden: str | None = None,
        function: str | None = None,
        tolerance: float | None = None,
        lenient: bool = False,
    ) -> list[Model]:
        """Adds programs, and returns their models. When it returns, they are on the disk.

        Args:
            paths: files, folders, patterns or SavedModels; or a program, which needs a `name`.
            name: the name of the model (default: the file's, without its ending); with a ``/`` at the end, the
                beginning of all names.
            tags: tags of the models.
            metadata: more about them, by key.
            producer: their producer (default: what the file states).
            parents: models that they were made from.
            new_version: add a version even if one has the same content.
            golden: keep inputs and results: the file of inputs, or ``"random:SEED"``; `function` is the one to evaluate
                (default: ``main``, or the only one), and `tolerance` the difference that `verify` allows.
            lenient: accept violated constraints of the specification.

        Raises:
            ShloError: a file was not added; others may have been.
        """
        words = [f"--tag={tag}" for tag in tags] + [f"--meta={key}={value}" for key, value in (metadata or {}).items()]
        words += [f"--parent={model}" for model in parents] + _switches(new_version=new_version, lenient=lenient)
        words += _values(name=name or None, producer=producer, golden=golden, entry=function, tolerance=tolerance)
        with tempfile.TemporaryDirectory() as folder:
            if isinstance(paths, Program):
                if not name or name.endswith("/"):
                    raise usage_error("a program has no name in the archive", "pass name=")
                file = os.path.join(folder, "program.mlirbc")
                paths.save(file, "mlirbc")
                paths = file
            given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
            if not given:
                raise usage_error("no paths", "pass files, folders or patterns")
            document = self._run("add", *words, "--", *(os.fspath(path) for path in given))
        names = [entry["model"] for entry in document["files"]]
        found = {str(model): model for model in self.ls(names)}
        return [found[name] for name in names]

    def tag(
        self, models: Models, *, add: Sequence[str] = (), remove: Sequence[str] = (), metadata: Mapping[str, str] | None = None
    ) -> list[Model]:
        """Adds and removes tags, and sets metadata; an empty value removes a key. Returns the models."""
        words = [f"--add={tag}" for tag in add] + [f"--remove={tag}" for tag in remove]
        words += [f"--meta={key}={value}" for key, value in (metadata or {}).items()]
        return [_model(row) for row in self._run("tag", *words, *_words(models))["models"]]

    def migrate(
        self,
        models: Models = (),
        target: VersionLike | None = None,
        *,
        policy: PathLike | None = None,
        at_least: Evidence | None = None,
        expand: bool = False,
        window: str | None = None,
        allow_outside_window: bool = False,
        dry_run: bool = False,
    ) -> JsonObject:
        """Gives models a form at a newer version, proved equal. Returns ``models`` with the outcome of each, ``summary``
        and ``leaving``, the programs that leave the compatibility window next. A proof that is weaker than `at_least`
        (default: ``"laws"``) is not an error: the outcome says so."""
        from .fleet.archive import command as run

        words = _switches(expand=expand, allow_outside_window=allow_outside_window, dry_run=dry_run)
        words += _values(target=None if target is None else str(int(parse(target))), policy=policy, at_least=at_least, window=window)
        words += _words(models)
        output = run(self.path, "migrate", "--json", *words)
        document = output.document() if output.code <= 1 else self._run("migrate", *words)
        return {key: value for key, value in document.items() if key not in _FRAME}

    def prune(
        self, models: Models = (), *, superseded: bool = False, keep_original: bool = False, keep: int | None = None, dry_run: bool = False
    ) -> JsonObject:
        """Removes models, or with `superseded` the forms that a newer form with certificate replaced, or all but the
        newest `keep` versions of each name; and unneeded data. Returns ``removed`` models and forms, and sizes."""
        words = _switches(superseded=superseded, keep_original=keep_original, dry_run=dry_run) + _values(keep=keep)
        document = self._run("prune", *words, *_words(models))
        return {key: value for key, value in document.items() if key not in _FRAME}

    def export(self, models: Models, path: PathLike, *, without: PathLike | None = None) -> None:
        """Writes models to a bundle: one file, with all they need, but for what the archive `without` has."""
        self._run("export", f"--output={os.fspath(path)}", *_values(without=without), *_words(models))

    def import_(self, paths: PathLike | Sequence[PathLike], *, at_least: Evidence | None = None) -> JsonObject:
        """Adds the models of bundles, or of other archives, after verifying all of them. Returns the added models."""
        given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        if not given:
            raise usage_error("no paths", "pass bundles, or archives")
        document = self._run("import", *_values(at_least=at_least), "--", *(os.fspath(path) for path in given))
        return {key: value for key, value in document.items() if key not in _FRAME}

    def repair(self, source: PathLike) -> JsonObject:
        """Replaces damaged and missing pieces from another copy. Returns counts."""
        document = self._run("repair", f"--from={os.fspath(source)}")
        return {key: value for key, value in document.items() if key not in _FRAME}

    def rebuild(self, *, check: bool = False) -> list[JsonObject]:
        """Makes the catalog again from the packs, or with `check` only compares it. Returns the differences."""
        return list(self._run("rebuild", *_switches(check=check))["differences"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Archive) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return f"<shlo.archive.Archive {self.path}>"

    def _repr_html_(self) -> str:
        from ._html import table

        rows = [(str(m), m.program_version or "", m.format, m.size, m.added.date(), " ".join(m.tags)) for m in self.ls()]
        return table(("model", "StableHLO", "format", "bytes", "added", "tags"), rows)


@checked
def create(path: PathLike) -> Archive:
    """Makes an archive in a new or empty folder, or at a URL, and returns it. One that is there stays as it is."""
    archive = Archive(path)
    archive._run("init")
    return archive


@checked
def open(path: PathLike) -> Archive:  # noqa: A001
    """Returns an archive. Raises `FileMissingError` if there is no such folder, and `UsageError` if it is not an archive."""
    archive = Archive(path)
    archive._run("stats")
    return archive


_FRAME = ("format_version", "command", "exit", "diagnostics")
_OTHER = [("error", "io", "the command ended without a document", "", "", 0, "", 0, 0, "", None, "", "", "")]


def _version(row: JsonObject | None) -> Version | None:
    return Version(row["n"]) if row else None


def _time(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def _model(row: JsonObject) -> Model:
    return Model(
        row["name"], row["model_version"], row["format"], _version(row["version"]), row["size"], _time(row["time"]),
        tuple(row["tags"]), row,
    )  # fmt: skip


def _words(models: Models) -> list[str]:
    return ["--", *([models] if isinstance(models, str) else models)]


def _switches(**given: bool) -> list[str]:
    return [f"--{name.replace('_', '-')}" for name, on in given.items() if on]


def _values(**given: Any) -> list[str]:
    return [f"--{name.replace('_', '-')}={os.fspath(v) if isinstance(v, os.PathLike) else v}" for name, v in given.items() if v is not None]


__all__ = ["Archive", "Form", "Model", "create", "open"]


def __dir__() -> list[str]:
    return __all__
