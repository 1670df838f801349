"""Files of a run, on this machine and at the URLs of fsspec: fetching, writing in place, digests and scratch folders."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import socket
import tempfile
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, TypeVar

from .._errors import usage_error

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(::|://)")
# Stores in which an object that is written appears as a whole, when all of it has arrived.
_WHOLE = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "r2", "memory"}
_TRANSFERS = 8
_PIECE = 1 << 20
_cleaned: set[str] = set()  # folders whose stale scratch folders this process has removed
_SHARED_MEMORY = "/dev/shm"
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def is_url(path: str) -> bool:
    """Whether fsspec opens it."""
    return _URL.match(path) is not None


def local_path(path: str) -> str:
    """Returns the path of a ``file://`` URL, and anything else as it is."""
    return re.sub(r"^(file|local)://", "", path)


@functools.lru_cache(maxsize=64)
def _file_system(base: str) -> Any:
    try:
        import fsspec
    except ImportError:
        raise usage_error(f"'{base}' is a URL, and fsspec is not installed", "pip install 'shlo[ray]', or fsspec") from None
    try:
        return fsspec.core.url_to_fs(base)[0]
    except (ImportError, ValueError) as error:
        raise usage_error(f"cannot open '{base}': {error}", "install the package of fsspec for it") from None


def file_system(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it. Raises `UsageError` if there is none for it."""
    match = re.match(r".*?://[^/]*", url)
    fs = _file_system(match[0] if match and "::" not in url else url)
    return fs, str(fs._strip_protocol(url))


def join(folder: str, relative: str) -> str:
    """Returns a path or URL below a folder."""
    return f"{folder.rstrip('/') or '/'}/{relative}" if folder else relative


def transfer(function: Callable[[_Item], _Result], items: Iterable[_Item], remote: bool = True) -> list[_Result]:
    """Calls a function, for several items at the same time if it waits for a network."""
    work = list(items)
    if len(work) < 2 or not remote:
        return [function(item) for item in work]
    with ThreadPoolExecutor(min(_TRANSFERS, len(work))) as pool:
        return list(pool.map(function, work))


def fetch(url: str, path: str) -> None:
    """Copies an object into a file. Does nothing if there is no such object: who reads the file then says so."""
    fs, source = file_system(url)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        fs.get_file(source, path)
    except FileNotFoundError:
        if os.path.exists(path):
            os.unlink(path)


def head(url: str, size: int) -> bytes:
    """Returns the first bytes of an object."""
    fs, path = file_system(url)
    data: bytes = fs.cat_file(path, start=0, end=size)
    return data


def place(source: str, target: str, aside: str) -> str:
    """Puts a file, or a folder, where it belongs, creates the folders around it, and returns the digest of its content.
    Readers never see a part of a file: it is written into the folder `aside`, which is in the same store, and then renamed.
    Stores that show an object only when all of it has arrived need no other name."""
    if os.path.isdir(source):
        # A SavedModel: its program comes last, so that a folder which has it is complete.
        names = [os.path.relpath(os.path.join(at, name), source) for at, _, names in os.walk(source) for name in names]
        for name in sorted(names, key=lambda name: (name == "saved_model.pb", name)):
            place(os.path.join(source, name), join(target, name), aside)
        return digest(source)
    temporary = join(aside, uuid.uuid4().hex)
    if not is_url(target):
        try:
            found = _copy(source, temporary)
            os.replace(temporary, target)
        except FileNotFoundError:
            os.makedirs(aside, exist_ok=True)
            os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
            found = _copy(source, temporary)
            os.replace(temporary, target)
        return found
    fs, path = file_system(target)
    if not _WHOLE.isdisjoint({fs.protocol} if isinstance(fs.protocol, str) else fs.protocol):
        fs.put_file(source, path)
        return digest(source)
    for folder in (aside, target.rpartition("/")[0]):
        fs.makedirs(file_system(folder)[1], exist_ok=True)
    fs.put_file(source, file_system(temporary)[1])
    fs.mv(file_system(temporary)[1], path)
    return digest(source)


def _copy(source: str, target: str) -> str:
    """Copies a file, and returns its digest."""
    out = hashlib.sha256()
    with open(source, "rb", buffering=0) as read, open(target, "wb", buffering=0) as write:
        while piece := read.read(_PIECE):
            out.update(piece)
            rest = memoryview(piece)
            while rest:
                rest = rest[write.write(rest) :]
    return out.hexdigest()


def aside_of(folder: str) -> str:
    """Returns the folder for files that this process, and its workers, write below `folder` and then rename."""
    return join(folder, f".{_prefix()}{os.getpid()}")


def digest(path: str) -> str:
    """Returns the SHA-256 of a file, or of all files of a folder with their paths; an empty text if it cannot be read."""
    if os.path.isdir(path):
        lines = []
        for folder, _, names in os.walk(path):
            for name in names:
                whole = os.path.join(folder, name)
                lines.append(os.fsencode(f"{os.path.relpath(whole, path)} {digest(whole)}\n"))
        return hashlib.sha256(b"".join(sorted(lines))).hexdigest()
    try:
        with open(path, "rb", buffering=0) as file:
            out = hashlib.sha256()
            while piece := file.read(_PIECE):
                out.update(piece)
            return out.hexdigest()
    except OSError:
        return ""


def exists(target: str) -> bool:
    """Whether there is such a file, or object."""
    if not is_url(target):
        return os.path.lexists(target)
    fs, path = file_system(target)
    return bool(fs.exists(path))


def remove(target: str) -> None:
    """Removes a file, an object, or a folder with all that is in it, if it exists."""
    if not is_url(target):
        if os.path.isdir(target):
            shutil.rmtree(target, ignore_errors=True)
        elif os.path.lexists(target):
            os.unlink(target)
        return
    fs, path = file_system(target)
    if fs.exists(path):
        fs.rm(path, recursive=True)


class Scratch:
    """A temporary folder: in memory for small batches, otherwise where temporary files belong. The next one on the same
    machine removes those of processes that were killed."""

    def __init__(self, expected: int):
        """`expected` is about how many bytes it will have."""
        base = tempfile.gettempdir()
        try:
            if expected < 64 << 20 and shutil.disk_usage(_SHARED_MEMORY).free > 16 * (expected + (64 << 20)):
                base = _SHARED_MEMORY
        except OSError:
            pass
        if base not in _cleaned:
            _cleaned.add(base)
            remove_stale(base)
        self.path = tempfile.mkdtemp(prefix=f"{_prefix()}{os.getpid()}-", dir=base)

    def __enter__(self) -> str:
        return self.path

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _prefix() -> str:
    # Containers of one machine may share a folder, but not their processes.
    return f"shlo-fleet-{socket.gethostname()}-"


def remove_stale(base: str) -> None:
    """Removes what processes of this machine that were killed left in a folder."""
    prefix = _prefix()
    for name in os.listdir(base):
        if not name.lstrip(".").startswith(prefix):
            continue
        owner = name.lstrip(".")[len(prefix) :].partition("-")[0]
        try:
            os.kill(int(owner), 0)
        except ProcessLookupError:
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)
        except (OSError, ValueError):
            pass
