"""Comparison of programs, and the checks of a policy."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, NamedTuple, Sequence

from . import _core
from ._checked import checked
from ._errors import usage_error
from ._html import table
from ._limits import Limits
from ._printed import loads
from ._program import Dialect, PathLike, Program, given
from ._versions import Consumer, ConsumerLike, Consumers, Version, VersionLike
from ._words import in_python


class FunctionProof(NamedTuple):
    """The comparison of one function."""

    function: str
    verdict: str
    """``"equal"``, ``"not told apart"``, ``"other contract"``, ``"different"``, ``"not covered"``."""
    evidence: str
    """The grounds of equality: ``"congruence"``, ``"laws"``, ``"exhaustive"``, ``"sampled"``, ``"none"``."""
    inputs: int
    """Input sets that were evaluated."""
    exhaustive: bool
    """Whether these were all possible inputs."""
    detail: str
    """The parts that were compared, why it is not covered, or the first difference."""


@checked
class Proof:
    """The comparison of what two programs compute. It is true if they are equal."""

    __slots__ = ("_handle",)

    def __init__(self, handle: Any):
        self._handle = handle

    @property
    def equal(self) -> bool:
        """Whether no difference is known, in values or in contract; `evidence` states how strongly that is known."""
        return int(_core.proof_verdict(self._handle)[0]) == 0

    @property
    def verdict(self) -> str:
        """``"equal"``, ``"not told apart"`` (equal on sampled inputs), ``"other contract"``, ``"different"``,
        ``"not covered"``."""
        return str(_core.proof_verdict(self._handle)[1])

    @property
    def evidence(self) -> str:
        """The weakest evidence of all functions."""
        return str(_core.proof_verdict(self._handle)[2])

    @property
    def functions(self) -> list[FunctionProof]:
        """The comparison of each function."""
        found = [FunctionProof(row[0], *row[2:]) for row in _core.proof_functions(self._handle)]
        return [function._replace(detail=in_python(function.detail)) for function in found]

    @property
    def text(self) -> str:
        """The report, as ``shlo-compat prove`` prints it."""
        return str(_core.proof_text(self._handle))

    def json(self) -> dict[str, Any]:
        """Returns the document of ``shlo-compat prove --json``."""
        document: dict[str, Any] = loads(_core.proof_json(self._handle))
        return document

    def certificate(self, *, in_toto: bool = False) -> str:
        """Returns a certificate of equality, as JSON, for `check_certificate`. Needs ``prove(..., certifiable=True)``,
        and programs that were read from files. Raises `NotEqualError` if the programs are not known to be equal."""
        return str(_core.proof_certificate(self._handle, in_toto))

    def counterexample(self) -> Program:
        """Returns a program that shows the difference: evaluating it fails. Raises `NotEqualError` if no input is known
        that tells the programs apart."""
        return Program._of(_core.proof_counterexample(self._handle))

    def __bool__(self) -> bool:
        return self.equal

    def __repr__(self) -> str:
        return f"<shlo.Proof {self.verdict} ({self.evidence}), {len(self.functions)} functions>"

    def _repr_html_(self) -> str:
        return table(("function", "verdict", "evidence", "inputs", "detail"), [(f[0], f[1], f[2], f[3], f[5]) for f in self.functions])


@checked
def prove(
    a: Program,
    b: Program,
    *,
    seed: int = 1,
    max_inputs: int | None = None,
    max_elements: int | None = None,
    evaluate_only: bool = False,
    certifiable: bool = False,
    limits: Limits | None = None,
) -> Proof:
    """Compares what two programs compute, and their contracts: by congruence, by laws, and by evaluating the rest on
    `max_inputs` input sets (default: 256) per function. Programs that differ are not an error: ask the proof."""
    options = given(
        seed=seed, max_inputs=max_inputs, max_elements=max_elements, evaluate_only=evaluate_only,
        certifiable=certifiable, limits=limits,
    )  # fmt: skip
    return Proof(_core.prove(a._handle, b._handle, options))


@checked
def check_certificate(certificate: str | bytes, a: Program, b: Program, *, limits: Limits | None = None) -> str:
    """Verifies a certificate of two programs that were read from files, and returns its weakest evidence. Raises
    `NotEqualError` if it does not hold, or is about other files."""
    data = certificate.encode() if isinstance(certificate, str) else certificate
    return str(_core.certificate_check(data, a._handle, b._handle, given(limits=limits)))


class Diff:
    """The differences between two programs by structure."""

    def __init__(self, equal: bool, document: dict[str, Any]):
        self.equal = equal
        """Whether nothing does."""
        self.document: dict[str, Any] = document
        """The document of ``shlo-compat diff --json``."""

    @property
    def symbols(self) -> list[dict[str, Any]]:
        """The changes of each function."""
        return list(self.document["symbols"])

    @property
    def counts(self) -> list[dict[str, Any]]:
        """Ops whose number changed."""
        return list(self.document["counts"])

    @property
    def matched(self) -> int:
        """The number of ops that are in both programs."""
        return int(self.document["matched"])

    def __repr__(self) -> str:
        if self.equal:
            return f"<shlo.Diff equal, {self.matched} ops>"
        return f"<shlo.Diff different, {len(self.symbols)} functions changed, {self.matched} ops matched>"

    def _repr_html_(self) -> str:
        return table(("", ""), [("equal", self.equal), ("matched", self.matched)] + [("changed", json.dumps(s)) for s in self.symbols])


@checked
def diff(a: Program, b: Program, *, locations: bool = False, limits: Limits | None = None) -> Diff:
    """Compares two programs by structure, at the newer of their versions. Names of values and the order of independent
    ops make no difference. `locations`: compare locations, too."""
    equal, document = _core.diff(a._handle, b._handle, given(locations=locations, limits=limits))
    return Diff(equal, loads(document))


def _in_python(diagnostic: dict[str, Any]) -> dict[str, Any]:
    """Returns a diagnostic of a document in the words of Python."""
    words = {key: in_python(diagnostic[key], hint=key == "hint") for key in ("message", "hint") if diagnostic.get(key)}
    return {**diagnostic, **words}


REPORT_FORMATS = ("json", "text", "sarif", "junit", "github", "gitlab", "markdown", "html")
"""The formats of a report of `check`."""


@checked
class Report:
    """What `check` found. It is true if there is no error."""

    def __init__(self, exit_code: int, document: dict[str, Any], render: Any):
        self.exit_code = exit_code
        """That of the command: 0 if no error was found, 1 if one was, 3 or 4 if a file could not be read."""
        self.document: dict[str, Any] = document
        """The document of ``shlo-compat check --json``."""
        self._render = render

    @property
    def ok(self) -> bool:
        """Whether no error was found, and every file was read."""
        return self.exit_code == 0

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of all files, each with its `file`, `rule`, `severity`, `fingerprint` and `diagnostic`."""
        found = [{"file": file["file"], **finding} for file in self.document["files"] for finding in file["findings"]]
        return [{**finding, "diagnostic": _in_python(finding["diagnostic"])} for finding in found]

    def render(self, format: str) -> str:
        """Returns the report in a format: ``"text"``, ``"sarif"``, ``"junit"``, ``"github"``, ``"gitlab"``,
        ``"markdown"``, ``"html"`` or ``"json"``. Applies the rules again."""
        return str(self._render(format))

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"<shlo.Report exit code {self.exit_code}, {len(self.findings)} findings in {len(self.document['files'])} files>"

    def _repr_html_(self) -> str:
        rows = [(f["file"], f["rule"], f["severity"], f["diagnostic"]["message"]) for f in self.findings]
        return table(("file", "rule", "severity", "finding"), rows)


