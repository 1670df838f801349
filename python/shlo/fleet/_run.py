"""The runner: applies a function to many items, in processes of this machine or on a Ray cluster, so that a process that
ends loses nothing, and an input that ends processes is found and reported."""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Protocol, Sequence

from .._checked import checked
from .._documented import documented
from .._errors import usage_error
from ._checkpoint import Checkpoint
from ._child import Raised, Refusal, Value, apply
from ._slot import Died, Slot, Work, pack

# A worker of a cluster ends because its machine does, or somebody stops it; that says little about an input.
_LOST_MORE = 5


@documented
class Outcome(NamedTuple):
    """The outcome of one item."""

    key: str
    value: Any = None
    """The result of the function."""
    problem: Problem | None = None
    """Why there is no value."""
    kept: bool = False
    """Whether the value is that of an earlier run, from the checkpoint."""


@documented
class Problem(NamedTuple):
    """Why an item has no result."""

    kind: str
    """``"raised"``: the function raised an exception; ``"ended"``: its process ended; ``"timeout"``."""
    text: str
    """The exception, or how the process ended."""
    tries: int
    """How often it was tried."""
    error: Exception | None = None
    """The exception, if it can be pickled."""


@documented
class Statistics(NamedTuple):
    """Counts of a run; no two runs need to have the same."""

    items: int = 0
    kept: int = 0
    batches: int = 0
    repeated: int = 0
    """Batches that were tried again."""
    ended: int = 0
    """Processes that ended while they worked."""
    seconds: float = 0.0


class Batch(NamedTuple):
    """Some items that travel together."""

    indices: tuple[int, ...]
    tries: int = 0
    lost: int = 0
    not_before: float = 0.0


class Engine(Protocol):
    """Where batches run."""

    def width(self) -> int:
        """Returns how many batches run at the same time."""
        ...

    def submit(self, items: list[Any]) -> Any:
        """Starts a batch and returns a handle."""
        ...

    def wait(self, handles: Sequence[Any], seconds: float) -> list[tuple[Any, Any]]:
        """Waits until a batch is done, or for some time. Returns the handles of those that are, with what `Slot.call` returns."""
        ...

    def close(self) -> None:
        """Ends what still runs."""
        ...


class ProcessEngine:
    """Processes of this machine."""

    def __init__(self, work: Work, jobs: int | None):
        self._jobs = max(1, jobs or available_cores())
        self._work = work
        self._slots = [Slot() for _ in range(self._jobs)]
        self._free = list(self._slots)
        self._pool = ThreadPoolExecutor(self._jobs)

    def width(self) -> int:
        return self._jobs

    def submit(self, items: list[Any]) -> Any:
        return self._pool.submit(self._call, items)

    def _call(self, items: list[Any]) -> Any:
        slot = self._free.pop()  # there are as many as threads
        try:
            return slot.call(self._work, items)
        finally:
            self._free.append(slot)

    def wait(self, handles: Sequence[Any], seconds: float) -> list[tuple[Any, Any]]:
        futures: Sequence[Future[Any]] = handles
        done = wait(futures, seconds, FIRST_COMPLETED).done
        return [(future, future.result()) for future in done]

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for slot in self._slots:
            slot.end()
        self._pool.shutdown()


class HereEngine:
    """This process, which nothing protects from its inputs: for debugging."""

    def __init__(self, function: Callable[[Any], Any]):
        self._function = function
        self._answers: list[tuple[Any, Any]] = []

    def width(self) -> int:
        return 1

    def submit(self, items: list[Any]) -> Any:
        handle = object()
        self._answers.append((handle, apply(self._function, items)))
        return handle

    def wait(self, handles: Sequence[Any], seconds: float) -> list[tuple[Any, Any]]:
        answers, self._answers = self._answers, []
        return answers

    def close(self) -> None:
        pass


