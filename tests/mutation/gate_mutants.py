#!/usr/bin/env python3
"""Plants changes of the dialect, and counts those that `gate` finds in the frozen releases.

    gate_mutants.py [--seed S] [--folder DIR] [--jobs N] [--at-least PERCENT] [--list]

Changes are of two kinds. In code: a mutant of mutate.py in a kernel, a loop, the verifier, a writer, a reader, or a
step. In tables: a cell, a row, a case, a version or a wire code has another value; table_mutants.h changes a copy of
the table. All are in one build, and the environment chooses one. A change is caught if `gate` ends with 1, has a
finding and states it. tests/mutation/gate_equivalent.txt lists changes that have no effect on any program, with the reason;
they are not counted.
Needs libclang for Python (Debian: python3-clang).
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutate

EQUIVALENT = mutate.ROOT / "tests/mutation/gate_equivalent.txt"
# Changes of code: paths below lib/, and how many.
CODE = [(r"lib/eval/kernels?/(?!custom_call|check|kernel_table)", 55), (r"lib/eval/loops/[^/]*$", 25), (r"lib/eval/(loops/numeric|matrix)/", 8),
        (r"lib/ir/verify/rules/", 40), (r"lib/ir/verify/[^/]*$", 12), (r"lib/serialize/mlirbc/writer", 10),
        (r"lib/serialize/shlo/writer", 8), (r"lib/serialize/text/(writer|forms)", 10), (r"lib/versioning/(steps|legality|window)", 10)]
# Changes of tables: what, and how many.
TABLES = {"default": 12, "attr-class": 8, "confined": 5, "type-class": 12, "variadic": 6, "blocks": 3, "wire-id": 8, "since": 8,
          "until": 6, "form": 8, "trait": 6, "relation": 4, "attr-order": 5, "attr-lost": 5, "operand-lost": 4, "condition": 4,
          "rule": 8, "terminator": 2, "struct": 2, "type-id": 3, "type-since": 3, "type-until": 2, "type-fields": 3, "type-vhlo": 3,
          "type-mnemonic": 3, "attribute-id": 3, "attribute-since": 3, "attribute-until": 2, "attribute-fields": 3,
          "attribute-vhlo": 3, "attribute-mnemonic": 2, "case-value": 4, "case-swap": 3, "case-since": 3, "case-earlier": 2,
          "case-until": 3, "case-name": 3, "version-date": 3, "version-format": 3, "version-release": 3, "version-bound": 2,
          "type-wire-code": 4, "type-wire-encoding": 3, "attribute-wire-code": 4, "attribute-wire-encoding": 4}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default=str(mutate.ROOT / "build/mutate-gate"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--at-least", type=float, default=0)
    parser.add_argument("--list", action="store_true", help="list the mutants of code only")
    args = parser.parse_args()
    folder = pathlib.Path(args.folder).resolve()
    build = folder / "build"
    mutate.prepare(folder, build)
    code = []
    for only, count in CODE:
        for mutant in mutate.choose(folder, build, argparse.Namespace(count=count, seed=args.seed, only=only, jobs=args.jobs)):
            mutant["id"] = len(code)
            code.append(mutant)
    if args.list:
        print("\n".join(mutant["what"] for mutant in code))
        return 0
    copy_tables()
    code = compiled(folder, build, code, args.jobs)
    tool = build / "bin/gate_main"
    if subprocess.run([tool], stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("gate_mutants: the gate fails without a mutant")
    jobs = [(mutant["what"], {"SHLO_MUTANT": str(mutant["id"])}) for mutant in code]
    jobs += [(f"table {what} {i}", {"SHLO_TABLE_MUTANT": f"{what}:{args.seed * 1000 + i}"})
             for what, count in TABLES.items() for i in range(count)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda job: gate(tool, job[1]), jobs))
    return report([(what, *result) for (what, _), result in zip(jobs, results)], args)


def compiled(folder, build, mutants, jobs):
    """As mutate.compiled, but only the program that compares."""
    while True:
        mutate.plant(folder, mutants)
        with open(folder / "build.log", "w+") as log:
            if subprocess.run(["ninja", "-C", build, "-k", "0", "-j", str(jobs), "gate_main"], stdout=log,
                              stderr=subprocess.STDOUT).returncode == 0:
                return mutants
            log.seek(0)
            errors = set(re.findall(r"(lib/\S+\.cc):(\d+):\d+: error:", log.read()))
        left = [m for m in mutants if (m["file"], str(m["line"])) not in errors]
        if len(left) == len(mutants):
            sys.exit(f"gate_mutants: the build failed; see {folder}/build.log")
        mutants = left


# --- Copies of tables ---------------------------------------------------------------------------------


def changed(name, replacements, end):
    """Returns a source with other words, each of which it must have, and lines at its end."""
    source = mutate.ROOT.joinpath(name).read_text()
    for old, new in replacements:
        assert old in source, (name, old)
        source = source.replace(old, new)
    return (source + f'\n#include "tests/mutation/table_mutants.h"\n\nnamespace {{\n'
            f"__attribute__((constructor)) void PlantMutant() {{ {end} }}\n}}  // namespace\n").encode()


def copy_tables():
    """Lets readers of some tables read a copy that table_mutants.h may change."""
    sources = {}
    ops = "lib/ir/table/op_table.cc"
    sources[ops] = changed(ops, [
        ("}  // namespace\n\nstd::span<const OpRow> OpRows()",
         "constinit Tables kLive = kTables;\nconstinit auto kLiveCells = kCells;\n}  // namespace\n\nstd::span<const OpRow> OpRows()"),
        ("return kTables.rows; }", "return kLive.rows; }"), ("return kTables.revisions; }", "return kLive.revisions; }"),
        ("= kTables.rows.data()", "= kLive.rows.data()"), ("= kTables.revisions.data()", "= kLive.revisions.data()"),
        ("const OpRow& r = kTables.rows[row.v];", "const OpRow& r = kLive.rows[row.v];"),
        ("if (kTables.revisions[r.first_revision + k].LegalAt", "if (kLive.revisions[r.first_revision + k].LegalAt"),
        ("RowId FindWireId(uint16_t wire_id) {",
         "RowId FindWireId(uint16_t wire_id) {\n  for (size_t i = 1; i < kNumRows; ++i)\n"
         "    if (kLive.rows[i].wire_id == wire_id) return RowId{uint16_t(i)};\n  if (wire_id) return {};")],
        "shlo_mutants::PlantOps(shlo::kLive, shlo::kLiveCells, shlo::table::kCells);")
    kinds = "lib/ir/table/kinds.cc"
    sources[kinds] = changed(kinds, [
        ("}  // namespace\n\nconstinit const std::array<KindTraits",
         "constinit auto kLiveTypes = kTypeRows;\nconstinit auto kLiveAttrs = kAttrRows;\nconstinit auto kLiveCases = kCases;\n"
         "}  // namespace\n\nconstinit const std::array<KindTraits"),
        ("kTypeRows[kTypeIndex[id] - 1u]", "kLiveTypes[kTypeIndex[id] - 1u]"), ("kAttrRows[kAttrIndex[id] - 1u]", "kLiveAttrs[kAttrIndex[id] - 1u]"),
        ("return kTypeRows; }", "return kLiveTypes; }"), ("return kAttrRows; }", "return kLiveAttrs; }"),
        ("kCases.data() +", "kLiveCases.data() +"), ("(kTypeRows, dialect", "(kLiveTypes, dialect"), ("(kAttrRows, dialect", "(kLiveAttrs, dialect"),
        ("(kTypeRows, mnemonic", "(kLiveTypes, mnemonic"), ("(kAttrRows, mnemonic", "(kLiveAttrs, mnemonic")],
        'shlo_mutants::PlantKinds(shlo::kLiveTypes, "type-");\n  shlo_mutants::PlantKinds(shlo::kLiveAttrs, "attribute-");\n'
        "  shlo_mutants::PlantCases(shlo::kLiveCases);")
    versions = "lib/ir/table/version.cc"
    sources[versions] = changed(versions, [
        ("std::span<const VersionRow> VersionLine() { return kRows; }",
         "namespace {\nconstinit auto kLive = std::to_array(kRows);\n}\nstd::span<const VersionRow> VersionLine() { return kLive; }"),
        ("return &kRows[version.n", "return &kLive[version.n")],
        "shlo_mutants::PlantVersions(shlo::kLive);")
    codes = "lib/serialize/mlirbc/format.cc"
    sources[codes] = changed(codes, [
        ("constexpr Index<WireType, std::size(kTypes)> kTypeIndex", "constinit Index<WireType, std::size(kTypes)> kTypeIndex"),
        ("constexpr Index<WireAttr, std::size(kAttrs)> kAttrIndex", "constinit Index<WireAttr, std::size(kAttrs)> kAttrIndex")],
        'shlo_mutants::PlantCodes(shlo::mlirbc::kTypeIndex, "type-wire-");\n'
        '  shlo_mutants::PlantCodes(shlo::mlirbc::kAttrIndex, "attribute-wire-");')
    # mutate.py takes these for the sources as they were.
    read = mutate.original
    mutate.original = lambda name: sources.get(name) or read(name)


# --- Results ------------------------------------------------------------------------------------------


def gate(tool, environment):
    """Returns the exit code, the rules of the findings, and what was planted."""
    try:
        done = subprocess.run([tool], capture_output=True, env={**os.environ, **environment}, timeout=300)
    except subprocess.TimeoutExpired:
        return "timeout", {}, ""
    rules = dict(line.split() for line in done.stdout.decode().splitlines() if len(line.split()) == 2)
    return done.returncode, rules, done.stderr.decode(errors="replace").split("\n")[0]


def report(results, args):
    equivalent = {}
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line and not line.startswith("#"):
            what, reason = line.split(" :: ")
            equivalent[what] = reason
    # Line numbers change with edits elsewhere.
    name = lambda what: re.sub(r"\.cc:\d+: ", ".cc: ", what)
    counted = [result for result in results if name(result[0]) not in equivalent]
    by_rule = collections.Counter(rule for _, _, rules, _ in counted for rule in rules)
    caught = [result for result in counted if result[1] == 1 and result[2]]
    stopped = [result for result in counted if result not in caught and result[1] != 0]
    for what, code, _, planted in counted:
        if code == 0:
            print(f"survived: {name(what)} {planted}")
    for what, code, _, planted in stopped:
        print(f"ended with {code}: {name(what)} {planted}")
    print("rules: " + ", ".join(f"{rule} {count}" for rule, count in by_rule.most_common()))
    percent = 100 * (len(caught) + len(stopped)) / max(1, len(counted))
    print(f"{len(caught)} of {len(counted)} changes found, {len(stopped)} end the tool ({percent:.1f} %); "
          f"{len(results) - len(counted)} are not counted")
    return 0 if percent >= args.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
