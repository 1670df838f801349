"""Versions, and who reads them."""

from __future__ import annotations

import datetime
import os
from typing import Any, Iterator, Sequence, Union, overload

from . import _core
from ._checked import checked
from ._errors import usage_error
from ._html import table
from ._printed import loads

VersionLike = Union["Version", int, str]
"""A version in any notation: a number (``40``, ``"v40"``), a release (``"1.9.0"``), ``"current"``, ``"minimum"``, a
date (``"2025-06-01"``: the newest release by then), or a duration that counts back from today (``"WEEK_4"``,
``"WEEK_12"``, ``"MAX"``)."""


@checked
class Version(int):
    """A version of StableHLO: its number in the version history, such as 62 for release 1.9.0."""

    __slots__ = ()

    def _row(self) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = _core.version_get(int(self)) if 0 <= self < 2**32 else None
        if row is None:
            raise usage_error(f"unknown version {int(self)}")
        return row

    @property
    def release(self) -> str | None:
        """The release, ``"1.9.0"``; None for the prototype versions 37 to 40."""
        return self._row()[1] or None

    @property
    def date(self) -> datetime.date:
        """The date of the release."""
        return datetime.date(*self._row()[2:5])

    @property
    def date_is_bound(self) -> bool:
        """Whether `date` is an upper bound, because the exact one is unknown."""
        return bool(self._row()[5])

    @property
    def bytecode_format(self) -> int | None:
        """The format of MLIR bytecode of that release; None if it had none."""
        number: int = self._row()[6]
        return None if number < 0 else number

    @property
    def change(self) -> str:
        """The change that made it a version."""
        return str(self._row()[7])

    def __str__(self) -> str:
        release = self.release
        return f"{release} ({int(self)})" if release else str(int(self))

    def __repr__(self) -> str:
        return f"shlo.Version({int(self)})" if not self.release else f"shlo.Version({int(self)}, {self.release!r})"

    def __new__(cls, version: VersionLike = 0, release: str | None = None) -> Version:
        """Makes a version of any notation; `release` is for `repr` only."""
        return super().__new__(cls, parse(version) if isinstance(version, str) else version)

    def __getnewargs__(self) -> tuple[int]:
        return (int(self),)


def parse(version: VersionLike, today: datetime.date | str | None = None) -> Version:
    """Returns the version that a text or number names. Raises `VersionError` if there is none."""
    if isinstance(version, Version):
        return version
    return Version(_core.version_parse(str(version), {} if today is None else {"today": str(today)}))


@checked
class Versions(Sequence[Version]):
    """The version history, oldest first. Index it by position, or by a version in any notation as text."""

    @property
    def current(self) -> Version:
        """The newest known version."""
        return Version(_core.version_current())

    @property
    def minimum(self) -> Version:
        """The oldest known version."""
        return Version(_core.version_minimum())

    @property
    def first_release(self) -> Version:
        """The oldest version with a release, 0.9.0."""
        return Version(_core.version_first_release())

    def changes(self, start: VersionLike, end: VersionLike) -> dict[str, Any]:
        """Returns what changed from one version to another: ops, types, attributes, enum cases, texts, steps."""
        which = f"{int(parse(start))}..{int(parse(end))}"
        document: dict[str, Any] = loads(_core.versions_json(which))
        return dict(document["changes"])

    def __len__(self) -> int:
        return int(_core.version_count())

    @overload
    def __getitem__(self, index: int | str) -> Version: ...
    @overload
    def __getitem__(self, index: slice) -> list[Version]: ...
    def __getitem__(self, index: int | str | slice) -> Version | list[Version]:
        if isinstance(index, str):
            return parse(index)
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = _core.version_at(index + len(self) if index < 0 else index) if -len(self) <= index < len(self) else 0
        if number == 0:
            raise IndexError("version index out of range")
        return Version(number)

    def __iter__(self) -> Iterator[Version]:
        return (Version(_core.version_at(i)) for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} versions, {self.minimum} to {self.current}>"

    def _repr_html_(self) -> str:
        rows = [(int(v), v.release or "", v.date, v.change) for v in self]
        return table(("N", "release", "date", "change"), rows)


