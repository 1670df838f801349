#!/usr/bin/env python3
"""Makes the next release in a scratch copy of the sources, as docs/next-release.md tells, and uses what is new.

    next_release_test.py [--folder DIR] [--jobs N] [--only CHANGE,...] [--at-once]

Changes: a version, a new op, attributes with each default on old ops, an enum case, an element type, a renamed op. Each
may touch a few lines in a few sources (its bounds), and the build that follows may compile a tenth of them. Then the
tool reads, prints, writes, verifies, documents and evaluates a program that needs the change, and refuses it for the
release before with a blocker that names the new one. DIR (default build/next-release) keeps the copy and its build.
The last line is the count; exit code 1 when something fails.

By default the copy is built, then each change is made and built. With --at-once all changes are made before one build,
and the sources that a change compiles are those that depend on the files it touches, as the compiler recorded them:
this takes two thirds of the time, and CI runs it.
"""
import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ["CMakeLists.txt", "cmake", "include", "lib", "schema", "tools"]
OPS, ENUMS, ELEMENTS, CODES = (f"schema/{n}.inc" for n in ("ops", "enums", "element_types", "bytecode"))
CONSTRAINTS, CLASSES, VERSIONS = (f"schema/{n}.inc" for n in ("constraints", "attr_classes", "versions"))
STEPS, KERNELS = "lib/versioning/steps.inc", "lib/eval/kernels/kernel_rows.inc"
RECORD = "lib/prove/law_record.inc"
FIRST_RELEASE = 41

