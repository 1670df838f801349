#!/usr/bin/env python3
"""Tests of the drop-ins stablehlo-opt and stablehlo-translate: flags, messages and exit codes. Others are files
in tests/dropin. Usage: drop_ins_test.py TOOL"""
import os
import pathlib
import subprocess
import unittest

from command_line import TOOL, CommandLine

DROP_INS = pathlib.Path(TOOL).parent / "dropin"
ADD = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
TAN = ADD.replace("stablehlo.add %a, %a", "stablehlo.tan %a")
INVALID = """func.func @main(%a: tensor<2xi1>) -> tensor<2xf32> {
  %0 = "stablehlo.abs"(%a) : (tensor<2xi1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


class DropIn(CommandLine):
    def setUp(self):
        super().setUp()
        self.add = self.file("add.mlir", ADD)

    def file(self, name, text):
        """Writes a file to the folder in which the drop-ins run, and returns its name there."""
        (self.dir / name).write_text(text)
        return name

    def drop_in(self, name, code, *args, stdin=b""):
        done = subprocess.run([DROP_INS / f"stablehlo-{name}", *map(str, args)], input=stdin, capture_output=True,
                              timeout=60, cwd=self.dir, check=False)
        self.assertEqual(done.returncode, code, f"{args}\n{done.stderr.decode()}")
        return done

    def opt(self, code, *args, **options):
        return self.drop_in("opt", code, *args, **options)

    def translate(self, code, *args, **options):
        return self.drop_in("translate", code, *args, **options)

    def messages(self, name, code, *args, **options):
        """Returns the messages, without code and source lines."""
        done = self.drop_in(name, code, *args, **options)
        return [line for line in done.stderr.decode().splitlines() if "error: " in line or "hint: " in line]


class Flags(DropIn):
    def test_help(self):
        for name, flags in (("opt", ("-vhlo-to-version=target=V", "-emit-bytecode", "-verify-diagnostics")),
                            ("translate", ("--serialize", "--deserialize", "--interpret", "--compat"))):
            text = self.drop_in(name, 0, "--help").stdout.decode()
            self.assertTrue(text.startswith(f"stablehlo-{name} "))
            for flag in flags:
                self.assertIn(f"  {flag} ", text)
            self.assertEqual(self.drop_in(name, 0, "-help").stdout.decode(), text)

    def test_mistakes(self):
        see = {name: f"  hint: run 'stablehlo-{name} --help' for usage" for name in ("opt", "translate")}
        for name, args, message, hint in (
                ("opt", ["--no-flag-like-it"], "unknown flag '--no-flag-like-it'", None),
                ("opt", ["-split-input-flie"], "unknown flag '-split-input-flie'", "did you mean '-split-input-file'?"),
                ("opt", ["--vhlo-to-versoin=target=1.0.0"], "unknown flag '--vhlo-to-versoin=target=1.0.0'",
                 "did you mean '--vhlo-to-version'?"),
                ("opt", ["a", "b"], "expected 1 input file, got 'a' and 'b'", None),
                ("opt", ["-split-input-file=maybe"], "expected true or false for '-split-input-file'", None),
                ("opt", ["-o"], "expected a value for '-o'", None),
                ("opt", ["-emit-bytecode-version=six"], "invalid bytecode format 'six' for 'emit-bytecode-version'", None),
                ("opt", ["-emit-bytecode-version=-1"], "invalid bytecode format '-1' for 'emit-bytecode-version'", None),
                ("opt", ["-emit-bytecode-version=6x"], "invalid bytecode format '6x' for 'emit-bytecode-version'", None),
                ("opt", ["-mlir-elide-elementsattrs-if-larger=-1"],
                 "invalid number '-1' for 'mlir-elide-elementsattrs-if-larger'", None),
                ("opt", ["-mlir-elide-elementsattrs-if-larger=4294967296"],
                 "invalid number '4294967296' for 'mlir-elide-elementsattrs-if-larger'", None),
                ("opt", ["-pass-pipeline=inlin"], "unknown pass 'inlin'", "did you mean 'inline'?"),
                ("opt", ["-pass-pipeline=builtin.module(inline"], "expected ')' at the end of a pass pipeline",
                 "write builtin.module(PASS{OPTION=VALUE},PASS)"),
                ("opt", ["-pass-pipeline=inline)"], "unexpected ')' in a pass pipeline",
                 "write builtin.module(PASS{OPTION=VALUE},PASS)"),
                ("opt", ["-inline=deep"], "'inline' has no option 'deep'", "it has none"),
                ("opt", ["-vhlo-to-version=1.0.0"], "expected target=VERSION for '-vhlo-to-version'", None),
                ("opt", ["--stablehlo-compatibility-expander=1.0.0"],
                 "'stablehlo-compatibility-expander' has no option '1.0.0'", "its options: target"),
                ("translate", [], "expected one of --serialize, --deserialize, --interpret and --compat", None),
                ("translate", ["--serialize", "--deserialize"],
                 "expected one of --serialize, --deserialize, --interpret and --compat", None),
                ("translate", ["--serialise"], "unknown flag '--serialise'", "did you mean '--serialize'?"),
                ("translate", ["--serialize", "--target"], "expected a value for '--target'", None),
                ("translate", ["--serialize", "a", "b"], "expected 1 input file, got 'a' and 'b'", None)):
            with self.subTest(args=args):
                hint = f"  hint: {hint}" if hint else see[name]
                self.assertEqual(self.messages(name, 1, *args), [f"error: {message} [usage]", hint])

    def test_targets(self):
        form = "Target version must be of the form `#.#.#`."
        for target, message in (
                ("1.0", f"Invalid target version argument '1.0' [usage]\n  hint: {form}"), ("", f"No target version specified. [usage]\n  hint: {form}"),
                ("1.a.0", f"Invalid target version argument '1.a.0' [usage]\n  hint: {form}"),
                (".1.0", f"Invalid target version argument '.1.0' [usage]\n  hint: {form}"),
                ("1..0", f"Invalid target version argument '1..0' [usage]\n  hint: {form}"),
                ("1.0.", f"Invalid target version argument '1.0.' [usage]\n  hint: {form}"),
                ("0.8.0", "target version 0.8.0 is less than minimum supported 0.9.0"),
                ("1.99.0", "target version 1.99.0 is greater than current version 1.22.0"),
                ("99999999999999999999.0.0",
                 "target version 99999999999999999999.0.0 is greater than current version 1.22.0")):
            with self.subTest(target=target):
                for name, args in (("opt", [f"-vhlo-to-version=target={target}"]),
                                   ("opt", [f"-stablehlo-compatibility-expander=target={target}"]),
                                   ("opt", [f"-as-written-by={target}"]),
                                   ("translate", ["--serialize", f"--target={target}"])):
                    self.assertIn(message, self.drop_in(name, 1, *args, self.add).stderr.decode())
        self.assertIn("No target version specified.", self.opt(1, "-vhlo-to-version", self.add).stderr.decode())
        done = self.translate(1, "--serialize", "--target=1.0.0", "--as-written-by=1", self.add)
        self.assertIn("Invalid target version argument '1'", done.stderr.decode())
        self.assertIn("unknown version 99", self.translate(1, "--compat", "--target=99", self.add).stderr.decode())


class Files(DropIn):
    def test_standard_streams(self):
        from_file = self.opt(0, self.add).stdout
        self.assertEqual(self.opt(0, stdin=ADD.encode()).stdout, from_file)
        self.assertEqual(self.opt(0, "-", stdin=ADD.encode()).stdout, from_file)
        artifact = self.translate(0, "--serialize", "--target=1.0.0", stdin=ADD.encode()).stdout
        self.assertTrue(artifact.startswith(b"ML\xefR"))
        self.assertIn(b"stablehlo.add", self.translate(0, "--deserialize", stdin=artifact).stdout)

    def test_messages_name_the_file(self):
        for args in (["opt"], ["translate", "--serialize", "--target=1.0.0"], ["translate", "--deserialize"],
                     ["translate", "--interpret"], ["translate", "--compat"]):
            with self.subTest(args=args):
                found = self.messages(args[0], 1, *args[1:], "nowhere.mlir")
                self.assertEqual(found[0], "nowhere.mlir: error: cannot open: No such file or directory [io]")
                self.assertIn("invalid.mlir:1:", self.drop_in(
                    args[0], 1, *args[1:], self.file("invalid.mlir", "func.func @f(")).stderr.decode())
        for args in (["opt"], ["translate", "--serialize", "--target=1.0.0"], ["translate", "--deserialize"],
                     ["translate", "--compat"]):
            found = self.messages(args[0], 1, *args[1:], "-o", "nowhere/out", self.add)
            self.assertIn("nowhere/out: error: cannot create a temporary file in its directory", found[0])

    def test_no_file_after_an_error(self):
        invalid = self.file("invalid.mlir", ADD + "// -----\nfunc.func @f(")
        done = self.opt(1, "-split-input-file", "-o", "out.mlir", invalid)
        self.assertFalse((self.dir / "out.mlir").exists())
        # The first error has the place in the file.
        self.assertIn("invalid.mlir:6:14: error: ", done.stderr.decode())
        # Standard output gets the programs that could be read.
        self.assertIn("stablehlo.add", self.opt(1, "-split-input-file", invalid).stdout.decode())
        self.assertNotIn("stablehlo.add", self.opt(1, "-split-input-file", self.file("open.mlir", "/* ")).stdout.decode())

    def test_diagnostics_have_no_code_and_no_hint(self):
        invalid = self.file("invalid.mlir", INVALID)
        text = self.opt(1, invalid).stderr.decode()
        message, line, caret = text.splitlines()
        self.assertTrue(message.startswith("invalid.mlir:2:8: error: 'stablehlo.abs' op operand #0 must be "), text)
        self.assertEqual((line, caret), (INVALID.splitlines()[1], "       ^"))
        # A line that is too long is not quoted.
        long = self.file("long.mlir", INVALID.replace("(%a) :", "(%a)" + " " * 400 + ":"))
        self.assertEqual(len(self.opt(1, long).stderr.decode().splitlines()), 1)


class Programs(DropIn):
    def test_what_cannot_be_serialized(self):
        tan = self.file("tan.mlir", TAN)
        found = self.messages("translate", 1, "--serialize", "--target=1.0.0", tan)
        self.assertIn("tan.mlir:2:8: error: 'stablehlo.tan': op does not exist in version 1.0.0 [blocked]", found)
        self.assertIn("error: failed to convert VHLO to v1.0.0 [usage]", found)
        found = self.opt(1, "-vhlo-to-version=target=1.0.0", tan).stderr.decode()
        self.assertIn("tan.mlir:2:8: error: failed to legalize operation 'vhlo.tan_v2' that was explicitly marked illegal", found)
        self.assertIn("invalid.mlir:3:3: error: ", self.messages(
            "translate", 1, "--serialize", "--target=1.0.0", self.file("invalid.mlir", ADD.replace("-> tensor", "-> (tensor<f32>, tensor", 1).replace("> {", ">) {")))[0])
        self.assertIn("error: ", self.messages("translate", 1, "--compat", "--target=50", tan)[0])

    def test_values_that_flow_between_dialects(self):
        mixed = self.file("mixed.mlir", """func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %a : tensor<f32>
  %1 = "foo.bar"(%0) : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.abs %1 : tensor<f32>
  return %2 : tensor<f32>
}
""")
        found = self.messages("translate", 1, "--serialize", "--target=1.9.0", mixed)
        self.assertCountEqual(found, [
            "mixed.mlir:2:8: error: failed to legalize unresolved materialization from "
            "('!vhlo.tensor_v1<!vhlo.f32_v1>') to ('tensor<f32>') that remained live after conversion [blocked]",
            "  hint: pass --allow-other-dialects to insert a cast",
            "mixed.mlir:3:8: error: failed to legalize unresolved materialization from ('tensor<f32>') to "
            "('!vhlo.tensor_v1<!vhlo.f32_v1>') that remained live after conversion [blocked]",
            "  hint: pass --allow-other-dialects to insert a cast"])
        self.translate(0, "--serialize", "--target=1.22.0", "--allow-other-dialects", "-o", "mixed.bc", mixed)
        self.assertIn(b'"foo.bar"', self.translate(0, "--deserialize", "mixed.bc").stdout)
        self.assertIn(b"unrealized_conversion_cast", self.opt(0, "-stablehlo-legalize-to-vhlo=allow-other-dialects", mixed).stdout)

    def test_trace(self):
        done = self.opt(0, "-emit-bytecode", "-debug-only=stablehlo-bytecode", "-o", "add.bc", self.add)
        self.assertIn("Called: writeType", done.stderr.decode())
        self.assertIn("Called: readType", self.opt(0, "-debug-only=stablehlo-bytecode", "add.bc").stderr.decode())
        self.assertEqual(self.opt(0, "-debug-only=other", "add.bc").stderr, b"")

    def test_what_cannot_be_deserialized(self):
        artifact = self.translate(0, "--serialize", "--target=1.0.0", stdin=ADD.encode()).stdout
        (self.dir / "cut.bc").write_bytes(artifact[:-9])
        done = self.translate(1, "--deserialize", "--print-stablehlo-version", "cut.bc")
        self.assertEqual(done.stdout, b"// Reading portable artifact with StableHLO version: 1.0.0\n")
        found = [line for line in done.stderr.decode().splitlines() if "error: " in line]
        self.assertTrue(found[0].startswith("cut.bc:byte "), found)
        self.assertEqual(found[1], "error: failed to deserialize portable artifact using StableHLO_v1.22.0 [usage]")
        found = self.messages("translate", 1, "--deserialize", self.file("invalid.mlir", ADD.replace("%a, %a", "%a")))
        self.assertTrue(found[0].startswith("invalid.mlir:2:8: error: "), found)


class Interpret(DropIn):
    def test_arguments(self):
        see = ", i.e. --args=[dense<1> : tensor<2xi32>, ...] [usage]"
        for args, message in (("dense<1> : tensor<2xf32>", "expectected array attribute string for args" + see),
                              (" ", "expectected array attribute string for args" + see),
                              ("[1 : i32, dense_resource<a> : tensor<2xf32>]", "expected dense elements attribute for args elements" + see)):
            with self.subTest(args=args):
                self.assertEqual(self.messages("translate", 1, "--interpret", f"--args={args}", self.add)[0], f"error: {message}")
        found = self.messages("translate", 1, "--interpret", "--args=[dense<1.0> : tensor<2xf31>]", self.add)
        self.assertTrue(found[0].startswith("<args>:"), found)
        found = self.messages("translate", 1, "--interpret", self.add)
        self.assertIn("expected 1 argument, got 0", found[0])
        self.assertTrue(found[0].startswith("add.mlir:"), found)

    def test_checks(self):
        fails = self.file("fails.mlir", """func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>
  return
}
""")
        self.assertIn("fails.mlir:3:3: error: ", self.messages("translate", 1, "--interpret", fails)[0])

    def test_one_program_that_cannot_be_read_is_not_the_last(self):
        chunks = self.file("chunks.mlir", "func.func @f(\n// -----\nfunc.func @main() -> tensor<i32> {\n"
                           "  %0 = stablehlo.constant dense<7> : tensor<i32>\n  return %0 : tensor<i32>\n}\n")
        self.assertEqual(self.translate(1, "--interpret", "--split-input-file", chunks).stdout, b"tensor<i32> {7}\n")

    def test_artifacts(self):
        self.translate(0, "--serialize", "--target=1.0.0", "-o", "add.bc", self.add)
        done = self.translate(0, "--interpret", "--args=[dense<[1.5, 2.0]> : tensor<2xf32>]", "add.bc")
        self.assertEqual(done.stdout, b"tensor<2xf32> {\n  [3.000000e+00, 4.000000e+00]\n}\n")
        (self.dir / "cut.bc").write_bytes((self.dir / "add.bc").read_bytes()[:-9])
        self.assertTrue(self.messages("translate", 1, "--interpret", "cut.bc")[0].startswith("cut.bc:byte "))

    def test_probes(self):
        probe = """func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = interpreter.probe %0, probe_id = "p" : tensor<2xi32>
  return
}
"""
        (self.dir / "probes").mkdir()
        into = "--probe-output-dir=probes"
        self.translate(0, "--interpret", into, self.file("probe.mlir", probe))
        index = (self.dir / "probes/index.csv").read_text()
        self.assertEqual(index, "p,tensor<2xi32>,probes/probe1.npy\n")
        self.assertTrue((self.dir / "probes/probe1.npy").read_bytes().startswith(b"\x93NUMPY"))

        # Nothing is written through a link or into a pipe.
        (self.dir / "kept").write_text("mine")
        for plant in (lambda path: path.symlink_to("../kept"), lambda path: path.symlink_to("../made"), os.mkfifo):
            (self.dir / "probes/probe1.npy").unlink()
            plant(self.dir / "probes/probe1.npy")
            (self.dir / "probes/index.csv").unlink()
            (self.dir / "probes/index.csv").symlink_to("../kept")
            self.translate(1 if plant is os.mkfifo else 0, "--interpret", into, self.file("probe.mlir", probe))
            self.assertEqual((self.dir / "kept").read_text(), "mine")
            self.assertFalse((self.dir / "made").exists())
        (self.dir / "probes/probe1.npy").unlink()

        # Each run begins a new index, so the program that checks is the one that probes.
        def both(value, type, name="p", iteration=0):
            return self.file("both.mlir", probe.replace("  return", f"""  %2 = stablehlo.constant {value} : {type}
  "check.expect_serialized_eq"(%2) {{probe_id = "{name}", iteration = {iteration} : ui32}} : ({type}) -> ()
  return"""))
        self.translate(0, "--interpret", into, both("dense<[1, 2]>", "tensor<2xi32>"))
        self.assertIn("error: ", self.messages("translate", 1, "--interpret", into, both("dense<[1, 3]>", "tensor<2xi32>"))[0])
        for args, message in (
                (("dense<[1, 2]>", "tensor<2xi32>", "q"), "Failed to find serialized data for probe q."),
                (("dense<[1, 2]>", "tensor<2xi32>", "p", 1), "Failed to find serialized data for probe p."),
                (("dense<[1, 2]>", "tensor<2xi64>"),
                 "Serialized types don't match: tensor<2xi64> (actual) vs tensor<2xi32> (expected) for probe p.")):
            self.assertIn(message, self.messages("translate", 1, "--interpret", into, both(*args))[0])
        found = self.messages("translate", 1, "--interpret", "--probe-output-dir=none", "probe.mlir")
        self.assertIn("Failed to open instrumentation metadata file.", found[0])


class ExpectedDiagnostics(DropIn):
    """Programs whose comments are wrong; those that are right are in tests/constraints."""

    ABS = "'stablehlo.abs' op operand #0 must be "

    def verify(self, comment, before="", after=""):
        lines = INVALID.splitlines()
        text = "\n".join([lines[0], *([before] if before else []), lines[1] + (" " + comment if comment else ""), *([after] if after else []), *lines[2:]])
        self.file("expect.mlir", text + "\n")
        done = subprocess.run([DROP_INS / "stablehlo-opt", "-verify-diagnostics", "expect.mlir"], capture_output=True, timeout=60,
                              cwd=self.dir, check=False, text=True)
        self.assertEqual(done.returncode, 1 if done.stderr else 0)
        return done.stderr.splitlines()

    def test_those_that_match(self):
        for comment, before, after in (
                ("// expected-error {{must be ranked tensor}}", "", ""), ("// expected-error@+0 {{'stablehlo.abs'}}", "", ""),
                ("", "// expected-error@+1 {{must be}}", ""), ("", "", "// expected-error @-1 {{must be}}"),
                ("", "// expected-error@below {{must be}}", ""), ("", "", "// expected-error@above {{must be}}  "),
                ("", "// expected-error@unknown {{must be}}", ""),
                ("// expected-error-re {{must be {{.*}} values, but got 'tensor<2xi1>'}}", "", ""),
                ("// expected-error-re {{^'stablehlo{{[.]}}abs' op operand #{{[0-9]+}}}}", "", "")):
            if "^" in comment:  # outside of {{}} it is not an anchor
                self.assertEqual(len(self.verify(comment)), 2)
            else:
                self.assertEqual(self.verify(comment, before, after), [], comment + before + after)

    def test_those_that_do_not(self):
        unexpected = f"expect.mlir:2: error: unexpected error: {self.ABS}"
        for comment, missing in (
                ("", None), ("// expected-error {{other}}", 'expected error "other" was not produced'),
                ("// expected-warning {{must be}}", 'expected warning "must be" was not produced'),
                ("// expected-note {{must be}}", 'expected note "must be" was not produced'),
                ("// expected-remark {{must be}}", 'expected remark "must be" was not produced'),
                ("// expected-error@+1 {{must be}}", 'expected error "must be" was not produced at line 3'),
                ("// expected-error@-1 {{must be}}", 'expected error "must be" was not produced at line 1'),
                ("// expected-error-re {{must be {{[0-9]}}}}", 'expected error "must be {{[0-9]}}" was not produced'),
                ("// expected-nothing {{must be}}", None), ("// expected-error@* {{must be}}", None),
                ("// expected-error@+x {{must be}}", None), ("// expected-error {{must be", None),
                ("// expected-error must be}}", None)):
            with self.subTest(comment=comment):
                found = self.verify(comment)
                self.assertTrue(found[0].startswith(unexpected), found)
                self.assertEqual(found[1:], [f"expect.mlir:2: error: {missing}"] if missing else [])

    def test_each_diagnostic_matches_one_comment(self):
        found = self.verify("// expected-error {{must be}}", before="// expected-error@+1 {{must be}}")
        self.assertEqual(found, ['expect.mlir:3: error: expected error "must be" was not produced'])

    def test_a_file_without_lines(self):
        (self.dir / "cut.bc").write_bytes(b"ML\xefR")
        done = self.opt(1, "-verify-diagnostics", "cut.bc")
        self.assertEqual(done.stderr.decode(), "cut.bc: error: unexpected error: unexpected end of data: expected a number\n")

    def test_a_pattern_that_is_none(self):
        found = self.verify("// expected-error-re {{must be {{(}}}}")
        self.assertIn('expect.mlir:2: error: invalid regular expression "must be {{(}}"', found)
        # Braces that do not close are text.
        self.assertIn('expect.mlir:2: error: expected error "must be {{x" was not produced', self.verify("// expected-error-re {{must be {{x}}"))

    def test_the_first_error_of_each_function_is_enough(self):
        self.file("two.mlir", INVALID.replace("return", '%1 = "stablehlo.abs"(%a) : (tensor<2xi1>) -> tensor<2xf32>\n  return')
                  .replace('  %0 = ', '  // expected-error@+1 {{must be}}\n  %0 = '))
        self.opt(0, "-verify-diagnostics", "two.mlir")

    def test_a_conversion_that_is_refused(self):
        tan = self.file("tan.mlir", "// expected-error@-1 {{failed to convert VHLO to v1.0.0}}\n" + TAN.replace(
            "  %0", "  // expected-error@+1 {{failed to legalize operation 'vhlo.tan_v2' that was explicitly marked illegal}}\n  %0", 1))
        self.opt(0, "-verify-diagnostics", "-vhlo-to-version=target=1.0.0", tan)


if __name__ == "__main__":
    unittest.main()
