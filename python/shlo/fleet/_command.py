"""One command on many files: from inputs and options to the report."""

from __future__ import annotations

import os
from typing import Any, Sequence, Union

from .._errors import UsageError, usage_error
from .._program import PathLike
from . import _flags
from ._checkpoint import Checkpoint
from ._inputs import Item, JsonObject, collect, diagnostic, tag_of
from ._report import Report
from ._run import Outcome, Runner, shown
from ._store import aside_of, file_system, is_url, join, local_path, remove, remove_stale
from ._work import Done, Sniff, Task, Work, error_of

Paths = Union[PathLike, Sequence[PathLike]]
"""One argument, or several: files, folders, patterns, URLs."""
_RUN = ("on", "jobs", "address", "ray_options", "retries", "timeout", "batch_items", "batch_bytes")
_CHECKPOINT = ".shlo-fleet-resume"
# A process that starts must not look like a file that takes long.
_GRACE = 5.0


def texts_of(paths: Paths) -> list[str]:
    """Returns arguments as texts."""
    out = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    if not out:
        raise usage_error("no paths", "pass files, folders, patterns or URLs")
    if "-" in out:
        raise usage_error("'-' is the standard input, which is not a file", "pass files, folders, patterns or URLs")
    return out


class Command:
    """The steps that all commands share: list inputs, run, and make the report."""

    def __init__(self, command: str, options: dict[str, Any]):
        self.command = command
        given = {key: options.pop(key, None) for key in _RUN}
        self.run_options = {key: value for key, value in given.items() if value is not None}
        limits = options.get("limits")
        if limits is not None and limits.timeout is not None and limits.timeout != float("inf"):
            self.run_options.setdefault("timeout", limits.timeout)
        self.timeout = self.run_options.get("timeout")
        if self.timeout:
            self.run_options["timeout"] = self.timeout + _GRACE
        self.resume, self.checkpoint = options.pop("resume", False), options.pop("checkpoint", None)
        self.progress = options.pop("progress", None)
        self.options = _flags.read_options(command, options)
        self.files = _flags.files_of(command, self.options)
        self.out = ""
        self.suffix = ""
        self.policy: tuple[str, str, bytes] | None = None
        self.skipped = 0

    def inputs(self, paths: Sequence[str], *others: Sequence[str]) -> list[list[Item]]:
        """Returns the inputs of one or two lists of arguments."""
        found = [collect(texts, self.out) for texts in (paths, *others)]
        if any(is_url(item.name) for items in found for item in items):
            # The folder that has the files of URLs has nothing above it.
            found = [[_inside(item) for item in items] for items in found]
        return found

    def programs(self, items: list[Item]) -> list[Item]:
        """Returns the inputs that are programs, where it matters before the work begins."""
        unsure = [item for item in items if not item.sure]
        if not unsure:
            return items
        options = {key: value for key, value in self.run_options.items() if key != "timeout"}
        runner = Runner(Sniff(os.getcwd()), unsure, key=lambda item: str(item.name), **options)
        others = {outcome.key for _, outcome in runner.outcomes() if outcome.value is False}
        self.skipped += len(others)
        return [item._replace(sure=True) for item in items if item.name not in others]

    def run(self, tasks: list[Task]) -> Report:
        """Does the work."""
        words = _flags.words_of(self.command, self.options, skip=("policy", "inputs") if self.command != "prove" else ())
        if self.command == "check" and "policy" in self.options and self.policy is None:
            words.append(f"--policy={self.options['policy']}")
        if self.command == "eval" and str(self.options.get("inputs", "")).startswith("random:"):
            words.append(f"--inputs={self.options['inputs']}")
        if "threads" not in self.options and self.run_options.get("jobs") != 1:
            words.append("--threads=1")  # results are the same, and other processors have other files
        saved = self._open_checkpoint(words)
        work = Work(
            self.command, words, folder=os.getcwd(), aside=aside_of(self.out) if self.out else "", files=self.files,
            policy=self.policy, keeps_state=saved is not None, suffix=self.suffix or ".npz",
        )  # fmt: skip
        code = 4
        try:
            results = [self._early(task, saved) for task in tasks]
            tasks = [task._replace(known=self._known(task, saved)) for task in tasks]
            missing = [i for i, result in enumerate(results) if result is None]
            runner = Runner(
                work, tasks, key=lambda task: str(task.item.name), size=Task.size, **self.run_options
            )
            for i, outcome in shown(runner.outcomes(missing), len(missing), _LABELS[self.command], self.progress):
                results[i] = self._result(tasks[i], outcome, saved)
                if saved and results[i].status in ("done", "failed") and _lasts(results[i].entry):
                    saved.add(_key(tasks[i]), {key: value for key, value in results[i]._asdict().items()})
            report = Report(self._document([r for r in results if r is not None]), runner.statistics)
            code = report.exit_code
            return report
        except UsageError:
            code = 2
            raise
        finally:
            if saved:
                self._close_checkpoint(saved, code)
            if self.out:
                remove(aside_of(self.out))
                if code == 0 and not is_url(self.out) and hasattr(os, "sync"):
                    os.sync()

    # --- Checkpoints ---

    def _open_checkpoint(self, words: list[str]) -> Checkpoint | None:
        path = self.checkpoint or (join(self.out, _CHECKPOINT) if self.out else "")
        if not path:
            if self.resume:
                raise usage_error("nothing to resume from", "pass checkpoint=FILE, or --resume=FILE")
            return None
        from .. import __version__

        words = [word for word in words if not word.startswith("--threads=")]  # results do not depend on it
        text = [__version__, self.command, self.suffix, *words, *(repr(file) for file in self.files), repr(self.policy)]
        if policy := self.options.get("policy"):
            text.append(repr(_flags.read_file(policy)))
        if not is_url(self.out) and self.out:
            os.makedirs(self.out, exist_ok=True)
            remove_stale(self.out)
        saved = Checkpoint(os.fspath(path), "\n".join(text))
        saved.open(bool(self.resume))
        self._output_tags = self._tags() if self.resume else {}
        return saved

    def _tags(self) -> dict[str, str]:
        """Returns what an object store states about outputs, by URL."""
        if not is_url(self.out):
            return {}
        fs, path = file_system(self.out)
        root = path.rstrip("/")
        return {join(self.out, name[len(root) :].lstrip("/")): tag_of(info) for name, info in fs.find(path, detail=True).items()}

    def _close_checkpoint(self, saved: Checkpoint, code: int) -> None:
        keep = bool(self.resume or self.checkpoint or code)
        if keep and is_url(self.out):
            tags = self._tags()
            for record in saved.records():
                if target := record["state"].get("target"):
                    record["state"]["target_tag"] = tags.get(target, "")
        saved.close(keep)

    def _known(self, task: Task, saved: Checkpoint | None) -> JsonObject | None:
        record = saved.get(_key(task)) if saved and self.resume else None
        state: JsonObject | None = record["state"] if record else None
        return state

    def _early(self, task: Task, saved: Checkpoint | None) -> Done | None:
        """Returns the result of a task that no worker is needed for."""
        if task.item.problem:
            return Done("failed", self._failed(task, task.item.problem), {}, {})
        state = self._known(task, saved)
        if not state or not all(state["tags"]):
            return None
        tags = [item.tag for item in task.items()]
        target = state.get("target")
        if tags != state["tags"] or (target and self._output_tags.get(target) != (state.get("target_tag") or None)):
            return None
        assert saved is not None
        return self._kept(task, saved)

    def _kept(self, task: Task, saved: Checkpoint) -> Done:
        record = saved.get(_key(task))
        assert record is not None
        entry = dict(record["entry"])
        if self.command == "convert":
            entry["up_to_date"] = True
        return Done("kept" if entry.get("exit", 0) == 0 else record["status"], entry, record["state"], record["run"])

    # --- Results ---

    def _result(self, task: Task, outcome: Outcome, saved: Checkpoint | None) -> Done:
        if outcome.problem is None:
            done: Done = outcome.value
            if done.status == "other":
                self.skipped += 1
            return self._kept(task, saved) if done.status == "kept" and saved else done
        found = problem_of(outcome, self.timeout, task.item.name)
        return Done("failed", self._failed(task, found), {}, {})

    def _failed(self, task: Task, found: JsonObject) -> JsonObject:
        """Makes the entry of a file without a result."""
        exit_code = {"io": 4, "not-equal": 1}.get(found["code"], 3)
        name = task.item.name
        if self.command == "check":
            return {"file": name, "checked": False, "compared": False, "findings": [], "failures": [found]}
        entry: JsonObject = {"file": name, "programs": []}
        if self.command == "convert":
            entry.update(output=join(task.output, os.path.basename(name)), up_to_date=False)
        elif self.command == "verify":
            entry["verifies"] = False
        elif self.command == "eval":
            entry = {"file": name}
        elif self.command == "prove":
            entry = {"files": [{"file": item.name, "programs": []} for item in (task.item, task.other) if item]}
        return {**entry, "exit": exit_code, "diagnostics": [found]}

    def _document(self, results: list[Done]) -> JsonObject:
        results = [done for done in results if done.status != "other"] if self.command != "check" else results
        entries = [done.entry for done in results if done.status != "other"]
        if not entries:
            hint = f"{self.skipped} file{'' if self.skipped == 1 else 's'} of other kinds found" if self.skipped else ""
            if not (self.command == "check" and "changed-since" in self.options):
                raise error_of([diagnostic("usage", "found no programs", hint=hint)])
        document: JsonObject = {"format_version": 1, "command": self.command}
        if self.command == "check":
            return self._check_document(document, results, entries)
        document["pairs" if self.command == "prove" else "files"] = entries
        if consumers := next((done.run["consumers"] for done in results if "consumers" in done.run), None):
            document["consumers"] = consumers
        if self.out:
            document["output"] = self.out
        failed = sum(1 for entry in entries if entry["exit"])
        kept = sum(1 for done in results if done.status == "kept") if self.command == "convert" else 0
        document["summary"] = {
            "done": len(entries) - failed - kept, "up_to_date": kept, "failed": failed, "not_programs": self.skipped, "left": 0,
        }  # fmt: skip
        notes: list[JsonObject] = next((done.run["diagnostics"] for done in results if done.run.get("diagnostics")), [])
        document["exit"] = max(entry["exit"] for entry in entries)
        document["diagnostics"] = notes + [found for entry in entries for found in entry["diagnostics"]]
        return document

    def _check_document(self, document: JsonObject, results: list[Done], entries: list[JsonObject]) -> JsonObject:
        run: JsonObject = next((done.run for done in results if done.run), {})
        for key, default in (("policy", None), ("baseline", None), ("today", self.options["today"])):
            document[key] = run.get(key, default)
        removed = {entry["file"]: entry for done in results for entry in done.run.get("removed", ())}
        document["files"] = entries + [removed[name] for name in sorted(removed)]
        document["policy_findings"] = run.get("policy_findings", [])
        return document


def problem_of(outcome: Outcome, timeout: float | None, file: str) -> JsonObject:
    """Returns the diagnostic for an item that has no result."""
    problem = outcome.problem
    assert problem is not None
    if problem.kind == "timeout":
        return diagnostic("limit", f"stopped after the limit of {timeout:g} s", file, "raise the limit: --timeout")
    if problem.kind == "ended":
        message = f"the process that worked on it ended {problem.tries} times: {problem.text}"
        return diagnostic("io", message, file, "run shlo-compat on it alone; more memory may help")
    return diagnostic("io", problem.text, file)


_LABELS = {"convert": "converting", "check": "checking", "verify": "verifying", "prove": "proving", "eval": "evaluating"}


def _key(task: Task) -> str:
    """Names a task in a checkpoint."""
    return "\n".join(item.name for item in task.items())


def _lasts(entry: JsonObject) -> bool:
    """Whether a result is that of the content alone, and not of the machine or a missing file."""
    return not entry.get("failures") and int(entry.get("exit", 0)) <= 1


def _inside(item: Item) -> Item:
    return item._replace(name=os.path.abspath(item.name)) if ".." in item.name.split("/") and not is_url(item.name) else item
