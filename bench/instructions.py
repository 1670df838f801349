#!/usr/bin/env python3
"""Counts the instructions of whole commands with valgrind, and compares them with bench/instructions.csv.

    instructions.py BUILD [--record] [--tolerance PERCENT] [CASE...]

BUILD is a build folder with shlo-compat and shlo_bench. A count that is more than the tolerance above the recorded one
fails; one that is as far below asks to be recorded, so that the gain stays. --record writes what was counted.

Unlike times, counts are the same on every machine and under any load, so CI can compare them. They depend on what the
record states with them: compiler, kind of build, C library, valgrind, and whether the processor has AVX2, which
functions of the C library ask for. Where one of these differs, nothing is compared, and the exit code is 77. Commands
run on one processor, with a fixed environment: a command that uses one thread per processor uses one.
"""
import argparse
import csv
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import programs

RECORD = programs.ROOT / "bench" / "instructions.csv"
AGAIN = "./dev instructions --record"
TOLERANCE = 5.0
SKIPPED = 77
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "NO_COLOR": "1"}
# Programs of the generator: kind and size.
INPUTS = {"ops.mlir": ("ops", 20000), "weights.mlir": ("weights", 4 << 20), "decimals.mlir": ("decimals", 1 << 20)}
# Commands that make the inputs of others, which are not counted.
PREPARED = [["ops.mlir", "-o", "ops.mlirbc"], ["ops.mlir", "-o", "ops.shlo"], ["weights.mlir", "-o", "weights.mlirbc"],
            ["attention.mlir", "--target=1.9.0", "-o", "attention_old.mlir"]]
# Each case is what users do with programs, so that no stage of a command can become slow unseen.
CASES = {
    "version": ["--version"],
    "start_up": ["three.mlir", "-o", "out.mlir"],
    "ops_text_text": ["ops.mlir", "-o", "out.mlir"],
    "ops_text_artifact": ["ops.mlir", "-o", "out.mlirbc"],
    "ops_artifact_text": ["ops.mlirbc", "-o", "out.mlir"],
    "ops_text_shlo": ["ops.mlir", "-o", "out.shlo"],
    "ops_shlo_text": ["ops.shlo", "-o", "out.mlir"],
    "ops_convert_old": ["ops.shlo", "--target=1.9.0", "-o", "out.shlo"],
    "ops_verify": ["verify", "ops.mlirbc"],
    "ops_prove": ["prove", "ops.mlir", "ops.mlirbc"],
    "prove_by_evaluation": ["prove", "--evaluate-only", "--inputs", "64", "--at-least=sampled", "attention.mlir", "attention_old.mlir"],
    "weights_text_artifact": ["weights.mlir", "-o", "out.mlirbc"],
    "weights_artifact_text": ["weights.mlirbc", "-o", "out.mlir"],
    "decimals_text_text": ["decimals.mlir", "-o", "out.mlir"],
    "eval": ["eval", "layer.mlir", "--inputs", "random:1", "--outputs", "out.npz"],
    "inspect": ["inspect", "ops.shlo"],
}


class Failure(Exception):
    pass


def cached(build, names):
    """Returns variables of a build."""
    text = (pathlib.Path(build) / "CMakeCache.txt").read_text()
    found = dict(re.findall(r"^(\w+):\w+=(.*)$", text, re.M))
    return [found.get(name, "") for name in names]


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.partition("\n")[0]


def environment(build):
    """Returns what counts depend on besides the sources."""
    names = ("CMAKE_CXX_COMPILER", "CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", "SHLO_STATIC_TOOL")
    compiler, kind, flags, static = cached(build, names)
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    avx2 = cpuinfo.exists() and re.search(r"^flags\s*:.*\bavx2\b", cpuinfo.read_text(), re.M)
    return {
        # Without the name of the command: g++ and c++ are one compiler.
        "compiler": first_line(compiler, "--version").partition(" ")[2],
        "build": " ".join(filter(None, [kind, flags, "static" if static == "ON" else "dynamic"])),
        "libc": " ".join(platform.libc_ver()),
        "valgrind": first_line("valgrind", "--version"),
        "processor": platform.machine() + (" with avx2" if avx2 else ""),
    }


