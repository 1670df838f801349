#!/usr/bin/env python3
"""Runs file tests: the first lines of a file state how to run it.

    // RUN: convert --target=40      shlo-compat --target=40 FILE; stdout must equal FILE's .expected
    // RUN: eval --args ...          likewise for any other subcommand, all in one .expected file
    // RUN: roundtrip                for roundtrip and verify, only the exit code is checked
    // RUN: verify --expect "text"   stderr must contain the text (may be repeated); stdout is ignored
    // RUN: opt -inline              the drop-in stablehlo-opt, or `translate` for stablehlo-translate; with
                                     -verify-diagnostics, comments in the file state the diagnostics
    // EXIT: 3                       exit code of the RUN line above (default 0; 1 with `verify --expect`)

Several RUN lines run in order; %s is the file (appended if a line has no other input), %t a scratch path.
`--bless` rewrites the .expected files; review the diff.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["roundtrip", "compat", "constraints", "dropin", "dialect"]
DROP_INS = ("opt", "translate")


class Run:
    """One RUN line."""

    def __init__(self, line):
        self.line = line
        self.exit = None
        self.expected_errors = []
        words = shlex.split(line)
        self.args = []
        while words:
            word = words.pop(0)
            if word == "--expect":
                self.expected_errors.append(words.pop(0))
            else:
                self.args.append(word)
        # The output of roundtrip is not recorded, because artifact sizes depend on the zstd release.
        self.recorded = not self.expected_errors and self.args[0] not in ("roundtrip", "verify")
        self.recorded &= "-verify-diagnostics" not in self.args
        self.is_verify = self.args[0] == "verify"
        if self.args[0] == "convert":
            del self.args[0]

    def command(self, tool, path, scratch):
        outputs = {i + 1 for i, a in enumerate(self.args) if a == "-o"}
        reads = any(("%s" in a or "%t" in a) and i not in outputs for i, a in enumerate(self.args))
        args = self.args if reads else self.args + ["%s"]
        if args[0] in DROP_INS:
            tool = os.path.join(os.path.dirname(tool), "dropin", f"stablehlo-{args[0]}")
            args = args[1:]
        return [tool] + [a.replace("%s", path.name).replace("%t", scratch) for a in args]

    def exit_code(self):
        if self.exit is not None:
            return self.exit
        return 1 if self.is_verify and self.expected_errors else 0


def parse(path):
    runs = []
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("// RUN:"):
            runs.append(Run(line[7:].strip()))
        elif line.startswith("// EXIT:") and runs:
            runs[-1].exit = int(line[8:])
        elif line.strip() and not line.startswith("//"):
            break
    return runs


def execute(run, path, tool, scratch):
    """Runs one line. Returns stdout and a list of errors."""
    command = run.command(tool, path, scratch)
    try:
        # Outputs contain the file name, so run in its directory.
        done = subprocess.run(command, cwd=path.parent, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "", [f"{shlex.join(command)}: timed out after 120 s"]
    stdout, stderr = (b.decode("utf-8", "replace") for b in (done.stdout, done.stderr))
    complaints = []
    if done.returncode != run.exit_code():
        complaints.append(f"exit code {done.returncode}, expected {run.exit_code()}: {shlex.join(command)}\n{stderr}")
    for text in run.expected_errors:
        if text not in stderr:
            complaints.append(f"stderr does not contain '{text}':\n{stderr}")
    if "is not in schema/constraints.inc" in stderr:
        complaints.append(f"a rule refers to a constraint that is not in the table:\n{stderr}")
    return stdout.replace(scratch, "%t"), complaints


def check(path, tool, bless):
    runs = parse(path)
    if not runs:
        return ["no RUN line"]
    expected = path.with_suffix(".expected")
    recorded = any(run.recorded for run in runs)
    complaints, output = [], ""
    with tempfile.TemporaryDirectory() as folder:
        for run in runs:
            stdout, found = execute(run, path, tool, os.path.join(folder, "t"))
            complaints += found
            if run.recorded:
                output += f"// RUN: {run.line}\n{stdout}"
    if bless and not complaints:
        if recorded and (not expected.exists() or expected.read_text() != output):
            expected.write_text(output)
            print(f"blessed {expected.relative_to(HERE)}")
        if not recorded and expected.exists():
            expected.unlink()
            print(f"removed {expected.relative_to(HERE)}")
    elif recorded and not expected.exists():
        complaints.append(f"{expected.name} is missing; './dev bless' writes it")
    elif recorded and expected.read_text() != output:
        diff = difflib.unified_diff(
            expected.read_text().splitlines(True), output.splitlines(True), expected.name, "output"
        )
        complaints.append("output differs ('./dev bless' updates the expectations):\n" + "".join(diff))
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=str(HERE.parent / "build/release/bin/shlo-compat"))
    parser.add_argument("--bless", action="store_true", help="rewrite the .expected files")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="file tests to run (default: all)")
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    files = [f.resolve() for f in args.files]
    for folder in FOLDERS if not files else []:
        # In compat/, files without a RUN line are inputs of other tests.
        files += [f for f in sorted((HERE / folder).rglob("*.mlir")) if folder != "compat" or parse(f)]
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for path, complaints in zip(files, pool.map(lambda f: check(f, tool, args.bless), files)):
            if complaints:
                failed += 1
                print(f"FAILED {path}")
                for complaint in complaints:
                    print("  " + complaint.rstrip().replace("\n", "\n  "))
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
