#!/usr/bin/env python3
"""Plants mistakes in programs and counts those that `prove` tells apart.

    plant.py TOOL [FILE...] [--generated N] [--per-program N] [--seed S] [--oracle N] [--jobs N] [--verbose]
                  [--evaluate-only]
                  [--at-least PERCENT] [--json OUT] [--expected FILE [--bless]]

Programs are tests/proof/programs, N generated ones (tests/generator), and FILEs (text, bytecode or .shlo). Each pair of a
program and its copy with a mistake (mistakes.py) is given to `prove`. A pair that is not told apart is evaluated on N
inputs of an oracle, which knows nothing of the inputs of `prove` (NumPy is needed); if results differ on one of them, the
mistake changes values and `prove` missed it. The table has a line per kind:

  planted      pairs whose second program verifies (`verify`)
  apart        told apart by `prove`, with an input that shows it
  not covered  `prove` says that its inputs show nothing, and why; of these, those that change values
  missed       called equal, or not told apart by any input, though the oracle found a difference
  contract     values are not told apart, but the contract differs
  same         no difference found by anyone

A program compared with itself must never be different. Exit code 1 if one is, or if fewer than PERCENT of the mistakes
that change values are told apart or one of them is called equal. With --expected, also if a mistake is not told apart
and FILE does not list it; --bless writes FILE, and every line of it needs a look: it must change no value.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "generator")]
import generate
import mistakes

TIMEOUT = 120


def run(*command, timeout=TIMEOUT):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=timeout)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return -1, ""


def prove(tool, a, b, flags):
    """Returns (verdict, detail, name of the function) of the worst function; verdict None: not comparable."""
    code, out = run(tool, "prove", "--json", *flags, a, b)
    if code == -1:
        return "timeout", f"no end in {TIMEOUT} s"
    try:
        report = json.loads(out)
    except ValueError:
        return None, ""
    if "functions" not in report:
        return None, ""
    order = ("different", "not covered", "not told apart", "different contract")
    worst = min(report["functions"], default={}, key=lambda f: order.index(f["verdict"]) if f["verdict"] in order else 9)
    return report["verdict"], worst.get("detail", "")


def change(a, b, line):
    """Returns what the first changed line says in both programs."""
    if a == b:
        return ""
    old, new = (p.read_text().splitlines()[line - 1].strip() for p in (a, b))
    start = next((i for i, (x, y) in enumerate(zip(old, new)) if x != y), 0)
    start = max(0, old.rfind(" ", 0, start))
    end = next((i for i, (x, y) in enumerate(zip(reversed(old), reversed(new))) if x != y), 0)
    cut = lambda text: text[start:max(start + 1, len(text) - end)].strip()[:60]
    return f"{old.split('(')[0][:40]}: {cut(old)} -> {cut(new)}"


def programs_of(args, folder):
    for path in sorted((HERE / "programs").glob("*.mlir")):
        yield path.stem, path
    recipes = sorted(generate.RECIPES)
    for i in range(args.generated):
        path = folder / f"generated_{args.seed + i}.mlir"
        path.write_text(generate.make_program(args.seed + i, recipes[i % len(recipes)])[0])
        yield path.stem, path
    for file in args.files:
        path = pathlib.Path(file)
        yield path.parent.name if path.stem == "shipped" else path.stem, path


def choose(text, rng, count):
    """Returns up to `count` (kind, line, program), kinds in turn."""
    by_kind = {}
    for kind in mistakes.KINDS:
        places = list(mistakes.plant(text, kind)) if len(text) < 400_000 else []
        rng.shuffle(places)
        by_kind[kind] = places
    chosen = []
    kinds = list(mistakes.KINDS)
    rng.shuffle(kinds)
    while len(chosen) < count and any(by_kind.values()):
        for kind in kinds:
            places = by_kind[kind]
            if places and len(chosen) < count:
                chosen.append((kind, *places.pop()))
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--per-program", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--oracle", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--at-least", type=float, default=0)
    parser.add_argument("--evaluate-only", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the programs of mistakes that were not told apart")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--expected", type=pathlib.Path)
    parser.add_argument("--bless", action="store_true")
    args = parser.parse_args()
    if args.oracle:
        import oracle

    failures, pairs = [], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, path in programs_of(args, folder):
            original = folder / f"{name}.generic.mlir"
            code, text = run(args.tool, "--emit=generic", path)
            if code != 0:
                continue
            original.write_text(text)
            pairs.append(("itself", name, 0, original, original))
            rng = random.Random(f"{args.seed} {name}")
            for n, (kind, line, changed) in enumerate(choose(text, rng, args.per_program)):
                file = folder / f"{name}.{n}.mlir"
                file.write_text(changed)
                pairs.append((kind, name, line, original, file))

        def judge(pair):
            kind, name, line, a, b = pair
            if kind != "itself" and run(args.tool, "verify", b)[0] != 0:
                return pair, None, "", None
            verdict, detail = prove(args.tool, a, b, ["--evaluate-only"] if args.evaluate_only else [])
            shown = None
            if verdict not in ("different", None) and kind != "itself" and args.oracle:
                shown = oracle.difference(args.tool, a, b, args.oracle, args.seed)
            return pair, verdict, detail, shown

        table = collections.defaultdict(collections.Counter)
        records = []
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (kind, name, line, a, b), verdict, detail, shown in pool.map(judge, pairs):
                row = table[kind]
                if verdict is None:
                    row["invalid"] += 1
                    continue
                row["planted"] += 1
                if kind == "itself" and verdict == "different":
                    failures.append(f"{name} differs from itself: {detail}")
                outcome = {"different": "apart", "not covered": "not covered", "timeout": "not covered",
                           "different contract": "contract"}.get(verdict, "same")
                if verdict == "equal" and kind != "itself" and shown:
                    failures.append(f"{kind} in {name}:{line} is called equal, but changes values: {shown}")
                if shown:
                    outcome = "missed" if outcome in ("same", "contract") else "not covered, but changes values"
                row[outcome] += 1
                records.append({"change": change(a, b, line), "kind": kind, "program": name, "line": line, "verdict": verdict, "detail": detail, "oracle": shown,
                                "outcome": outcome})
                if outcome not in ("apart", "same") and args.verbose:
                    print(f"{outcome}: {kind} in {name}:{line}: {detail[:300]}{'; oracle: ' + shown if shown else ''}", flush=True)
                if args.keep and (outcome != "apart"):
                    args.keep.mkdir(exist_ok=True, parents=True)
                    (args.keep / f"{name}.mlir").write_text(a.read_text())
                    (args.keep / b.name).write_text(b.read_text())
                    records[-1]["file"] = b.name

    columns = ("planted", "apart", "not covered", "not covered, but changes values", "missed", "contract", "same")
    print(f"{'':18}" + "".join(f"{c.replace(', but', ',')[:22]:>23}" for c in columns))
    total = collections.Counter()
    for kind in ["itself", *mistakes.KINDS]:
        print(f"{kind:18}" + "".join(f"{table[kind][c]:23}" for c in columns))
        if kind not in ("itself", "promises"):
            total.update(table[kind])
    print(f"{'all mistakes':18}" + "".join(f"{total[c]:23}" for c in columns))
    changing = total["apart"] + total["missed"] + total["not covered, but changes values"]
    share = 100 * total["apart"] / changing if changing else 100
    print(f"{total['apart']} of {changing} mistakes that change values told apart ({share:.1f} %), {total['missed']} missed")
    if args.json:
        args.json.write_text(json.dumps(records, indent=1))
    if args.expected:
        found = sorted({f"{r['program']}:{r['line']} {r['kind']}: {r['change']}" for r in records
                        if r["outcome"] != "apart" and r["kind"] != "itself"})
        if args.bless:
            args.expected.write_text("".join(f"{line}\n" for line in found))
        known = set(args.expected.read_text().splitlines())
        failures += [f"not told apart, and not in {args.expected.name}: {line}" for line in found if line not in known]
    for failure in failures:
        print(failure)
    sys.exit(1 if failures or share < args.at_least else 0)


if __name__ == "__main__":
    main()
