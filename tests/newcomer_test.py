#!/usr/bin/env python3
"""Types the commands of newcomer.md into a terminal, and compares what comes back.

    newcomer_test.py TOOL [--transcript]

Each command runs in a shell of its own whose terminal is a pseudo-terminal. --transcript prints what comes back.
"""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

import terminal
from readme_test import ROOT, commands, pattern

PAGE = ROOT / "tests" / "newcomer.md"


def typed(command, folder, environment):
    """Runs a command on a terminal. Returns what the terminal shows, and the exit code."""
    leader, follower = pty.openpty()
    with subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdin=follower, stdout=follower, stderr=follower) as process:
        os.close(follower)
        shown = terminal.shown_by(leader)
    return shown.decode().replace("\r\n", "\n"), process.returncode


def main():
    tool, transcript = pathlib.Path(sys.argv[1]).resolve(), "--transcript" in sys.argv
    failed, found = 0, list(commands(PAGE.read_text()))
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(ROOT / "tests/readme/model.mlir", scratch)
        environment = {**os.environ, "PATH": f"{tool.parent}{os.pathsep}{os.environ.get('PATH', '')}", "NO_COLOR": "1", "TERM": "dumb"}
        environment.pop("SHLO_ARCHIVE", None)
        for number, command, expected in found:
            output, code = typed(command, scratch, environment)
            if transcript:
                print(f"$ {command}\n{output}[exit code {code}]")
            # A mistake is a usage error; what follows a hint works.
            is_error = any(re.match(r"(\S+: )?error:", line) for line in expected)
            if not pattern(expected).fullmatch(output) or code != (2 if is_error else 0):
                failed += 1
                print(f"{PAGE.name}:{number}: $ {command}\nexpected:\n" + "\n".join(expected) + f"\ngot, with exit code {code}:\n{output}")
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed or len(found) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
