#!/usr/bin/env python3
"""Times whole commands in turns: those of shlo-compat, a copy of the same bytes by cp, and, with --peer, other tools.

    commands.py BUILD [--peer DIR] [--rounds N] [--target V] [--large] [--json OUT] [--record RELEASE] [--folder DIR]
                [CASE...]

BUILD is a build folder with shlo-compat, shlo_bench and run_command. DIR has another shlo-compat, or stablehlo-opt and stablehlo-translate of
the reference implementation. In each round every case runs once with each of them, so that a machine that is slower
for a while is slower for all. Prints medians, and the best wall time; `x cp` and `x ours` are ratios of median wall
times. A run under a limit of private memory (RLIMIT_DATA) follows where the case has one. CASE is a part of a name; --list prints the names. The exit
code is 1 if a command failed, whatever was measured. Inputs and outputs are in --folder (default: build/commands).

On a virtual machine whose host takes free memory back, to get it again takes several times as long as to copy
gigabytes. So --large first fills free memory with the pages of an empty file, which the system gives up at once for
what is measured.

--record adds a line for a release to bench/history.csv, or replaces it: milliseconds and MB of our commands,
milliseconds of cp for the text of weights, which tells machines apart, and millions of instructions as
bench/instructions.csv has them. Columns without a value were not measured. Memory and instructions compare across
machines.
"""
import argparse
import collections
import contextlib
import csv
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile

import instructions
import programs

MB = 1000000
# Programs of the generator: kind and size.
GENERATED = {
    "ops": ("ops", 200000),
    "ops10": ("ops", 2000000),
    "weights": ("weights", 64 << 20),
    "decimals": ("decimals", 12 << 20),
    "huge": ("weights", 2 << 30),
}


@dataclasses.dataclass
class Case:
    """A command: what it reads (a program of GENERATED, and an ending), its job, and what must hold for it."""

    key: str  # in --json and history.csv
    name: str
    source: str
    job: str
    copied: str = ""  # what cp copies in turns, where it is not the source
    data: int = 0  # limit of private memory, in MB
    ms: float = 0  # goals: wall time on two cores
    mb: float = 0  # peak memory
    cp: float = 0  # times the wall time of cp
    growth: tuple = ()  # (key, ratio): times the wall time of another case
    large: bool = False


CASES = [
    Case("version", "--version", "three.mlir", "version"),
    Case("start_up", "three lines, text -> text", "three.mlir", "mlir"),
    Case("ops_text_text", "200,000 ops, text -> text", "ops.mlir", "mlir", ms=60, mb=60),
    Case("ops_text_artifact", "200,000 ops, text -> artifact", "ops.mlir", "mlirbc", ms=60, mb=60),
    Case("ops_artifact_text", "200,000 ops, artifact -> text", "ops.mlirbc", "mlir", "ops.mlir", ms=70, mb=60),
    Case("ops_text_shlo", "200,000 ops, text -> .shlo", "ops.mlir", "shlo"),
    Case("ops_shlo_text", "200,000 ops, .shlo -> text", "ops.shlo", "mlir", "ops.mlir"),
    Case("ops10_text_text", "2,000,000 ops, text -> text", "ops10.mlir", "mlir", growth=("ops_text_text", 11)),
    Case("ops10_text_artifact", "2,000,000 ops, text -> artifact", "ops10.mlir", "mlirbc", growth=("ops_text_artifact", 11)),
    Case("ops10_artifact_text", "2,000,000 ops, artifact -> text", "ops10.mlirbc", "mlir", "ops10.mlir",
         growth=("ops_artifact_text", 11)),
    Case("weights_text_artifact", "64 MiB of weights, text -> artifact", "weights.mlir", "mlirbc", data=90, cp=1),
    Case("weights_artifact_text", "64 MiB of weights, artifact -> text", "weights.mlirbc", "mlir", "weights.mlir", data=24, cp=1.5),
    Case("weights_text_text", "64 MiB of weights, text -> text", "weights.mlir", "mlir", data=24, cp=2),
    Case("decimals_text_text", "1 million decimals, text -> text", "decimals.mlir", "mlir"),
    Case("decimals_text_artifact", "1 million decimals, text -> artifact", "decimals.mlir", "mlirbc"),
    Case("huge_shlo_artifact", "2 GiB of weights, .shlo -> artifact", "huge.shlo", "mlirbc", data=64, cp=1, large=True),
    Case("huge_artifact_shlo", "2 GiB of weights, artifact -> .shlo", "huge.mlirbc", "shlo", data=64, cp=1, large=True),
    Case("huge_inspect", "2 GiB of weights, inspect .shlo", "huge.shlo", "inspect", ms=20, large=True),
]
HISTORY = programs.ROOT / "bench" / "history.csv"
# A copy of the text of weights in this case's turns is the yardstick of a machine.
YARDSTICK = "weights_text_text"

