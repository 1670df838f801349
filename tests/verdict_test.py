#!/usr/bin/env python3
"""Tests that all commands agree on which programs are valid: what a reference implementation refuses is refused
everywhere and nothing is written of it, unless --lenient says so. Usage: verdict_test.py TOOL"""
import json
import pathlib
import shutil
import subprocess
import unittest

from command_line import GOOD, SUB, TOOL, CommandLine

DROP_INS = pathlib.Path(TOOL).parent / "dropin"


def function(body, arguments, result):
    return f"func.func @main({arguments}) -> {result} {{\n  %0 = {body}\n  return %0 : {result}\n}}\n"


# Programs that MLIR can print, each with another kind of constraint violated, and what the message must say.
INVALID = {
    "shape": (function('"stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>',
                       "%x: tensor<4xf32>, %y: tensor<5xf32>", "tensor<4xf32>"), "requires the same shape for all operands and results"),
    "element": (function("stablehlo.subtract %x, %x : tensor<2xi1>", "%x: tensor<2xi1>", "tensor<2xi1>"), "operand #0 must be ranked tensor of"),
    "inferred": (function('"stablehlo.slice"(%x) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : '
                          "(tensor<3xf32>) -> tensor<3xf32>", "%x: tensor<3xf32>", "tensor<3xf32>"), "inferred type(s)"),
    "attribute": (function('"stablehlo.iota"() {iota_dimension = -1 : i64} : () -> tensor<3xf32>', "%x: tensor<3xf32>", "tensor<3xf32>"),
                  "whose value is non-negative"),
    "rule": (function('"stablehlo.reshape"(%x) : (tensor<3xf32>) -> tensor<4xf32>', "%x: tensor<3xf32>", "tensor<4xf32>"),
             "number of output elements (4)"),
    "type": (function("stablehlo.abs %x : tensor<2x!quant.uniform<i8:f32, 0.0>>", "%x: tensor<2x!quant.uniform<i8:f32, 0.0>>",
                      "tensor<2x!quant.uniform<i8:f32, 0.0>>"), "out of expressed type range"),
}
# The specification forbids it, and the reference does not look.
BEYOND = (function("stablehlo.compare LT, %x, %x, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>", "%x: tensor<4xi32>",
                   "tensor<4xi1>"), "compare_type UNSIGNED does not fit elements of type 'i32'")
ONLY_CONSTRAINTS = "the program violates only constraints of the specification"


class Judged(CommandLine):
    def setUp(self):
        super().setUp()
        self.file = self.dir / "m.mlir"
        self.archive = self.dir / "archive"
        self.check(0, "archive", "init", self.archive)

    def drop_in(self, name, code, *words):
        done = subprocess.run([DROP_INS / f"stablehlo-{name}", *map(str, words)], capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stderr.decode()}")
        return done