@checked
def check(
    paths: PathLike | Sequence[PathLike],
    *,
    policy: PathLike | None = None,
    rules: Mapping[str, str] | None = None,
    requires: Sequence[str] | None = None,
    consumers: Consumers | None = None,
    dialects: Sequence[Dialect] = (),
    baseline: PathLike | None = None,
    today: Any = None,
    lenient: bool = False,
    jobs: int | None = None,
    limits: Limits | None = None,
) -> Report:
    """Applies the rules of ``shlo-compat check`` to files, folders and patterns.

    `policy`: a TOML file (docs/check.md). `rules`: severities by rule, ``{"too-new": "off"}``. `requires`: consumers
    that must read the programs (``["jaxlib==0.4.30", "WEEK_12"]``), instead of those of the policy. `baseline`: a folder
    with the files as they were. `lenient`: violated constraints of the specification are at most warnings. Raises `UsageError` for a policy, rule or consumer that is wrong.
    """
    names = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    encoded = [os.fsencode(path) for path in names]
    options = given(
        policy=None if policy is None else os.fspath(policy),
        rules=[f"{rule}={severity}" for rule, severity in (rules or {}).items()] or None,
        requirements=None if requires is None else list(requires), dialects=dialects,
        baseline=None if baseline is None else os.fspath(baseline), today=None if today is None else str(today),
        lenient=lenient, jobs=jobs, limits=limits,
    )  # fmt: skip
    handle = None if consumers is None else consumers._handle

    def render(format: str) -> str:
        if format not in REPORT_FORMATS:
            raise usage_error(f"unknown format '{format}'", f"pass one of {', '.join(REPORT_FORMATS)}")
        return str(_core.check(encoded, handle, {**options, "format": REPORT_FORMATS.index(format)})[1])

    exit_code, document = _core.check(encoded, handle, options)
    return Report(exit_code, loads(document), render)


