"""Many programs at once: check, convert, evaluate, prove and verify the files of folders, patterns and URLs, on all
processors of this machine or on a Ray cluster.

::

    from shlo import fleet

    report = fleet.convert("s3://models/**", "jaxlib==0.7.0", out="s3://models-old/", resume=True)
    print(report.summary())
    report.save("report.sarif", "sarif")

Work is done in processes that may end at any moment: their files are tried again, elsewhere, and a file that ends processes
is reported. The report is the same for any number of workers. URLs need fsspec and the package of their store, clusters
need Ray (``pip install 'shlo[ray]'``).

All commands take the options of a run:

- `on`: ``"processes"``, ``"ray"`` or ``"here"``, `jobs`, `address`, `ray_options`, `retries`, `batch_items`, `batch_bytes`: see `run`.
- `timeout`: seconds for one file.
- `checkpoint`: a file or URL of the checkpoint; with `resume`, files are skipped that an earlier run
  finished with the same content and options. `convert` and `eval` keep one in the folder of outputs.
- `progress`: show progress, by tqdm if it is installed (default: where someone sees it).

Other options have the names that they have for one program: `shlo.load`, `shlo.check`, `shlo.prove`, `Program.convert`,
`Program.eval`. `RayActors` runs the processes of one program (``program.eval(..., partitions=8, place=fleet.RayActors())``). `run` does other work on other items in the same way. ``python -m shlo.fleet`` is the command line.
"""

from __future__ import annotations

from typing import Any

from ._child import Refusal
from ._commands import check, convert, eval, prove, verify
from ._actors import RayActors
from ._inputs import Item, collect, pairs_of
from ._placement import ProcessGrid, ProcessJobs, run_process
from ._report import Report
from ._run import Outcome, Problem, Runner, Statistics, run

__all__ = [
    "Item", "Outcome", "Problem", "ProcessGrid", "ProcessJobs", "RayActors", "Refusal", "Report", "Runner", "Statistics", "check",
    "collect", "convert", "eval", "pairs_of", "prove", "run", "run_process", "verify",
]  # fmt: skip


def __dir__() -> list[str]:
    return [*__all__, "archive"]


def __getattr__(name: str) -> Any:
    if name != "archive":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return importlib.import_module(f"{__name__}.archive")
