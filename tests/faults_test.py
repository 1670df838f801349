#!/usr/bin/env python3
"""Fails system calls of the tool, one at a time, and checks which files there are then.

    faults_test.py TOOL STRACE PROGRAM WRITE_CONTAINERS

Each call of a kind fails once with each error that it can give, and memory ends at every point. Then the exit code is
3 or 4 with a message, or the run is as good as any other; the input is intact, the output is the old or the new file,
and there are no others. An input that is cut while it is mapped is such a failure, too.
Exits with 77 if processes cannot be traced here.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Calls, the errors that they can give, and those that a run must survive.
FAULTS = {
    "write": ("EIO ENOSPC EDQUOT EFBIG EINTR", "EINTR"),
    "fsync": ("EIO ENOSPC EDQUOT EINVAL", "EINVAL"),
    "rename": ("EIO EACCES ENOSPC EPERM", ""),
    "linkat": ("EIO ENOSPC EDQUOT EACCES EPERM", ""),
    "close": ("EIO ENOSPC EDQUOT", ""),
    "openat": ("EACCES EMFILE ENFILE ENOMEM EIO", ""),
    "read": ("EIO EINTR", "EINTR"),
    "mmap": ("ENOMEM EACCES EAGAIN ENODEV", ""),
    "fchmod": ("EPERM EIO", ""),
    "newfstatat,fstat": ("EIO EACCES ENOMEM", ""),
    "mkdir": ("ENOSPC EACCES", ""),
}
MOST_CALLS = 40
# Before the first message can be printed, and after the last allocation of a small run.
LEAST_MEMORY, MOST_MEMORY = 1 << 20, 64 << 20

failures, runs, failed_calls = [], 0, 0


def main():
    tool, strace, program, write_containers = sys.argv[1:]
    if subprocess.run([strace, "-o", os.devnull, "true"], capture_output=True).returncode != 0:
        print("processes cannot be traced here")
        return 77
    tool, program = os.path.abspath(tool), os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([os.path.abspath(write_containers), folder], check=True)
        program_copy = folder / "in.mlir"
        shutil.copy(program, program_copy)
        subprocess.run([tool, program_copy, "-o", folder / "in.shlo"], check=True)
        commands = [
            (["in.mlir", "-o", "out"], "out"),
            (["in.mlir", "--emit=shlo", "-o", "out"], "out"),
            (["in.shlo", "-o", "out"], "out"),
            (["-", "-o", "out"], "out"),
            (["in.mlir", "--prove", "--emit=mlirbc", "-o", "out"], "out"),
            (["eval", "in.mlir", "--inputs=random:1", "--outputs=out"], "out"),
            (["prove", "in.mlir", "in.shlo", "--certificate=out"], "out"),
            (["one.bin", "--target=1.0.0", "--allow-outside-window", "-o", "out"], "out"),
            (["inspect", "in.shlo"], None),
        ]
        for number, (command, output) in enumerate(commands):
            # The first commands see every error, the others one of each call.
            check_command(tool, strace, folder, command, output, every=number < 2)
        for command, output in commands[:3] + commands[4:]:
            for cut in ("to nothing", "in its last page"):
                check_shrinking(tool, strace, folder, command, output, cut)
    for failure in failures[:20]:
        print(failure)
    print(f"{runs} runs, {failed_calls} failed calls, {len(failures)} failures")
    return 1 if failures or failed_calls < 100 else 0


def check_command(tool, strace, source, command, output, every):
    reads_stdin = "-" in command
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def fresh(old):
            for path in folder.iterdir():
                path.unlink()
            for path in source.iterdir():
                if path.is_file():
                    shutil.copy(path, folder)
            if output and old:
                (folder / output).write_bytes(b"old")

        def run(*prefix):
            stdin = open(folder / "in.mlir", "rb") if reads_stdin else subprocess.DEVNULL
            return subprocess.run([*prefix, tool, *command], cwd=folder, stdin=stdin, capture_output=True)

        fresh(old=False)
        good = run()
        assert good.returncode == 0, good.stderr
        new = (folder / output).read_bytes() if output else None
        inputs = {path.name: path.read_bytes() for path in source.iterdir() if path.is_file()}
        # Memory ends at every point of the run.
        for limit in range(LEAST_MEMORY, MOST_MEMORY, 32 << 10):
            fresh(old=False)
            done = run("prlimit", f"--data={limit}")
            check_run(done, f"{command} with {limit} bytes", folder, inputs, output, new, must_succeed=False)
            if done.returncode == 0:
                break
        for calls, (errors, survived) in FAULTS.items():
            for error in errors.split() if every else errors.split()[:1]:
                for nth in range(1, MOST_CALLS):
                    fresh(old=nth % 2 == 0)
                    trace = source.parent / f"trace-{os.getpid()}"
                    done = run(strace, "-f", "-o", trace, "-e", f"trace={calls}",
                               "-e", f"inject={calls}:error={error}:when={nth}")
                    injected = b"(INJECTED)" in trace.read_bytes()
                    trace.unlink()
                    if not injected:
                        break
                    check_run(done, f"{command} {calls} {nth} {error}", folder, inputs, output, new,
                              must_succeed=error in survived.split())


def check_shrinking(tool, strace, source, command, output, cut):
    """Cuts the first input while it is mapped: strace holds the process then."""
    name = next(argument for argument in command if "." in argument and (source / argument).exists())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for path in source.iterdir():
            if path.is_file():
                shutil.copy(path, folder)
        if output:
            (folder / output).write_bytes(b"old")
        victim = folder / name
        size = victim.stat().st_size
        run = subprocess.Popen(
            [strace, "-f", "-o", os.devnull, "-P", name, "-e", "trace=mmap", "-e", "inject=mmap:delay_exit=300000:when=1",
             tool, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while run.poll() is None and not is_mapped(run.pid, victim):
            time.sleep(0.001)
        os.truncate(victim, 0 if cut == "to nothing" else size - min(20, size // 2))
        out, err = run.communicate()
        done = subprocess.CompletedProcess(command, run.returncode, out, err)
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        inputs = {path.name: left[path.name] for path in source.iterdir() if path.is_file()}
        check_run(done, f"{command} with {name} cut {cut}", folder, inputs, output, b"old", must_succeed=False)
        if cut == "to nothing" and (done.returncode != 4 or name.encode() not in err):
            failures.append(f"{command} with {name} cut {cut}: exit code {done.returncode}: {err[-300:]}")
        if cut != "to nothing" and done.returncode not in (3, 4):
            failures.append(f"{command} with {name} cut {cut}: exit code {done.returncode}: {err[-300:]}")


def is_mapped(pid, path):
    """Returns whether a process below this one maps the file."""
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return any(str(path) in pathlib.Path(f"/proc/{child}/maps").read_text() for child in children)
    except OSError:
        return False


def check_run(done, what, folder, inputs, output, new, must_succeed):
    global runs, failed_calls
    runs += 1
    failed_calls += done.returncode != 0
    problems = []
    if done.returncode not in ((0,) if must_succeed else (0, 3, 4)):
        problems.append(f"exit code {done.returncode}")
    if done.returncode != 0 and not re.search(rb"error: ", done.stderr):
        problems.append("no message")
    for name, content in inputs.items():
        if name != output and (folder / name).read_bytes() != content:
            problems.append(f"{name} has changed")
    left = {path.name for path in folder.iterdir()} - set(inputs)
    if left - {output}:
        problems.append(f"left behind: {left - {output}}")
    if output and (folder / output).exists():
        content = (folder / output).read_bytes()
        # Once the new file is in place, what follows cannot take it back.
        if content not in (b"old", new) or (done.returncode == 0 and content != new):
            problems.append(f"the output has {len(content)} bytes")
    elif output and done.returncode == 0:
        problems.append("no output")
    if problems:
        failures.append(f"{what}: {', '.join(problems)}\n{done.stderr.decode(errors='replace')[-300:]}")


if __name__ == "__main__":
    sys.exit(main())