@checked
def negotiate(
    program: Program | None = None,
    consumer: ConsumerLike | None = None,
    *,
    consumer_minimum: VersionLike | None = None,
    consumer_current: VersionLike | None = None,
    producer_minimum: VersionLike | None = None,
    producer_current: VersionLike | None = None,
    expand: bool = False,
    allow_outside_window: bool = False,
    allow_other_dialects: bool = False,
    portable: bool = False,
    window: str | None = None,
    today: Any = None,
) -> Version:
    """Returns the newest release that both sides have and the program can be converted to.

    A consumer is a package (``"jaxlib==0.4.30"``), or states the range of versions that it reads itself, as plugins do:
    `consumer_minimum` and `consumer_current`; releases that are newer than all known ones are allowed. The options are
    those of `Program.convert`. Raises `BlockedError` if the ranges do not meet, what `convert` raises if the program cannot
    be converted, and `VersionError` for a text that is not a version.
    """

    def text(version: VersionLike | None) -> str | None:
        return None if version is None else str(int(version)) if isinstance(version, int) else version

    if isinstance(consumer, str):
        consumer = Consumers().find(consumer) if today is None else Consumers().find(consumer, today=today)
    options = given(
        consumer_minimum=text(consumer_minimum), consumer_current=text(consumer_current),
        producer_minimum=text(producer_minimum), producer_current=text(producer_current), expand=expand,
        allow_outside_window=allow_outside_window, allow_other_dialects=allow_other_dialects, portable=portable,
        window=window, today=None if today is None else str(today),
    )  # fmt: skip
    handle = consumer._handle if isinstance(consumer, Consumer) else None
    return Version(_core.negotiate(None if program is None else program._handle, handle, options))


def inspect_document(data: bytes, name: str | None = None, *, limits: Limits | None = None) -> dict[str, Any]:
    """Returns the document of ``shlo-compat inspect --json`` for a file in memory. A file that cannot be read is not an
    error of the call: the document states ``exit`` and ``diagnostics``."""
    document: dict[str, Any] = loads(_core.inspect_json(data, given(source_name=name, limits=limits)))
    return document


def verify_document(
    data: bytes, name: str | None = None, *, lenient: bool = False, limits: Limits | None = None
) -> dict[str, Any]:
    """Returns the document of ``shlo-compat verify --json`` for a file in memory."""
    options = given(source_name=name, lenient=lenient, limits=limits)
    document: dict[str, Any] = loads(_core.verify_json(data, options))
    return document


def rules() -> dict[str, dict[str, Any]]:
    """Returns the rules of `check` by id."""
    return {rule["id"]: rule for rule in loads(_core.rules_json(None))["rules"]}


