#!/usr/bin/env python3
"""Converts the programs of the public suites to portable artifacts and back, and compares counts with the record.

    conform_bytecode.py --tool PATH --suites DIR [--match TEXT]

Every program of the suites testdata and interpret that a release can represent is written as an artifact for the
lowest such release and for the newest, read, and converted back to its own version. The VHLO text, which states every
default, must be unchanged. Conversion to the release below the lowest must fail, and the newest blocker must name the
lowest release. Fails if fewer programs pass than tests/conformance.json records.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import conform

SUITES = ["testdata", "interpret"]
ANYWHERE = ["--allow-outside-window", "--allow-other-dialects"]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def programs(path, folder):
    """Writes each program of a file to its own file; skips files that expect errors."""
    text = path.read_text()
    if "expected-error" in text or "RUN: not " in text:
        return []
    parts = text.split("// -----")
    files = []
    for i, part in enumerate(parts):
        if all(line.startswith("//") or not line.strip() for line in part.splitlines()):
            continue  # comments only
        files.append(os.path.join(folder, f"{path.stem}.{i}.mlir"))
        pathlib.Path(files[-1]).write_text(part)
    return files


def check(tool, program, releases):
    """Returns None, an error, or 'none' if no release can represent the program."""
    translate, opt = (os.path.join(os.path.dirname(tool), "dropin", f"stablehlo-{name}") for name in ("translate", "opt"))
    code, out, err = run(tool, "inspect", "--matrix", "--allow-other-dialects", "--json", program)
    if code:
        return f"inspect: exit {code}: {err[:300]}"
    row = json.loads(out)["files"][0]["programs"][0]
    if not row["targets"]:
        return "none"
    lowest = row["targets"][0]
    # VHLO text states every default, so programs with absent and with written defaults print the same.
    code, want, err = run(opt, "-stablehlo-deserialize", program)
    if code:
        return f"printing: exit {code}: {err[:300]}"
    artifact = program + ".bc"
    for target in dict.fromkeys([lowest, row["targets"][-1]]):
        code, _, err = run(translate, "--serialize", "--allow-other-dialects", f"--target={target}", "-o", artifact,
                           program)
        if code:
            return f"to {target}: exit {code}: {err[:300]}"
        code, back, err = run(translate, "--deserialize", artifact)
        if code:
            return f"back from {target}: exit {code}: {err[:300]}"
        if back.strip() != want.strip():
            return f"back from {target}: the text differs"
    below = releases.index(lowest) - 1
    if below >= 0:
        code, out, _ = run(tool, f"--target={releases[below]}", *ANYWHERE, "--json", program)
        blockers = [d for d in json.loads(out)["diagnostics"] if d["severity"] == "error"]
        if code != 1 or not blockers:
            return f"to {releases[below]}: exit {code}, expected blockers"
        newest = max((b["version"]["n"] for b in blockers if b.get("version")), default=0)
        if newest != json.loads(run(tool, "versions", lowest, "--json")[1])["versions"][0]["n"]:
            return f"to {releases[below]}: the newest blocker is of version {newest}, and {lowest} is the lowest release"
    return None


def main():
    args, record = conform.arguments(__doc__, "--suites", "bytecode")
    tool = args.tool
    releases = [v["release"] for v in json.loads(run(tool, "versions", "--json")[1])["versions"] if v["release"]]
    below = []
    for suite in SUITES:
        passed = failed = skipped = 0
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            files = [f for f in sorted((args.suites / suite).rglob("*.mlir")) if args.match in f.name]
            cases = [p for i, f in enumerate(files)
                     for p in programs(f, pathlib.Path(tempfile.mkdtemp(dir=folder)))]
            for program, result in zip(cases, pool.map(lambda p: check(tool, p, releases), cases)):
                passed += result is None
                skipped += result == "none"
                if result not in (None, "none"):
                    failed += 1
                    print(f"FAILED {suite}/{os.path.basename(program)}: {result}", flush=True)
        print(f"{suite:10} {passed} of {len(cases)} programs, {skipped} that no release can represent, {failed} failed",
              flush=True)
        if passed < record.get(suite, 0):
            below.append(f"{suite}: {passed}, recorded {record[suite]}")
    return conform.verdict(args, below)


if __name__ == "__main__":
    sys.exit(main())
