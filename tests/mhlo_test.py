#!/usr/bin/env python3
"""MHLO, the dialect before StableHLO: read from text and from bytecode of two releases of jaxlib, printed again, converted
to StableHLO, evaluated, refused. Usage: mhlo_test.py TOOL

In tests/mhlo, X.printed is what jaxlib 0.10.2 prints of X.mlir, X.stablehlo what its pass hlo-legalize-to-stablehlo makes
of it, and X.jaxlib_V.mlirbc what jaxlib V writes.
"""
import json
import pathlib
import re
import subprocess
import unittest

from command_line import TOOL, CommandLine

OPT = pathlib.Path(TOOL).parent / "dropin" / "stablehlo-opt"
DATA = pathlib.Path(__file__).parent / "mhlo"
ARTIFACTS = sorted(DATA.glob("ops.*.mlirbc"))
VALUES = """func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %c = mhlo.constant dense<1.5> : tensor<4xf32>
  %0 = mhlo.multiply %x, %c : tensor<4xf32>
  %1 = mhlo.erf %0 : tensor<4xf32>
  %values, %indices = mhlo.topk(%1, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %values : tensor<2xf32>
}
"""


def lines(text):
    """The lines of a printed program, with one space where some releases print two."""
    return [re.sub(r"(?<=\S) +", " ", line.rstrip()) for line in text.splitlines() if line.strip()]


