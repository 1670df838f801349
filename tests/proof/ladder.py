#!/usr/bin/env python3
"""Climbs the ladder of evidence with every law, and compares the rungs with the record (lib/prove/law_record.inc).

usage: ladder.py LAW_CHECK [--bless] [--fast] [--law NAME]... [--programs N] [--suite DIR] [--jobs N]

A law that fails, and a rung with fewer checks than the record states, are errors. --bless writes the record instead, and
refuses to if a law fails. --fast tries few programs, neither L5 nor L7, and small structures for few laws; then a rung
must be reached, whatever its count.

L5 needs z3, and L7 the interpreter suite of the reference: where they are missing, the record keeps its counts. Another
release of z3 may solve fewer problems, so that L5 must be reached, whatever its count.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import smt

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "lib/prove/law_record.inc"
ROW = re.compile(r'^SHLO_LAW_RECORD\("([^"]+)", (.*), "([\d-]+)"\)\n', re.MULTILINE)
# One law of each kind whose small structures take less than a second.
FAST_STRUCTURES = ["vhlo.composite_v2 -> vhlo.composite_v1", "vhlo.tanh_v1 -> vhlo.tanh_v2", "expansion of chlo.scan"]


def recorded():
    return {name: [int(n) for n in counts.split(",")] for name, counts, _ in ROW.findall(RECORD.read_text())}


def row(law, counts, date):
    return f'SHLO_LAW_RECORD("{law}", {", ".join(map(str, counts))}, "{date}")\n'


def write(rows):
    """Replaces all rows by these; laws in their order."""
    text = RECORD.read_text()
    found = list(ROW.finditer(text))
    at = found[0].start() if found else text.index("\n#undef") + 1
    rest = ROW.sub("", text)
    RECORD.write_text(rest[:at] + "".join(rows) + rest[at:])


def suite_files(suite):
    """Returns how many files of the suite have each op."""
    counts = {}
    for path in suite.rglob("*.mlir"):
        text = re.sub(r"//.*", "", path.read_text(errors="replace"))
        for op in set(re.findall(r"\b(?:stablehlo|chlo)\.[a-z_][a-z0-9_]*", text)):
            counts[op] = counts.get(op, 0) + 1
    return counts


def check(law_check, law, programs, whole):
    command = [law_check, "--law", law, "--programs", str(programs)] + (["--whole"] if whole else [])
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
        return report["checks"], report["failures"]
    except json.JSONDecodeError:
        return [0] * 8, [f"{law}: law_check ends with code {done.returncode}: {(done.stdout + done.stderr)[-300:]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("law_check")
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--law", action="append")
    parser.add_argument("--programs", type=int)
    parser.add_argument("--suite", type=pathlib.Path, default=ROOT.parent / "shared/conformance/suites/interpret")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    args = parser.parse_args()
    if args.bless and (args.fast or args.programs):
        parser.error("--bless needs the full run")
    listed = [line.split("\t") for line in subprocess.run([args.law_check, "--list"], capture_output=True, text=True,
                                                          check=True).stdout.splitlines()]
    ops = {name: op for _, name, op, _ in listed if not args.law or name in args.law}
    laws = list(ops)
    if not laws:
        sys.exit("ladder.py: no such law")
    programs = args.programs or (24 if args.fast else 6000)
    old, problems = recorded(), []
    with ThreadPoolExecutor(args.jobs) as pool:
        runs = list(pool.map(lambda law: check(args.law_check, law, programs, not args.fast or law in FAST_STRUCTURES), laws))
    counts = {law: list(run[0]) for law, run in zip(laws, runs)}
    problems += [failure for _, failures in runs for failure in failures]
    missing = set()  # rungs that cannot be measured here
    if args.fast:
        missing = {5, 7}
    else:
        if smt.available():
            proofs, wrong = smt.prove_all(args.law_check, laws, args.jobs)
            problems += wrong
            for law in laws:
                counts[law][5] = proofs.get(law, 0)
        else:
            missing.add(5)
            print("no z3, so L5 is not measured")
        if args.suite.is_dir():
            files = suite_files(args.suite)
            for law in laws:
                counts[law][7] = files.get(ops[law], 0)
        else:
            missing.add(7)
            print("the interpreter suite of the reference is not here, so L7 is not measured")
    for law in laws:
        for rung in missing:
            counts[law][rung] = old.get(law, [0] * 8)[rung]
    if args.bless:
        if problems:
            print("\n".join(problems))
            return 1
        today = datetime.date.today().isoformat()
        kept = {m[1]: m[0] for m in ROW.finditer(RECORD.read_text())}
        write([row(name, counts[name], today) if name in counts else kept.get(name, "") for _, name, _, _ in listed])
    else:
        for law in laws:
            if law not in old:
                problems.append(f"{law}: no row in {RECORD.relative_to(ROOT)}; run ./dev proof --bless")
                continue
            for rung, (now, before) in enumerate(zip(counts[law], old[law])):
                if args.fast and rung == 3 and law not in FAST_STRUCTURES:
                    continue
                any_count = args.fast or args.programs or rung == 5
                if before and (now == 0 if any_count else now < before):
                    problems.append(f"{law}: L{rung}: {now} checks, recorded {before}")
    for problem in problems:
        print(problem)
    reached = [sum(counts[law][rung] > 0 for law in laws) for rung in range(8)]
    print(f"{len(laws)} laws; laws that reach each rung: " + ", ".join(f"L{i}: {n}" for i, n in enumerate(reached)) +
          f"; {sum(counts[law][4] for law in laws)} programs (L4)")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
