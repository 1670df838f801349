"""Comparison of programs, and the checks of a policy."""

from __future__ import annotations

import os
from typing import Any, Callable, Literal, Mapping, NamedTuple, Sequence, get_args

from . import _core
from ._checked import checked
from ._documented import documented
from ._errors import usage_error
from ._html import table
from ._html import text as html_text
from ._limits import Limits
from ._printed import counted, loads
from ._program import Dialect, PathLike, Program, given
from ._versions import Consumer, ConsumerLike, Consumers, Version, VersionLike, known
from ._words import in_python


Verdict = Literal["equal", "not told apart", "other contract", "different", "not covered"]
Evidence = Literal["congruence", "laws", "exhaustive", "sampled", "none"]
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
"""From the strongest to the weakest."""


@documented
class FunctionProof(NamedTuple):
    """The comparison of one function."""

    function: str
    """Its symbol name."""
    verdict: Verdict
    """``"equal"``, ``"not told apart"``, ``"other contract"``, ``"different"``, ``"not covered"``."""
    evidence: Evidence
    """The grounds of equality: ``"congruence"``, ``"laws"``, ``"exhaustive"``, ``"sampled"``, ``"none"``."""
    inputs: int
    """Input sets that were evaluated."""
    exhaustive: bool
    """Whether these were all possible inputs."""
    detail: str
    """The parts that were compared, why it is not covered, or the first difference."""


@checked
class Proof:
    """The comparison of what two programs compute. It is true if they are equal, and prints as ``shlo-compat prove`` does.

    Examples:
        >>> print(shlo.prove(m, m.convert("1.9.0")))
        @main: equal by congruence and 1 law
        law: vhlo.tanh_v1 -> vhlo.tanh_v2 (1 op)
        equal (1.22.0 (75) against 1.9.0 (62), seed 1)
    """

    __slots__ = ("_handle",)

    def __init__(self, handle: Any):
        self._handle = handle

    @property
    def equal(self) -> bool:
        """Whether no difference is known, in values or in contract; `evidence` states how strongly that is known."""
        return int(_core.proof_verdict(self._handle)[0]) == 0

    @property
    def verdict(self) -> Verdict:
        """``"equal"``, ``"not told apart"`` (equal on sampled inputs), ``"other contract"``, ``"different"``,
        ``"not covered"``."""
        found: Verdict = _core.proof_verdict(self._handle)[1]
        return found

    @property
    def evidence(self) -> Evidence:
        """The weakest evidence of all functions."""
        found: Evidence = _core.proof_verdict(self._handle)[2]
        return found

    @property
    def functions(self) -> list[FunctionProof]:
        """The comparison of each function."""
        found = [FunctionProof(row[0], *row[2:]) for row in _core.proof_functions(self._handle)]
        return [function._replace(detail=in_python(function.detail)) for function in found]

    @property
    def text(self) -> str:
        """The report, as ``shlo-compat prove`` prints it."""
        return str(_core.proof_text(self._handle))

    def __str__(self) -> str:
        return self.text.rstrip("\n")

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
        return f"<shlo.Proof {self.verdict} ({self.evidence}), {counted(len(self.functions), 'function')}>"

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
    """Compares what two programs compute, and their contracts: by congruence, by laws, and by evaluating the rest.
    Programs that differ are not an error: ask the proof.

    Args:
        a, b: the programs.
        seed: of random inputs.
        max_inputs: input sets per function (default: 256).
        max_elements: limit of elements per argument (default: 2^24).
        evaluate_only: compare functions by evaluating them only.
        certifiable: keep what `Proof.certificate` needs.
        limits: the budget of the call.

    Raises:
        VerificationError: a program does not verify.

    Examples:
        >>> bool(shlo.prove(m, m.convert("1.9.0")))
        True
    """
    options = given(
        seed=seed, max_inputs=max_inputs, max_elements=max_elements, evaluate_only=evaluate_only,
        certifiable=certifiable, limits=limits,
    )  # fmt: skip
    return Proof(_core.prove(a._handle, b._handle, options))


@checked
def check_certificate(certificate: str | bytes, a: Program, b: Program, *, limits: Limits | None = None) -> Evidence:
    """Verifies a certificate of two programs that were read from files, and returns its weakest evidence. Raises
    `NotEqualError` if it does not hold, or is about other files."""
    data = certificate.encode() if isinstance(certificate, str) else certificate
    evidence: Evidence = _core.certificate_check(data, a._handle, b._handle, given(limits=limits))
    return evidence