Sample = collections.namedtuple("Sample", "code ms user_ms system_ms mb faults major")


class Inputs:
    """Makes the inputs of cases, once for each build of the tools."""

    def __init__(self, folder, tools, target):
        self.folder, self.tool, self.generator, self.target = folder, tools / "shlo-compat", tools / "shlo_bench", target

    def path(self, name):
        stem, ending = name.split(".")
        # An artifact is of a version.
        return self.folder / (f"{stem}_{self.target}.{ending}" if ending == "mlirbc" else name)

    def make(self, name):
        path = self.path(name)
        stem, ending = name.split(".")
        if stem == "three":
            path.write_text(programs.THREE_LINES)
            return path
        maker = self.generator if ending == "mlir" else self.tool
        if path.exists() and path.stat().st_mtime > maker.stat().st_mtime:
            return path
        print(f"making {path.name}", file=sys.stderr)
        if ending == "mlir":
            programs.generate(self.generator, path, *GENERATED[stem])
            return path
        # The text of a large program is as large again twice, and no case reads it.
        source = self.make("huge.shlo" if name == "huge.mlirbc" else f"{stem}.mlir")
        subprocess.run(programs.shlo_compat(self.tool, ending, source, path, self.target), check=True)
        if name == "huge.shlo":
            source.unlink()
        return path


@contextlib.contextmanager
def memory_in_use(folder):
    """Reads an empty file as large as free memory, and keeps it meanwhile: its pages are those of a machine in use."""
    with tempfile.TemporaryFile(dir=folder) as file:
        try:
            status = pathlib.Path("/proc/meminfo").read_text()
            file.truncate(int(re.search(r"^MemFree: *([0-9]+) kB$", status, re.M)[1]) * 1024)
            piece = bytearray(MB)
            while file.readinto(piece):
                pass
        except OSError as error:
            print(f"commands: free memory was not filled: {error}", file=sys.stderr)
        yield


def measure(runner, command, data=0):
    limit = ["--data", str(data * MB)] if data else []
    done = subprocess.run([runner, *limit, *command], capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"commands: {done.stderr.strip()}")
    code, ns, user, system, kib, minor, major = map(int, done.stdout.split())
    return Sample(code, ns / 1e6, user / 1e3, system / 1e3, kib * 1024 / MB, minor, major), done.stderr


def peer_target(folder, scratch):
    """Returns the version that a reference in this folder calls current, which may be older than ours."""
    source, output = scratch / "target.mlir", scratch / "target.mlirbc"
    source.write_text(programs.THREE_LINES)
    subprocess.run(programs.reference(folder, "mlirbc", source, output, "current"), check=True)
    # The producer: "StableHLO_v1.13.8".
    producer = output.read_bytes()[4:64].split(b"\0")[0].decode(errors="replace")
    return producer.rpartition("_v")[2]


