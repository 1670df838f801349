#!/usr/bin/env python3
"""Runs the public version tests through all formats and conversions, and compares counts with the record.

Every stablehlo_legalize_to_vhlo*.mlir (one per release, and the newest) must
  roundtrip   parse, verify, and be equal after writing and reading text, generic text, VHLO text and .shlo;
  archive     written as .shlo for its own release and every later one, and read back, print the same as
              the converted text;
  lowest      convert down to exactly the version recorded in conformance.json (from VHLO's version log), and
              fail below it, with the newest blocker of that version;
  return      converted back from there to its own version, print as before.
A check that does not apply is not counted. Fails if fewer files pass than recorded.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import conform


class Tool:
    def __init__(self, path):
        self.path = path

    def run(self, *args):
        done = subprocess.run([self.path, *map(str, args)], capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def json(self, *args):
        code, out, _ = self.run(*args, "--json")
        return code, json.loads(out)


class Failure(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Failure(message)


def own_version(path, versions):
    """Returns the version of a file, from the release in its name; without one, the current version."""
    release = path.name.removeprefix("stablehlo_legalize_to_vhlo.").removesuffix("mlir").rstrip(".").replace("_", ".")
    if not release:
        return versions[-1]["n"]
    return next(v["n"] for v in versions if v["release"] == release)


def check_roundtrip(tool, path, own):
    code, result = tool.json("roundtrip", path, f"--from={own}")
    formats = result["files"][0]["programs"][0]["formats"]
    bad = [f"{f['format']}: {f.get('detail', '')}" for f in formats if f["result"] != "equal"]
    need(code == 0 and not bad, f"exit {code}: {'; '.join(bad)}")


def archive(tool, path, own, target, folder):
    """Writes a .shlo for a target; its text must equal the text of the conversion."""
    shlo = os.path.join(folder, f"{own}_{target}.shlo")
    options = (f"--from={own}", f"--target={target}", "--allow-outside-window", path)
    code, _, err = tool.run("--emit=shlo", "-o", shlo, *options)
    need(code == 0, f"to {target}: writing: exit {code}: {err[:400]}")
    code, text, err = tool.run("--emit=generic", "--locations", *options)
    need(code == 0, f"to {target}: printing: exit {code}: {err[:400]}")
    code, back, err = tool.run("--emit=generic", "--locations", shlo)
    need(code == 0, f"to {target}: reading: exit {code}: {err[:400]}")
    need(text == back, f"to {target}: the artifact prints differently")
    return shlo, text


def check_archive(tool, path, own, versions, folder):
    for version in versions:
        if version["n"] >= own:
            shlo, _ = archive(tool, path, own, version["n"], folder)
            os.unlink(shlo)


def check_lowest(tool, path, own, lowest):
    code, result = tool.json("inspect", path, f"--from={own}")
    need(code == 0, f"inspect: exit {code}")
    found = result["files"][0]["programs"][0]["lowest_target"]
    need(found is not None and found["n"] == lowest, f"lowest target {found and found['n']}, expected {lowest}")
    if lowest == 37:
        return
    code, result = tool.json(f"--from={own}", f"--target={lowest - 1}", "--allow-outside-window", path)
    need(code == 1, f"to {lowest - 1}: exit {code}, expected a refusal")
    blockers = [d for d in result["diagnostics"] if d["severity"] == "error"]
    need(blockers, f"to {lowest - 1}: refused without blockers")
    for blocker in blockers:
        need(blocker["code"] == "blocked", f"to {lowest - 1}: not a blocker: {blocker['message']}")
        need(blocker.get("line") or blocker.get("location"), f"blocker without a place: {blocker['message']}")
    newest = max(b["version"]["n"] for b in blockers if b.get("version"))
    need(newest == lowest, f"to {lowest - 1}: newest blocker is of {newest}, expected {lowest}")


def check_return(tool, path, own, lowest, folder):
    shlo, _ = archive(tool, path, own, lowest, folder)
    code, back, err = tool.run("--emit=generic", "--locations", f"--target={own}", "--allow-outside-window", shlo)
    need(code == 0, f"back from {lowest}: exit {code}: {err[:400]}")
    down = os.path.join(folder, "down.mlir")
    pathlib.Path(down).write_bytes(back)
    # Conversion may drop written defaults, so compare in a format that states all defaults.
    code, one, err = tool.run("--emit=vhlo", f"--from={own}", down)
    need(code == 0, f"portable text of the returned program: exit {code}: {err[:400]}")
    code, two, err = tool.run("--emit=vhlo", f"--from={own}", path)
    need(code == 0 and one == two, f"back from {lowest}: not the same program")


def check_file(tool, path, versions, record):
    own = own_version(path, versions)
    lowest = record["lowest_target"].get(path.name, own)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        checks = {
            "roundtrip": lambda: check_roundtrip(tool, path, own),
            "archive": lambda: check_archive(tool, path, own, versions, folder),
            "lowest": lambda: check_lowest(tool, path, own, lowest),
            "return": lambda: check_return(tool, path, own, lowest, folder),
        }
        for name, check in checks.items():
            try:
                check()
                results[name] = None
            except Failure as failure:
                results[name] = str(failure)
            except (ValueError, KeyError, IndexError, subprocess.TimeoutExpired) as error:
                results[name] = f"{type(error).__name__}: {error}"
    return results


def main():
    args, record = conform.arguments(__doc__, "--suite", "vhlo")
    tool = Tool(args.tool)
    versions = [v for v in tool.json("versions")[1]["versions"] if v["release"]]
    files = sorted(args.suite.glob("stablehlo_legalize_to_vhlo.*mlir"))
    files = [f for f in files if args.match in f.name]
    passed = {name: 0 for name in record["passed"]}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = pool.map(lambda f: check_file(tool, f, versions, record), files)
        for path, results in zip(files, jobs):
            for name, failure in results.items():
                if failure is None:
                    passed[name] += 1
                else:
                    failed += 1
                    print(f"FAILED {path.name}: {name}: {failure}", flush=True)
    below = [f"{n}: {passed[n]}, recorded {m}" for n, m in record["passed"].items() if passed[n] < m]
    for name, count in passed.items():
        print(f"{name:10} {count:3} / {len(files)}")
    print(f"{sum(passed.values())} passed, {failed} failed")
    code = conform.verdict(args, below)
    return 1 if code or not files or (args.match and failed) else 0


if __name__ == "__main__":
    sys.exit(main())