class Diff:
    """The differences between two programs by structure. It is true if there are none, as a `Proof` is, and prints as
    ``shlo-compat diff`` does.

    Examples:
        >>> print(shlo.diff(a, b))
        @main
          - 2:8  %0 = stablehlo.tanh %arg0 : tensor<4xf32>
          + 2:8  %0 = stablehlo.cosine %arg0 : tensor<4xf32>
              op: stablehlo.tanh -> stablehlo.cosine
        ops
                     +1  stablehlo.cosine
              -1         stablehlo.tanh
        different (3 ops at 1.22.0 (75), 3 ops at 1.22.0 (75); 3 matched)
    """

    equal: bool
    """Whether there are none."""
    document: dict[str, Any]
    """The document of ``shlo-compat diff --json``."""

    def __init__(self, equal: bool, document: dict[str, Any], text: Callable[[int], str]):
        self.equal = equal
        self.document = document
        self._text = text

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

    def text(self, lines: int = 200) -> str:
        """Returns the report as ``shlo-compat diff`` prints it, with at most that many lines of differences; 0: all."""
        return self._text(lines)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __bool__(self) -> bool:
        return self.equal

    def __repr__(self) -> str:
        if self.equal:
            return f"<shlo.Diff equal, {counted(self.matched, 'op')}>"
        return f"<shlo.Diff different, {counted(len(self.symbols), 'function')} changed, {counted(self.matched, 'op')} matched>"

    def _repr_html_(self) -> str:
        return html_text(repr(self)[6:-1], self.text())


@checked
def diff(a: Program, b: Program, *, locations: bool = False, limits: Limits | None = None) -> Diff:
    """Compares two programs by structure, at the newer of their versions. Names of values and the order of independent
    ops make no difference.

    Args:
        a, b: the programs.
        locations: compare locations, too.
        limits: the budget of the call.

    Examples:
        >>> shlo.diff(m, m).equal
        True
    """
    options = given(locations=locations, limits=limits)
    equal, document = _core.diff(a._handle, b._handle, options)

    def text(lines: int) -> str:
        return str(_core.diff_text(a._handle, b._handle, {**options, "lines": lines}))

    return Diff(equal, loads(document), text)


def _in_python(diagnostic: dict[str, Any]) -> dict[str, Any]:
    """Returns a diagnostic of a document in the words of Python."""
    words = {key: in_python(diagnostic[key], hint=key == "hint") for key in ("message", "hint") if diagnostic.get(key)}
    return {**diagnostic, **words}


ReportFormat = Literal["json", "text", "sarif", "junit", "github", "gitlab", "markdown", "html"]
REPORT_FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)
"""The formats of a report of `check`, in the order of shlo_report_format."""