def competitors(case, inputs, output, peer):
    """Returns the commands of a case by who runs them."""
    source = inputs.make(case.source)
    found = {"ours": programs.shlo_compat(inputs.tool, case.job, source, output, inputs.target)}
    if peer and (peer / "shlo-compat").exists():
        found["peer"] = programs.shlo_compat(peer / "shlo-compat", case.job, source, output, inputs.target)
    elif peer:
        found["peer"] = programs.reference(peer, case.job, source, output, inputs.target)
    if case.job not in ("version", "inspect"):
        found["cp"] = ["cp", "--reflink=never", inputs.make(case.copied or case.source), output]
    return {who: list(map(str, command)) for who, command in found.items() if command}


def run_rounds(cases, inputs, runner, peer, rounds):
    """Returns samples by key of the case and by competitor, whether our command works under its limit, and what failed."""
    samples, limited, failed = collections.defaultdict(lambda: collections.defaultdict(list)), {}, set()
    for number in range(rounds + 1):
        for case in cases:
            output = inputs.folder / f"out.{case.job}"
            turns = list(competitors(case, inputs, output, peer).items())
            # Nobody is always the one that finds the caches as another left them.
            for who, command in turns if number % 2 else reversed(turns):
                if (case.key, who) in failed:
                    continue
                # Pages of an output that is removed need not be written to the disk.
                output.unlink(missing_ok=True)
                sample, errors = measure(runner, command)
                if sample.code:
                    failed.add((case.key, who))
                    print(f"commands: {' '.join(command)}: exit code {sample.code}\n{errors}", file=sys.stderr)
                    if who != "peer":
                        sys.exit(1)
                    continue
                # The first round reads files and programs from the disk.
                if number:
                    samples[case.key][who].append(sample)
            output.unlink(missing_ok=True)
    for case in cases:
        if case.data:
            output = inputs.folder / f"out.{case.job}"
            limited[case.key] = measure(runner, competitors(case, inputs, output, None)["ours"], case.data)[0].code == 0
            output.unlink(missing_ok=True)
    return samples, limited, failed


def medians(samples):
    return {key: {who: Sample(*map(statistics.median, zip(*list_of))) for who, list_of in by.items()} for key, by in samples.items()}


def goals(cases, results, limited):
    """Returns (text, whether it holds) for what the cases must show."""
    found = []
    for case in cases:
        ours = results[case.key]["ours"]
        if case.ms:
            found.append((f"{case.name}: {ours.ms:.1f} ms, at most {case.ms:g}", ours.ms <= case.ms))
        if case.mb:
            found.append((f"{case.name}: {ours.mb:.1f} MB, under {case.mb:g}", ours.mb < case.mb))
        if case.cp:
            ratio = ours.ms / results[case.key]["cp"].ms
            found.append((f"{case.name}: {ratio:.2f} times cp, at most {case.cp:g}", ratio <= case.cp))
        if case.growth and case.growth[0] in results:
            ratio = ours.ms / results[case.growth[0]]["ours"].ms
            found.append((f"{case.name}: {ratio:.2f} times as long as a tenth, at most {case.growth[1]}", ratio <= case.growth[1]))
        if case.data:
            found.append((f"{case.name}: {'works' if limited[case.key] else 'fails'} with {case.data} MB of private memory",
                          limited[case.key]))
    return found


def print_results(cases, samples, results, held):
    print(f"{'':38} {'':5} {'wall ms':>9} {'best ms':>9} {'user ms':>9} {'system ms':>9} {'peak MB':>9} {'faults':>8} {'x cp':>6} {'x ours':>6}")
    for case in cases:
        by = results[case.key]
        for who in (who for who in ("ours", "peer", "cp") if who in by):
            s = by[who]
            cp = f"{s.ms / by['cp'].ms:.2f}" if "cp" in by else ""
            best = min(sample.ms for sample in samples[case.key][who])
            print(f"{case.name if who == 'ours' else '':38} {who:5} {s.ms:9.1f} {best:9.1f} {s.user_ms:9.1f} {s.system_ms:9.1f} "
                  f"{s.mb:9.1f} {s.faults:8.0f} {cp:>6} {s.ms / by['ours'].ms:6.2f}")
    if held:
        print("goals, of two cores")
    for text, holds in held:
        print(f"  {'holds ' if holds else 'MISSED'}  {text}")


