#!/usr/bin/env python3
"""A wrong row does not compile, and the first lines of the compiler's output name the row and the mistake.

    wrong_rows_test.py COMPILER [FLAG ...]

Each case names what the output must name (an op, a form), an edit (a text that must occur, and what replaces it) and
words of the message. Cases of schema/ops.inc run on a few of its rows, since a row is checked alike among few and
many. The unedited tables must compile. Closes with 'N passed, N failed'.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPS, CONSTRAINTS, FORMS = "schema/ops.inc", "schema/constraints.inc", "schema/forms.inc"
KINDS, VERSIONS, STEPS = "schema/kinds.inc", "schema/versions.inc", "lib/versioning/steps.inc"
KERNELS, NAMED = "lib/eval/kernels/kernel_table.cc", "lib/ir/table/ops.h"
FIRST_LINES = 5

# The rows that cases of ops.inc edit.
ROWS = ["abs", "add", "all_reduce", "cbrt", "collective_broadcast", "compare", "composite", "custom_call", "dynamic_conv",
        "gather", "reduce", "slice", "concatenate", "infeed", "func.func", "func.return"]

# (what the output names, words of the message, old text, new text); all in the rows of schema/ops.inc.
ROW_CASES = [
    ("stablehlo.add", "the wire id is used twice", 'SHLO_OP(2, "stablehlo.add"', 'SHLO_OP(1, "stablehlo.add"'),
    ("stablehlo.abs", "the op is listed twice", '"stablehlo.add"', '"stablehlo.abs"'),
    ("stablehlo.add", "the wire id is not between", 'SHLO_OP(2, "stablehlo.add"', 'SHLO_OP(5000, "stablehlo.add"'),
    ("stablehlo_add", "not spelled dialect.mnemonic", '"stablehlo.add"', '"stablehlo_add"'),
    ("stablehlo.add", "a row opens with", 'SHLO_OP(2, "stablehlo.add"', 'SHLO_OP("2", "stablehlo.add"'),
    ("stablehlo.gather", "overlap", "Rev(37, 53), In(\"operand\", kTensor), In(\"start_indices\"",
     "Rev(37, 54), In(\"operand\", kTensor), In(\"start_indices\""),
    ("stablehlo.gather", "gap", "Rev(54),", "Rev(55),"),
    ("stablehlo.slice", "before the first version", "Rev(37), In(\"operand\", kTensor), At(\"start_indices\"",
     "Rev(36), In(\"operand\", kTensor), At(\"start_indices\""),
    ("stablehlo.slice", "after the current version", "Rev(37), In(\"operand\", kTensor), At(\"start_indices\"",
     "Rev(370), In(\"operand\", kTensor), At(\"start_indices\""),
    ("stablehlo.slice", "ends before it begins", "Rev(37), In(\"operand\", kTensor), At(\"start_indices\"",
     "Rev(37, 36), In(\"operand\", kTensor), At(\"start_indices\""),
    ("stablehlo.slice", "wrong order of cells", 'Out("result", kTensor))', 'Out("result", kTensor), At("axis", I64))'),
    ("stablehlo.abs", "wrong order of cells", 'Out("result", kSIntFpQuant)',
     'Out("result", kSIntFpQuant), Is(Trait::kIsolated)'),
    ("stablehlo.slice", "no revision", "Rev(37), In(\"operand\", kTensor), At(\"start_indices\"",
     "In(\"operand\", kTensor), At(\"start_indices\""),
    ("stablehlo.slice", "a comma is missing", 'At("strides", I64s),', 'At("strides", I64s)'),
    ("stablehlo.slice", "a comma is missing", 'At("strides", I64s)', 'At("strides" I64s)'),
    ("stablehlo.slice", "unknown word", 'At("strides", I64s)', 'At("strides", I64z)'),
    ("stablehlo.abs", "unknown word", "Trait::kSameShape", "Trait::kSameShapes"),
    ("stablehlo.slice", "have the same name", 'At("limit_indices"', 'At("start_indices"'),
    ("stablehlo.slice", "expected At(name", 'At("strides", I64s)', 'At("strides", kTensor)'),
    ("stablehlo.slice", "cannot have its default", 'At("strides", I64s)', 'At("strides", I64s, Zero)'),
    ("stablehlo.slice", "cannot have its default", 'At("strides", I64s)', 'At("strides", I64, EmptyI64s)'),
    ("stablehlo.slice", "a default for each dimension needs", 'At("strides", I64s)', 'At("strides", I64s, Ones)'),
    ("stablehlo.compare", "does not name its kind", "Enum, AttrKind::kComparisonDirection", "Enum"),
    ("stablehlo.compare", "has no cases", "AttrKind::kComparisonDirection", "AttrKind::kChannelHandle"),
    ("stablehlo.slice", "NonNegative and Positive take", 'At("strides", I64s)', 'Positive(At("strides", I64s))'),
    ("stablehlo.infeed", "needs a default that is a value", '"infeed_config", Str, EmptyString',
     '"infeed_config", Str, Optional'),
    ("stablehlo.custom_call", "outside of the interval", "If(69, Cond::kNoFutureOperands)",
     "If(70, Cond::kNoFutureOperands)"),
    ("stablehlo.reduce", "two lists of operands without", ", Is(Trait::kSameVariadicSize)", ""),
    ("stablehlo.slice", "results are missing", ',\n      Out("result", kTensor)', ""),
    ("stablehlo.reduce", "needs a region", ', Reg("body")', ""),
    ("stablehlo.cbrt", "lists only what changes", 'Add(At("result_accuracy", Accuracy, DefaultAccuracy))',
     'At("result_accuracy", Accuracy, DefaultAccuracy)'),
    ("stablehlo.cbrt", "needs a default", 'Add(At("result_accuracy", Accuracy, DefaultAccuracy))',
     'Add(At("result_accuracy", Accuracy))'),
    ("stablehlo.dynamic_conv", "does not have", 'Drop("padding")', 'Drop("paddings")'),
    ("stablehlo.composite", "only a list of regions", "Add(AnyRegs(", "Add(AnyReg("),
    ("func.func", "not a terminator", 'EndsWith("func.return")', 'EndsWith("stablehlo.add")'),
    ("func.func", "a symbol needs", 'At("sym_name", Str)', 'At("sym_nam", Str)'),
]

# (table, what the output names, words, old text, new text, file whose compilation checks it); on the whole table.
TABLE_CASES = [
    (CONSTRAINTS, "stablehlo.cosine", "the op is missing", '"stablehlo.cosine", ', "", "lib/ir/table/constraints.cc"),
    (CONSTRAINTS, "stablehlo.cosinus", "no op of this name", '"stablehlo.cosine"', '"stablehlo.cosinus"',
     "lib/ir/table/constraints.cc"),
    (CONSTRAINTS, "stablehlo.abs", "a comma is missing", "shape(operand)\"),\n", "shape(operand)\")\n",
     "lib/ir/table/constraints.cc"),
    (CONSTRAINTS, "stablehlo.gather", "labels of an op run",
     "C(7, Checked, \"sorted(collapsed_slice_dims)\"),", "", "lib/ir/table/constraints.cc"),
    (FORMS, "kSlice", "unknown directive", "custom<SliceRanges>", "custom<SliceRange>", "lib/serialize/text/forms.cc"),
    (STEPS, "stablehlo.subtrakt", "no op of this name", '"stablehlo.subtract"', '"stablehlo.subtrakt"',
     "lib/versioning/steps.cc"),
    (STEPS, "stablehlo.sub", "the op ends", 'SHLO_RENAME("stablehlo.sub", "stablehlo.subtract")', "",
     "lib/versioning/steps.cc"),
    (STEPS, "stablehlo.dot", "does not end where", 'SHLO_RENAME("stablehlo.sub", "stablehlo.subtract")',
     'SHLO_RENAME("stablehlo.dot", "stablehlo.dot_general")', "lib/versioning/steps.cc"),
    (KERNELS, "stablehlo.gathr", "no op of this name", 'Row("stablehlo.gather"', 'Row("stablehlo.gathr"', KERNELS),
    (NAMED, "stablehlo.slyce", "no op of this name", '"stablehlo.slice"', '"stablehlo.slyce"',
     "lib/ir/table/op_table.cc"),
    (KINDS, "", "ids ascend", "SHLO_TYPE(50, kComplex", "SHLO_TYPE(51, kComplex", "lib/ir/table/kinds.cc"),
    (VERSIONS, "", "consecutive", "SHLO_VERSION(50,", "// SHLO_VERSION(50,", "lib/ir/table/version.cc"),
    (VERSIONS, "", "dates ascend", "2024-05-14", "2024-05-12", "lib/ir/table/version.cc"),
]


def compile_file(compiler, flags, tree, source):
    command = [compiler, *flags, "-std=c++20", "-fsyntax-only", "-Ilib", "-Iinclude", "-I.", source]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tree)
    return result.returncode, result.stderr


def few_rows(text):
    """The runs of ops.inc, and the rows that cases edit."""
    begin = text.index("SHLO_OP(1,")
    head, rest = text[:begin], text[begin:]
    rows = re.split(r"(?m)^(?=SHLO_OP\(|// |#)", rest)
    names = {name if "." in name else f"stablehlo.{name}" for name in ROWS}
    kept = [row for row in rows if not row.startswith("SHLO_OP(") and not row.startswith("//")
            or re.match(r'SHLO_OP\(\d+, "([^"]+)"', row) and re.match(r'SHLO_OP\(\d+, "([^"]+)"', row)[1] in names]
    return head + "".join(kept)


def main():
    compiler, flags = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tree:
        for folder in ("schema", "include", "lib"):
            shutil.copytree(f"{ROOT}/{folder}", f"{tree}/{folder}")

        def check(name, ok, output):
            nonlocal passed, failed
            passed, failed = passed + ok, failed + (not ok)
            if not ok:
                print(f"FAILED: {name}\n{output[:3000]}")

        def write(path, text):
            with open(f"{tree}/{path}", "w") as f:
                f.write(text)

        def run(table, original, names, words, old, new, source):
            title = f"{table}: {names}: {words}"
            if old not in original:
                check(title, False, f"{table} does not hold {old!r}")
                return
            at = original.find(old, max(original.find(f'"{names}"'), 0))
            if at < 0:
                at = original.index(old)
            write(table, original[:at] + new + original[at + len(old):])
            code, output = compile_file(compiler, flags, tree, source)
            write(table, original)
            first = "\n".join(output.splitlines()[:FIRST_LINES])
            check(title, code != 0 and names in first and words in first, output or "it compiled")

        for source in sorted({case[5] for case in TABLE_CASES}):
            code, output = compile_file(compiler, flags, tree, source)
            check(f"{source} compiles as it is", code == 0, output)
        for table, *case in TABLE_CASES:
            run(table, open(f"{ROOT}/{table}").read(), *case)
        rows = few_rows(open(f"{ROOT}/{OPS}").read())
        write(OPS, rows)
        code, output = compile_file(compiler, flags, tree, "lib/ir/table/op_rows.cc")
        check("a few rows compile", code == 0, output)
        for case in ROW_CASES:
            run(OPS, rows, *case, "lib/ir/table/op_rows.cc")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