@checked
class Report:
    """What `check` found. It is true if there is no error, and every file was read. It prints as ``shlo-compat check``
    does."""

    exit_code: int
    """That of the command: 0 if no error was found, 1 if one was, 3 or 4 if a file could not be read."""
    document: dict[str, Any]
    """The document of ``shlo-compat check --json``."""

    def __init__(self, exit_code: int, document: dict[str, Any], render: Callable[[ReportFormat], str]):
        self.exit_code = exit_code
        self.document = document
        self._render = render

    def _content(self) -> dict[str, Any]:
        """Returns the document with its findings as that of ``check`` has them."""
        return self.document

    @property
    def ok(self) -> bool:
        """Whether no error was found, and every file was read."""
        return self.exit_code == 0

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of all files and of the policy, and why files could not be read: each with its `file`, `rule`, `severity`,
        `waived`, `fingerprint` and `diagnostic`. The rule of a file that could not be read is the code of the
        diagnostic: ``"io"``, ``"syntax"``, ..."""
        out: list[dict[str, Any]] = []
        document = self._content()
        for file in [*document["files"], {"file": document["policy"], "failures": [], "findings": document["policy_findings"]}]:
            out += [
                {"file": file["file"], "rule": d["code"], "severity": "error", "waived": None, "fingerprint": None, "diagnostic": _in_python(d)}
                for d in file["failures"]
            ]
            out += [
                {"file": file["file"], **finding, "diagnostic": _in_python(finding["diagnostic"])} for finding in file["findings"]
            ]
        return out

    def render(self, format: ReportFormat) -> str:
        """Returns the report in a format: ``"text"``, ``"sarif"``, ``"junit"``, ``"github"``, ``"gitlab"``,
        ``"markdown"``, ``"html"`` or ``"json"``."""
        if format not in REPORT_FORMATS:
            raise usage_error(f"unknown format '{format}'", f"pass one of {', '.join(REPORT_FORMATS)}")
        return self._render(format)

    def __str__(self) -> str:
        return self.render("text").rstrip("\n")

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        found, files = counted(len(self.findings), "finding"), counted(len(self.document["files"]), "file")
        return f"<shlo.Report exit code {self.exit_code}, {found} in {files}>"

    def _repr_html_(self) -> str:
        rows = [(f["file"], f["rule"], f["severity"], f["diagnostic"]["message"]) for f in self.findings]
        return table(("file", "rule", "severity", "finding"), rows)


@checked
def check(
    paths: PathLike | Sequence[PathLike],
    *,
    policy: PathLike | None = None,
    rules: Mapping[str, str] | None = None,
    requires: ConsumerLike | Sequence[ConsumerLike] | None = None,
    consumers: Consumers | None = None,
    dialects: Sequence[Dialect] = (),
    baseline: PathLike | None = None,
    today: Any = None,
    lenient: bool = False,
    jobs: int | None = None,
    limits: Limits | None = None,
) -> Report:
    """Applies the rules of ``shlo-compat check``.

    Args:
        paths: files, folders and patterns. A path that does not exist is a finding.
        policy: a TOML file (docs/check.md).
        rules: severities by rule, ``{"too-new": "off"}``.
        requires: consumers that must read the programs (``"jaxlib==0.4.30"``, ``["jaxlib==0.7.0", "WEEK_12"]``), instead
            of those of the policy.
        consumers: known ones, instead of `shlo.consumers`.
        dialects: dialects of the user.
        baseline: a folder with the files as they were.
        today: the day from which ``"WEEK_12"`` counts back.
        lenient: violated constraints of the specification are at most warnings.
        jobs: files to check at the same time (default: one per processor).
        limits: the budget of each file.

    Raises:
        UsageError: a policy, rule or consumer that is wrong; no paths, or no programs.

    Examples:
        >>> print(shlo.check("model.mlir", requires="jaxlib==0.7.0"))
        0 errors, 0 warnings in 1 file
    """
    names = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not names:
        raise usage_error("no paths", "pass files, folders or patterns")
    encoded = [os.fsencode(path) for path in names]
    every = consumers or known()
    readers = [
        reader if isinstance(reader, Consumer) else every._find(reader, today)
        for reader in ([requires] if isinstance(requires, (str, Consumer)) else requires or ())
    ]
    options = given(
        policy=None if policy is None else os.fspath(policy),
        rules=[f"{rule}={severity}" for rule, severity in (rules or {}).items()] or None,
        requirements=[reader.text for reader in readers] or None,
        dialects=dialects,
        baseline=None if baseline is None else os.fspath(baseline), today=None if today is None else str(today),
        lenient=lenient, jobs=jobs, limits=limits,
    )  # fmt: skip
    report = _core.check(encoded, None if consumers is None else consumers._handle, options)

    def render(format: ReportFormat) -> str:
        return str(_core.report_render(report, REPORT_FORMATS.index(format)))

    return Report(_core.report_exit_code(report), loads(render("json")), render)


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

    Args:
        program: the program (default: any).
        consumer: a package (``"jaxlib==0.4.30"``).
        consumer_minimum, consumer_current: the range of versions that the consumer states itself, as plugins do; releases
            that are newer than all known ones are allowed.
        producer_minimum, producer_current: the range that the producer writes (default: all releases).
        expand, allow_outside_window, allow_other_dialects, portable, window: as for `Program.convert`.
        today: the day from which ``"WEEK_12"`` counts back.

    Raises:
        BlockedError: the ranges do not meet, or the program cannot be converted.
        VersionError: a text that is not a version.

    Examples:
        >>> shlo.negotiate(m, "jaxlib==0.7.0") == shlo.consumers["jaxlib==0.7.0"].version
        True
    """

    def text(version: VersionLike | None) -> str | None:
        return None if version is None else str(int(version)) if isinstance(version, int) else version

    if isinstance(consumer, str):
        consumer = known()._find(consumer, today)
    options = given(
        consumer_minimum=text(consumer_minimum), consumer_current=text(consumer_current),
        producer_minimum=text(producer_minimum), producer_current=text(producer_current), expand=expand,
        allow_outside_window=allow_outside_window, allow_other_dialects=allow_other_dialects, portable=portable,
        window=window, today=None if today is None else str(today),
    )  # fmt: skip
    handle = consumer._handle if isinstance(consumer, Consumer) else None
    return Version(_core.negotiate(None if program is None else program._handle, handle, options))


def rules() -> dict[str, dict[str, Any]]:
    """Returns the rules of `check` by id."""
    return {rule["id"]: rule for rule in loads(_core.rules_json(None))["rules"]}


