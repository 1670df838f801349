"""The processes of a grid as actors of a Ray cluster: one actor is the grid, and one for each process has the program."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Mapping

from .._errors import system_error, usage_error
from .._program import Program
from ._placement import ProcessGrid, ProcessJobs, run_process
from ._ray import connect


class _Lost(Exception):
    """An actor ended, and the run with it."""

    def __init__(self, who: str, how: str):
        super().__init__(who, how)
        self.who, self.how = who, how


class _GridActor:
    """Answers as many requests at a time as there are processes."""

    def start(self, grid: bytes) -> None:
        self._grid = ProcessGrid(grid)

    def answer(self, request: bytes) -> bytes:
        return self._grid.answer(request)


class _ProcessActor:
    def start(self, program: Program, custom_calls: Mapping[str, Callable[..., Any]]) -> None:
        self._program, self._custom_calls = program, custom_calls

    def run(self, job: bytes, grid: Any) -> bytes | str:
        """Returns the outcome of the process, or how the grid was lost."""
        ray: Any = importlib.import_module("ray")
        try:
            return run_process(self._program, job, lambda request: ray.get(grid.answer.remote(request)), self._custom_calls)
        except ray.exceptions.RayTaskError:
            raise
        except ray.exceptions.RayError as error:
            return _words(error)


def _words(error: BaseException) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__


class RayActors:
    """Runs the processes of a grid as actors of a Ray cluster: ``program.eval(..., replicas=2, place=fleet.RayActors())``.

    `address`: of the cluster (default: the connected one, the one at ``RAY_ADDRESS``, or a new one on this machine,
    which lasts until `close`). `ray_options`: of the actor of each process, as for ``ray.remote``:
    ``{"num_cpus": 1, "memory": 4e9}``. By default an actor reserves nothing, and they are spread over the nodes.

    All processes run at the same time. If an actor or its node ends, all are placed again and the run starts over, up to
    `retries` times: the same inputs give the same results. Processes that cannot be placed within `start_timeout` seconds
    are an error.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        retries: int = 3,
        start_timeout: float = 120,
        ray_options: dict[str, Any] | None = None,
    ):
        if retries < 0 or start_timeout <= 0:
            raise usage_error("retries and start_timeout must be positive numbers")
        self._address, self._retries, self._start_timeout = address, retries, start_timeout
        self._options = {"scheduling_strategy": "SPREAD", **(ray_options or {}), "max_restarts": 0, "max_task_retries": 0}
        self._ray: Any = None

    def __call__(self, jobs: ProcessJobs) -> list[bytes]:
        if self._ray is None:
            self._ray = connect(self._address)
        ray = self._ray
        shared = (ray.put(jobs.program), ray.put(dict(jobs.custom_calls)))
        given = [ray.put(job) for job in jobs.jobs]
        for left in range(self._retries, -1, -1):
            try:
                return self._run(jobs, shared, given)
            except _Lost as lost:
                if left == 0:
                    times = "once" if self._retries == 0 else f"in the last of {self._retries + 1} runs"
                    raise system_error(f"{lost.who} ended {times}: {lost.how}", "look at the logs of Ray, or raise retries") from None
        raise AssertionError

    def _run(self, jobs: ProcessJobs, shared: tuple[Any, Any], given: list[Any]) -> list[bytes]:
        ray = self._ray
        names = [f"process {id}" for id in jobs.ids]
        actors: list[Any] = []
        try:
            # Answers that wait must not keep others out.
            actors.append(ray.remote(num_cpus=0, max_concurrency=len(names) + 2, max_restarts=0)(_GridActor).remote())
            grid = actors[0]
            process = ray.remote(**self._options)(_ProcessActor)
            actors += [process.remote() for _ in names]
            started = {grid.start.remote(jobs.grid): "the grid"}
            started.update({actor.start.remote(*shared): name for actor, name in zip(actors[1:], names)})
            done, late = ray.wait(list(started), num_returns=len(started), timeout=self._start_timeout)
            for one in done:
                self._get(one, started[one])
            if late:
                resources = ", ".join(f"{value:g} {key}" for key, value in sorted(ray.cluster_resources().items()) if ":" not in key)
                message = f"{started[late[0]]} was not placed within {self._start_timeout:g} s"
                raise system_error(message, f"pass other ray_options; the cluster has {resources}")
            running = {actor.run.remote(job, grid): i for i, (actor, job) in enumerate(zip(actors[1:], given))}
            outcomes: list[bytes] = [b""] * len(names)
            while running:
                (one,), _ = ray.wait(list(running), num_returns=1)
                i = running.pop(one)
                outcome = self._get(one, names[i])
                if isinstance(outcome, str):
                    raise _Lost("the grid", outcome)
                outcomes[i] = outcome
            return outcomes
        finally:
            for actor in actors:
                ray.kill(actor)

    def _get(self, ref: Any, who: str) -> Any:
        try:
            return self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            # A custom call raised, as in a thread.
            raise getattr(error, "cause", None) or error from None
        except self._ray.exceptions.RayError as error:
            raise _Lost(who, _words(error)) from None

    def close(self) -> None:
        """Lets go of the cluster, which stays for the life of this process."""
        self._ray = None

    def __enter__(self) -> RayActors:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