def available_cores() -> int:
    """Returns the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _engine_of(on: str | None, address: str | None) -> str:
    """Returns which engine is meant."""
    if on not in (None, "processes", "ray", "here"):
        raise usage_error(f"unknown engine '{on}'", "pass 'processes', 'ray' or 'here'")
    if on is not None:
        return on
    from ._ray import is_connected

    return "ray" if address is not None or is_connected() else "processes"


class Runner:
    """One run. See `run` for the options."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        items: Sequence[Any],
        *,
        key: Callable[[Any], str] = str,
        size: Callable[[Any], int] | None = None,
        on: str | None = None,
        jobs: int | None = None,
        address: str | None = None,
        ray_options: dict[str, Any] | None = None,
        retries: int = 3,
        timeout: float | None = None,
        batch_items: int = 256,
        batch_bytes: int = 64 << 20,
    ):
        if retries < 0 or batch_items < 1 or (jobs is not None and jobs < 1) or (timeout is not None and timeout <= 0):
            raise usage_error("retries, jobs, timeout and batch_items must be positive numbers")
        self._items, self._keys = items, [key(item) for item in items]
        self._sizes = [size(item) for item in items] if size else [0] * len(items)
        self._retries, self._timeout = retries, timeout
        self._batch_items, self._batch_bytes = batch_items, batch_bytes
        self._function, self._on = function, _engine_of(on, address)
        self._jobs, self._address, self._ray_options = jobs, address, ray_options or {}
        self.statistics: Statistics = Statistics()
        """Filled when the run ends."""

    def _engine(self) -> Engine:
        if self._on == "here":
            return HereEngine(self._function)
        work = pack(self._function, self._timeout)
        if self._on == "processes":
            return ProcessEngine(work, self._jobs)
        from ._ray import RayEngine

        return RayEngine(work, self._jobs, self._address, self._ray_options)

    def _batches(self, indices: Sequence[int], width: int) -> Iterator[Batch]:
        # At the end no worker should wait long for another.
        most = max(1, min(self._batch_items, -(-len(indices) // (4 * width))))
        batch: list[int] = []
        bytes_of_batch = 0
        for i in indices:
            if batch and (len(batch) >= most or bytes_of_batch + self._sizes[i] > self._batch_bytes):
                yield Batch(tuple(batch))
                batch, bytes_of_batch = [], 0
            batch.append(i)
            bytes_of_batch += self._sizes[i]
        if batch:
            yield Batch(tuple(batch))

    def outcomes(self, indices: Sequence[int] | None = None) -> Iterator[tuple[int, Outcome]]:
        """Yields the index and the outcome of each item (or of those with these indices), as they are done."""
        chosen = range(len(self._items)) if indices is None else indices
        started, batches, repeated, ended, kept = time.monotonic(), 0, 0, 0, 0
        if not chosen:
            return
        engine = self._engine()
        try:
            fresh = self._batches(chosen, engine.width())
            again: deque[Batch] = deque()
            running: dict[Any, Batch] = {}
            while True:
                # Two for each worker: one runs, one is ready. More would only fill memory.
                while len(running) < 2 * engine.width():
                    batch = _next(again, fresh)
                    if batch is None:
                        break
                    running[engine.submit([self._items[i] for i in batch.indices])] = batch
                    batches += 1
                if not running and not again:
                    break
                if not running:
                    time.sleep(0.05)  # until one may be tried again
                    continue
                # Not forever: Python does not see an interrupt that comes right before it waits.
                for handle, answer in engine.wait(list(running), 0.5):
                    batch = running.pop(handle)
                    ended += isinstance(answer, Died)
                    done, more = self._settle(batch, answer)
                    repeated += len(more)
                    again.extend(more)
                    for i, outcome in done:
                        kept += outcome.kept
                        yield i, outcome
        finally:
            engine.close()
            seconds = time.monotonic() - started
            self.statistics = Statistics(len(chosen), kept, batches, repeated, ended, seconds)

    def _settle(self, batch: Batch, answer: Any) -> tuple[list[tuple[int, Outcome]], list[Batch]]:
        """Returns the outcomes that an answer has, and what is to be tried again."""
        if isinstance(answer, Refusal):
            raise answer.error
        if isinstance(answer, Died):
            answer = [answer] * len(batch.indices)
        done: list[tuple[int, Outcome]] = []
        more: list[Batch] = []
        alone = len(batch.indices) == 1
        for i, result in zip(batch.indices, answer):
            if isinstance(result, Value):
                done.append((i, Outcome(self._keys[i], result.value)))
                continue
            lost = isinstance(result, Died) and result.lost
            tries, losses = batch.tries + (not lost), batch.lost + lost
            # In a batch it may have been another one. Alone, it would be the same again.
            final = alone and (result.timed_out if isinstance(result, Died) else not result.transient)
            if final or (alone and (tries > self._retries or losses > _LOST_MORE * (self._retries + 1))):
                done.append((i, Outcome(self._keys[i], None, _problem(result, tries + losses))))
            else:
                pause = min(30.0, 0.1 * 2**tries) if isinstance(result, Raised) and alone else 0.0
                begun = (tries, losses) if alone else (0, 0)
                more.append(Batch((i,), *begun, time.monotonic() + pause))
        return done, more


def _next(again: deque[Batch], fresh: Iterator[Batch]) -> Batch | None:
    for _ in range(len(again)):
        batch = again.popleft()
        if batch.not_before <= time.monotonic():
            return batch
        again.append(batch)
    return next(fresh, None)


def _problem(result: Raised | Died, tries: int) -> Problem:
    if isinstance(result, Raised):
        return Problem("raised", result.text, tries, result.error)
    return Problem("timeout" if result.timed_out else "ended", result.reason, tries)


@checked
def run(
    function: Callable[[Any], Any],
    items: Iterable[Any],
    *,
    key: Callable[[Any], str] = str,
    size: Callable[[Any], int] | None = None,
    digest: Callable[[Any], str] | None = None,
    reduce: Callable[[Iterator[Outcome]], Any] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    options: str = "",
    on: str | None = None,
    jobs: int | None = None,
    address: str | None = None,
    ray_options: dict[str, Any] | None = None,
    retries: int = 3,
    timeout: float | None = None,
    batch_items: int = 256,
    batch_bytes: int = 64 << 20,
    progress: bool | None = None,
    label: str = "working",
) -> Any:
    """Applies a function to each item, and returns the list of outcomes in the order of the items, or what `reduce`
    makes of them.

    The function runs in other processes, so it must be in a module (or cloudpickle must be installed), its items and
    results must be picklable, and it may run more than once for an item: a second run must do no harm. If it has a method
    ``batch``, that gets a list of items, and returns as many results. Results are held in memory until the end: return
    what a report needs, not the bytes.

    `key` names an item, `size` is its bytes. Items travel in batches of up to `batch_items` items and `batch_bytes` bytes.
    `on`: ``"processes"`` of this machine, `jobs` of them (default: one per processor); or ``"ray"``, on the cluster at
    `address` (default: the connected one, the one at ``RAY_ADDRESS``, or a new one on this
    machine), with `ray_options` for each task; or ``"here"``, in this process, to debug a function. Without `on`, Ray if
    this program is connected to a cluster.

    If a process ends, or a batch exceeds `timeout` seconds, its items are tried again one by one. An item that ends its
    process, or has an error of files or network, is tried `retries` more times, and then has a `problem`; any other
    exception, and one that exceeds `timeout` alone, has it at once. If the function raises `Refusal`, the run ends with
    that error.

    `checkpoint`: a file that keeps outcomes. Items whose key, ``digest(item)`` and `options` are those in it are not run
    again. Problems are not kept.
    """
    work = list(items)
    saved = Checkpoint(os.fspath(checkpoint), options) if checkpoint is not None else None
    runner = Runner(
        function, work, key=key, size=size, on=on, jobs=jobs, address=address, ray_options=ray_options, retries=retries,
        timeout=timeout, batch_items=batch_items, batch_bytes=batch_bytes,
    )  # fmt: skip
    outcomes: list[Outcome | None] = [None] * len(work)
    digests = [digest(item) if digest else "" for item in work]
    missing = []
    if saved:
        saved.open(resume=True)
    for i, item in enumerate(work):
        record = saved.get(key(item)) if saved else None
        if record is not None and record.get("digest") == digests[i]:
            outcomes[i] = Outcome(key(item), record["value"], kept=True)
        else:
            missing.append(i)
    try:
        for i, outcome in shown(runner.outcomes(missing), len(missing), label, progress):
            outcomes[i] = outcome
            if saved and not outcome.problem:
                saved.add(outcome.key, {"digest": digests[i], "value": outcome.value})
    finally:
        if saved:
            saved.close(keep=True)
    found = (outcome for outcome in outcomes if outcome is not None)
    return reduce(found) if reduce else list(found)


def shown(outcomes: Iterable[Any], total: int, label: str, progress: bool | None) -> Iterable[Any]:
    """Shows how many are done."""
    from .._progress import progress as show

    return show(outcomes, total=total, label=label, show=progress)