def machine():
    model = platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0] if names else model
    return f"{len(os.sched_getaffinity(0))} x {model}"


def history_row(release, results, counts):
    row = {"release": release, "date": datetime.date.today().isoformat(), "machine": machine()}
    if YARDSTICK in results:
        row["cp_weights_ms"] = f"{results[YARDSTICK]['cp'].ms:.1f}"
    for key, by in results.items():
        row[f"{key}_ms"] = f"{by['ours'].ms:.1f}"
        row[f"{key}_mb"] = f"{by['ours'].mb:.1f}"
    for name, count in counts.items():
        row[f"{name}_mega_instructions"] = f"{count / 1e6:.2f}"
    return row


def record(path, row):
    """Adds a row, or replaces that of the same release. Columns that are new are empty in older rows."""
    old = []
    if path.exists():
        with open(path, newline="") as file:
            old = list(csv.DictReader(file))
    rows = [r for r in old if r["release"] != row["release"]] + [row]
    columns = list(dict.fromkeys(name for r in rows for name in r))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--peer", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--target", metavar="V", help="version of artifacts (default: the peer's current one, or ours)")
    parser.add_argument("--large", action="store_true", help="also the program of 2 GiB, which needs 9 GB of disk and memory")
    parser.add_argument("--json", type=pathlib.Path, metavar="OUT")
    parser.add_argument("--record", metavar="RELEASE")
    parser.add_argument("--folder", type=pathlib.Path, default=programs.ROOT / "build" / "commands", metavar="DIR")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_intermixed_args()
    cases = [c for c in CASES if (args.large or not c.large) and (not args.cases or any(part in c.name or part in c.key for part in args.cases))]
    if args.list:
        print(*(f"{c.key:24} {c.name}" for c in CASES), sep="\n")
        return 0
    if not cases:
        parser.error(f"no case is named like {', '.join(args.cases)}; --list prints them, --large adds those of 2 GiB")
    if args.peer and not any((args.peer / name).exists() for name in ("shlo-compat", "stablehlo-translate")):
        parser.error(f"'{args.peer}' has neither shlo-compat nor stablehlo-translate")
    args.folder.mkdir(parents=True, exist_ok=True)
    target = args.target or "current"
    if args.peer and not args.target and not (args.peer / "shlo-compat").exists():
        target = peer_target(args.peer, args.folder)
    tools = args.build.resolve() / "bin"
    inputs = Inputs(args.folder, tools, target)
    for case in cases:
        inputs.make(case.source)
    with memory_in_use(args.folder) if args.large else contextlib.nullcontext():
        samples, limited, failed = run_rounds(cases, inputs, tools / "run_command", args.peer, args.rounds)
    results = medians(samples)
    held = goals(cases, results, limited)
    print(f"medians of {args.rounds} round{'s' if args.rounds > 1 else ''} on {machine()}, artifacts for {target}")
    print_results(cases, samples, results, held)
    if args.json:
        document = {
            "machine": machine(), "date": datetime.date.today().isoformat(), "rounds": args.rounds, "target": target,
            "cases": [{"key": c.key, "name": c.name, "limit_mb": c.data, "works_under_limit": limited.get(c.key),
                       "medians": {who: s._asdict() for who, s in results[c.key].items()},
                       "wall_ms": {who: [s.ms for s in of] for who, of in samples[c.key].items()}} for c in cases],
            "goals": [{"goal": text, "holds": holds} for text, holds in held],
        }
        args.json.write_text(json.dumps(document, indent=1) + "\n")
    if args.record:
        record(HISTORY, history_row(args.record, results, instructions.read_record(instructions.RECORD)[1]))
        print(f"recorded in {HISTORY.relative_to(programs.ROOT)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
