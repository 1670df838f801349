"""``python -m shlo.fleet``: the commands of a fleet, with the words and the exit codes of the tool."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from typing import Any, NoReturn, Sequence

from .._compare import REPORT_FORMATS, ReportFormat
from .._errors import ShloError, usage_error
from .._printed import dumped, printed, rendered
from . import _commands, archive
from ._flags import FLAGS
from ._report import Report

_CODES = """exit codes:
  0  done
  1  negative result: does not verify, different, not equal or not covered,
     not representable at the target, or outside the compatibility window
  2  usage error
  3  invalid input: cannot be parsed or evaluated
  4  system error (file access, memory, a file that ends every process)

Options without a description are those of 'shlo-compat'; its --help explains them."""
_HELP = {
    "check": "find changes that break consumers of programs",
    "convert": "convert programs into a folder",
    "eval": "evaluate a function of each program",
    "prove": "prove that the programs of two folders are equal",
    "verify": "check that programs are well-formed",
    "archive add": "add programs to an archive",
    "archive migrate": "convert models of an archive to a newer version, with proofs",
    "archive verify": "compare all bytes of an archive with their checksums, and more",
}
_OTHERS = ("init", "ls", "show", "get", "log", "diff", "tag", "prune", "export", "import", "stats", "repair", "rebuild")
_ALONE = "*"  # what an option with an optional value has without one


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise usage_error(message, f"run '{self.prog} --help' for usage")


_DESCRIPTION = """Works on the programs of folders, patterns and URLs, on all processors or on Ray.

commands:
""" + "".join(f"  {name:17}{text}\n" for name, text in _HELP.items()) + f"""
Other commands of an archive that is a folder or at a URL are those of the tool, after its name:
  archive COMMAND ARCHIVE [WORD...]    {", ".join(_OTHERS[:7])},
                                       {", ".join(_OTHERS[7:])}
