#!/usr/bin/env python3
"""Measures which lines and branches of lib/, tools/ and include/ the tests run.

    coverage.py BUILD [--profiles DIR] [--missing FILE... | --texts] [--at-least LINES BRANCHES]

BUILD is a build folder of the preset `coverage` after its tests, whose profiles are in BUILD/profiles. Instantiations
of a template count as one. Clang records no branches for exceptions. Functions that only the compiler evaluates are not
counted (tests/wrong_rows_test.py tests those of the tables). Lines that
tests/coverage_left_out.txt lists are not: one "PATH-REGEX :: LINE-REGEX :: REASON" each, and a line that matches both.
Prints a row for each file and the sums; --missing prints the lines and branches that did not run, and --texts prints
the texts for users (tests/diagnostics.txt) that no test produced.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import diagnostics_listing

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("lib", "tools", "include")
# Sources that only tests include.
TESTS = re.compile(r"_(test|fuzz)\.cc$|/test_\w+\.h$|/naive/")
LEFT_OUT = ROOT / "tests/coverage_left_out.txt"


def main():
    args = parse_arguments()
    build = pathlib.Path(args.build).resolve()
    profiles = pathlib.Path(args.profiles) if args.profiles else build / "profiles"
    left_out = read_left_out()
    lines_run = lines_all = branches_run = branches_all = 0
    rows, texts, texts_all = [], [], 0
    for path, data in sorted(export(build, profiles).items()):
        source = (ROOT / path).read_text().split("\n")
        lines, branches = line_counts(data["segments"], len(source)), branch_counts(data, source)
        omitted = omitted_lines(path, source, left_out) | compile_time_lines(source, lines, branches)
        lines = {line: count for line, count in lines.items() if line not in omitted}
        branches = {place: counts for place, counts in branches.items() if place[0] not in omitted}
        taken = sum((counts[0] > 0) + (counts[1] > 0) for counts in branches.values())
        run = sum(count > 0 for count in lines.values())
        rows.append((path, run, len(lines), taken, 2 * len(branches)))
        lines_run, lines_all = lines_run + run, lines_all + len(lines)
        branches_run, branches_all = branches_run + taken, branches_all + 2 * len(branches)
        counts = text_counts(path, data["segments"], omitted)
        texts_all += len(counts)
        texts += [f"{path}:{literal.line}: {literal.text!r}" for literal, count in counts if count == 0]
        if any(re.search(pattern, path) for pattern in args.missing):
            print_missing(path, source, lines, branches)
    if args.texts:
        print("\n".join(texts))
    elif not args.missing:
        for path, run, count, taken, ways in sorted(rows, key=lambda row: row[2] - row[1]):
            print(f"{percent(run, count)} lines {count - run:5} not run {percent(taken, ways)} branches "
                  f"{ways - taken:5} not run  {path}")
    if not lines_all:
        sys.exit("coverage: no profile names a source of this tree")
    for text, _, pattern in left_out:
        if not pattern["used"]:
            print(f"coverage: {LEFT_OUT.name} lists '{text}', which matches no line")
            return 1
    print(f"coverage: {percent(lines_run, lines_all)} of {lines_all} lines, "
          f"{percent(branches_run, branches_all)} of {branches_all} branches, "
          f"{percent(texts_all - len(texts), texts_all)} of {texts_all} texts for users")
    least_lines, least_branches = args.at_least
    return 0 if 100 * lines_run >= least_lines * lines_all and 100 * branches_run >= least_branches * branches_all else 1


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--profiles")
    parser.add_argument("--missing", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--texts", action="store_true")
    parser.add_argument("--at-least", nargs=2, type=float, default=(0, 0))
    return parser.parse_args()


def percent(part, whole):
    return f"{100 * part / whole if whole else 100:5.1f} %"


def llvm(name, *args):
    done = subprocess.run([name, *map(str, args)], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"coverage: {name} failed: {done.stderr.decode()[-500:]}")
    return done.stdout


def export(build, profiles):
    """Returns llvm-cov's data by path, for the sources that are measured."""
    merged = build / "coverage.profdata"
    files = sorted(profiles.glob("*.profraw"))
    if not files:
        sys.exit(f"coverage: {profiles} has no profiles; run the tests of the coverage build first")
    listing = build / "profiles.txt"
    listing.write_text("\n".join(map(str, files)))
    llvm("llvm-profdata", "merge", "-sparse", "-o", merged, "-f", listing)
    binaries = [path for path in sorted((build / "bin").rglob("*"))
                if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"]
    objects = [argument for path in binaries[1:] for argument in ("-object", path)]
    text = llvm("llvm-cov", "export", "-instr-profile", merged, "-skip-functions", "-skip-expansions", binaries[0], *objects)
    measured = {}
    for data in json.loads(text)["data"][0]["files"]:
        try:
            path = str(pathlib.Path(data["filename"]).resolve().relative_to(ROOT))
        except ValueError:
            continue
        if path.startswith(tuple(folder + "/" for folder in FOLDERS)) and not TESTS.search(path):
            measured[path] = data
    return measured


def line_counts(segments, size):
    """Returns how often each line that has code ran, as llvm-cov shows it."""
    by_line = collections.defaultdict(list)
    for line, column, count, has_count, is_entry, is_gap in segments:
        by_line[line].append((count, has_count, is_entry, is_gap))
    counts, wrapped = {}, None
    for line in range(1, size + 1):
        here = by_line.get(line, [])
        starts = [count for count, has_count, is_entry, is_gap in here if has_count and is_entry and not is_gap]
        # A line that begins with a skipped region, such as a comment, has no code.
        skipped = here and not here[0][1] and here[0][2]
        if (wrapped and wrapped[1] or starts) and not skipped:
            counts[line] = max(starts + ([wrapped[0]] if wrapped and wrapped[1] else []))
        if here:
            wrapped = here[-1]
    return counts


def text_counts(path, segments, omitted):
    """Returns the texts for users that code produces, with how often they were reached."""
    counts = []
    for literal in diagnostics_listing.literals_of(ROOT / path):
        before = [segment for segment in segments if (segment[0], segment[1]) <= (literal.line, literal.column)]
        if before and before[-1][3] and literal.line not in omitted:
            counts.append((literal, before[-1][2]))
    return counts


def branch_counts(data, source):
    """Returns how often each condition was true and false, by its place."""
    entry = {(line, column): count for line, column, count, _, _, _ in data["segments"]}
    counts = {}
    for branch in data.get("branches", []):
        place = tuple(branch[:4])
        true, false = counts.get(place, (0, 0))
        counts[place] = (true + branch[4], false + branch[5])
    # A switch without a default that no value reaches: the compiler requires a case for each enumerator.
    for place, both in list(counts.items()):
        if both[0] == 0 and re.search(r"\bswitch \($", source[place[0] - 1][:place[1] - 1]):
            del counts[place]
    # The compiler knows a condition that is neither true nor false although it was reached.
    return {place: both for place, both in counts.items() if sum(both) or not entry.get(place[:2])}


def read_left_out():
    rows = []
    for line in LEFT_OUT.read_text().splitlines() if LEFT_OUT.exists() else []:
        if line and not line.startswith("#"):
            path, text, reason = line.split(" :: ")
            assert reason
            rows.append((line, (re.compile(path), re.compile(text)), {"used": False}))
    return rows


def omitted_lines(path, source, left_out):
    omitted = set()
    for _, (path_pattern, line_pattern), state in left_out:
        if not path_pattern.search(path):
            continue
        for number, line in enumerate(source, 1):
            if line_pattern.search(line):
                omitted.add(number)
                state["used"] = True
    return omitted


def compile_time_lines(source, lines, branches):
    """Returns the lines of constexpr functions that the compiler emitted nowhere: their branches have no counts."""
    found = set()
    for first, line in enumerate(source, 1):
        if not re.match(r"\s*(static )?(constexpr|consteval) [^=;]*\(", line):
            continue
        depth, last = 0, first
        for last in range(first, len(source) + 1):
            text = re.sub(r"'.'|\"(\\.|[^\"\\])*\"|//.*", "", source[last - 1])
            depth += text.count("{") - text.count("}")
            if depth <= 0 and text.rstrip().endswith(("}", ";")):
                break
        body = set(range(first, last + 1))
        if not any(lines.get(number) for number in body) and not any(place[0] in body for place in branches):
            found |= body
    return found


def print_missing(path, source, lines, branches):
    for line in sorted(set(lines) | {place[0] for place in branches}):
        notes = ["not run"] if lines.get(line) == 0 else []
        for place, (true, false) in sorted(branches.items()):
            if place[0] == line and not (true and false) and not notes:
                what = source[line - 1][place[1] - 1:place[3] - 1 if place[2] == line else None]
                notes.append(f"'{what}' never {'true' if false else 'false' if true else 'evaluated'}")
        if notes:
            print(f"{path}:{line}: {'; '.join(notes)}: {source[line - 1].strip()[:100]}")


if __name__ == "__main__":
    sys.exit(main())
