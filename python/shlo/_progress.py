"""Progress of many files, shown by tqdm where it is installed, or by a line on the terminal."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, Iterator, Sequence, TypeVar

from . import _core

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def progress(items: Iterable[_Item], *, total: int | None = None, label: str = "", show: bool | None = None) -> Iterable[_Item]:
    """Returns an iterable of the items that shows how many are done. `show`: None for standard error being a terminal,
    or a notebook."""
    terminal = sys.stderr.isatty()
    if show is False or (show is None and not terminal and "ipykernel" not in sys.modules):
        return items
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line(items, total, label) if terminal else items
    wrapped: Iterable[_Item] = tqdm(items, total=total, desc=label or None, leave=False)
    return wrapped


def _line(items: Iterable[_Item], total: int | None, label: str) -> Iterator[_Item]:
    def write(text: str) -> None:
        sys.stderr.write("\r\033[K" + text)
        sys.stderr.flush()

    of = "" if total is None else f" of {total}"
    shown = time.monotonic()
    try:
        write(f"{label} 0{of} ...")
        for done, item in enumerate(items, 1):
            yield item
            if time.monotonic() - shown > 0.1:
                shown = time.monotonic()
                write(f"{label} {done}{of} ...")
    finally:
        write("")


def each(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    *,
    jobs: int | None = None,
    label: str = "",
    show: bool | None = None,
) -> Iterator[_Result]:
    """Yields ``function(item)`` for each item in order, computed by `jobs` threads (default: one per processor), which
    the library lets run at the same time. Shows progress. The first exception ends it, and the calls that still run."""
    work: Sequence[Any] = list(items)
    threads = max(1, min(jobs or os.cpu_count() or 1, len(work)))
    if threads == 1:
        yield from (function(item) for item in progress(work, total=len(work), label=label, show=show))
        return
    running = _core.Cancellation()
    with ThreadPoolExecutor(threads, initializer=_core.use_cancellation, initargs=(running,)) as pool:
        try:
            yield from progress(pool.map(function, work), total=len(work), label=label, show=show)
        except BaseException:
            running.cancel()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
