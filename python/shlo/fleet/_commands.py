"""The commands of a fleet."""

from __future__ import annotations

import datetime
import os
import re
from typing import TYPE_CHECKING, Any, Literal, Sequence, Union

from .._checked import checked
from .._errors import usage_error
from .._program import PathLike
from .._versions import Consumer, ConsumerLike, VersionLike, known, parse
from . import _flags
from ._command import Command, Paths, texts_of
from ._inputs import Item, diagnostic, is_one, pairs_of, without_format
from ._report import Report
from ._store import is_url, join, local_path
from ._work import Task, error_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CheckOptions, ConvertOptions, EvalOptions, ProveOptions, VerifyOptions

Target = Union[VersionLike, ConsumerLike, Sequence[ConsumerLike]]


@checked
def verify(paths: Paths, **options: Unpack[VerifyOptions]) -> Report:
    """Checks that programs are well-formed.

    Args:
        paths: files, folders, patterns and URLs.
        options: as for `shlo.load` (`version`, `program`, `lenient`, `dialects`, `limits`) and for a run: see
            `shlo.fleet`.
    """
    command = Command("verify", dict(options))
    (items,) = command.inputs(texts_of(paths))
    return command.run([Task(item) for item in items])


@checked
def check(paths: Paths, *, policy: PathLike | None = None, root: str | None = None, **options: Unpack[CheckOptions]) -> Report:
    """Applies the rules of ``shlo-compat check``.

    Args:
        paths: files, folders, patterns and URLs.
        policy: a TOML file (docs/check.md); by default the nearest one upwards, unless there are URLs. With
            URLs, files of the policy are not available, but `dialects` and `consumers` are.
        root: the URL that the patterns of the policy are relative to (default: the host or bucket).
        options: as for `shlo.check` (`rules`, `requires`, `consumers`, `today`, ...) and for `shlo.load`; `no_policy`;
            `against` and `changed_since`, revisions of git; and as for a run: see `shlo.fleet`.
    """
    command = Command("check", {"--policy": policy, **options})
    if options.get("consumers") is None:
        _warn_of(options.get("requires") or ())
    command.options.setdefault("today", str(datetime.datetime.now(datetime.timezone.utc).date()))
    texts = texts_of(paths)
    (items,) = command.inputs(texts)
    urls = [item.name for item in items if is_url(item.name)]
    if urls:
        if git := [name for name in ("against", "changed-since") if name in command.options]:
            raise usage_error(f"--{git[0]} compares files of a git repository, and '{urls[0]}' is a URL", "pass local paths")
        if policy is not None:
            base = root or re.match(r".*?://[^/]*", urls[0])[0]  # type: ignore[index]
            command.policy = os.fspath(policy), base, _flags.read_file(os.fspath(policy))
        else:
            command.options["no-policy"] = True
    return command.run([Task(item) for item in items])


@checked
def prove(a: PathLike, b: PathLike, **options: Unpack[ProveOptions]) -> Report:
    """Proves programs equal: two files, or programs of two folders, patterns or URLs with the same paths below these, or
    with paths that differ only in the ending of their format.

    Args:
        a, b: folders, patterns or URLs, or two files.
        options: as for `shlo.prove` (`seed`, `max_inputs`, `evaluate_only`) and for `shlo.load`; `at_least`, the weakest
            sufficient evidence; and as for a run: see `shlo.fleet`.
    """
    command = Command("prove", dict(options))
    (in_a, in_b), names = command.inputs(texts_of([a]), texts_of([b])), (os.fspath(a), os.fspath(b))
    one = [is_one(name) for name in names]
    if all(one):
        return command.run([Task(in_a[0], in_b[0])])
    if any(one):
        single, other = names if one[0] else names[::-1]
        raise usage_error(f"'{single}' is one program, and '{other}' is not", "pass two programs, or two folders or patterns")
    tasks = []
    for first, second in pairs_of(command.programs(in_a), command.programs(in_b)):
        item = first or second
        assert item is not None
        if first is None or second is None:
            other = names[1 if first else 0]
            problem = item.problem or diagnostic("not-equal", f"has no counterpart in '{other}'", item.name)
            item, second = item._replace(problem=problem), None
        elif second.problem:
            item = item._replace(problem=second.problem)
        tasks.append(Task(item, second))
    return command.run(tasks)


