"""Inputs of a run: files, folders, patterns and URLs become one list, in the order and with the names that the command
line has for many files. Files are not read here: whether one is a program may be left to the worker."""

from __future__ import annotations

import fnmatch
import os
import re
from collections import deque
from typing import Any, NamedTuple, Sequence

from .._checked import checked
from ._store import file_system, is_url, local_path

JsonObject = dict[str, Any]
FORMATS = {".mlir": "text", ".mlirbc": "mlirbc", ".bc": "mlirbc", ".shlo": "shlo"}


class Item(NamedTuple):
    """One input."""

    name: str
    """As the command line would name it: a path as it was given, or a URL. The key of the input."""
    relative: str
    """The path below its folder, or below the first wildcard of its pattern; the name of a file that was named."""
    size: int = 0
    """Bytes, also of all files of a SavedModel; 0 if unknown."""
    parts: tuple[str, ...] = ()
    """The files of a SavedModel at a URL, relative to it."""
    sure: bool = True
    """Whether it is an input whatever its content is; otherwise a worker decides by its content."""
    tag: str = ""
    """The ETag of an object store, which changes with the content; empty without one."""
    problem: JsonObject | None = None
    """The diagnostic that says why there is no such input."""


def diagnostic(code: str, message: str, file: str = "", hint: str = "", severity: str = "error") -> JsonObject:
    """Makes a diagnostic as documents have them."""
    out = {"severity": severity, "code": code, "message": message}
    if file:
        out["file"] = file
    if hint:
        out["hint"] = hint
    return out


def format_of_name(path: str) -> str:
    """Returns the format that the ending of a name states, or an empty text."""
    return FORMATS.get(path[path.rfind(".") :].lower(), "") if "." in path else ""


def without_format(path: str) -> str:
    """Returns a path without the ending of a program's format."""
    return path[: path.rfind(".")] if format_of_name(path) else path


def claims_program(path: str) -> bool:
    """Whether the name of a file says that it is a program."""
    # LLVM's bitcode is called .bc as well.
    return bool(format_of_name(path)) and not path.lower().endswith(".bc")


def _order(item: Item) -> bytes:
    """Orders the content of a folder before what its name is only a part of: a/b, a-b."""
    return os.fsencode(item.relative).replace(b"/", b"\0")


def _join(folder: str, name: str) -> str:
    return folder + name if not folder or folder.endswith("/") else f"{folder}/{name}"


class _Pattern:
    """A pattern below a folder without wildcards: any number of names, which may be ``**``."""

    def __init__(self, text: str, is_folder: bool):
        self.folder, self.names = text, []
        match = None if is_folder else re.search(r"[*?[]", text)
        if match:
            at = text.rfind("/", 0, match.start()) + 1
            self.folder, self.names = text[:at], [name for name in text[at:].split("/") if name]
        self.start = self._reach(frozenset(), 0)

    def _reach(self, states: frozenset[int], i: int) -> frozenset[int]:
        states |= {i}
        return self._reach(states, i + 1) if i < len(self.names) and self.names[i] == "**" else states

    def then(self, states: frozenset[int], name: str) -> frozenset[int]:
        """Returns where one more name of a path leads."""
        out: frozenset[int] = frozenset()
        hidden = name.startswith(".")
        for i in states:
            if i == len(self.names) or self.names[i] == "**":
                out = out if hidden else self._reach(out, i)
            elif fnmatch.fnmatchcase(name, self.names[i]) and (not hidden or self.names[i].startswith(".")):
                out = self._reach(out, i + 1)
        return out

    def complete(self, states: frozenset[int]) -> bool:
        """Whether the names match, or those of a folder around them do."""
        return len(self.names) in states


class _LocalFinder:
    """Finds what a folder or a pattern means on this machine."""

    def __init__(self, pattern: _Pattern, exclude: str):
        self.pattern = pattern
        self.found: list[Item] = []
        self.visited: set[tuple[int, int]] = set()
        self.excluded: tuple[int, int] | None = None
        if exclude and os.path.isdir(exclude):
            info = os.stat(exclude)
            self.excluded = info.st_dev, info.st_ino
        self.links: deque[tuple[str, str, str, frozenset[int]]] = deque()

    def find(self) -> list[Item]:
        folder = self.pattern.folder
        self.visit(folder or ".", folder, "", self.pattern.start)
        # Links come last, so that folders are found by their own names.
        while self.links:
            self.visit(*self.links.popleft())
        return sorted(self.found, key=_order)

    def visit(self, path: str, prefix: str, relative: str, states: frozenset[int]) -> None:
        try:
            info = os.stat(path)
            place = info.st_dev, info.st_ino
            if place in self.visited or (place == self.excluded and self.visited):
                return
            self.visited.add(place)
            if self.pattern.complete(states) and os.path.isfile(os.path.join(path, "saved_model.pb")):
                name = relative or os.path.basename(path.rstrip("/")) or path
                self.found.append(Item(path, name, tree_size(path)))
                return
            entries = sorted(os.scandir(path), key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            problem = diagnostic("io", f"cannot read the folder: {error.strerror}", path)
            self.found.append(Item(path, relative, problem=problem))
            return
        for entry in entries:
            after = self.pattern.then(states, entry.name)
            if after:
                self.meet(entry, _join(prefix, entry.name), _join(relative, entry.name), after)

    def meet(self, entry: os.DirEntry[str], path: str, relative: str, states: frozenset[int]) -> None:
        try:
            is_folder, is_file = entry.is_dir(), entry.is_file()
        except OSError:
            is_folder = is_file = False
        if is_folder:
            if entry.is_symlink():
                self.links.append((path, path, relative, states))
            else:
                self.visit(path, path, relative, states)
        elif self.pattern.complete(states):
            nowhere = entry.is_symlink() and not is_file
            if is_file:
                self.found.append(Item(path, relative, entry.stat().st_size, sure=claims_program(path)))
            elif nowhere and claims_program(path):
                self.found.append(Item(path, relative))


def _find_at_url(pattern: _Pattern, exclude: str) -> list[Item]:
    """Finds what a folder or a pattern means in an object store."""
    if exclude.rstrip("/") == pattern.folder.rstrip("/"):
        exclude = ""  # it is the argument itself
    fs, root = file_system(pattern.folder)
    root = root.rstrip("/")
    files: dict[str, JsonObject] = {
        path[len(root) :].lstrip("/"): info for path, info in fs.find(root or "/", detail=True).items()
    }
    models = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == "saved_model.pb"}
    folders: dict[str, list[str]] = {}
    found: list[Item] = []
    for path, info in files.items():
        states, names = pattern.start, path.split("/")
        for depth, name in enumerate(names):
            above = "/".join(names[:depth])
            if pattern.complete(states) and above in models:
                folders.setdefault(above, []).append(path[len(above) :].lstrip("/"))
                break
            states = pattern.then(states, name)
            if not states:
                break
        else:
            if pattern.complete(states):
                name = _join(pattern.folder, path)
                if exclude and name.startswith(exclude.rstrip("/") + "/"):
                    continue
                found.append(Item(name, path, int(info.get("size") or 0), sure=claims_program(path), tag=tag_of(info)))
    for folder, parts in folders.items():
        size = sum(int(files[_join(folder, part)].get("size") or 0) for part in parts)
        name = _join(pattern.folder, folder) if folder else pattern.folder.rstrip("/")
        found.append(Item(name, folder or name.rpartition("/")[2], size, tuple(sorted(parts))))
    return sorted(found, key=_order)


