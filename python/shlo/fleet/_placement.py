"""Remote processes of a grid: the input of a placement, and the means to run them. The bytes are internal to the
library."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence, Union

from .. import _core
from .._checked import checked
from .._errors import usage_error
from .._evaluate import custom_calls_of
from .._program import Program


class ProcessJobs(NamedTuple):
    """The processes of one run, which a placement runs at the same time, each on its job by `run_process`. It returns what
    that returns, in the order of the jobs."""

    program: Program
    """The program that every process runs. Pickling keeps it as it is."""
    replicas: int
    """Replicas of the grid."""
    partitions: int
    """Partitions per replica."""
    grid: bytes
    """For `ProcessGrid`."""
    jobs: Sequence[bytes]
    """One for each process, replica by replica."""
    custom_calls: Mapping[str, Callable[..., Any]]
    """The functions that the caller passed to `Program.eval`; every process needs them."""

    @property
    def ids(self) -> Iterator[tuple[int, int]]:
        """Replica and partition of each job."""
        return (divmod(i, self.partitions) for i in range(len(self.jobs)))


class ProcessGrid:
    """Where the processes of one run meet. Processes that deadlock fail, as threads do."""

    def __init__(self, grid: bytes):
        self._grid = _core.grid_create(grid)

    def answer(self, request: bytes) -> bytes:
        """Answers a request, when the processes that it waits for have come. Call it on a thread for each process."""
        return _core.grid_answer(self._grid, request)

    def abandon(self) -> None:
        """Makes all processes that wait fail, because one is lost."""
        _core.grid_abandon(self._grid)


@checked
def run_process(
    program: Program,
    job: bytes,
    exchange: Callable[[bytes], bytes],
    custom_calls: Mapping[str, Callable[..., Any]] | None = None,
) -> bytes:
    """Runs one process of a grid, and returns how it ended, for the placement to return.

    `exchange` carries a request to `ProcessGrid.answer`, wherever that is, exactly once, and returns the answer. Exceptions
    that it or a function of `custom_calls` raises are raised here.
    """
    calls = custom_calls_of(program, custom_calls or {})
    return _core.run_process(program._handle, job, exchange, {"custom_calls": calls} if calls else {})


Place = Union[str, Callable[[ProcessJobs], Sequence[bytes]]]


def placement_of(
    place: Place, program: Program, custom_calls: Mapping[str, Callable[..., Any]] | None
) -> Callable[[int, int, bytes, list[bytes]], list[bytes]]:
    """Returns the placement of an evaluation as the extension calls it."""
    if isinstance(place, str):
        if place != "ray":
            raise usage_error(f"unknown placement '{place}'", "pass 'ray', a fleet.RayActors, or a function")
        from ._actors import RayActors

        place = RayActors()
    if not callable(place):
        raise usage_error(f"expected a placement, got {type(place).__name__}", "pass 'ray', a fleet.RayActors, or a function")
    call = place

    def run(replicas: int, partitions: int, grid: bytes, jobs: list[bytes]) -> list[bytes]:
        return list(call(ProcessJobs(program, replicas, partitions, grid, jobs, custom_calls or {})))

    return run
