#!/usr/bin/env python3
"""Runs the commands of docs/archive-tutorial.md and compares what they print.

    archive_tutorial_test.py TOOL

"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from readme_test import ROOT, commands, pattern

PAGE = ROOT / "docs" / "archive-tutorial.md"


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    failed, count = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        path = os.path.dirname(tool) + os.pathsep + os.environ.get("PATH", "")
        environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "SHLO_SOURCES": str(ROOT)}
        environment.pop("SHLO_ARCHIVE", None)
        for number, command, expected in commands(PAGE.read_text()):
            if export := re.fullmatch(r"export (\w+)=(\S+)", command):
                environment[export[1]] = export[2]
                continue
            count += 1
            run = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
            output = run.stdout if run.stdout.endswith("\n") or not run.stdout else run.stdout + "\n"
            if not pattern(expected).fullmatch(output):
                failed += 1
                print(f"{PAGE.name}:{number}: $ {command}\nexpected:\n" + "\n".join(expected) + f"\ngot:\n{output}")
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