def tag_of(info: JsonObject) -> str:
    """Returns what an object store states about the content of an object: a text that changes with it, or nothing."""
    for key in ("ETag", "etag", "md5Hash", "generation"):
        if info.get(key):
            return f"{key}:{info[key]}"
    return ""


def tree_size(path: str) -> int:
    """Returns the bytes of a file, or of all files of a folder; 0 for what cannot be read."""
    try:
        if not os.path.isdir(path):
            return os.stat(path).st_size
    except OSError:
        return 0
    return sum(tree_size(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def _kind(argument: str) -> tuple[str, JsonObject]:
    """Returns "file", "folder" or "pattern", and what is known of a file at a URL."""
    wild = re.search(r"[*?[]", argument) is not None
    if not is_url(argument):
        is_model = os.path.isfile(os.path.join(argument, "saved_model.pb"))
        if os.path.isdir(argument) and not is_model:
            return "folder", {}
        return "pattern" if wild and not os.path.lexists(argument) else "file", {}
    if argument.startswith(("http://", "https://")):
        return "file", {}  # servers have no folders, and '?' begins a query
    if wild:
        return "pattern", {}
    fs, path = file_system(argument)
    try:
        info: JsonObject = fs.info(path)
    except FileNotFoundError:
        return "file", {}
    return ("folder", {}) if info["type"] == "directory" else ("file", info)


@checked
def collect(arguments: Sequence[str], exclude: str = "") -> list[Item]:
    """Expands arguments: see `Item`. A folder is searched for programs, in it and below; a pattern has ``*``, ``?`` and
    ``[...]`` within a name and ``**`` for any number of folders. Names that begin with a dot are found only by a pattern
    that has the dot. The folder `exclude` is not searched unless it is an argument. A file that is found twice is listed
    once; a file that does not exist is an input, too."""
    items: list[Item] = []
    seen: set[str] = set()
    for given in arguments:
        argument = local_path(given)
        kind, info = _kind(argument)
        if kind == "file":
            name = argument.rstrip("/").rpartition("/")[2]
            size = int(info.get("size") or 0) if is_url(argument) else tree_size(argument)
            seen.add(argument)
            items.append(Item(argument, name, size, tag=tag_of(info)))
            continue
        pattern = _Pattern(argument, kind == "folder")
        found = _find_at_url(pattern, exclude) if is_url(argument) else _LocalFinder(pattern, exclude).find()
        if not found and kind == "pattern":
            found = [Item(argument, argument, problem=diagnostic("io", "no file matches the pattern", argument))]
        items += [item for item in found if not (item.name in seen or seen.add(item.name))]  # type: ignore[func-returns-value]
    return items


def is_one(argument: str) -> bool:
    """Whether an argument is one file (or SavedModel), not a folder or a pattern."""
    return _kind(local_path(argument))[0] == "file"


@checked
def pairs_of(a: Sequence[Item], b: Sequence[Item]) -> list[tuple[Item | None, Item | None]]:
    """Pairs inputs with the same relative path, and then those that differ only in the ending of their format if there is
    one candidate; None is for an input without a counterpart. Sorted by path."""
    rest = {item.relative: item for item in b}
    pairs: list[tuple[Item | None, Item | None]] = []
    alone: list[Item] = []
    for item in a:
        other = rest.pop(item.relative, None)
        if other:
            pairs.append((item, other))
        else:
            alone.append(item)
    similar: dict[str, tuple[list[Item], list[Item]]] = {}
    for side, items in enumerate((alone, list(rest.values()))):
        for item in items:
            similar.setdefault(without_format(item.relative), ([], []))[side].append(item)
    for of_a, of_b in similar.values():
        if len(of_a) == len(of_b) == 1:
            pairs.append((of_a[0], of_b[0]))
        else:
            pairs += [(item, None) for item in of_a] + [(None, item) for item in of_b]
    return sorted(pairs, key=lambda pair: _order(next(filter(None, pair))))