class Mhlo(CommandLine):
    maxDiff = 4000

    def opt(self, path, code=0):
        done = subprocess.run([OPT, path], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def convert(self, path, *flags, code=0):
        done = subprocess.run([TOOL, *flags, path], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def printed(self, text):
        """A program of StableHLO as the reference prints it."""
        path = self.dir / "printed.mlir"
        path.write_text(text)
        return lines(self.opt(path))

    def test_prints_as_jaxlib(self):
        for name in ("ops", "newer_ops", "alone"):
            expected = lines((DATA / f"{name}.printed").read_text())
            self.assertEqual(lines(self.opt(DATA / f"{name}.mlir")), expected)
            for artifact in DATA.glob(f"{name}.*.mlirbc"):
                self.assertEqual(lines(self.opt(artifact)), expected, artifact)
            # A text without a target stays MHLO, and reads back as itself.
            again = self.dir / "again.mlir"
            again.write_text(self.convert(DATA / f"{name}.mlir"))
            self.assertEqual(lines(self.opt(again)), expected)

    def test_becomes_stablehlo(self):
        expected = lines((DATA / "ops.stablehlo").read_text())
        for path in (DATA / "ops.mlir", DATA / "ops.printed", *ARTIFACTS):
            self.assertEqual(self.printed(self.convert(path, "--target=current")), expected, path)
        self.assertGreaterEqual(len(ARTIFACTS), 2)

    def test_artifacts_are_stablehlo(self):
        text = self.dir / "text.mlir"
        for name in ("ops", "newer_ops"):
            text.write_text(self.convert(DATA / f"{name}.mlir", "--target=current"))
            for kind, flags in (("mlirbc", ()), ("shlo", ()), ("shlo", ("--target=1.21.0",))):
                of_text, of_mhlo = self.dir / f"text.{kind}", self.dir / f"mhlo.{kind}"
                self.convert(text, *flags, "-o", of_text)
                self.convert(DATA / f"{name}.mlir", *flags, "-o", of_mhlo)
                self.assertEqual(self.convert(of_mhlo), self.convert(of_text))
                self.assertNotIn("mhlo.", self.convert(of_mhlo))

    def test_ops_of_chlo(self):
        text = self.convert(DATA / "newer_ops.mlir", "--target=current")
        for op in ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "mulhi", "sinh"):
            self.assertIn(f"chlo.{op} ", text)
        self.assertNotIn("mhlo.", text)
        bottom = self.dir / "bottom.mlir"
        bottom.write_text(VALUES.replace("k = 2", "k = 2, largest = false"))
        self.assertIn("attribute 'largest' must be true", self.convert(bottom, "--target=current", code=1))

    def test_notations_of_2021(self):
        text = self.convert(DATA / "notations_2021.mlir", "--target=current")
        self.assertNotIn("mhlo", text)
        for part in ("compare  LT, %arg0, %arg1,  TOTALORDER", "batching_dims = [0] x [0], contracting_dims = [2] x [1]",
                     "precision = [HIGHEST, DEFAULT]", "precision = [HIGH, DEFAULT]",
                     "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "stride = [2, 2]",
                     "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
                     "index_vector_dim = 1>",
                     "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
                     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>",
                     "#stablehlo.channel_handle<handle = 5, type = 2>", "%0 = stablehlo.rng %arg0, %arg1, %arg2, distribution = UNIFORM",
                     "%1 = stablehlo.rng %arg0, %arg1, %arg2, distribution = NORMAL",
                     "algorithm =  THREE_FRY", "type =  RFFT", "#stablehlo<transpose NO_TRANSPOSE>",
                     "chlo.broadcast_add", "#chlo<comparison_direction GE>", "#chlo<comparison_direction LT>",
                     "stablehlo.negate %arg0", "tensor<?x3xf32, #stablehlo.bounds<4, ?>>",
                     "stablehlo.custom_call @f(%arg0) {backend_config = \"\"} :", "stablehlo.negate %arg2", "stablehlo.broadcast %arg3",
                     "func.func @generic(%arg0: tensor<4xf32>) -> tensor<4xf32>"):
            self.assertIn(re.sub(" +", " ", part), re.sub(" +", " ", text))
        # Reading what MHLO has of it today gives the same program.
        today = self.dir / "today.mlir"
        today.write_text(self.convert(DATA / "notations_2021.mlir"))
        self.assertIn("mhlo.compare", today.read_text())
        self.assertEqual(self.convert(today, "--target=current"), text)

    def test_values(self):
        path = self.dir / "values.mlir"
        path.write_text(VALUES)
        for program in (path, self.dir / "converted.mlir"):
            if program != path:
                program.write_text(self.convert(path, "--target=current"))
            out = self.convert(program, "eval", "--args=dense<[0.0, 1.0, -1.0, 0.5]> : tensor<4xf32>")
            # scipy.special.erf([1.5, 0.75])
            values = [float(v) for v in re.search(r"\[([^]]*)\]", out)[1].split(",")]
            self.assertAlmostEqual(values[0], 0.9661051464753108, 5)
            self.assertAlmostEqual(values[1], 0.7111556336535151, 5)

    def test_other_commands_see_ops_of_chlo(self):
        path, converted = self.dir / "values.mlir", self.dir / "converted.mlir"
        path.write_text(VALUES)
        converted.write_text(self.convert(path, "--target=current"))
        self.assertIn("equal by congruence", self.convert(converted, "prove", path))
        self.convert(converted, "diff", path)
        self.convert(path, "check", "--no-policy")
        artifact = self.dir / "proved.mlirbc"
        self.convert(path, "--target=1.9.0", "--expand", "--prove", "-o", artifact)
        self.assertIn("mhlo.topk(%2, k = 2) :", self.opt(path))
        largest = self.dir / "largest.mlir"
        largest.write_text(VALUES.replace("k = 2", "k = 2, largest = true"))
        self.assertIn("mhlo.topk(%2, k = 2, largest = true) :", self.convert(largest))

    def test_ops_without_counterpart(self):
        self.assertIn("mhlo.fusion", self.convert(DATA / "alone.mlir"))
        errors = self.convert(DATA / "alone.mlir", "--target=1.9.0", code=1)
        for op in ("add_dependency", "async_start", "async_update", "async_done", "bitcast", "copy", "domain", "fusion",
                   "minimum_broadcast_shapes", "ragged_dot", "stochastic_convert", "trace",
                   "xla.rng_get_and_update_state"):
            self.assertRegex(errors, rf"mhlo\.{re.escape(op)}'?: op has no counterpart in StableHLO")

    def test_schedules(self):
        path = self.dir / "schedule.mlir"
        path.write_text('''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mhlo.custom_call @f(%a) {custom_call_schedule = #mhlo<custom_call_schedule LATEST>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
''')
        self.assertIn("custom_call_schedule = #mhlo<custom_call_schedule LATEST>", self.convert(path))
        self.assertIn("attribute 'custom_call_schedule' has no counterpart", self.convert(path, "--target=current", code=1))

    def test_buffers_are_refused(self):
        path = self.dir / "buffers.mlir"
        path.write_text('func.func @f(%a: memref<4xf32>) {\n'
                        '  "lmhlo.add"(%a, %a, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()\n'
                        '  return\n}\n')
        self.assertIn("ops of 'lmhlo' work on buffers", self.convert(path, code=3))

    def test_inspect(self):
        out = self.convert(DATA / "ops.mlir", "inspect")
        self.assertIn("dialect        MHLO", out)
        for path, dialect in ((DATA / "ops.mlir", "mhlo"), (ARTIFACTS[0], "mhlo"), (DATA / "ops.stablehlo", "stablehlo")):
            document = json.loads(self.convert(path, "inspect", "--json"))
            self.assertEqual(document["files"][0]["programs"][0]["dialect"], dialect)

    def test_mixed_programs_are_stablehlo(self):
        path = self.dir / "mixed.mlir"
        path.write_text('''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  %1 = mhlo.add %0, %0 : tensor<4xf32>
  %2 = mhlo.copy %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
''')
        text = self.convert(path)
        self.assertIn("stablehlo.add", text)
        self.assertIn("mhlo.copy %1 : tensor<4xf32>", text)
        self.convert(path, "--target=1.13.0")
        path.write_text('func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n'
                        '  %0 = mhlo.copy %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n')
        self.assertIn("mhlo.copy %arg0 : tensor<4xf32>", self.convert(path, "--target=1.13.0"))


if __name__ == "__main__":
    unittest.main()
