#!/usr/bin/env python3
"""A wrong row does not compile, and the first lines of the compiler's output name the row and the mistake.

    wrong_rows_test.py COMPILER [FLAG ...]

Each case names what the output must name (an op, a form; several, between bars), an edit (a text that must occur, and
what replaces it) and words of the message (where the compilers differ, alternatives between bars). Cases of
schema/ops.inc and other_ops.inc run on a few of their rows, since a row is checked alike among few and many. The unedited tables must
compile. Closes with 'N passed, N failed'.

A case takes seconds of the compiler, so every twelfth runs. With SHLO_ALL_ROWS=1 in the environment all do, as in
`./dev next-release`.
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPS, OTHER = "schema/ops.inc", "schema/other_ops.inc"
CONSTRAINTS, FORMS = "schema/constraints.inc", "schema/forms.inc"
KINDS, VERSIONS, STEPS = "schema/kinds.inc", "schema/versions.inc", "lib/versioning/steps.inc"
KERNELS, NAMED = "lib/eval/kernels/kernel_rows.inc", "lib/ir/table/ops.h"
ELEMENTS, ENUMS, TEXTS = "schema/element_types.inc", "schema/enums.inc", "schema/kind_texts.inc"
BYTECODE = "schema/bytecode.inc"
KINDS_CC, VERSION_CC = "lib/ir/table/kinds.cc", "lib/ir/table/version.cc"
OP_ROWS = "lib/ir/table/op_rows.cc"
RECORD, LAW_ROWS = "lib/prove/law_record.inc", "lib/prove/law_rows.cc"
FIRST_LINES = 5
# Clang 19 takes as many lines for one error in a row, with the notes about its macros; the others take fewer.
LINES_PER_ERROR = 34
# A row without its closing parenthesis. g++ reports first where each file that includes the table ends, then where the
# row begins; clang may report a directive in the row first.
UNTERMINATED, LINES_UNTERMINATED = "unterminated|within macro arguments", 20

# The rows that cases of ops.inc edit.
ROWS = ["abs", "add", "all_reduce", "cbrt", "collective_broadcast", "compare", "composite", "custom_call", "dynamic_conv",
        "gather", "reduce", "slice", "concatenate", "infeed", "func.func", "func.return"]
# Those of other_ops.inc.
OTHER_ROWS = ["arith.andi", "tensor.extract", "tensor.generate", "tensor.yield"]

# (what the output names, words of the message, old text, new text); all in the rows of schema/ops.inc.
ROW_CASES = [
    ("stablehlo.abs|stablehlo.add", "the wire id is used twice", 'SHLO_OP(2, "stablehlo.add"', 'SHLO_OP(1, "stablehlo.add"'),
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
    ("stablehlo.abs", "a trait is listed twice", "Is(Trait::kSameShape)", "Is(Trait::kSameShape), Is(Trait::kSameShape)"),
    ("stablehlo.slice", "unknown word", "kTensor", "kTenser"),
    ("stablehlo.cbrt", "unknown word", "DefaultAccuracy", "UsualAccuracy"),
    ("stablehlo.cbrt", "changes nothing", ', Add(At("result_accuracy", Accuracy, DefaultAccuracy))', ""),
    ("stablehlo.dynamic_conv", "wrong arguments of Add", 'Drop("padding")', 'Drop(7)'),
    ("stablehlo.slice", "unknown word", "Rev(37)", "Rev(37), Shape"),
    ("stablehlo.dynamic_conv", "does not have", 'Rename("d_padding"', 'Rename("e_padding"'),
    ("stablehlo.all_reduce", "does not have", 'MakeList("operand"', 'MakeList("operant"'),
    ("stablehlo.all_reduce", "a change is not possible", 'MakeList("operand"', 'MakeList("replica_groups"'),
    ("stablehlo.abs", UNTERMINATED, 'Out("result", kSIntFpQuant))', 'Out("result", kSIntFpQuant)'),
    ("stablehlo.all_reduce", UNTERMINATED, 'Out("result", kTensor), Reg("computation")',
     'Out("result", kTensor, Reg("computation")'),
    ("stablehlo.add", "a comma is missing", 'SHLO_OP(2, "stablehlo.add"', 'SHLO_OP(2 "stablehlo.add"'),
    ("func.func", "not a terminator", 'EndsWith("func.return")', 'EndsWith("stablehlo.add")'),
    ("func.func", "a symbol needs", 'At("sym_name", Str)', 'At("sym_nam", Str)'),
]

# Likewise, in the rows of schema/other_ops.inc.
OTHER_CASES = [
    ("arith.andi", "the op is listed twice", '"tensor.extract"', '"arith.andi"'),
    ("stablehlo.abs", "the op is listed twice", '"arith.andi"', '"stablehlo.abs"'),
    ("tensor.generate", "not a terminator", 'EndsWith("tensor.yield")', 'EndsWith("arith.andi")'),
    ("tensor.extract", "expected Infer", 'Infer("extracted = element(tensor)")', "Infer(7)"),
    ("tensor.extract", "expected Infer", "element(tensor)", "element(tensors)"),
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
    (CONSTRAINTS, "stablehlo.abs", UNTERMINATED, "shape(operand)\"),\n", "shape(operand)\",\n",
     "lib/ir/table/constraints.cc"),
    (FORMS, "kSlice", "unknown directive", "custom<SliceRanges>", "custom<SliceRange>", "lib/serialize/text/forms.cc"),
    (STEPS, "stablehlo.subtrakt", "no op of this name", '"stablehlo.subtract"', '"stablehlo.subtrakt"',
     "lib/versioning/steps.cc"),
    (STEPS, "stablehlo.sub", "the op ends", 'SHLO_RENAME("stablehlo.sub", "stablehlo.subtract")', "",
     "lib/versioning/steps.cc"),
    (STEPS, "stablehlo.dot", "does not end where", 'SHLO_RENAME("stablehlo.sub", "stablehlo.subtract")',
     'SHLO_RENAME("stablehlo.dot", "stablehlo.dot_general")', "lib/versioning/steps.cc"),
    (STEPS, "stablehlo.sub", "2 arguments|too few arguments", 'SHLO_RENAME("stablehlo.sub", ', 'SHLO_RENAME("stablehlo.sub" ',
     "lib/versioning/steps.cc"),
    (KERNELS, "stablehlo.gather", "a comma is missing", 'SHLO_KERNEL("stablehlo.gather", ', 'SHLO_KERNEL("stablehlo.gather" ',
     "lib/eval/kernels/kernel_table.cc"),
    (KERNELS, "stablehlo.gather", UNTERMINATED, 'EvaluateGather, Takes::kStored)', 'EvaluateGather, Takes::kStored',
     "lib/eval/kernels/kernel_table.cc"),
    (RECORD, "vhlo.gather_v1 -> vhlo.gather_v3", "no law has this name", '"vhlo.gather_v1 -> vhlo.gather_v2"',
     '"vhlo.gather_v1 -> vhlo.gather_v3"', LAW_ROWS),
    (RECORD, "stablehlo.tan", "has no row", 'SHLO_LAW_RECORD("vhlo.tan_v2 ->', '// ("vhlo.tan_v2 ->', LAW_ROWS),
    (RECORD, "expansion of chlo.conj", "has neither checks nor a reason",
     'SHLO_LAW_RECORD("expansion of chlo.conj", 40', 'SHLO_LAW_RECORD("expansion of chlo.conj", 0', LAW_ROWS),
    (RECORD, "inlining of calls", "not checked by programs", 'SHLO_LAW_RECORD("inlining of calls", ',
     'SHLO_LAW_RECORD("inlining of calls", 0, 0, 0, 0, 0, 0, 0, 0, "2026-11-23")\n// (', LAW_ROWS),
    (RECORD, "inlining of calls", "no reason excuses", 'SHLO_LAW_WITHOUT(2, "inlining',
     'SHLO_LAW_WITHOUT(4, "inlining of calls", "x")\nSHLO_LAW_WITHOUT(2, "inlining', LAW_ROWS),
    (KINDS, "kTuple", UNTERMINATED, "SHLO_FIELD(types, kTypes))", "SHLO_FIELD(types, kTypes)", KINDS_CC),
    (ENUMS, "kFftType", UNTERMINATED, 'SHLO_CASE(kFftType, 0, "FFT")', 'SHLO_CASE(kFftType, 0, "FFT"', KINDS_CC),
    (VERSIONS, "1.2.0", UNTERMINATED, 'types si2, ui2")', 'types si2, ui2"', VERSION_CC),
    (KERNELS, "stablehlo.gathr", "no op of this name", 'SHLO_KERNEL("stablehlo.gather"',
     'SHLO_KERNEL("stablehlo.gathr"', "lib/eval/kernels/kernel_table.cc"),
    (NAMED, "stablehlo.slyce", "no op of this name", '"stablehlo.slice"', '"stablehlo.slyce"',
     "lib/ir/table/op_table.cc"),
    (KINDS, "kTensor", "another kind has this id", "SHLO_TYPE(50, kComplex", "SHLO_TYPE(51, kComplex", KINDS_CC),
    (KINDS, "kTuple", "ids ascend", "SHLO_TYPE(52, kUnrankedTensor", "SHLO_TYPE(70, kUnrankedTensor", KINDS_CC),
    (KINDS, "kFuture", "not between 1 and 127", "SHLO_TYPE(59, kFuture", "SHLO_TYPE(159, kFuture", KINDS_CC),
    (KINDS, "kFuture", "ends before it begins", '"future_v1", 68', '"future_v1", Between(68, 60)', KINDS_CC),
    (KINDS, "kFuture", "after the current version", '"future_v1", 68', '"future_v1", 680', KINDS_CC),
    (KINDS, "kVector", "before the first version", '"vector", "", 64', '"vector", "", 6', KINDS_CC),
    (KINDS, "kFuture", "this VHLO mnemonic", '"future_v1"', '"token_v1"', KINDS_CC),
    (KINDS, "kMesh", "this mnemonic", '"mesh", ', '"axis_ref", ', KINDS_CC),
    (KINDS, "kMesh", "the same name", "SHLO_FIELD(device_ids,", "SHLO_FIELD(axes,", KINDS_CC),
    (KINDS, "kConvDimensionNumbers", "at most 11 fields", "SHLO_FIELD(input_spatial_dimensions, kInts)",
     "SHLO_FIELD(a, kInt) SHLO_FIELD(b, kInt) SHLO_FIELD(c, kInt) SHLO_FIELD(input_spatial_dimensions, kInts)",
     KINDS_CC),
    (KINDS, "kTuple", "kTypez", "SHLO_FIELD(types, kTypes)", "SHLO_FIELD(types, kTypez)", KINDS_CC),
    (KINDS, "kTuple", "a comma is missing", '"tuple", "tuple_v1"', '"tuple" "tuple_v1"', KINDS_CC),
    (ELEMENTS, "TypeKind(44)", "another kind has this id", "SHLO_ELEMENT_TYPE(kF64", "SHLO_ELEMENT_TYPE(TypeKind(44)",
     KINDS_CC),
    (BYTECODE, "kVhlo, 23", "unknown item", '23, kTuple, "T0"', '23, kTuple, "X0"', "lib/serialize/mlirbc/format.cc"),
    (TEXTS, "kTuple", "names a field that", '"<$types>", "<$types>"', '"<$types>", "<$type>"', KINDS_CC),
    (TEXTS, "kNameLoc", "has no end", "(@child)|", "(@child)", KINDS_CC),
    (ELEMENTS, "kF64", "this mnemonic", '"f64"', '"f32"', KINDS_CC),
    (ELEMENTS, "kF64", "another width", "Float(kIeee, 11, 52, 1023)", "Float(kIeee, 11, 51, 1023)", KINDS_CC),
    (ELEMENTS, "kF8E5M2", "another format", "Float(kIeee, 5, 2, 15,", "Float(kIeee, 4, 3, 7,", KINDS_CC),
    (ELEMENTS, "kF16", "the bias", "Float(kIeee, 5, 10, 15)", "Float(kIeee, 5, 10, 150)", KINDS_CC),
    (ELEMENTS, "kI64", "another width", "Signless(64)", "Signless(32)", KINDS_CC),
    (ELEMENTS, "kF64", "Flaot", "Float(kIeee, 11, 52", "Flaot(kIeee, 11, 52", KINDS_CC),
    (ELEMENTS, "kF64", "a comma is missing", '"f64", "f64_v1"', '"f64" "f64_v1"', KINDS_CC),
    (ENUMS, "kPrecision", "this VHLO mnemonic", '"fft_type_v1"', '"precision_v1"', KINDS_CC),
    (ENUMS, "AttrKind(49)", "ids ascend", "SHLO_ENUM(kFftType,", "SHLO_ENUM(AttrKind(49),", KINDS_CC),
    (ENUMS, "AttrKind(79)", "has no cases", "#undef SHLO_ENUM", 'SHLO_ENUM(AttrKind(79), "chlo", "a", "", 64)\n#undef SHLO_ENUM', KINDS_CC),
    (ENUMS, "kComparisonType, 4", "another case has this value", '3, "SIGNED"', '4, "SIGNED"', KINDS_CC),
    (ENUMS, "kComparisonType, 3", "ascending order", '2, "TOTALORDER"', '8, "TOTALORDER"', KINDS_CC),
    (ENUMS, "kComparisonType, 4", "this name", '"UNSIGNED"', '"SIGNED"', KINDS_CC),
    (ENUMS, "kComparisonType, 5", "without its enum", '"WEAKORDER", 75', '"WEAKORDER", 36', KINDS_CC),
    (ENUMS, "kComparisonType, 5", "ends before", '"WEAKORDER", 75', '"WEAKORDER", Between(75, 74)', KINDS_CC),
    (ENUMS, "kPrecision, 0", "below its enum", 'SHLO_CASE(kFftType, 0, "FFT")', 'SHLO_CASE(kPrecision, 0, "FFT")',
     KINDS_CC),
    (ENUMS, "kFftTyp", "SHLO_CASE", 'SHLO_CASE(kFftType, 0, "FFT")', 'SHLO_CASE(kFftTyp, 0, "FFT")', KINDS_CC),
    (ENUMS, "kFftType", "a comma is missing", 'SHLO_CASE(kFftType, 0, "FFT")', 'SHLO_CASE(kFftType, 0 "FFT")', KINDS_CC),
    (VERSIONS, "version 51", "consecutive", "SHLO_VERSION(50,", "// SHLO_VERSION(50,", VERSION_CC),
    (VERSIONS, "version 53", "dates run backwards", "2024-05-14", "2024-05-12", VERSION_CC),
    (VERSIONS, "version 53", "not spelled YYYY-MM-DD", "2024-05-14", "14 May 2024", VERSION_CC),
    (VERSIONS, "version 55", "the release is listed twice", '"1.2.0"', '"1.1.0"', VERSION_CC),
    (VERSIONS, "version 55", "the release is older", '"1.2.0"', '"0.2.0"', VERSION_CC),
    (VERSIONS, "version 55", "not spelled MAJOR", '"1.2.0"', '"v1.2"', VERSION_CC),
    (VERSIONS, "1.2.0", "a comma is missing", 'SHLO_VERSION(55, "1.2.0"', 'SHLO_VERSION(55 "1.2.0"', VERSION_CC),
]


def compile_file(compiler, flags, overlay, source):
    """Compiles a source; the files in `overlay` are before those of the project."""
    path = f"{overlay}/{source}" if os.path.exists(f"{overlay}/{source}") else source
    folders = [f"-I{root}{folder}" for root in (f"{overlay}/", "") for folder in ("lib", "include", ".")]
    command = [compiler, *flags, "-std=c++20", "-fsyntax-only", *folders, path]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return result.returncode, result.stderr


def few_other_rows(text):
    """The runs of other_ops.inc, and the rows that cases edit."""
    names = tuple(f'SHLO_OTHER_OP("{name}"' for name in OTHER_ROWS)
    return "".join(line for line in text.splitlines(True)
                   if not line.startswith('SHLO_OTHER_OP("') or line.startswith(names))


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
    tables = {table: open(f"{ROOT}/{table}").read() for table in {case[0] for case in TABLE_CASES} | {OPS, OTHER}}
    few = {OPS: few_rows(tables[OPS]), OTHER: few_other_rows(tables[OTHER])}

    def run(title, table, text, source, expected):
        """Compiles `source` with `text` as a table; None if the output is as expected, else what to report."""
        with tempfile.TemporaryDirectory() as overlay:
            for path, content in {**(few if source == OP_ROWS else {}), table: text}.items():
                os.makedirs(os.path.dirname(f"{overlay}/{path}"), exist_ok=True)
                with open(f"{overlay}/{path}", "w") as f:
                    f.write(content)
            code, output = compile_file(compiler, flags, overlay, source)
        if expected is None:
            return None if code == 0 else f"{title}\n{output[:3000]}"
        names, words = (part.split("|") for part in expected)
        num_lines = LINES_UNTERMINATED if expected[1] == UNTERMINATED else FIRST_LINES + LINES_PER_ERROR * (len(names) - 1)
        first = "\n".join(output.splitlines()[:num_lines])
        found = all(name in first for name in names) and any(word in first for word in words)
        return None if code != 0 and found else f"{title}\n{output[:3000]}"

    jobs = [(f"{case[5]} compiles as it is", case[0], tables[case[0]], case[5], None)
            for case in {case[5]: case for case in TABLE_CASES}.values()]
    jobs.append(("a few rows compile", OPS, few[OPS], OP_ROWS, None))
    cases = [*TABLE_CASES, *((OPS, *case, OP_ROWS) for case in ROW_CASES),
             *((OTHER, *case, OP_ROWS) for case in OTHER_CASES)]
    for table, names, words, old, new, source in cases[::1 if os.environ.get("SHLO_ALL_ROWS") else 12]:
        original = few.get(table, tables[table])
        last = names.split("|")[-1]
        at = original.find(old, max(original.find(f'"{last}"'), 0))
        if at < 0:
            at = original.find(old)
        if at < 0:
            sys.exit(f"{table} does not hold {old!r}")
        text = original[:at] + new + original[at + len(old):]
        jobs.append((f"{table}: {names}: {words}", table, text, source, (names, words)))

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        failures = [failure for failure in pool.map(lambda job: run(*job), jobs) if failure]
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{len(jobs) - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