def run(command, folder):
    """Runs a command on one processor of those that this process may use."""
    one = {min(os.sched_getaffinity(0))}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=lambda: os.sched_setaffinity(0, one))
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")


def count(command, folder):
    log = pathlib.Path(folder) / "count.log"
    run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log}", *command], folder)
    found = re.search(r"I\s+refs:\s+([\d,]+)", log.read_text())
    if not found:
        raise Failure(f"valgrind counted nothing:\n{log.read_text()}")
    return int(found[1].replace(",", ""))


def count_all(tools, names=()):
    """Returns counts by name of the case: of all, or of those with these names."""
    tools = pathlib.Path(tools).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "three.mlir").write_text(programs.THREE_LINES)
        shutil.copy(programs.ROOT / "tests" / "proof" / "programs" / "attention.mlir", folder)
        shutil.copy(programs.ROOT / "bench" / "layer.mlir", folder)
        for name, (kind, size) in INPUTS.items():
            programs.generate(tools / "shlo_bench", folder / name, kind, size)
        for arguments in PREPARED:
            run([tools / "shlo-compat", *arguments], folder)
        return {name: count([tools / "shlo-compat", *arguments], folder)
                for name, arguments in CASES.items() if not names or name in names}


def read_record(path):
    """Returns the environment and the counts of a record."""
    states, counts = {}, {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["what"] == "environment":
                states[row["name"]] = row["value"]
            else:
                counts[row["name"]] = int(row["value"])
    return states, counts


def write_record(path, states, counts):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["what", "name", "value"])
        writer.writerows(["environment", *item] for item in states.items())
        writer.writerows(["instructions", *item] for item in counts.items())


def different(recorded, here):
    """Returns a line for each part of the environment that is not as recorded."""
    return [f"{name}: recorded with '{recorded.get(name, '')}', here '{here.get(name, '')}'"
            for name in sorted({*recorded, *here}) if recorded.get(name) != here.get(name)]


def compare(recorded, counted, tolerance):
    """Returns lines for the cases that fail, and for those that are worth a note."""
    failures, notes = [], []
    for name, now in counted.items():
        if name not in recorded:
            failures.append(f"{name}: has no recorded count; record it: {AGAIN}")
            continue
        before = recorded[name]
        percent = (now - before) * 100 / before
        change = f"{name}: {now:,} instructions, {abs(percent):.1f} % {'more' if percent > 0 else 'less'} than the recorded {before:,}"
        if percent > tolerance:
            failures.append(f"{change} (limit: {tolerance:g} %); make it faster, or accept what it costs: {AGAIN}")
        elif percent < -tolerance:
            notes.append(f"{change}; record it, so that it stays: {AGAIN}")
    return failures, notes


def check(path, here, counter, tolerance=TOLERANCE, say=print):
    """Compares the counts that counter() returns with a record. Returns the exit code."""
    states, recorded = read_record(path)
    if unlike := different(states, here):
        say(f"instructions: not compared with {path.name}, which is of other tools", *(f"  {line}" for line in unlike), sep="\n")
        return SKIPPED
    counted = counter()
    failures, notes = compare(recorded, counted, tolerance)
    for line in [*failures, *notes]:
        say(line)
    say(f"instructions: {len(counted)} commands counted, {len(failures)} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="PERCENT")
    args = parser.parse_intermixed_args()
    if unknown := set(args.cases) - set(CASES):
        parser.error(f"unknown case '{min(unknown)}'; the cases are {', '.join(CASES)}")
    if args.record and args.cases:
        parser.error("--record counts all cases")
    if not shutil.which("valgrind"):
        print("instructions: valgrind is missing")
        return SKIPPED
    here = environment(args.build)
    if args.record:
        write_record(RECORD, here, count_all(args.build / "bin"))
        print(f"recorded in {RECORD.relative_to(programs.ROOT)}")
        return 0
    return check(RECORD, here, lambda: count_all(args.build / "bin", args.cases), args.tolerance)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"instructions: {failure}")
