"""Runs the commands of README.md and docs/command-line.md, each page in a folder with the files of tests/readme, and compares
what they print.

    readme_test.py TOOL

A line of a fenced block that begins with `$ ` is a command; the lines up to the next one are its output, stdout and
stderr together. `...` stands for anything within a line and, on its own line, for any number of lines.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands(markdown):
    """Yields (line number, command, expected lines) of all fenced blocks."""
    fenced, current = False, None
    for number, line in enumerate(markdown.split("\n"), 1):
        if line.startswith("```"):
            if current:
                yield current
            fenced, current = not fenced, None
        elif fenced and line.startswith("$ "):
            if current:
                yield current
            current = (number, line[2:], [])
        elif fenced and current:
            current[2].append(line)


def pattern(lines):
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(part) for part in line.split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts))


def failures(page, tool):
    """Runs the commands of a page. Returns their number, and how many print something else."""
    failed, found = 0, list(commands((ROOT / page).read_text()))
    with tempfile.TemporaryDirectory() as scratch:
        for file in (ROOT / "tests" / "readme").iterdir():
            shutil.copy(file, scratch)
        path = os.path.dirname(tool) + os.pathsep + os.environ.get("PATH", "")
        environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
        for number, command, expected in found:
            run = subprocess.run(
                ["bash", "-c", command], cwd=scratch, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            output = run.stdout if run.stdout.endswith("\n") or not run.stdout else run.stdout + "\n"
            if not pattern(expected).fullmatch(output):
                failed += 1
                print(f"{page}:{number}: $ {command}\nexpected:\n" + "\n".join(expected) + f"\ngot:\n{output}")
    return len(found), failed


def main():
    tool, total, failed = pathlib.Path(sys.argv[1]).resolve(), 0, 0
    for page in "README.md", "docs/command-line.md":
        count, bad = failures(page, tool)
        if not count:
            print(f"{page} shows no commands")
            failed += 1
        total += count
        failed += bad
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
