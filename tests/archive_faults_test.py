#!/usr/bin/env python3
"""Fails system calls of writers of an archive, one at a time: all models stay, and
what was not acknowledged does no harm.

    archive_faults_test.py TOOL STRACE

After each run the archive verifies, its catalog is what the packs say, the models that were there have their bytes, and
a run that did not fail did what it says. Exits with 77 if processes cannot be traced here.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from faults_test import FAULTS

PROGRAM = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.{} %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
CALLS = {**{call: FAULTS[call] for call in ("write", "fsync", "linkat", "close", "openat")},
         "pwrite64": ("EIO ENOSPC", ""), "unlink": ("EIO EACCES", "EIO EACCES"), "flock": ("EIO", ""), "pread64": ("EIO", ""),
         "ftruncate": ("EIO", "EIO"), "mmap": FAULTS["mmap"], "getdents64": ("EIO", "")}
MOST_CALLS = 60

failures, runs, failed_runs = [], 0, 0


def main():
    tool, strace = os.path.abspath(sys.argv[1]), sys.argv[2]
    if subprocess.run([strace, "-o", os.devnull, "true"], capture_output=True, check=False).returncode != 0:
        print("processes cannot be traced here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in "tanh", "sine", "cosine":
            (folder / f"{name}.mlir").write_text(PROGRAM.replace("{}", name, 1))
        subprocess.run([tool, folder / "sine.mlir", "--target=1.9.0", "-o", folder / "old.mlirbc"], check=True)

        def archive(*args, code=0):
            done = subprocess.run([tool, "archive", *args, f"--archive={folder / 'start'}"], capture_output=True, text=True, check=False)
            assert done.returncode == code, done.stderr
        subprocess.run([tool, "archive", "init", folder / "start"], check=True, capture_output=True)
        archive("add", folder / "tanh.mlir")
        archive("add", folder / "old.mlirbc")
        archive("add", folder / "sine.mlir")
        commands = [(["add", folder / "cosine.mlir"], "cosine@1"), (["prune", "sine"], None), (["migrate", "--target=current", "--json"], None),
                    (["ls"], None)]
        for command, added in commands:
            check_command(tool, strace, folder, command, added)
        check_folder(tool, strace, folder)
    for failure in failures[:20]:
        print(failure)
    print(f"{runs} runs, {failed_runs} failed, {len(failures)} failures")
    return 1 if failures or failed_runs < 50 else 0


def check_command(tool, strace, folder, command, added):
    global runs, failed_runs
    archive, trace = folder / "archive", folder / "trace"
    for calls, (errors, survived) in CALLS.items():
        error = errors.split()[0]
        # Each of the first calls, and some of the many that follow.
        for nth in [*range(1, 9), *range(9, MOST_CALLS, 5)]:
            shutil.rmtree(archive, ignore_errors=True)
            shutil.copytree(folder / "start", archive)
            line = [tool, "archive", *command, f"--archive={archive}"]
            done = subprocess.run([strace, "-f", "-o", trace, "-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when={nth}",
                                   *line], capture_output=True, text=True, errors="replace", check=False)
            if "(INJECTED)" not in trace.read_text(errors="replace"):
                break
            runs += 1
            failed_runs += done.returncode != 0
            problems = []
            # A catalog that cannot be used is replaced by one in memory, with a warning.
            if done.returncode not in ((0,) if error in survived.split() else (0, 2, 3, 4)):
                problems.append(f"exit code {done.returncode}")
            if done.returncode != 0 and not re.search(r'error: |"severity": "error"', done.stderr + done.stdout):
                problems.append("no message")
            if command[0] == "migrate":
                problems += check_migration(tool, archive, done.stdout)
            problems += check_archive(tool, archive, added if done.returncode == 0 else None, command)
            if problems:
                failures.append(f"{command[0]} {calls} {nth} {error}: {', '.join(problems)}\n{done.stderr[-400:]}")


def check_folder(tool, strace, folder):
    """A model whose folder cannot be listed to its end is not added."""
    def field(number, content):
        size, out = len(content), b""
        while size > 127:
            out, size = out + bytes([size & 127 | 128]), size >> 7
        return bytes([number << 3 | 2]) + out + bytes([size]) + content
    attribute = field(1, b"module") + field(2, field(2, (folder / "old.mlirbc").read_bytes()))
    node = field(1, b"call") + field(2, b"XlaCallModule") + field(5, attribute)
    (folder / "saved/variables").mkdir(parents=True)
    (folder / "saved/saved_model.pb").write_bytes(b"\x08\x01" + field(2, field(2, field(1, node))))
    (folder / "saved/variables/data").write_bytes(b"weights")
    archive, trace, said = folder / "archive", folder / "trace", set()
    for nth in range(1, MOST_CALLS):
        shutil.rmtree(archive, ignore_errors=True)
        shutil.copytree(folder / "start", archive)
        done = subprocess.run([strace, "-f", "-o", trace, "-e", f"inject=getdents64:error=EIO:when={nth}", tool, "archive", "add",
                               folder / "saved", f"--archive={archive}"], capture_output=True, text=True, check=False)
        if "(INJECTED)" not in trace.read_text(errors="replace"):
            break
        said.add(done.stderr.strip())
        for problem in check_archive(tool, archive, "saved@1" if done.returncode == 0 else None, ["add"]):
            failures.append(f"saved, getdents64 {nth}: {problem}\n{done.stderr[-400:]}")
        shown = subprocess.run([tool, "archive", "show", "saved", f"--archive={archive}"], capture_output=True, text=True, check=False)
        if ("variables/data" in shown.stdout) != (done.returncode == 0):
            failures.append(f"saved, getdents64 {nth}: a part of the folder was added")
    if f"{folder / 'saved'}: error: cannot read the folder: Input/output error [io]" not in said:
        failures.append(f"a folder that cannot be listed is not reported: {said}")


def check_migration(tool, archive, output):
    """Models that a run calls migrated are up to date for the next one."""
    done = subprocess.run([tool, "archive", "migrate", "--target=current", "--json", f"--archive={archive}"], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        return [f"the next migration: {done.stdout[-200:]}"]
    again = {row["model"]: row["outcome"] for row in json.loads(done.stdout)["models"]}
    try:
        said = json.loads(output).get("models", [])
    except ValueError:  # standard output failed
        said = []
    return [f"{row['model']} was called migrated, and was not" for row in said
            if row["outcome"] == "migrated" and again[row["model"]] != "up-to-date"]


def check_archive(tool, archive, added, command):
    def run(*args):
        return subprocess.run([tool, "archive", *args, f"--archive={archive}"], capture_output=True, text=True, check=False)
    problems = []
    done = run("verify", "--files")  # and that the catalog is what the packs say
    if done.returncode != 0:
        problems.append(f"verify: {(done.stdout + done.stderr)[-300:]}")
    listed = run("ls").stdout
    for label in ("tanh@1", "old@1", added):
        if label and label not in listed:
            problems.append(f"{label} is missing")
    if command[0] != "prune" and "sine@1" not in listed:
        problems.append("sine@1 is missing")
    if run("get", "tanh").stdout != PROGRAM.replace("{}", "tanh", 1):
        problems.append("tanh has other bytes")
    # A later writer works.
    done = run("tag", "tanh", "--add=later")
    if done.returncode != 0:
        problems.append(f"the next writer: {done.stderr[-200:]}")
    left = [p.name for p in (archive / "packs").iterdir() if not p.name.endswith(".pack")]
    if left:
        problems.append(f"left behind: {left}")
    return problems


if __name__ == "__main__":
    sys.exit(main())
