#!/usr/bin/env python3
"""Runs the commands of docs/archive-tutorial.md and compares what they print.

    archive_tutorial_test.py TOOL

Models are made here: programs of tests/tutorial, with random weights in the place of WEIGHTS(seed).
"""
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

from readme_test import ROOT, commands, pattern

PAGE = ROOT / "docs" / "archive-tutorial.md"
# The source of each file, the weights that change, and its release.
MODELS = {"classifier.mlirbc": ("classifier.mlir", None, "1.9.0"), "tuned.mlirbc": ("classifier.mlir", 3, "1.9.0"),
          "from_2023.mlirbc": ("from_2023.mlir", None, "0.9.0")}


def with_weights(text, changed):
    def weights(match):
        seed, count = int(match[1]), int(match[2])
        numbers = random.Random(100 + seed if seed == changed else seed)
        return struct.pack(f"<{count}f", *(numbers.gauss(0, 0.05) for _ in range(count))).hex().upper()
    return re.sub(r"WEIGHTS\((\d+), (\d+)\)", weights, text)


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    failed, count = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name, (source, changed, release) in MODELS.items():
            text = scratch / "text.mlir"
            text.write_text(with_weights((ROOT / "tests/tutorial" / source).read_text(), changed))
            subprocess.run([tool, text, f"--target={release}", "--allow-outside-window", "-o", scratch / name], check=True)
            text.unlink()
        path = os.path.dirname(tool) + os.pathsep + os.environ.get("PATH", "")
        environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
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
