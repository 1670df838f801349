"""Archives in object stores. A copy of the archive on this machine is brought up to date before a command works on it, and
what the command wrote is put into the store before anyone hears of it.

Packs are never changed (docs/archive-format.md, section 3), so their names say what a copy lacks, and a writer that is not
alone learns it when the name of its next pack is taken.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import tempfile
import time
from typing import Callable, Iterator

from .._errors import usage_error
from ._store import fetch, file_system, is_url, join, transfer
from ._tool import Output

WRITERS = frozenset({"add", "import", "init", "migrate", "prune", "repair", "tag"})
"""The commands that write packs."""
_MARK = "shlo-archive"
_TRIES = 20


class Mirror:
    """The copy of one archive that all processes of a user on this machine share."""

    def __init__(self, url: str, fresh: str = ""):
        """`fresh`: name of a run that must see the bytes of the store; packs are fetched again once for each name."""
        self.url = url.rstrip("/")
        self._fs, self._root = file_system(self.url)
        self._fresh = fresh
        self.path = os.path.join(_base(), hashlib.sha256(os.fsencode(self.url)).hexdigest()[:32])
        self._packs = os.path.join(self.path, "packs")

    def run(self, command: str, work: Callable[[str], Output]) -> Output:
        """Does the `work` of a command, which gets the folder of the copy, on what the archive is now. Raises `UsageError` if
        there is no archive, and `OSError` if the store cannot be read or written."""
        if command not in WRITERS:
            with self._lock():
                self._pull()
            return self._named(work(self.path))
        with self._lock():
            for attempt in range(_TRIES):
                if command != "init" or self._exists():
                    self._pull()
                else:
                    self._clear()
                before = self._local()
                output = work(self.path)
                if self._push(before):
                    return self._named(output)
                # Another writer was first: the same work again, after what it wrote.
                time.sleep(random.uniform(0, min(5.0, 0.1 * 2**attempt)))
        raise OSError(f"{self.url}: other writers were always faster; try again")

    def _named(self, output: Output) -> Output:
        """Returns an output with the URL for the path of the copy."""
        there, here = os.fsencode(self.url), os.fsencode(self.path)
        return Output(output.code, output.out.replace(here, there), output.err.replace(here, there))

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        os.makedirs(self.path, exist_ok=True)
        with open(self.path + ".lock", "ab") as file:
            try:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            except ImportError:  # this system has no flock; its processes do not share copies
                pass
            yield

    def _exists(self) -> bool:
        self._fs.invalidate_cache()
        return bool(self._fs.exists(f"{self._root}/{_MARK}"))

    def _local(self) -> set[str]:
        return {name for name in os.listdir(self._packs) if name.endswith(".pack")} if os.path.isdir(self._packs) else set()

    def _clear(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def _pull(self) -> None:
        """Makes the copy what the archive is."""
        if not self._exists():
            raise usage_error(f"'{self.url}' is not an archive", f"python -m shlo.fleet archive init {self.url}")
        mark: bytes = self._fs.cat_file(f"{self._root}/{_MARK}")
        at = os.path.join(self.path, _MARK)
        if not os.path.exists(at) or _content(at) != mark:  # there is none, or one that is gone was here before
            self._clear()
            os.makedirs(self._packs)
            _write(at, mark)
        seen = os.path.join(self.path, f"fresh-{self._fresh}")
        again = bool(self._fresh) and not os.path.exists(seen)
        if not any(self._pull_packs(again) for _ in range(_TRIES)):
            raise OSError(f"{self.url}: other writers removed packs as fast as they were listed; try again")
        if again:
            for old in os.listdir(self.path):
                if old.startswith("fresh-"):
                    os.unlink(os.path.join(self.path, old))
            _write(seen, b"")

    def _pull_packs(self, again: bool) -> bool:
        """Fetches the packs that the copy lacks, or all packs. Returns false if one was removed after they were listed: then the
        store has another in its place."""
        remote = self._remote()
        gone = self._local() - set(remote)
        for name in gone:
            os.unlink(os.path.join(self._packs, name))
        if gone:  # it may be the copy's own, and the catalog is made from packs
            self._forget()
        missing = [name for name, size in remote.items() if again or not _has(os.path.join(self._packs, name), size)]
        return all(transfer(lambda name: self._fetch(name, remote[name]), missing))

    def _remote(self) -> dict[str, int]:
        """Returns the sizes of the packs in the store."""
        self._fs.invalidate_cache()
        try:
            found = self._fs.find(f"{self._root}/packs", detail=True)
        except FileNotFoundError:
            return {}
        sizes = {name.rpartition("/")[2]: int(info["size"]) for name, info in found.items()}
        return {name: size for name, size in sizes.items() if name.endswith(".pack")}

    def _fetch(self, name: str, size: int) -> bool:
        """Fetches a pack. Returns false if it was removed."""
        path = os.path.join(self._packs, name)
        part = os.path.join(self.path, f"part-{name}")  # not below packs/, where a writer would find it
        for _ in range(_TRIES):  # a store may cut what it sends while others change it
            fetch(join(self.url, f"packs/{name}"), part)
            if not os.path.exists(part):
                return False
            if _has(part, size):
                break
        else:
            raise OSError(f"{self.url}/packs/{name}: it has other bytes than the store says")
        os.replace(part, path)
        return True

    def _push(self, before: set[str]) -> bool:
        """Puts what a command wrote into the store. Returns false if another writer was faster, and what was written is lost."""
        after = self._local()
        new = sorted(after - before, key=lambda name: (len(name), name))
        # Packs that replace others come first: whoever reads between has both.
        done = all(self._create(f"packs/{name}") for name in new)
        # An archive is one when it has its mark.
        done = done and (self._exists() or self._create(_MARK))
        if not done:
            for name in new:
                os.unlink(os.path.join(self._packs, name))
            self._forget()
            return False
        for name in before - after:
            with contextlib.suppress(FileNotFoundError):
                self._fs.rm_file(f"{self._root}/packs/{name}")
        return True

    def _create(self, name: str) -> bool:
        """Creates an object if there is none. Returns whether it has these bytes."""
        path, target = os.path.join(self.path, name), f"{self._root}/{name}"
        try:
            self._fs.put_file(path, target, mode="create")
            return True
        except FileExistsError:
            # A try that got no answer may have been the one that created it.
            self._fs.invalidate_cache()
            with contextlib.suppress(FileNotFoundError):
                return bool(self._fs.cat_file(target) == _content(path))
            return False

    def _forget(self) -> None:
        for name in os.listdir(self.path):
            if name.startswith("catalog.sqlite"):
                os.unlink(os.path.join(self.path, name))


def copy_of(url: str) -> str:
    """Brings the copy of an archive up to date, and returns its folder."""
    mirror = Mirror(url)
    mirror.run("", lambda path: Output(0, b"", b""))
    return mirror.path


def local(name: str, scratch: str) -> str:
    """Returns a path of a file that may be an object, which is fetched into a folder."""
    if not is_url(name):
        return name
    path = os.path.join(scratch, hashlib.sha256(os.fsencode(name)).hexdigest()[:16], name.rstrip("/").rpartition("/")[2])
    fetch(name, path)
    return path


def _base() -> str:
    """Returns the folder of all copies, which nobody else can write to."""
    base = os.environ.get("SHLO_ARCHIVE_COPIES", "")
    if not base:
        user = os.getuid() if hasattr(os, "getuid") else ""
        base = os.path.join(tempfile.gettempdir(), f"shlo-archives-{user}")
    os.makedirs(base, mode=0o700, exist_ok=True)
    if hasattr(os, "getuid"):
        found = os.stat(base)
        if found.st_uid != os.getuid() or found.st_mode & 0o022:
            raise OSError(f"{base}: others can write to it; set SHLO_ARCHIVE_COPIES to a folder of your own")
    return base


def _has(path: str, size: int) -> bool:
    return os.path.exists(path) and os.path.getsize(path) == size


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, content: bytes) -> None:
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)
