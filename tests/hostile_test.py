#!/usr/bin/env python3
"""Runs the tool on small inputs with a huge effect.

    hostile_test.py TOOL [--seconds S] [--megabytes M] [--keep DIR] [--all] [--only TEXT] [--worst N]

Each run must end with a documented exit code, take at most M MB of memory, print little, and explain a failure; the
message about a limit names the flag that raises it. --seconds also limits the processor time of each run, which tests
never do, and implies --all. Without --all, each input goes through one of its commands, and evaluation has a lower
limit of work. --keep writes the inputs to a folder, --only runs those whose names contain a text.
"""
import argparse
import concurrent.futures
import multiprocessing
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent / "shlo_reader")]

EXIT_CODES = (0, 1, 2, 3, 4)
MOST_OUTPUT = 64 << 20
LEAST_CASES = 120
# When a run is killed, and the addresses that one may have: others use this machine, too.
SECONDS_UNTIL_KILLED = 60
MOST_ADDRESSES = 6 << 30
# Limits that no flag can raise.
FIXED_LIMITS = ("calls nest more than 500 levels", "the dimension is too large", "bit pattern exceeds the limit of", "scales are nested deeper")
EVALUATES = ("eval ", "prove ", "--prove", "--still-differs")


def all_cases(tool):
    from hostile import containers, counts, definitions, nesting, work
    for module in (nesting, counts, work, definitions):
        for family in module.FAMILIES:
            yield from family()

    def write(text, kind):
        return subprocess.run([tool, "-", f"--emit={kind}", "-o", "-"], input=text.encode(), capture_output=True, check=True).stdout
    for family in containers.FAMILIES:
        yield from family(write)


class Runner:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.tool = os.path.abspath(arguments.tool)

    def run(self, case, index, command):
        """Returns (what is wrong or "", seconds, megabytes, what was run)."""
        folder = self.folder / f"{index}"
        folder.mkdir()
        *first, words = [shlex.split(step.replace("IN", "input-file")) for step in command.split(" ; ")]
        for name, content in {"input-file": case.content, **case.files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        if not self.arguments.all and any(word in command for word in EVALUATES):
            words.append("--max-work=60")
        for step in first:
            subprocess.run([self.tool, *step], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SECONDS_UNTIL_KILLED)
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            process = subprocess.Popen([self.tool, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            timer = threading.Timer(SECONDS_UNTIL_KILLED, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        wrong = self.judge(process.returncode, usage, folder, "--json" in words)
        first = next(iter(head(folder / "stderr").splitlines()), "")[:160]
        shutil.rmtree(folder)
        return wrong, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, f"{case.name}: {command[:90]}", f"{process.returncode} {first}"

    def judge(self, code, usage, folder, in_json):
        seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        if code not in EXIT_CODES:
            return f"exit code {code}: {head(folder / 'stderr')[-300:]}"
        if megabytes > self.arguments.megabytes:
            return f"{megabytes:.0f} MB"
        if self.arguments.seconds and seconds > self.arguments.seconds:
            return f"{seconds:.2f} s"
        for stream in ("stdout", "stderr"):
            if (size := (folder / stream).stat().st_size) > MOST_OUTPUT:
                return f"{size} bytes of {stream}"
        text = head(folder / "stderr") + (head(folder / "stdout") if in_json or code == 1 else "")
        if code and not text.strip():
            return f"exit code {code} without a message"
        limit = text.find("[limit]")
        if limit >= 0 and "--" not in text[limit:limit + 1000] and not any(words in text[:limit] for words in FIXED_LIMITS):
            return f"a limit without a flag: {text[max(0, limit - 200):limit + 200]}"
        return ""


def head(path):
    with open(path, "rb") as file:
        return file.read(1 << 16).decode(errors="replace")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--megabytes", type=float, default=256)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--worst", type=int, default=5)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    arguments.all = arguments.all or bool(arguments.seconds)
    # The runs inherit it.
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    cases = 0
    results = []
    # The peak of a process begins with that of its parent: fresh ones start the tool.
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(os.cpu_count(), context) as pool:
        runner, started = Runner(arguments, pathlib.Path(folder)), []
        for number, case in enumerate(all_cases(runner.tool)):
            if arguments.only not in case.name:
                continue
            cases += 1
            if arguments.keep:
                keep = arguments.keep / re.sub(r"\W+", "-", case.name)
                keep.mkdir(parents=True, exist_ok=True)
                for name, content in {"input": case.content, **case.files}.items():
                    (keep / name).parent.mkdir(parents=True, exist_ok=True)
                    (keep / name).write_bytes(content.encode() if isinstance(content, str) else content)
            commands = case.commands if arguments.all else [case.commands[number % len(case.commands)]]
            for command in commands:
                started.append(pool.submit(runner.run, case, len(started), command))
        for future in concurrent.futures.as_completed(started):
            results.append(future.result())
            if arguments.verbose or results[-1][0]:
                print("%s  %.2f s  %.0f MB  %s | %s" % results[-1], flush=True)
    failures = sum(1 for result in results if result[0])
    for what, column in (("s", 1), ("MB", 2)):
        for result in sorted(results, key=lambda r: -r[column])[:arguments.worst]:
            print(f"{result[column]:.2f} {what}: {result[3]}")
    print(f"{cases} inputs, {len(results)} runs, {failures} failures")
    return 1 if failures or (not arguments.only and cases < LEAST_CASES) else 0


if __name__ == "__main__":
    sys.exit(main())
