"""Versions, and who reads them."""

from __future__ import annotations

import datetime
import os
import re
from typing import Any, Collection, Iterator, Mapping, NoReturn, Sequence, Union

from . import _core
from ._checked import checked
from ._diagnostics import warning
from ._errors import NotFoundError, UsageError, VersionError, named_error, usage_error
from ._html import table
from ._printed import loads

VersionLike = Union["Version", int, str]
"""A version in any notation: a number (``40``, ``"v40"``), a release (``"1.9.0"``), ``"current"``, ``"minimum"``, a
date (``"2025-06-01"``: the newest release by then), or a duration that counts back from today (``"WEEK_4"``,
``"WEEK_12"``, ``"MAX"``)."""


@checked
class Version(int):
    """A version of StableHLO: its number in the version history, such as 62 for release 1.9.0.

    Versions compare with numbers, and with texts in any notation. In dictionaries and sets they are numbers: a text is not
    the same key.

    Examples:
        >>> v = shlo.Version("1.9.0")
        >>> v == 62 == int(v), v < "1.10.0", v.release
        (True, True, '1.9.0')
    """

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

    # A text that does not name a version differs from all versions, and is neither older nor newer.

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            try:
                return int(self) == int(parse(other))
            except VersionError:
                return False
        return int.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return int.__hash__(self)

    def __format__(self, spec: str) -> str:
        """Formats as text, ``f"{version:>15}"``; with a format of numbers, ``f"{version:d}"``, as its number."""
        return int.__format__(self, spec) if spec[-1:] in tuple("bcdeEfFgGnoxX%") else format(str(self), spec)

    def __lt__(self, other: int | str) -> bool:
        return int.__lt__(self, _number(other))

    def __le__(self, other: int | str) -> bool:
        return int.__le__(self, _number(other))

    def __gt__(self, other: int | str) -> bool:
        return int.__gt__(self, _number(other))

    def __ge__(self, other: int | str) -> bool:
        return int.__ge__(self, _number(other))


def _no_arithmetic(self: int, *others: object) -> NoReturn:
    raise TypeError("versions have no arithmetic: int(version) is the number")


for _name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or", "xor"):
    setattr(Version, f"__{_name}__", _no_arithmetic)
    setattr(Version, f"__r{_name}__", _no_arithmetic)
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Version, f"__{_name}__", _no_arithmetic)


def _number(version: int | str) -> int:
    return int(parse(version)) if isinstance(version, str) else version


_PRINTED = re.compile(r"([0-9.]+) \(([0-9]+)\)")


def parse(version: VersionLike, today: datetime.date | str | None = None) -> Version:
    """Returns the version that a text or number names. Raises `VersionError` if there is none."""
    if isinstance(version, Version):
        return version
    text = str(version)
    if printed := _PRINTED.fullmatch(text):  # as `str` writes it
        found = parse(printed[1])
        if str(int(found)) == printed[2]:
            return found
    return Version(_core.version_parse(text, None if today is None else str(today)))


@checked
class Versions(Collection[Version]):
    """The version history, oldest first.

    It is indexed by a version in any notation, not by position.

    Examples:
        >>> shlo.versions["1.9.0"] == shlo.versions[62]
        True
        >>> shlo.versions.current in shlo.versions, "9.9.9" in shlo.versions
        (True, False)
    """

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
        document: dict[str, Any] = loads(_core.versions_json(which, None))
        return dict(document["changes"])

    def __len__(self) -> int:
        return int(_core.version_count())

    def __getitem__(self, version: VersionLike) -> Version:
        """Returns a version by its number, its release or any other notation. Raises `VersionError` if there is none."""
        return parse(version if isinstance(version, str) else int(version))

    def __contains__(self, version: object) -> bool:
        try:
            return isinstance(version, (int, str)) and bool(self[version])
        except VersionError:
            return False

    def __iter__(self) -> Iterator[Version]:
        return (Version(_core.version_at(i)) for i in range(len(self)))

    def __reversed__(self) -> Iterator[Version]:
        return reversed(list(self))

    def _ipython_key_completions_(self) -> list[str]:
        return [v.release for v in self if v.release]

    def __repr__(self) -> str:
        return f"<shlo.Versions {self.minimum} to {self.current}>"

    def _repr_html_(self) -> str:
        rows = [(int(v), v.release or "", v.date, v.change) for v in self]
        return table(("N", "release", "date", "change"), rows)