class Consumer:
    """A reader of programs: a released package, or whoever reads a version."""

    __slots__ = ("_handle", "_info", "text")

    def __init__(self, handle: Any, text: str):
        self._handle = handle
        self._info: dict[str, Any] = _core.consumer_get(handle)
        self.text = text
        """The text that names it: ``"jaxlib==0.4.30"``."""

    @property
    def name(self) -> str:
        """As messages have it: ``"jaxlib 0.4.30"``."""
        return str(self._info["name"])

    @property
    def package(self) -> str:
        """``"jaxlib"``; empty if only a version is known."""
        return str(self._info["package"])

    @property
    def package_version(self) -> str:
        """``"0.4.30"``."""
        return str(self._info["package_version"])

    @property
    def release(self) -> str:
        """The release of StableHLO that the package embeds: ``"1.1.3"``."""
        return str(self._info["release"])

    @property
    def assumed_as(self) -> str:
        """Empty, or nothing is known of `package_version`, and the rest is that of this version: a guess."""
        return str(self._info["assumed_as"])

    @property
    def version(self) -> Version | None:
        """The version to convert to; None if the release is older than the first one."""
        number: int = self._info["version"]
        return Version(number) if number else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Consumer) and self._info == other._info

    def __hash__(self) -> int:
        return hash((self.name, self.release))

    def __repr__(self) -> str:
        return f"<shlo.Consumer {self.name}, StableHLO {self.release or self.version}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _find, (self.text,)


ConsumerLike = Union[Consumer, str]
"""A consumer, or a text that names one: a requirement (``"jaxlib==0.4.30"``, ``"tensorflow>=2.13"``) or a version."""


@checked
class Consumers:
    """Known consumers, by requirement: ``shlo.consumers["jaxlib==0.4.30"]``. Iterates over their entries."""

    def __init__(self, extra: str | bytes | os.PathLike[str] | None = None):
        """Makes a list of the known consumers. `extra` is JSON, or the path of a JSON file, with more of them, which
        take precedence: ``{"consumers": [{"package": "plugin", "version": "2.1", "stablehlo": "1.4.0"}]}``."""
        if extra is None:
            data = None
        elif isinstance(extra, os.PathLike):
            with open(extra, "rb") as file:
                data = file.read()
        else:
            data = extra.encode() if isinstance(extra, str) else bytes(extra)
        self._handle = _core.consumers_create(data)

    def __getitem__(self, text: str) -> Consumer:
        return self.find(text)

    def find(self, text: str, *, today: datetime.date | str | None = None) -> Consumer:
        """Returns what a text names. Raises `UsageError` or `VersionError` if nothing is known of it."""
        handle = _core.consumer_find(self._handle, text, {} if today is None else {"today": str(today)})
        return Consumer(handle, text)

    def __len__(self) -> int:
        return len(_core.consumers_list(self._handle))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yields the entries: dictionaries with `name`, `package`, `package_version`, `release` and `version`."""
        for entry in _core.consumers_list(self._handle):
            yield {**entry, "version": Version(entry["version"]) if entry["version"] else None}

    def json(self) -> str:
        """Returns all consumers as JSON, in the form that the constructor reads."""
        return str(_core.consumers_json(self._handle))

    def __repr__(self) -> str:
        return f"<{len(self)} consumers>"

    def _repr_html_(self) -> str:
        rows = [(c["package"], c["package_version"], c["release"], c["version"] or "") for c in self]
        return table(("package", "version", "StableHLO", "converts to"), rows)


_known: Consumers | None = None


def known() -> Consumers:
    """Returns the consumers that the library knows."""
    global _known
    if _known is None:
        _known = Consumers()
    return _known


def _find(text: str) -> Consumer:
    return known().find(text)


def targets_of(
    target: VersionLike | ConsumerLike | Sequence[ConsumerLike], consumers: Consumers | None = None
) -> tuple[int, list[Consumer]]:
    """Returns what a target stands for: a version (0: that of the consumers), and consumers that must read it."""
    if isinstance(target, int):
        return int(parse(target)), []
    if isinstance(target, Consumer):
        return 0, [target]
    if isinstance(target, str):
        # A plain version asks nothing of a package.
        if not any(sign in target for sign in "<>=~! "):
            return int(parse(target)), []
        return 0, [(consumers or known()).find(target)]
    return 0, [c if isinstance(c, Consumer) else (consumers or known()).find(c) for c in target]