"""


def _parse(words: Sequence[str]) -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = _Parser("shlo.fleet", description=_DESCRIPTION, epilog=_CODES, formatter_class=raw)
    parser.add_argument("command", metavar="COMMAND", choices=tuple(_HELP), help="'shlo.fleet COMMAND --help' has its options")
    size = 2 if words[:1] == ["archive"] and words[1:2] not in ([], ["-h"], ["--help"]) else 1
    name = parser.parse_args([" ".join(words[:size])] if size == 2 else words[:1]).command
    text = _HELP[name]
    command = _Parser(f"shlo.fleet {name}", description=text[0].upper() + text[1:] + ".", epilog=_CODES, formatter_class=raw,
                      allow_abbrev=False)  # fmt: skip
    if name.startswith("archive "):
        command.add_argument("archive", metavar="ARCHIVE", help="folder or URL of the archive")
        if name == "archive add":
            command.add_argument("paths", metavar="PATH", nargs="+", help="file, folder, quoted pattern, or URL")
        else:
            command.add_argument("models", metavar="MODEL", nargs="*", help="model or pattern (default: all)")
    elif name == "prove":
        command.add_argument("a", metavar="A", help="folder, pattern or URL of programs, or one program")
        command.add_argument("b", metavar="B", help="programs to compare with A")
    else:
        command.add_argument("paths", metavar="PATH", nargs="+", help="file, folder, quoted pattern, or URL")
    _add_run_flags(command, name)
    tool = command.add_argument_group("options of the tool")
    for flag, kind in FLAGS[name].items():
        if kind == "switch":
            tool.add_argument(f"--{flag}", action="store_true", dest=flag)
        else:
            value = flag.rpartition("-")[2].upper()
            tool.add_argument(f"--{flag}", dest=flag, metavar=f"[={value}]" if kind == "optional" else value,
                              action="append" if kind in ("list", "files") else "store")  # fmt: skip
    # Options may follow paths, and paths options.
    return command.parse_intermixed_args(words[size:], argparse.Namespace(command=name))


def _add_run_flags(command: argparse.ArgumentParser, name: str) -> None:
    add = command.add_argument
    if name in ("convert", "eval"):
        add("-o", "--out", "--out-dir", dest="out", required=name == "convert", metavar="DIR", help="folder or URL for the outputs")
    if name == "eval":
        add("--format", choices=("npz", "safetensors"), default="npz", help="format of the outputs (default: npz)")
    if name == "archive add":
        add("--name", default="", metavar="NAME/", help="name that the names of all models begin with")
    if name in ("archive add", "archive migrate"):
        add("--bundles", metavar="DIR", help="new folder that the workers share, for what they make (default: next to the archive)")
    if name in ("archive migrate", "archive verify"):
        add("--parts", type=_positive, metavar="N", help="parts to divide the work into (default: four for each worker)")
    if name == "check":
        add("--root", metavar="URL", help="URL that the folder of the policy stands for (default: the host or bucket)")
    add("--on", choices=("processes", "ray"), help="where to work (default: processes; ray with --address)")
    add("--address", help="Ray cluster, such as auto or ray://HOST:10001")
    add("--ray-options", type=_json, metavar="JSON", help='options of each task, such as \'{"memory": 4e9}\'')
    add("-j", "--jobs", type=_positive, metavar="N", help="batches at the same time (default: one per processor)")
    add("--retries", type=int, metavar="N", help="how often to try a file that ends its process again (default: 3)")
    add("--timeout", type=float, metavar="S", help="stop a file after this time, in seconds (default: never)")
    if not name.startswith("archive "):
        add("--checkpoint", metavar="FILE", help="file or URL of the checkpoint")
        add("--resume", action="store_true", help="skip files that did not change since an earlier run with the same options")
    add("--report", action="append", default=[], metavar="FORMAT[=FILE]", help=", ".join(REPORT_FORMATS))
    add("--json", action="store_true", help="print one JSON document instead of text")
    add("--no-progress", action="store_true", help="show no progress")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from None


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("not a positive number")
    return int(text)


def _reports(words: Sequence[str], json_too: bool) -> list[tuple[ReportFormat, str]]:
    out: list[tuple[ReportFormat, str]] = []
    for word in words:
        format, _, target = word.partition("=")
        if format not in REPORT_FORMATS or (target == "" and "=" in word):
            raise usage_error(f"--report={word} is not FORMAT or FORMAT=FILE", f"formats are {', '.join(REPORT_FORMATS)}")
        out.append((format, target or "-"))
    if json_too:
        out.append(("json", "-"))
    if sum(target == "-" for _, target in out) > 1:
        raise usage_error("more than one report would go to the standard output", "pass --report FORMAT=FILE")
    return out


def _run(arguments: argparse.Namespace) -> Report:
    given = vars(arguments)
    name = given["command"]
    # These are arguments of their own.
    named = {"target", "policy", "inputs"} - ({"policy"} if name == "archive migrate" else set()) - ({"inputs"} if name == "prove" else set())
    options: dict[str, Any] = {
        flag if flag in named else f"--{flag}": True if given[flag] == _ALONE else given[flag]
        for flag in FLAGS[name]
        if given[flag] not in (None, False)
    }
    for flag in ("on", "address", "ray_options", "jobs", "retries", "timeout", "checkpoint", "resume", "name", "bundles", "parts"):
        if flag in given:
            options[flag] = given[flag]
    options["progress"] = False if given["no_progress"] else None
    if name == "archive add":
        return archive.add(given["archive"], given["paths"], **options)
    if name.startswith("archive "):
        return (archive.verify if name == "archive verify" else archive.migrate)(given["archive"], given["models"], **options)
    if name == "prove":
        return _commands.prove(given["a"], given["b"], **options)
    if name == "convert":
        return _commands.convert(given["paths"], out=given["out"], **options)
    if name == "eval":
        inputs = options.pop("inputs", "")
        return _commands.eval(given["paths"], inputs=inputs, out=given["out"], format=given["format"], **options)
    if name == "check":
        return _commands.check(given["paths"], root=given["root"], **options)
    return _commands.verify(given["paths"], **options)


def _other(name: str, words: Sequence[str]) -> int:
    """Runs a command of the tool on an archive, and returns its exit code."""
    if not words or words[0].startswith("-"):
        raise usage_error(f"archive {name} needs an archive", f"python -m shlo.fleet archive {name} ARCHIVE [WORD...]")
    output = archive.command(words[0], name, *words[1:])
    sys.stderr.buffer.write(output.err)
    sys.stdout.buffer.write(output.out)
    sys.stdout.flush()
    return output.code


def _print(report: Report, reports: list[tuple[ReportFormat, str]]) -> None:
    """Prints what the tool prints: reports, diagnostics, and a summary."""
    is_check = report.document["command"] == "check"
    if is_check and not any(target == "-" for _, target in reports):
        reports = [*reports, ("text", "-")]
    if is_check or ("text", "-") not in reports:
        sys.stderr.write("".join(map(rendered, report.shown_diagnostics())))
    for format, target in reports:
        if target == "-":
            sys.stdout.write(report.for_terminal() if is_check and format == "text" else report.render(format))
        else:
            report.save(target, format)
    if not is_check:
        sys.stderr.write(report.summary() + "\n")


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    # Only '=' gives these a value: a path may follow.
    given = [f"{word}={_ALONE}" if word in ("--prove", "--extract") else word for word in given]
    try:
        if given[:1] == ["archive"] and given[1:2] and given[1] in _OTHERS:
            return _other(given[1], given[2:])
        arguments = _parse(given)
        reports = _reports(arguments.report, arguments.json)
        report = _run(arguments)
        _print(report, reports)
        sys.stdout.flush()
        return report.exit_code
    except ShloError as error:
        sys.stderr.write(f"{error}\n")
        if "--json" in given:
            command = " ".join(given[:2]) if given[:1] == ["archive"] else next((word for word in given if word in _HELP), "convert")
            found = [{"severity": d.severity, "code": d.code, "message": d.message, "hint": d.hint, "file": d.file} for d in error.diagnostics]
            document = {"format_version": 1, "command": command, "exit": error.exit_code,
                        "diagnostics": [{k: v for k, v in d.items() if v} for d in found]}  # fmt: skip
            sys.stdout.write(dumped(document))
        return error.exit_code
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on
            return 4
        sys.stderr.write(f"error: {printed(error)} [io]\n")
        return 4


if __name__ == "__main__":
    try:
        code: int = main()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
        code = 130
    sys.exit(code)
