#!/usr/bin/env python3
"""Kills conversions at random moments: the output is the old or the new file each time, and nothing else is left.

    kill_test.py TOOL WRITE_CONTAINERS [--runs N] [--megabytes M] [--folder DIR] [--seed S]

SIGKILL in half of the runs, and in the others a signal that the tool handles. After SIGKILL a temporary file may be left
only between its naming and its renaming, when it is whole; of a folder, which is written in pieces, any part under its
temporary name.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("write_containers")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--megabytes", type=int, default=4)
    parser.add_argument("--folder", help="where to write (default: the system's temporary folder)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tool, write_containers = os.path.abspath(args.tool), os.path.abspath(args.write_containers)
    random.seed(args.seed)
    failures, counts = [], collections.Counter()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        folder = pathlib.Path(folder)
        os.chdir(folder)
        pathlib.Path("in.mlir").write_text(program_of(args.megabytes))
        subprocess.run([tool, "in.mlir", "-o", "in.shlo"], check=True)
        # A folder with other files around its programs, and an archive of it.
        pathlib.Path("others").mkdir()
        subprocess.run([write_containers, "others"], check=True)
        pathlib.Path("others/model").rename("model")
        shutil.rmtree("others")
        for i in range(8):
            pathlib.Path(f"model/assets{i % 2}").mkdir(exist_ok=True)
            pathlib.Path(f"model/assets{i % 2}/{i}").write_bytes(random.randbytes(args.megabytes * 20_000))
        subprocess.run([tool, "archive", "init", "archive"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([tool, "archive", "add", "model", "--archive=archive"], check=True, stdout=subprocess.DEVNULL)
        # Every way through the writers: text is decoded, artifacts are copied.
        commands = [["in.shlo", "-o", "out.mlirbc"], ["in.mlir", "-o", "out.shlo"], ["in.shlo", "-o", "out.shlo"],
                    ["in.shlo", "--strip-debuginfo", "--emit=mlirbc", "-o", "out.mlirbc"],
                    ["model", "--target=1.0.0", "--allow-outside-window", "-o", "out"],
                    ["archive", "get", "model", "--archive=archive", "-o", "out"]]
        for number, command in enumerate(commands):
            output = pathlib.Path(command[-1])
            start = time.monotonic()
            subprocess.run([tool, *command], check=True)
            duration = time.monotonic() - start
            new = content_of(output)
            remove(output)
            inputs = {path: path.stat() for path in pathlib.Path(".").iterdir()}
            for run in range(number, args.runs, len(commands)):
                sent = signal.SIGKILL if run // len(commands) % 2 else random.choice(HANDLED)
                old = None
                if random.random() < 0.5:
                    old = b"old" if isinstance(new, bytes) else {}
                    output.write_bytes(old) if old else output.mkdir()
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
    content = content_of(output)
    if content != new and (content != old or ended):
        problems.append(f"the output has {len(content or b'')} bytes or files")
    counts["new files" if content == new else "old files"] += 1
    for path in set(pathlib.Path(".").iterdir()) - set(inputs) - {output}:
        if sent == signal.SIGKILL and isinstance(new, bytes) and path.name.startswith(".shlo-") and content_of(path) == new:
            counts["whole temporary files after SIGKILL"] += 1
        elif sent == signal.SIGKILL and isinstance(new, dict) and path.name.startswith("out.shlo-"):
            counts["temporary folders after SIGKILL"] += 1
        else:
            problems.append(f"left behind: {path}, {path.stat().st_size} bytes")
        remove(path)
    for path, before in inputs.items():
        now = path.stat()
        if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            problems.append(f"{path} has changed")
    if output.exists():
        remove(output)
    return problems, ended


def content_of(path):
    """Returns the bytes of a file, or of the files of a folder by their paths; None if there is neither."""
    if path.is_dir():
        return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return path.read_bytes() if path.exists() else None


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


if __name__ == "__main__":
    sys.exit(main())