# Values of attributes by class, none of them a default. Classes whose only defaults belong to other dialects have none.
VALUES = {
    "Bool": {"False": "true", "True": "false", "NoneType": "true"}, "Flag": "unit", "I32": "7 : i32", "I64": "7 : i64",
    "UI32": "7 : ui32", "UI64": "7 : ui64", "Str": '"word"', "I64s": "array<i64: 2>", "Bools": "array<i1: true>",
    "I64Elements": {"EmptyI64s": "dense<7> : tensor<2xi64>", "ZeroPairs": "dense<7> : tensor<1x2xi64>"},
    "Symbols": "[@main]", "Array": "[7 : i32]", "Dict": "{word = 7 : i64}", "Dicts": "[{word = 7 : i64}]", "Type": "i32",
    "Enum": "#stablehlo<precision HIGH>", "ApiVersion": "2 : i32",
    "Accuracy": "#stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    "Precisions": "[#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]",
    "Aliases": "[#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]",
    "Config": '"word"', "Layouts": "[dense<0> : tensor<1xindex>]", "Tilings": "[[dense<2> : tensor<1xindex>]]",
}
# Defaults of the arith dialect, whose attributes VHLO does not have.
ELSEWHERE = {"NoOverflow", "NoFastMath"}
# Defaults with one item per window dimension need an op that has windows.
WINDOWED = {"Ones", "ZeroPairs", "Falses"}


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Tree:
    """The copy, and how it is edited and built."""

    def __init__(self, folder, jobs):
        self.root, self.build, self.jobs = folder / "src", folder / "build", jobs
        self.before, self.last = {}, {}  # texts by path, before edits
        self.recorded = None  # the record before the last rows

    def copy(self):
        # Files that did not change keep their times, so that a second run builds little.
        for name in SOURCES:
            source = ROOT / name
            files = [source] if source.is_file() else [p for p in source.rglob("*") if p.is_file()]
            wanted = {p.relative_to(ROOT) for p in files}
            copy = self.root / name
            for old in [p for p in copy.rglob("*") if p.is_file()] if copy.is_dir() else []:
                if old.relative_to(self.root) not in wanted:
                    old.unlink()
            for path in wanted:
                target = self.root / path
                if not target.exists() or target.read_bytes() != (ROOT / path).read_bytes():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(ROOT / path, target)

    def read(self, path):
        return (self.root / path).read_text()

    def edit(self, path, pattern, replacement):
        """Replaces what the pattern finds; it must be found once."""
        text = self.read(path)
        self.before.setdefault(path, text)
        edited, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        expect(count == 1, f"{path}: {pattern!r} occurs {count} times")
        (self.root / path).write_text(edited)

    def record_laws(self):
        """Adds the rows that `./dev proof --bless` would write for new steps. Nothing is checked here."""
        text = self.read(RECORD)
        added = []
        revisions = {}
        for op, cells in re.findall(r'^SHLO_OP\(\d+, "([^"]+)",((?:[^\n]*\n(?!SHLO))*[^\n]*)', self.read(OPS), re.MULTILINE):
            ends = [int(end or 10**4) for _, end in re.findall(r"\bRev\((\d+)(?:, (\d+))?\)", cells)]
            public = [end >= FIRST_RELEASE and op.startswith(("stablehlo.", "func.")) for end in ends]
            revisions[op] = [f"vhlo.{op.split('.')[1]}_v{sum(public[:i + 1])}" if is_public else op
                             for i, is_public in enumerate(public)]
        pairs = [pair for names in revisions.values() for pair in zip(names, names[1:])]
        pairs += [(revisions[old][-1], revisions[new][0])
                  for old, new in re.findall(r'^SHLO_RENAME\("([^"]+)", "([^"]+)"\)', self.read(STEPS), re.MULTILINE)]
        for a, b in pairs:
            for law in (f"{a} -> {b}", f"{b} -> {a}"):
                if f'"{law}"' not in text + "".join(added):
                    added.append(f'SHLO_LAW_RECORD("{law}", 1, 1, 1, 1, 1, 1, 1, 1, "2000-01-01")\n')
        if added:
            self.recorded = text
            at = text.index("SHLO_LAW_RECORD(\"")
            (self.root / RECORD).write_text(text[:at] + "".join(added) + text[at:])

    def undo(self):
        if self.recorded is not None:
            (self.root / RECORD).write_text(self.recorded)
        for path, before in self.last.items():
            (self.root / path).write_text(before)

    def touched(self):
        """Lines that changed since the last call, and the files."""
        self.last = self.before
        lines = 0
        for path, before in self.before.items():
            diff = difflib.ndiff(before.splitlines(), self.read(path).splitlines())
            lines += sum(line.startswith("+ ") for line in diff)
        files, self.before = list(self.before), {}
        return lines, files

    def run(self, *command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if done.returncode:
            output = (done.stdout + done.stderr).splitlines()
            errors = list(dict.fromkeys(line for line in output if "error: " in line))[:8] or output[-15:]
            raise Failure(f"{' '.join(map(str, command))}:\n" + "\n".join(errors))
        return done.stdout

    def configure(self):
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        # Nothing here is measured, and code without optimization is compiled in half the time.
        self.run("cmake", "-S", self.root, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                 "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DSHLO_BUILD_TESTS=OFF", "-DSHLO_BUILD_BENCH=OFF", *launcher)

    def num_sources(self):
        return len(re.findall(r"^\S+\.cc\.o: CXX_COMPILER", self.run("ninja", "-C", self.build, "-t", "targets", "all"),
                              re.MULTILINE))

    def make(self):
        """Returns how many sources were compiled."""
        return self.run("ninja", "-C", self.build, "-j", self.jobs, "shlo-compat").count("] Building CXX object")

    def num_dependent(self, files):
        """Returns how many sources were compiled from at least one of the files."""
        wanted = {str(self.root / file) for file in files}
        # "OBJECT: #deps N, ...", then an indented line for each file, absolute or relative to the build.
        objects = re.split(r"(?m)^(?=\S)", self.run("ninja", "-C", self.build, "-t", "deps"))
        path = lambda line: os.path.normpath(os.path.join(self.build, line.strip()))
        return sum(not wanted.isdisjoint(map(path, text.splitlines()[1:])) for text in objects)


class Uses:
    """The tool on programs that need what is new."""

    def __init__(self, tree, folder, version):
        self.tool, self.folder, self.v = tree.build / "bin/shlo-compat", folder, version
        self.number = 0

    def run(self, *args, code=0):
        done = subprocess.run([str(self.tool), *map(str, args)], capture_output=True, text=True, timeout=120)
        expect(done.returncode == code, f"shlo-compat {' '.join(map(str, args))}: exit code {done.returncode}, "
                                        f"expected {code}\n{(done.stdout + done.stderr)[:2000]}")
        return done.stdout if code == 0 else done.stderr

    def file(self, text, suffix="mlir"):
        self.number += 1
        path = self.folder / f"program{self.number}.{suffix}"
        if text is not None:
            path.write_text(text)
        return path

    def formats(self, text, needles):
        """Text, bytecode and .shlo there and back; the program verifies."""
        path = self.file(text)
        self.run("verify", path)
        printed = self.run(path)
        for needle in needles:
            expect(needle in printed, f"'{needle}' is not in\n{printed}")
        expect(self.run(self.file(printed)) == printed, f"printing again differs:\n{printed}")
        for emit, suffix in (("generic", "mlir"), ("vhlo", "mlir"), ("mlirbc", "mlirbc"), ("shlo", "shlo")):
            out = self.file(None, suffix)
            self.run("--emit", emit, "-o", out, path)
            expect(self.run(out) == printed, f"differs after --emit={emit}:\n{self.run(out)}\n{printed}")
        self.run("roundtrip", path)
        return path

    def refused(self, path, *words):
        """For the release before, with blockers that name the new one."""
        said = self.run(f"--target={self.v['before']}", path, code=1)
        for word in (*words, f"{self.v['release']} ({self.v['n']})"):
            expect(word in said, f"--target={self.v['before']}: '{word}' is not in\n{said}")

    def not_before(self, path, what):
        """A program of the release before cannot hold it, whatever its format is."""
        text = path.read_text()
        stated = text.replace("module {", f"module attributes {{stablehlo.compat_version = {self.v['last']} : i64}} {{", 1)
        said = self.run("verify", self.file(stated), code=1)
        expect(f"{what} " in said and "does not exist in version" in said, f"verify of an older program:\n{said}")
        out = self.file(None, "mlirbc")
        self.run("--emit=mlirbc", "-o", out, path)
        release = f"StableHLO_v{self.v['release']}".encode()
        artifact = out.read_bytes()
        expect(artifact.count(release) == 1, "the artifact does not state its release")
        out.write_bytes(artifact.replace(release, f"StableHLO_v{self.v['before']}".encode()))
        said = self.run("verify", out, code=3)
        expect(f"{what} does not exist in" in said, f"reading an older artifact:\n{said}")

    def evaluates(self, path, args, result):
        printed = self.run("eval", path, "--args", *args)
        expect(result in printed, f"eval: '{result}' is not in\n{printed}")


# --- The changes --------------------------------------------------------------------------------------

def next_version(tree):
    last, before, date = re.findall(r'^SHLO_VERSION\((\d+), "([^"]*)", (\S+),', tree.read(VERSIONS), re.MULTILINE)[-1]
    major, minor, _ = before.split(".")
    # On the day of the release before, so that both are within the compatibility window of each other.
    return {"n": int(last) + 1, "last": int(last), "before": before, "date": date,
            "release": f"{major}.{int(minor) + 1}.0"}


def next_wire_id(tree):
    return max(map(int, re.findall(r"^SHLO_OP\((\d+),", tree.read(OPS), re.MULTILINE))) + 1


def one_function(body, arguments="%arg0: tensor<2xf32>", result="tensor<2xf32>"):
    return f"module {{\n  func.func @main({arguments}) -> {result} {{\n{body}\n    return %0 : {result}\n  }}\n}}\n"


class AVersion:
    name, lines, files = "a version", 1, 1

    def edit(self, tree, v):
        tree.edit(VERSIONS, r"^(SHLO_VERSION\(%d, .*\))$" % v["last"],
                  r'\1\nSHLO_VERSION(%d, "%s", %s, 6, "simulated")' % (v["n"], v["release"], v["date"]))

    def use(self, uses, v):
        expect(v["release"] in uses.run("versions"), "versions does not list the release")
        path = uses.formats(one_function("  %0 = stablehlo.floor %arg0 : tensor<2xf32>"), ["stablehlo.floor"])
        for target in ("current", v["n"], v["release"], v["before"][:-1] + "7"):
            uses.run(f"--target={target}", path)
        # A patch of the newest release is newer than all known ones.
        newer = uses.run(f"--target={v['release'][:-1]}1", path, code=2)
        expect(f"the newest known release, {v['release']} ({v['n']})" in newer, newer)
        expect(v["release"] in uses.run("inspect", path), "inspect does not name the release")
        uses.run(f"--target={v['before']}", path)


class AnOp:
    name, lines, files = "an op", 12, 4

    def edit(self, tree, v):
        tree.edit(OPS, r'^(?=SHLO_OP\(\d+, "stablehlo\.imag")',
                  f'SHLO_OP({next_wire_id(tree)}, "stablehlo.hypot", Form::kOneLine, BinaryElementwise,\n'
                  f'  Rev({v["n"]}), In("lhs", kFp), In("rhs", kFp), Out("result", kFp))\n')
        tree.edit(CONSTRAINTS, r'Of\("stablehlo\.atan2", ', 'Of("stablehlo.atan2", "stablehlo.hypot", ')
        tree.edit("lib/eval/loops/math.cc", r"^(?=// atan2\(y, x\) = )",
                  "struct HypotFn {\n  static double Real(double x, double y) { return std::hypot(x, y); }\n};\n\n")
        tree.edit("lib/eval/loops/math.cc", r"^(?=ElementLoop PickAtan2\()",
                  "ElementLoop PickHypot(LoopQuery& query) { return PickBinaryMath<HypotFn>(query); }\n")
        tree.edit(KERNELS, r'^(?=SHLO_ELEMENTWISE\("stablehlo\.imag")', 'SHLO_ELEMENTWISE("stablehlo.hypot", PickHypot)\n')

    def use(self, uses, v):
        text = one_function("  %0 = stablehlo.hypot %arg0, %arg0 : tensor<2xf32>")
        path = uses.formats(text, ["stablehlo.hypot %arg0, %arg0 : tensor<2xf32>"])
        uses.refused(path, "'stablehlo.hypot'")
        uses.evaluates(path, ["dense<[3.0, 0.0]> : tensor<2xf32>"], "4.24264")
        documented = uses.run("ops", "stablehlo.hypot")
        for word in (v["release"], "vhlo.hypot_v1", "lhs"):
            expect(word in documented, f"ops: '{word}' is not in\n{documented}")
        bad = uses.file(one_function("  %0 = stablehlo.hypot %arg0, %arg0 : tensor<2xi32>", "%arg0: tensor<2xi32>",
                                     "tensor<2xi32>"))
        uses.run("--target=current", bad, code=1)


class Attributes:
    """One for each class and default: on unary ops, on a convolution where it has one item per window dimension, and on
    custom_call where it depends on api_version."""
    name, lines, files = "attributes", 45, 1
    UNARY = ["stablehlo.floor", "stablehlo.ceil", "stablehlo.sign"]

    def edit(self, tree, v):
        self.plain, self.windowed, self.configs = [], [], []
        for word, defaults in re.findall(r'^SHLO_ATTR_CLASS\((\w+), "[^"]*", ([\w, ]+)\)', tree.read(CLASSES), re.MULTILINE):
            for default in defaults.split(", "):
                if default in ELSEWHERE:
                    continue
                values = VALUES[word]
                value = values if isinstance(values, str) else values[default]
                kind = "AttrKind::kPrecision, " if word == "Enum" else ""
                name = f"new_{word}_{default}".lower()
                (self.windowed if default in WINDOWED else self.configs if default == "EmptyConfig" else self.plain).append(
                    (name, f'At("{name}", {word}, {kind}{default})', value))
        add = lambda cells: f',\n  Rev({v["n"]}), Add(' + ",\n    ".join(cell for _, cell, _ in cells) + ")"
        # An op may have 24.
        share = -(-len(self.plain) // len(self.UNARY))
        self.unary = {op: self.plain[i * share:(i + 1) * share] for i, op in enumerate(self.UNARY)}
        for op, cells in self.unary.items():
            tree.edit(OPS, rf'^(SHLO_OP\(\d+, "{re.escape(op)}",[^\n]*\n  Rev\(37)(\), In\([^\n]*, Out\([^\n]*\))\)$',
                      rf'\1, {v["last"]}\2' + add(cells) + ")")
        tree.edit(OPS, r'^(SHLO_OP\(\d+, "stablehlo\.convolution",[^\n]*\n  Rev\(37)(\), (?:[^\n]*\n(?!SHLO))*?[^\n]*?)\)(?=\nSHLO_OP)',
                  rf'\1, {v["last"]}\2' + add(self.windowed) + ")")
        tree.edit(OPS, r'(SHLO_OP\(\d+, "stablehlo\.custom_call",(?:[^\n]*\n(?!SHLO))*  Rev\(\d+)(\), Add\([^\n]*\))\)$',
                  rf'\1, {v["last"]}\2' + add(self.configs) + ")")

    def use(self, uses, v):
        unary = lambda op: lambda attrs: one_function(f"  %0 = {op} %arg0 {attrs}: tensor<2xf32>")
        types = "(tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>"
        convolution = lambda attrs: one_function(
            "  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}"
            f" {{batch_group_count = 1 : i64, feature_group_count = 1 : i64{attrs}}} : {types}",
            "%arg0: tensor<1x4x4x1xf32>, %arg1: tensor<2x2x1x1xf32>", "tensor<1x3x3x1xf32>")
        written = lambda name, value: name if value == "unit" else f"{name} = {value}"
        # Two items for two window dimensions.
        two = {"array<i64: 2>": "array<i64: 2, 2>", "array<i1: true>": "array<i1: true, true>",
               "dense<7> : tensor<1x2xi64>": "dense<7> : tensor<2x2xi64>"}
        cases = [*((unary(op), op, "{", cells) for op, cells in self.unary.items()),
                 (convolution, "stablehlo.convolution", ", ", [(n, c, two[x]) for n, c, x in self.windowed]),
                 (lambda attrs: one_function(f"  %0 = stablehlo.custom_call @target(%arg0) {attrs}: (tensor<2xf32>) -> "
                                             "tensor<2xf32>"), "stablehlo.custom_call", "{", self.configs)]
        for program, op, before, cells in cases:
            after = " } " if before == "{" else ""
            absent = uses.formats(program(""), [op])
            uses.run(f"--target={v['before']}", absent)
            every = uses.formats(program(before + ", ".join(written(n, x) for n, _, x in cells) + after),
                                 [written(n, x) for n, _, x in cells])
            uses.refused(every, *(f"attribute '{name}'" for name, _, _ in cells))
            for name, _, value in cells:
                uses.refused(uses.file(program(before + written(name, value) + after)), f"attribute '{name}'")
            documented = uses.run("ops", op)
            for name, _, _ in cells:
                expect(name in documented, f"ops {op} does not name {name}")
            if op == "stablehlo.floor":
                uses.evaluates(every, ["dense<[1.5, -1.5]> : tensor<2xf32>"], "[1.000000e+00, -2.000000e+00]")
        # Older artifacts are read without the new attributes.
        old = uses.file(None, "mlirbc")
        uses.run(f"--target={v['before']}", "--emit=mlirbc", "-o", old, uses.file(unary("stablehlo.floor")("")))
        expect("new_" not in uses.run("--target=current", old), "an old artifact gains attributes")


class AnEnumCase:
    name, lines, files = "an enum case", 1, 1

    def edit(self, tree, v):
        tree.edit(ENUMS, r'^(SHLO_CASE\(kPrecision, 2, "HIGHEST"\))$', rf'\1\nSHLO_CASE(kPrecision, 3, "LOWEST", {v["n"]})')

    def use(self, uses, v):
        text = one_function("  %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0], "
                            "precision = [LOWEST, DEFAULT] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>", result="tensor<f32>")
        path = uses.formats(text, ["precision = [LOWEST, DEFAULT]"])
        uses.refused(path, "LOWEST")
        uses.not_before(path, "precision 'LOWEST'")
        uses.run(f"--target={v['before']}", uses.file(text.replace("LOWEST", "HIGHEST")))
        uses.evaluates(path, ["dense<[3.0, 4.0]> : tensor<2xf32>"], "dense<2.500000e+01>")
        documented = uses.run("ops", "stablehlo.dot_general")
        expect("precision" in documented, documented)


class AnElementType:
    name, lines, files = "an element type", 3, 2

    def edit(self, tree, v):
        used = {int(n) for n in re.findall(r"^  k\w+ = (\d+),", tree.read("include/shlo/kinds.h"), re.MULTILINE)}
        kind = next(n for n in range(48, 128) if n not in used)
        code = lambda dialect: 1 + max(map(int, re.findall(rf"^SHLO_WIRE_TYPE\({dialect}, (\d+),", tree.read(CODES), re.MULTILINE)))
        tree.edit(ELEMENTS, r'(\nSHLO_ELEMENT_TYPE\(.*)(?=\n\n#undef)',
                  rf'\1\nSHLO_ELEMENT_TYPE(TypeKind({kind}), "f8E2M5", "f8E2M5_v1", {v["n"]}, Float(kIeee, 2, 5, 1))')
        for dialect in ("kVhlo", "kBuiltin"):
            number = code(dialect)
            tree.edit(CODES, rf"^(SHLO_WIRE_TYPE\({dialect}, {number - 1}, .*)$",
                      rf'\1\nSHLO_WIRE_TYPE({dialect}, {number}, TypeKind({kind}), "")')

    def use(self, uses, v):
        text = one_function("  %c = stablehlo.constant dense<[1.03125, -2.5]> : tensor<2xf8E2M5>\n"
                            "  %1 = stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf8E2M5>\n"
                            "  %2 = stablehlo.add %1, %c : tensor<2xf8E2M5>\n"
                            "  %0 = stablehlo.convert %2 : (tensor<2xf8E2M5>) -> tensor<2xf32>")
        path = uses.formats(text, ["dense<[1.031250e+00, -2.500000e+00]> : tensor<2xf8E2M5>"])
        uses.refused(path, "'f8E2M5'")
        uses.not_before(path, "type 'f8E2M5'")
        uses.evaluates(path, ["dense<[1.0, 3.0]> : tensor<2xf32>"], "[2.000000e+00, 5.000000e-01]")
        # Storage of a function's argument and results, too.
        uses.refused(uses.formats("module {\n  func.func @main(%arg0: tensor<f8E2M5>) -> tensor<f8E2M5> {\n"
                                  "    return %arg0 : tensor<f8E2M5>\n  }\n}\n",
                                  ["f8E2M5"]), "'f8E2M5'")


class ARenamedOp:
    name, lines, files = "a renamed op", 7, 4

    def edit(self, tree, v):
        tree.edit(OPS, r'(SHLO_OP\(\d+, "stablehlo\.cbrt",(?:[^\n]*\n)*?  Rev\(63)\), Add\((.*)\)\)$',
                  rf'\1, {v["last"]}), Add(\2))\n'
                  rf'SHLO_OP({next_wire_id(tree)}, "stablehlo.cube_root", Form::kOneLine, UnaryElementwise, By(Rule::kAccuracy),\n'
                  rf'  Rev({v["n"]}), In("operand", kFpComplexQuant), At("result_accuracy", Accuracy, DefaultAccuracy),\n'
                  r'      Out("result", kFpComplexQuant))')
        tree.edit(STEPS, r'^(SHLO_RENAME\("stablehlo\.sub", .*)$', r'\1\nSHLO_RENAME("stablehlo.cbrt", "stablehlo.cube_root")')
        tree.edit(CONSTRAINTS, r'Of\("stablehlo\.cbrt", ', 'Of("stablehlo.cbrt", "stablehlo.cube_root", ')
        tree.edit(KERNELS, r'^(SHLO_ELEMENTWISE\("stablehlo\.cbrt", PickCbrt\))$',
                  r'\1\nSHLO_ELEMENTWISE("stablehlo.cube_root", PickCbrt)')

    def use(self, uses, v):
        accuracy = VALUES["Accuracy"]
        new = uses.formats(one_function(f"  %0 = stablehlo.cube_root %arg0 {{result_accuracy = {accuracy}}} : tensor<2xf32>"),
                           ["stablehlo.cube_root", accuracy])
        old = uses.file(None)
        uses.run(f"--target={v['before']}", "-o", old, new)
        expect("stablehlo.cbrt" in old.read_text() and accuracy in old.read_text(), f"not renamed:\n{old.read_text()}")
        expect("stablehlo.cube_root" in uses.run("--target=current", old), "the old name does not become the new one")
        uses.run("prove", new, old)
        uses.evaluates(new, ["dense<[27.0, -8.0]> : tensor<2xf32>"], "[3.000000e+00, -2.000000e+00]")
        for name in ("stablehlo.cbrt", "stablehlo.cube_root"):
            expect(v["release"] in uses.run("ops", name) or v["before"] in uses.run("ops", name), f"ops {name}")
        # Neither name is known beyond its versions.
        uses.run(f"--target={v['before']}", uses.file(one_function("  %0 = stablehlo.hypot_old %arg0 : tensor<2xf32>")), code=3)


CHANGES = [AVersion(), AnOp(), Attributes(), AnEnumCase(), AnElementType(), ARenamedOp()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=ROOT / "build/next-release", type=pathlib.Path)
    parser.add_argument("--jobs", default=os.cpu_count() or 2, type=int)
    parser.add_argument("--only", help="names of changes, between commas; the version is always made")
    parser.add_argument("--at-once", action="store_true", help="make all changes before one build")
    args = parser.parse_args()
    folder = args.folder.resolve()
    programs = folder / "programs"
    shutil.rmtree(programs, ignore_errors=True)
    programs.mkdir(parents=True)
    tree = Tree(folder, args.jobs)
    start = time.monotonic()
    tree.copy()
    tree.configure()
    version = next_version(tree)
    changes = [c for c in CHANGES if not args.only or c.name in ["a version", *args.only.split(",")]]
    edited = {}
    if args.at_once:
        for change in changes:
            change.edit(tree, version)
            edited[change] = tree.touched()
        tree.record_laws()
    tree.make()
    total = tree.num_sources()
    print(f"built {total} sources in {time.monotonic() - start:.0f} s", flush=True)
    uses = Uses(tree, programs, version)
    failed = 0
    for change in changes:
        start = time.monotonic()
        lines, files, compiled = 0, [], 0
        problems = []
        try:
            if args.at_once:
                lines, files = edited[change]
                compiled = tree.num_dependent(files)
                expect(compiled, "no source depends on the files")
            else:
                change.edit(tree, version)
                lines, files = tree.touched()
                tree.recorded = None
                tree.record_laws()
                try:
                    compiled = tree.make()
                except Failure:
                    tree.undo()
                    raise
            if lines > change.lines or len(files) > change.files:
                problems.append(f"may touch {change.lines} lines in {change.files} files")
            if compiled * 10 > total:
                problems.append(f"may compile {total // 10} sources")
            change.use(uses, version)
        except (Failure, subprocess.TimeoutExpired, KeyError) as failure:
            problems.append(f"{failure}")
        failed += bool(problems)
        print(f"{'FAILED' if problems else 'passed'}  {change.name}: {lines} lines in {len(files)} files, {compiled} of "
              f"{total} sources compiled, {time.monotonic() - start:.0f} s", flush=True)
        for problem in problems:
            print("        " + problem.replace("\n", "\n        "), flush=True)
    print(f"{len(changes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