class Consumer:
    """A reader of programs: a released package, or whoever reads a version."""

    __slots__ = ("_handle", "_info", "text")
    text: str
    """The text that names it: ``"jaxlib==0.4.30"``."""

    def __init__(self, handle: Any, text: str):
        self._handle = handle
        self._info: dict[str, Any] = _core.consumer_get(handle)
        self.text = text

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
class Consumers(Mapping[str, Consumer]):
    """Known consumers, by requirement.

    Lookups also take ranges (``"jaxlib>=0.4"``), versions, and releases that are not known; these are assumed to be like
    the release before them, which is a `ShloWarning`. Only known releases are in it.

    Examples:
        >>> shlo.consumers["jaxlib==0.4.30"].version.release
        '1.1.0'
        >>> "jaxlib==0.4.30" in shlo.consumers
        True
    """

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
        self._keys: dict[str, None] | None = None

    def _names(self) -> dict[str, None]:
        if self._keys is None:
            rows = _core.consumers_list(self._handle)
            self._keys = dict.fromkeys(f"{row['package']}=={row['package_version']}" for row in rows)
        return self._keys

    def __getitem__(self, text: str) -> Consumer:
        """Returns what a text names. Raises `NotFoundError`, a `KeyError`, if nothing is known of it."""
        try:
            return self._find(text)
        except UsageError as error:
            raise named_error(NotFoundError, error) from None

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and text.replace(" ", "") in self._names()

    def find(self, text: str, *, today: datetime.date | str | None = None) -> Consumer:
        """Returns what a text names.

        Args:
            text: a requirement (``"jaxlib==0.4.30"``, ``"tensorflow>=2.13"``), or a version in any notation.
            today: the day from which ``"WEEK_12"`` counts back.

        Raises:
            UsageError: nothing is known of the package.
            VersionError: a text that is neither.
        """
        return self._find(text, today)

    def _find(self, text: str, today: datetime.date | str | None = None) -> Consumer:
        handle = _core.consumer_find(self._handle, text, None if today is None else str(today))
        found = Consumer(handle, text)
        if found.assumed_as:
            message = f"{found.package} {found.package_version} is not a known version"
            same = f"assumed to have StableHLO {found.release} as {found.package} {found.assumed_as} has"
            warning("unknown-version", f"{message}, and is {same}")
        return found

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (known, ()) if self is _known else (Consumers, (self.json(),))

    def json(self) -> str:
        """Returns all consumers as JSON, in the form that the constructor reads."""
        return str(_core.consumers_json(self._handle))

    def __repr__(self) -> str:
        return f"<shlo.Consumers of {len({name.partition('==')[0] for name in self})} packages, {len(self)} releases>"

    def _repr_html_(self) -> str:
        rows = [(c.package, c.package_version, c.release, c.version or "") for c in self.values()]
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


def _names_package(target: str, consumers: Consumers | None) -> bool:
    """Whether a text is a requirement, or the name of a package that lacks its version."""
    if any(sign in target for sign in "<>=~! "):
        return True
    return not target[:1].isdigit() and any(name.startswith(f"{target}==") for name in consumers or known())


def targets_of(
    target: VersionLike | ConsumerLike | Sequence[ConsumerLike], consumers: Consumers | None = None
) -> tuple[int, list[Consumer]]:
    """Returns what a target stands for: a version (0: that of the consumers), and consumers that must read it."""
    if isinstance(target, int):
        return int(parse(target)), []
    if isinstance(target, Consumer):
        return 0, [target]
    # A plain version asks nothing of a package.
    if isinstance(target, str) and (_PRINTED.fullmatch(target) or not _names_package(target, consumers)):
        return int(parse(target)), []
    texts = [target] if isinstance(target, str) else list(target)
    if not texts:
        raise usage_error("no consumers", "pass a version, or the consumers that must read the program")
    every = consumers or known()
    return 0, [c if isinstance(c, Consumer) else every._find(c) for c in texts]
