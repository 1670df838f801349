#!/usr/bin/env python3
"""Compiles sources once more as the release build does, with warnings as errors and without output.

    unit_warnings.py COMPILE_COMMANDS <SOURCES

The sources, one name a line, are relative to the root of the repository. Some warnings depend on optimization and on what
else is in a unit, so the whole unit that contains a source is compiled, with the flags of the build."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def sources_of(entry):
    """The files that a command compiles: the unit's includes, or its one source."""
    path = pathlib.Path(entry["file"])
    included = re.findall(r'^#include "([^"]+)"', path.read_text(), re.M) if "/Unity/" in entry["file"] else []
    return {os.path.realpath(name) for name in included or [path]}


def compile_again(entry):
    command = shlex.split(entry["command"])
    command[command.index("-o") + 1] = os.devnull
    return subprocess.run([*command, "-Werror"], cwd=entry["directory"], capture_output=True, text=True, check=False)


def main():
    changed = {os.path.realpath(ROOT / line.strip()) for line in sys.stdin if line.strip()}
    entries = [entry for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()) if changed & sources_of(entry)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [done for done in pool.map(compile_again, entries) if done.returncode]
    for done in failed:
        print(done.stderr, end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
