"""The options of commands, for type checkers: they have the names of the options of `shlo.Program`."""

from __future__ import annotations

import datetime
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

from .._compare import Evidence
from .._limits import Limits
from .._program import Dialect, PathLike, WriteFormat
from .._versions import ConsumerLike, VersionLike

Where = Literal["processes", "ray", "here"]
"""Where work is done: in processes of this machine, on a Ray cluster, or in this process."""
Files = Union[PathLike, Sequence[PathLike]]


class RunOptions(TypedDict, total=False):
    """How work is done: see `run`."""

    on: Where | None
    jobs: int | None
    address: str | None
    ray_options: Mapping[str, Any] | None
    retries: int | None
    timeout: float | None
    batch_items: int | None
    batch_bytes: int | None
    progress: bool | None


class ResumeOptions(RunOptions, total=False):
    """How work is done, and kept for the next run."""

    checkpoint: PathLike | None
    resume: bool


class ReadOptions(TypedDict, total=False):
    """How programs are read: see `shlo.load`."""

    version: VersionLike | None
    program: str | None
    lenient: bool
    dialects: Dialect | PathLike | Sequence[Dialect | PathLike]
    limits: Limits | None


class VerifyOptions(ResumeOptions, ReadOptions, total=False):
    """Options of `verify`."""


class CheckOptions(ResumeOptions, ReadOptions, total=False):
    """Options of `check`: see `shlo.check`."""

    rules: Mapping[str, str]
    requires: ConsumerLike | Sequence[ConsumerLike] | None
    consumers: Files
    today: datetime.date | str | None
    no_policy: bool
    """Apply no policy of a folder."""
    against: str | None
    """Compare with the files of this git revision."""
    changed_since: str | None
    """Check only files that changed since this git revision."""


class ProveOptions(ResumeOptions, ReadOptions, total=False):
    """Options of `prove`: see `shlo.prove`."""

    at_least: Evidence
    """The weakest evidence that is enough (default: exhaustive)."""
    evaluate_only: bool
    seed: int
    max_inputs: int | None


class ConvertOptions(ResumeOptions, ReadOptions, total=False):
    """Options of `convert`: see `shlo.Program.convert`."""

    emit: WriteFormat | Literal["generic", "vhlo"] | None
    """The format of outputs (default: as each input)."""
    extract: bool | str
    """Write the programs of containers alone; or only the one of this name."""
    container_version: str | None
    """Oldest release of jax that must load a ``jax.export`` file."""
    consumers: Files
    today: datetime.date | str | None
    window: str | None
    allow_outside_window: bool
    allow_other_dialects: bool
    dialect_targets: Mapping[str, int]
    strip_debuginfo: bool
    expand: bool
    expand_composites: bool
    fold: bool
    fold_limit: int | None
    locations: bool
    prove: bool | str
    at_least: Evidence


class EvalOptions(ResumeOptions, ReadOptions, total=False):
    """Options of `eval`: see `shlo.Program.eval`."""

    function: str | None
    platform_index: int | None
    replicas: int | None
    partitions: int | None
    fast: bool


class AddOptions(RunOptions, ReadOptions, total=False):
    """Options of `archive.add`: see `shlo.archive.Archive.add`."""

    tags: str | Sequence[str]
    metadata: Mapping[str, str]
    producer: str | None
    parents: str | Sequence[str]
    new_version: bool
    golden: str | None
    function: str | None
    tolerance: float | None
    catalog: PathLike | None
    wait: int | None


class VerifyArchiveOptions(RunOptions, ReadOptions, total=False):
    """Options of `archive.verify`: see `shlo.archive.Archive.verify`."""

    goldens: bool
    certificates: bool
    files: bool
    checksums: bool
    catalog: PathLike | None


class MigrateOptions(RunOptions, ReadOptions, total=False):
    """Options of `archive.migrate`: see `shlo.archive.Archive.migrate`."""

    target: VersionLike | None
    policy: Files
    at_least: Evidence
    window: str | None
    allow_outside_window: bool
    allow_other_dialects: bool
    expand: bool
    dry_run: bool
    today: datetime.date | str | None
    catalog: PathLike | None
    wait: int | None
