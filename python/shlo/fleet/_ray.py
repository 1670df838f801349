"""Batches as tasks of a Ray cluster. Each worker of Ray keeps a `Slot`, so that an input which ends a process does not end
the worker. Ray's own retries are off: the runner repeats batches, because it also divides them."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Sequence

from .._errors import missing_package
from ._slot import Died, Slot, Work

_slot: Slot | None = None


def _call(work: Work, items: list[Any]) -> Any:
    """Runs in a worker."""
    global _slot
    if _slot is None:
        _slot = Slot()
    return _slot.call(work, items)


# Whether this module connected to the cluster.
_connected = False


def is_connected() -> bool:
    """Whether the program connected to a cluster itself."""
    return not _connected and "ray" in sys.modules and bool(sys.modules["ray"].is_initialized())


def connect(address: str | None) -> Any:
    """Returns Ray, connected to a cluster: the one that this process is connected to, the one of an address, or a new one
    on this machine. It stays for the life of the process, because starting one takes many seconds; Ray ends it at exit."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise missing_package("Ray", "pip install 'shlo[ray]'") from None
    if not ray.is_initialized():
        global _connected
        _connected = True
        # A local cluster needs no more than processes; the arguments are those that clusters ignore.
        ray.init(address=address, log_to_driver=False, logging_level="error", **({} if address else {"include_dashboard": False}))
    return ray


class RayEngine:
    """Workers of a Ray cluster."""

    def __init__(self, work: Work, jobs: int | None, address: str | None, options: dict[str, Any]):
        self._ray = connect(address)
        self._jobs = jobs
        self._work = self._ray.put(work)
        options = {"num_cpus": 1, "scheduling_strategy": "SPREAD", **options, "max_retries": 0}
        self._task = self._ray.remote(**options)(_call)
        self._running: set[Any] = set()

    def width(self) -> int:
        # Clusters grow and shrink.
        return self._jobs or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, items: list[Any]) -> Any:
        handle = self._task.remote(self._work, items)
        self._running.add(handle)
        return handle

    def wait(self, handles: Sequence[Any], seconds: float) -> list[tuple[Any, Any]]:
        done, _ = self._ray.wait(list(handles), num_returns=1, timeout=seconds)
        self._running.difference_update(done)
        return [(handle, self._get(handle)) for handle in done]

    def _get(self, handle: Any) -> Any:
        try:
            return self._ray.get(handle)
        except self._ray.exceptions.RayTaskError:
            raise  # our own code failed: the package is missing there, or another one
        except self._ray.exceptions.RayError as error:
            return Died(type(error).__name__, lost=True)

    def close(self) -> None:
        for handle in self._running:
            self._ray.cancel(handle, force=True)