@checked
def convert(paths: Paths, target: Target | None = None, *, out: PathLike, **options: Unpack[ConvertOptions]) -> Report:
    """Converts programs, and writes them below `out`, a folder or a URL, with the paths that the inputs have below theirs.

    Args:
        paths: files, folders, patterns and URLs.
        target: a version, a consumer, or several consumers, as for `Program.convert`; None: only the format changes.
        out: the folder or URL of the outputs.
        options: `emit`, the format of outputs (default: as each input); others as for `Program.convert`
            (`expand`, `prove`, `window`, ...), for `shlo.load`, and for a run: see `shlo.fleet`.

    An output is written whole or not at all. ``resume=True`` skips inputs whose output is as an earlier run made it, by
    content; `out` then has a checkpoint, ``.shlo-fleet-resume``, as it has after a run that failed or was killed.
    """
    command = Command("convert", {**target_of(target), **options})
    command.out = local_path(os.fspath(out))
    items = command.programs(command.inputs(texts_of(paths))[0])
    emit = str(command.options.get("emit", ""))
    ending = {"": "", "shlo": ".shlo", "mlirbc": ".mlirbc"}.get(emit, ".mlir")
    outputs = [without_format(item.relative) + ending if emit else item.relative for item in items]
    _check_outputs(items, outputs, command.out)
    folders = [join(command.out, output.rpartition("/")[0]) for output in outputs]
    return command.run([Task(item, output=folder) for item, folder in zip(items, folders)])


@checked
def eval(
    paths: Paths,
    *,
    inputs: str = "",
    out: PathLike | None = None,
    format: Literal["npz", "safetensors"] = "npz",
    **options: Unpack[EvalOptions],
) -> Report:
    """Evaluates a function of each program, and reports the SHA-256 of its results.

    Args:
        paths: files, folders, patterns and URLs.
        inputs: ``"random:SEED"``, or the files of arguments: a path or URL with ``{path}``, which is replaced by the path
            of the program below its folder without the ending (``"inputs/{path}.npz"``).
        out: a folder or URL, to write the results there.
        format: the format of these files.
        options: as for `Program.eval` (`function`, `replicas`, `fast`, ...), for `shlo.load`, and for a run: see
            `shlo.fleet`.
    """
    if format not in ("npz", "safetensors"):
        raise usage_error(f"unknown format '{format}'", "pass one of npz, safetensors")
    command = Command("eval", {"--inputs": inputs or None, **options})
    command.suffix = "." + format
    command.out = "" if out is None else local_path(os.fspath(out))
    (items,) = command.inputs(texts_of(paths))
    outputs = [without_format(item.relative) + command.suffix for item in items]
    if command.out:
        _check_outputs(items, outputs, command.out)
    tasks = []
    for item, output in zip(items, outputs):
        given = None
        if inputs and not inputs.startswith("random:"):
            name = local_path(inputs.replace("{path}", without_format(item.relative)))
            given = Item(name, name.rpartition("/")[2])
        tasks.append(Task(item, output=join(command.out, output) if command.out else "", inputs=given))
    return command.run(tasks)


def target_of(target: Target | None) -> dict[str, Any]:
    """Returns the flag for a target."""
    if target is None:
        return {}
    if isinstance(target, int):
        return {"--target": str(int(parse(target)))}
    if isinstance(target, str) and not any(sign in target for sign in "<>=~! "):
        return {"--target": target}
    consumers = [target] if isinstance(target, (str, Consumer)) else list(target)
    if not consumers:
        raise usage_error("no consumers", "pass a version, or the consumers that must read the programs")
    _warn_of(consumers)
    return {"--for": [consumer.text if isinstance(consumer, Consumer) else consumer for consumer in consumers]}


def _warn_of(consumers: Any) -> None:
    """Warns of releases that are not known, once and not for each file."""
    for consumer in [consumers] if isinstance(consumers, (str, Consumer)) else consumers:
        if isinstance(consumer, str):
            known().find(consumer)


def _check_outputs(items: Sequence[Item], outputs: Sequence[str], out: str) -> None:
    """Refuses two inputs with the same output, and outputs that would replace inputs, before anything is written."""
    errors = []
    by_output: dict[str, Item] = {}
    inputs = {_identity(item.name): item for item in items if not item.problem}
    for item, output in zip(items, outputs):
        if item.problem:
            continue
        path = join(out, output)
        other = by_output.setdefault(output, item)
        if other is not item:
            message = f"has the same output as '{other.name}': {path}"
            errors.append(diagnostic("usage", message, item.name, "convert them into different folders, or pass a folder that has both"))
        replaced = inputs.get(_identity(path))
        if replaced:
            message = f"its output would replace the input '{replaced.name}'"
            errors.append(diagnostic("usage", message, item.name, "pass a different folder"))
    for output, item in by_output.items():
        above = output.rpartition("/")[0]
        while above:
            if above in by_output:
                message = f"its output is below the output of '{by_output[above].name}': {above}"
                errors.append(diagnostic("usage", message, item.name, "convert them into different folders"))
            above = above.rpartition("/")[0]
    if errors:
        raise error_of(errors)


def _identity(path: str) -> object:
    """Returns what two names of one file share."""
    if is_url(path):
        return path
    try:
        info = os.stat(path)
    except OSError:
        return path
    return info.st_dev, info.st_ino