class Verdict(Judged):
    def commands(self):
        """Returns the commands that read the program, and whether they print warnings."""
        out = self.dir / "out"
        return [(["verify", self.file], True), (["check", "--no-policy", self.file], True),
                (["archive", "add", "--archive", self.archive, self.file], True),
                ([self.file], True), ([self.file, "--emit=shlo", "-o", out], True), ([self.file, "--emit=mlirbc", "-o", out], True),
                ([self.file, "--target=1.20.0", "-o", out], True), (["--out-dir", out, self.file], True),
                (["roundtrip", self.file], False), (["diff", self.file, self.file], False), (["prove", self.file, self.file], None)]

    def test_no_command_takes_what_the_reference_refuses(self):
        for name, (text, message) in INVALID.items():
            self.file.write_text(text)
            for words, _ in self.commands():
                with self.subTest(f"{name}: {words[:3]}"):
                    done = self.check(None, *words)
                    self.assertEqual(done.returncode, 1, done)
                    said = (done.stdout + done.stderr).decode()
                    self.assertIn(message, said)
                    self.assertIn("error", said)
                    if words[0] not in ("check", "archive"):
                        self.assertIn(f"note: {ONLY_CONSTRAINTS}", said)
                        self.assertIn("hint: pass --lenient to accept it with a warning", said)
                out = self.dir / "out"
                self.assertFalse((out / "m.mlir").exists(), words)
                shutil.rmtree(out, ignore_errors=True)
                self.assertFalse(out.exists(), words)
        self.assertEqual(self.check(0, "archive", "ls", "--archive", self.archive).stdout, b"")

    def test_every_command_takes_it_if_told(self):
        for name, (text, message) in INVALID.items():
            self.file.write_text(text)
            for words, warns in self.commands():
                if name == "type" and words[-1] == self.dir / "out":
                    continue  # no reader gives back such a type
                with self.subTest(f"{name}: {words[:3]}"):
                    done = self.check(None, *words, "--lenient")
                    if warns is not None:
                        self.assertEqual(done.returncode, 0, done.stderr.decode())
                    said = (done.stdout + done.stderr).decode()
                    if warns:
                        self.assertIn(message, said)
                        self.assertIn("warning", said)
                    self.assertNotIn("error:", said) if warns is not None else None
                out = self.dir / "out"
                shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)

    def test_every_command_takes_what_only_the_reference_takes(self):
        text, message = BEYOND
        self.file.write_text(text)
        for words, warns in self.commands():
            with self.subTest(words[:3]):
                done = self.check(0, *words)
                said = (done.stdout + done.stderr).decode()
                if warns:
                    self.assertIn("warning", said)
                    self.assertIn(message, said)
                self.assertNotIn("error:", said)
            out = self.dir / "out"
            shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
        self.drop_in("opt", 0, self.file, "-o", self.dir / "opt.mlir")
        self.drop_in("translate", 0, "--serialize", "--target=1.9.0", self.file, "-o", self.dir / "new")
        self.check(1, "verify", "--strict", self.file, err=message)

    def test_the_drop_ins_refuse_with_the_words_of_the_reference(self):
        out = self.dir / "out.mlirbc"
        for name, (text, message) in INVALID.items():
            self.file.write_text(text)
            for drop_in, words in (("translate", ["--serialize", "--target=1.9.0", self.file, "-o", out]), ("opt", [self.file, "-o", out]),
                                   ("translate", ["--compat", self.file, "-o", out])):
                with self.subTest(f"{name}: {words[:2]}"):
                    done = self.drop_in(drop_in, 1, *words)
                    self.assertIn(message, done.stderr.decode())
                    self.assertNotIn("lenient", done.stderr.decode())
                    self.assertFalse(out.exists())
            # An artifact that somebody wrote nevertheless.
            if self.check(None, "--lenient", self.file, "--target=1.9.0", "-o", out).returncode == 0:
                self.assertIn(message, self.drop_in("translate", 1, "--deserialize", out).stderr.decode())
                out.unlink()

    def test_files_of_rules_count_what_is_accepted_as_warnings(self):
        self.file.write_text(INVALID["shape"][0])
        for flags, code, severity in (([], 1, "error"), (["--lenient"], 0, "warning"), (["--rule", "invalid=warning"], 0, "warning"),
                                      (["--lenient", "--rule", "invalid=note"], 0, "note")):
            report = json.loads(self.check(code, "check", "--no-policy", "--json", *flags, self.file).stdout)
            found = {(x["rule"], x["severity"]) for f in report["files"] for x in f["findings"]}
            self.assertEqual(found, {("invalid", severity)}, flags)

    def test_a_bundle_is_judged_again(self):
        self.file.write_text(INVALID["shape"][0])
        bundle, other = self.dir / "b.bundle", self.dir / "other"
        self.check(0, "archive", "init", other)
        self.check(0, "archive", "add", "--archive", self.archive, "--lenient", self.file, "--bundle", bundle)
        words = ["archive", "import", "--archive", other, bundle]
        self.assertIn(ONLY_CONSTRAINTS, self.check(1, *words, err=INVALID["shape"][1]).stderr.decode())
        self.assertEqual(self.check(0, "archive", "ls", "--archive", other).stdout, b"")
        self.check(0, *words, "--lenient")
        # An archive keeps, returns and checks the models that it has accepted.
        self.check(0, "archive", "verify", "--files", "--certificates", "--archive", other)
        self.check(0, "archive", "get", "m", "--archive", other, "-o", self.dir / "got.mlir")
        self.assertEqual((self.dir / "got.mlir").read_bytes(), self.file.read_bytes())

    def test_rules_of_mlir_are_not_a_matter_of_strictness(self):
        self.file.write_text(GOOD.replace("return %arg0 : tensor<2xi32>", "return"))
        for words in ["verify"], []:
            done = self.check(1, *words, "--lenient", self.file, err="has 0 operands, but enclosing function (@main) returns 1")
            self.assertNotIn(ONLY_CONSTRAINTS, done.stderr.decode())


class Talk(Judged):
    """The example of StableHLO's talk on compatibility. Its versions have no reference that verifies: it subtracts booleans,
    which every release refuses."""
    WARNING = "warning: 'stablehlo.subtract' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer"

    def test_it_converts_as_in_the_talk(self):
        up = self.check(0, "--target=40", SUB, err=self.WARNING).stdout.decode()
        self.assertIn("%0 = stablehlo.subtract %arg0, %arg0 : tensor<2xi1>", up)
        self.assertIn("stablehlo.compat_version = 40", up)
        down = self.check(0, "--target=38", "--allow-outside-window", SUB, err=self.WARNING.replace("subtract", "sub")).stdout.decode()
        self.assertIn('%0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>', down)
        self.assertIn("stablehlo.compat_version = 38", down)
        self.file.write_text(up)
        self.assertIn("equal", self.check(0, "prove", SUB, self.file).stdout.decode())
        for target, name in (40, "subtract"), (38, "sub"):
            done = self.drop_in("translate", 0, "--compat", f"--target={target}", SUB)
            self.assertIn(f"stablehlo.{name}", done.stdout.decode())
            self.assertIn("warning", done.stderr.decode())

    def test_it_is_valid_nowhere(self):
        for words in ["verify"], ["check", "--no-policy"], ["archive", "add", "--archive", self.archive]:
            self.assertIn(b"must be ranked tensor of", b"".join([(done := self.check(1, *words, SUB)).stdout, done.stderr]))
            self.check(0, *words, "--lenient", SUB)

    def test_a_release_refuses_it(self):
        out = self.dir / "out"
        for target in "0.9.0", "1.9.0", "current":
            words = [f"--target={target}", "--allow-outside-window", "-o", out, SUB]
            self.check(1, *words, err="error: 'stablehlo.subtract' op operand #0")
            self.assertFalse(out.exists())
            self.check(0, *words, "--lenient", err=self.WARNING)
            out.unlink()
        self.drop_in("translate", 1, "--serialize", "--target=current", SUB)
        self.drop_in("translate", 1, "--compat", SUB)


if __name__ == "__main__":
    unittest.main()
