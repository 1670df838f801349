"""Progress of many files, shown by tqdm where it is installed."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, Iterator, Sequence, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def progress(items: Iterable[_Item], *, total: int | None = None, label: str = "", show: bool | None = None) -> Iterable[_Item]:
    """Returns an iterable of the items that shows how many are done, if tqdm is installed. `show`: None for standard
    error being a terminal, or a notebook."""
    if show is False:
        return items
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return items
    if show is None and not sys.stderr.isatty() and "ipykernel" not in sys.modules:
        return items
    wrapped: Iterable[_Item] = tqdm(items, total=total, desc=label or None, leave=False)
    return wrapped


def each(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    *,
    jobs: int | None = None,
    label: str = "",
    show: bool | None = None,
) -> Iterator[_Result]:
    """Yields ``function(item)`` for each item in order, computed by `jobs` threads (default: one per processor), which
    the library lets run at the same time. Shows progress. The first exception ends it."""
    work: Sequence[Any] = list(items)
    threads = max(1, min(jobs or os.cpu_count() or 1, len(work)))
    if threads == 1:
        yield from (function(item) for item in progress(work, total=len(work), label=label, show=show))
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from progress(pool.map(function, work), total=len(work), label=label, show=show)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
