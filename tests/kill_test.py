#!/usr/bin/env python3
"""Kills conversions at random moments: the output is the old or the new file each time, and nothing else is left.

    kill_test.py TOOL [--runs N] [--megabytes M] [--folder DIR] [--seed S]

SIGKILL in half of the runs, and in the others a signal that the tool handles. After SIGKILL a temporary file may be left
only between its naming and its renaming, when it is whole.
"""
import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--megabytes", type=int, default=4)
    parser.add_argument("--folder", help="where to write (default: the system's temporary folder)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    random.seed(args.seed)
    failures, counts = [], collections.Counter()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        folder = pathlib.Path(folder)
        os.chdir(folder)
        pathlib.Path("in.mlir").write_text(program_of(args.megabytes))
        subprocess.run([tool, "in.mlir", "-o", "in.shlo"], check=True)
        # Every way through the writers: text is decoded, artifacts are copied.
        commands = [["in.shlo", "-o", "out.mlirbc"], ["in.mlir", "-o", "out.shlo"], ["in.shlo", "-o", "out.shlo"],
                    ["in.shlo", "--strip-debuginfo", "--emit=mlirbc", "-o", "out.mlirbc"]]
        for number, command in enumerate(commands):
            output = pathlib.Path(command[-1])
            start = time.monotonic()
            subprocess.run([tool, *command], check=True)
            duration = time.monotonic() - start
            new = output.read_bytes()
            output.unlink()
            inputs = {path: path.stat() for path in pathlib.Path(".").iterdir()}
            for run in range(number, args.runs, len(commands)):
                sent = signal.SIGKILL if run // len(commands) % 2 else random.choice(HANDLED)
                old = b"old" if random.random() < 0.5 else None
                if old:
                    output.write_bytes(old)
                delay = random.uniform(0, duration)
                problems, ended = check_one(tool, command, output, sent, delay, old, new, inputs, counts)
                # The machine may be busier or idler than before: most runs are killed, some end before.
                duration *= 0.9 if ended else 1.02
                failures += [f"{command} {sent.name} after {delay:.4f} s: {problem}" for problem in problems]
    for failure in failures[:20]:
        print(failure)
    print(f"{args.runs} runs of {args.megabytes} MB: " +
          ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) + f"; {len(failures)} failures")
    # Both ways of ending must have been seen.
    return 1 if failures or not counts["killed"] or not counts["old files"] else 0


def program_of(megabytes):
    """Returns a program with weights of that size, in hexadecimal digits."""
    elements = megabytes * 1_000_000 // 2 // 4
    digits = random.Random(1).randbytes(elements * 4).hex()
    return (f"func.func @main() -> tensor<{elements}xi32> {{\n"
            f'  %0 = stablehlo.constant dense<"0x{digits}"> : tensor<{elements}xi32>\n  return %0 : tensor<{elements}xi32>\n}}\n')


def check_one(tool, command, output, sent, delay, old, new, inputs, counts):
    child = subprocess.Popen([tool, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(delay)
    child.send_signal(sent)
    message = child.communicate()[1]
    problems = []
    if child.returncode not in (0, -sent):
        problems.append(f"exit code {child.returncode}: {message[-200:]}")
    ended = child.returncode == 0
    counts["ended before" if ended else "killed"] += 1
    content = output.read_bytes() if output.exists() else None
    if content != new and (content != old or ended):
        problems.append(f"the output has {len(content or b'')} bytes")
    counts["new files" if content == new else "old files"] += 1
    for path in set(pathlib.Path(".").iterdir()) - set(inputs) - {output}:
        if sent == signal.SIGKILL and path.name.startswith(".shlo-") and path.read_bytes() == new:
            counts["whole temporary files after SIGKILL"] += 1
        else:
            problems.append(f"left behind: {path}, {path.stat().st_size} bytes")
        path.unlink()
    for path, before in inputs.items():
        now = path.stat()
        if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            problems.append(f"{path} has changed")
    if output.exists():
        output.unlink()
    return problems, ended


if __name__ == "__main__":
    sys.exit(main())
