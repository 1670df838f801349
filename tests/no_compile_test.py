#!/usr/bin/env python3
"""Checks that invalid tables do not compile: edits a copy of the tables and expects a compiler error.

    no_compile_test.py COMPILER [FLAG ...]

Each case states a table, an edit (a text that must occur, and its replacement), the file whose checks must fail,
and words of the message. The unedited tables must compile. Ends with 'N passed, N failed'.
"""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPS, KINDS, VERSIONS = "schema/ops.inc", "schema/kinds.inc", "schema/versions.inc"
ELEMENTS, ENUMS = "schema/element_types.inc", "schema/enums.inc"
STEPS = "lib/versioning/steps.inc"
CONSTRAINTS = "schema/constraints.inc"

CASES = [
    ("overlapping intervals", OPS, ("Rev(37, 53), In(\"operand\", kTensor), In(\"start_indices\", kInt), At(\"offset_dims\"",
                                    "Rev(37, 54), In(\"operand\", kTensor), In(\"start_indices\", kInt), At(\"offset_dims\""),
     "lib/ir/table/op_table.cc", "without gap or overlap"),
    ("a gap between intervals", OPS, ("Rev(54), Ins(\"inputs\", kTensor), In(\"scatter_indices\", kIntegerOrIndex)",
                                      "Rev(55), Ins(\"inputs\", kTensor), In(\"scatter_indices\", kIntegerOrIndex)"),
     "lib/ir/table/op_table.cc", "without gap or overlap"),
    ("a wire id used twice", OPS, ("Op(2, \"stablehlo.add\"", "Op(1, \"stablehlo.add\""),
     "lib/ir/table/op_table.cc", "wire ids and names are unique"),
    ("an op listed twice", OPS, ("Op(2, \"stablehlo.add\"", "Op(2, \"stablehlo.abs\""),
     "lib/ir/table/op_table.cc", "wire ids and names are unique"),
    ("an attribute listed twice", OPS, ("At(\"limit_indices\", I64s)", "At(\"start_indices\", I64s)"),
     "lib/ir/table/op_table.cc", "attribute names are unique"),
    ("a condition beyond its shape", OPS, ("If(69, Cond::kNoFutureOperands)", "If(70, Cond::kNoFutureOperands)"),
     "lib/ir/table/op_table.cc", "without gap or overlap"),
    ("a misspelled op in the code", OPS, ("\"func.call\"", "\"func.cal\""), "lib/ir/table/op_table.cc", "no op of this name"),
    ("kind ids out of order", KINDS, ("SHLO_TYPE(50, kComplex", "SHLO_TYPE(52, kComplex"), "lib/ir/table/kinds.cc", "ids ascend"),
    ("an element type with the id of a type", ELEMENTS, ("kIndex, \"index\"", "kNone, \"index\""),
     "lib/ir/table/kinds.cc", "the id of an element type is that of another type"),
    ("element types out of order", ELEMENTS, ("SHLO_ELEMENT_TYPE(kI2,", "SHLO_ELEMENT_TYPE(kI1,"),
     "lib/ir/table/kinds.cc", "ids ascend"),
    ("a case without its enum", ENUMS, ("SHLO_CASE(kFftType, 0", "SHLO_CASE(AttrKind(59), 0"),
     "lib/ir/table/kinds.cc", "a case is before its kind"),
    ("cases out of order", ENUMS, ("SHLO_CASE(kFftType, 1", "SHLO_CASE(kFftType, 2"),
     "lib/ir/table/kinds.cc", "in the order of kinds and values"),
    ("a case older than its enum", ENUMS, ("\"WEAKORDER\", 75", "\"WEAKORDER\", 36"),
     "lib/ir/table/kinds.cc", "in versions without its kind"),
    ("a missing version", VERSIONS, ("SHLO_VERSION(50,", "// SHLO_VERSION(50,"), "lib/ir/table/version.cc", "consecutive"),
    ("dates that run backwards", VERSIONS, ("2024-05-14", "2024-05-12"), "lib/ir/table/version.cc", "dates ascend"),
    ("an op without constraints", CONSTRAINTS, ("Of(\"stablehlo.cosine\"), ", ""), "lib/ir/table/constraints.cc", "an op is missing"),
    ("an op with two lists of constraints", CONSTRAINTS, ("Of(\"stablehlo.cosine\"), ", "Of(\"stablehlo.cbrt\"), "),
     "lib/ir/table/constraints.cc", "an op stands twice"),
    ("constraints of an unknown op", CONSTRAINTS, ("Of(\"stablehlo.cosine\")", "Of(\"stablehlo.cosinus\")"),
     "lib/ir/table/constraints.cc", "no op of this name"),
    ("a gap between labels", CONSTRAINTS, ("C(7, Checked, \"sorted(collapsed_slice_dims)\"),", ""),
     "lib/ir/table/constraints.cc", "labels of an op run"),
    ("a rule without a constraint", CONSTRAINTS, ("C(1, Checked, \"iota_dimension in [0, rank(output))\")",
                                                  "C(1, AtRun, \"iota_dimension in [0, rank(output))\")"),
     "lib/ir/table/constraints.cc", "no row says what a rule checks"),
    ("an unused relation", CONSTRAINTS, ("C(1, Checked, \"iota_dimension in [0, rank(output))\")",
                                                "C(1, Checked | Related, \"iota_dimension in [0, rank(output))\")"),
     "lib/ir/table/constraints.cc", "rows are Related where"),
    ("a boundary without a step", STEPS, ("Step(\"stablehlo.gather\", 54, kAttributes),", ""),
     "lib/versioning/steps.cc", "no step"),
    ("an unknown op in a step", STEPS, ("Step(\"stablehlo.scatter\"", "Step(\"stablehlo.scater\""),
     "lib/versioning/steps.cc", "not in schema/ops.inc"),
    ("a step where nothing changes", STEPS, ("Step(\"stablehlo.scatter\", 54", "Step(\"stablehlo.scatter\", 60"),
     "lib/versioning/steps.cc", "no shape of the op begins"),
    ("a step that forgets a change", STEPS, ("kLists | kAttributes", "kLists"),
     "lib/versioning/steps.cc", "exactly what changes"),
]


def compile_file(compiler, flags, tree, source):
    command = [compiler, *flags, "-std=c++20", "-fsyntax-only", f"-I{tree}/lib", f"-I{tree}/include", f"-I{tree}", f"{tree}/{source}"]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stderr


def main():
    compiler, flags = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tree:
        for folder in ("schema", "include", "lib/ir", "lib/versioning"):
            shutil.copytree(f"{ROOT}/{folder}", f"{tree}/{folder}")

        def check(name, ok, output):
            nonlocal passed, failed
            passed, failed = passed + ok, failed + (not ok)
            if not ok:
                print(f"FAILED: {name}\n{output[-2000:]}")

        for source in sorted({case[3] for case in CASES}):
            code, output = compile_file(compiler, flags, tree, source)
            check(f"{source} compiles as it is", code == 0, output)
        for name, table, (old, new), source, words in CASES:
            original = open(f"{ROOT}/{table}").read()
            if old not in original:
                check(name, False, f"{table} does not contain {old!r}")
                continue
            with open(f"{tree}/{table}", "w") as f:
                f.write(original.replace(old, new, 1))
            code, output = compile_file(compiler, flags, tree, source)
            with open(f"{tree}/{table}", "w") as f:
                f.write(original)
            check(name, code != 0 and words in output, output or "it compiled")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
