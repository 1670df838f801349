#!/usr/bin/env python3
"""Plants mistakes in conversions and expansions, and counts those that the checks of laws tell apart.

usage: mutants.py LAW_CHECK [--per-law N] [--prove] [--at-least PERCENT] [--jobs N]

The mistakes are planted in the result of each law at run time (tests/proof/mutations.cc): attributes lost, changed,
swapped; operands swapped, repeated, missing; another op, another constant, a branch forgotten; a guard that is ignored. survivors.txt explains those that no check can tell apart; they
are neither hits nor misses. Other survivors are printed.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def explanations():
    """Returns "law: mistake" of each survivor that is explained."""
    lines = pathlib.Path(__file__).with_name("survivors.txt").read_text().splitlines()
    # A name of a law has no colon, a mistake has one, and the reason may have more.
    return {":".join(line.split(":", 3)[:3]) for line in lines if line and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("law_check")
    parser.add_argument("--per-law", type=int, default=8, help="mistakes per law; 0: all")
    parser.add_argument("--prove", action="store_true", help="compare the programs with `prove` as well")
    parser.add_argument("--at-least", type=float, default=99)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    names = [line.split("\t")[1] for line in subprocess.run([args.law_check, "--list"], capture_output=True, text=True,
                                                            check=True).stdout.splitlines()]
    known = explanations()
    parts = [names[i :: args.jobs] for i in range(args.jobs)]

    def run(part):
        reports = []
        for name in part:
            out = subprocess.run([args.law_check, "--mutants", "--per-law", str(args.per_law), "--law", name] +
                                 (["--prove"] if args.prove else []), capture_output=True, text=True)
            if out.returncode:
                reports.append({"crashed": name, "code": out.returncode})
            lines = [json.loads(line) for line in out.stdout.splitlines()]
            # A name may be a part of others.
            reports += [line for line in lines if "missed" not in line or line["law"] == name]
        return reports

    with ThreadPoolExecutor(args.jobs) as pool:
        reports = [report for part in pool.map(run, parts) for report in part]
    planted = sum(r.get("planted", 0) for r in reports)
    told = sum(r.get("told_apart", 0) for r in reports)
    explained = 0
    rungs = {}
    for r in reports:
        for rung, count in r.get("by_rung", {}).items():
            rungs[rung] = rungs.get(rung, 0) + count
        if "missed" in r and f'{r["law"]}: {r["missed"]}' in known:
            explained += 1
        elif "missed" in r:
            print(f'missed: {r["law"]}: {r["missed"]} ({r["changed"]} programs changed; prove: {r["prove"] or "not run"})')
        if "crashed" in r:
            print(f'crashed: {r["crashed"]}: {r["code"]}')
    percent = 100 * told / max(planted - explained, 1)
    print(f"{planted} mistakes planted, {explained} of them explained; {told} of the others told apart ({percent:.1f} %), first by " +
          ", ".join(f"{rung}: {rungs[rung]}" for rung in sorted(rungs)))
    if args.prove:
        compared = sum(r.get("compared_by_prove", 0) for r in reports)
        by_prove = sum(r.get("told_apart_by_prove", 0) for r in reports)
        print(f"`prove` compared {compared} of them and called {compared - by_prove} equal")
    return 0 if percent >= args.at_least and not any("crashed" in r for r in reports) else 1


if __name__ == "__main__":
    sys.exit(main())
