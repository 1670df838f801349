#!/usr/bin/env python3
"""Tests of the commands that list differences. Usage: cli_diff_test.py TOOL"""
import json
import unittest

from command_line import CommandLine

PROGRAM = """module @m attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %0 = stablehlo.add %a, %c : tensor<4xf32>
    %1 = func.call @helper(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.while(%i = %1) : tensor<4xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %3 = stablehlo.subtract %i, %b : tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }
    return %2 : tensor<4xf32>
  }
  func.func private @helper(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.tanh %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


class Differences(CommandLine):
    def setUp(self):
        super().setUp()
        self.program = self.file("a.mlir", PROGRAM)

    def file(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def report(self, *changes, flags=(), code=1):
        """Returns what diff prints after replacements in the program, without the last line."""
        text = PROGRAM
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        out = self.check(code, "diff", *flags, self.program, self.file("b.mlir", text)).stdout.decode()
        lines = out.splitlines()
        self.assertTrue(lines[-1].startswith("different (" if code else "equal ("), out)
        return lines[:-1]

    def test_equal(self):
        self.assertEqual(self.report(code=0), [])
        self.assertEqual(self.report(("%0", "%sum"), ("%i", "%state"), code=0), [])

    def test_formats_and_versions(self):
        for name, target in (("b.mlirbc", "0.9.0"), ("b.shlo", "1.9.0"), ("c.mlir", "1.0.0")):
            other = self.dir / name
            self.check(0, f"--target={target}", "--allow-outside-window", "-o", other, self.program)
            done = self.check(0, "diff", self.program, other, err=f"{other} at {target} (")
            self.assertRegex(done.stdout.decode(), rf"\Aequal \(11 ops at \S+ \(\d+\), 11 ops at {target} \(\d+\); 11 matched\)\n\Z")
        stdin = self.check(0, "diff", self.program, "-", stdin=PROGRAM.encode())
        self.assertIn("equal (", stdin.stdout.decode())

    def test_an_op_in_a_region(self):
        self.assertEqual(self.report(("stablehlo.subtract %i, %b", "stablehlo.subtract %b, %i")), [
            "@main",
            "  ~ 11:12  %3 = stablehlo.subtract %arg1, %iterArg : tensor<4xf32>",
            "      operand 0: %iterArg -> %arg1", "      operand 1: %arg1 -> %iterArg"])

    def test_a_replaced_op(self):
        self.assertEqual(self.report(("stablehlo.tanh", "stablehlo.sine")), [
            "@helper", "  - 17:10  %0 = stablehlo.tanh %arg0 : tensor<4xf32>",
            "  + 17:10  %0 = stablehlo.sine %arg0 : tensor<4xf32>", "      op: stablehlo.tanh -> stablehlo.sine",
            "ops", "             +1  stablehlo.sine", "      -1         stablehlo.tanh"])

    def test_a_constant(self):
        lines = self.report(("3.0, 4.0", "3.5, 1.0"))
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[2], "      value: tensor<4xf32>: 2 of 4 elements, the first is element 2; the largest difference is 3")

    def test_names(self):
        self.assertEqual(self.report(("@helper", "@other")), ["@helper -> @other"])
        self.assertEqual(self.report(("num_partitions = 1", "num_partitions = 2")),
                         ["module: mhlo.num_partitions: 1 : i32 -> 2 : i32"])
        self.assertEqual(self.report(("@main(%a: tensor<4xf32>", '@main(%a: tensor<4xf32> {mhlo.sharding = "{replicated}"}')),
                         ["@main", '  argument 0: mhlo.sharding: absent -> "{replicated}"'])
        self.assertEqual(self.report(("@main(", "@run("), ("module @m", "module @m"))[:1], ["@main -> @run"])

    def test_functions_come_and_go(self):
        more = self.file("more.mlir", PROGRAM[:-2] + "  func.func private @more() {\n    return\n  }\n}\n")
        out = self.check(1, "diff", self.program, more).stdout.decode()
        self.assertEqual(out.splitlines()[:3], ["  + 20:3  func.func private @more() {...}", "ops", "             +1  func.return"])
        out = self.check(1, "diff", more, self.program).stdout.decode()
        self.assertEqual(out.splitlines()[0], "  - 20:3  func.func private @more() {...}")

    def test_locations_on_demand(self):
        change = ("stablehlo.tanh %a : tensor<4xf32>", 'stablehlo.tanh %a : tensor<4xf32> loc("x.py":1:2)')
        self.assertEqual(self.report(change, code=0), [])
        self.assertEqual(self.report(change, flags=["--locations"])[-1], '      location: absent -> loc("x.py":1:2)')

    def test_limit(self):
        change = [("stablehlo.subtract", "stablehlo.add"), ("stablehlo.tanh", "stablehlo.sine")]
        lines = self.report(*change, flags=["--limit=2"])
        self.assertEqual(lines[2:4], ["... 6 lines more; --limit=0 prints all", "ops"])
        self.assertEqual(len(self.report(*change, flags=["--limit=0"])), 8 + 1 + 4)

    def test_json(self):
        other = self.file("b.mlir", PROGRAM.replace("3.0, 4.0", "3.5, 1.0").replace("@helper", "@other"))
        j = json.loads(self.check(1, "diff", "--json", self.program, other).stdout)
        self.assertEqual((j["equal"], j["matched"], j["counts"]), (False, 11, []))
        self.assertEqual([(s["name"], s["change"]) for s in j["symbols"]], [("main", "changed"), ("other", "renamed")])
        self.assertEqual(j["symbols"][1]["renamed_from"], "helper")
        op = j["symbols"][0]["ops"][0]
        self.assertEqual((op["change"], op["a"]["name"], op["a"]["line"], op["b"]["line"]), ("changed", "stablehlo.constant", 3, 3))
        self.assertEqual(op["differences"][0]["elements"],
                         {"type": "tensor<4xf32>", "count": 4, "differ": 2, "first": 2, "largest": 3.0})

    def test_failures(self):
        self.check(2, "diff", self.program, err="B is required")
        self.check(4, "diff", self.program, self.dir / "nowhere.mlir", err="nowhere.mlir: error: cannot open")
        self.check(3, "diff", self.program, self.file("bad.mlir", "func.func @f("), err="bad.mlir:1:14")
        self.check(2, "diff", self.file("two.mlir", PROGRAM + "// -----\n" + PROGRAM), self.program, err="expected 1 program")


class Releases(CommandLine):
    def text(self, *args):
        return self.check(0, *args).stdout.decode()

    def changes(self, *args):
        """Returns the changes of --json: for each key, the signs and names."""
        j = json.loads(self.check(0, *args, "--json").stdout)
        signs = {"added": "+", "removed": "-", "changed": "~"}
        return {key: [f"{signs[c['change']]}{c['name']}" for c in value] for key, value in j["changes"].items() if key != "steps"}

    def test_one_release(self):
        self.assertEqual(self.changes("versions", "1.3.0..1.4.0"),
                         {"ops": ["+stablehlo.tan"], "element_types": [], "types": [], "attributes": [], "enum_cases": [], "texts": [], "bytecode": []})
        self.assertEqual(self.changes("versions", "1.21.0..1.22.0")["enum_cases"], ["+stablehlo.comparison_type WEAKORDER", "+chlo.comparison_type WEAKORDER"])
        self.assertEqual(self.changes("versions", "1.6.0..1.7.0")["element_types"], ["+f8E3M4", "+f8E4M3"])
        self.assertEqual(self.changes("versions", "0.11.0..0.12.0")["bytecode"], ["~MLIR bytecode"])
        self.assertIn("~stablehlo.slice", self.changes("versions", "0.13.0..0.14.0")["texts"])

    def test_attributes_of_an_op(self):
        self.assertEqual(self.text("ops", "--diff", "1.0.0..1.1.0").splitlines()[4:7], [
            "  ~ stablehlo.gather: vhlo.gather_v1 -> vhlo.gather_v2  [1.1.0 (54)]",
            "      + attribute operand_batching_dims: array of i64, []",
            "      + attribute start_indices_batching_dims: array of i64, []"])
        text = self.text("versions", "1.4.0..1.5.0")
        for line in (" 58  1.5.0 ", "  ~ stablehlo.all_gather: vhlo.all_gather_v1 -> vhlo.all_gather_v2  [1.5.0 (58)]\n      ~ operand: operand -> operands...\n",
                     "conversion steps\n  vhlo.all_gather_v1 -> vhlo.all_gather_v2: operands and results become variadic  [1.5.0 (58)]\n"):
            self.assertIn(line, text)
        self.assertNotIn(" 57  ", text)

    def test_conditions_end(self):
        self.assertIn("  ~ stablehlo.custom_call  [1.17.0 (70)]\n      - condition: no operand is a future  [1.17.0 (70)]\n",
                      self.text("ops", "--diff", "1.16.0..1.17.0"))
        self.assertIn("no operand is a future", self.text("ops", "--diff", "1.16.0..1.18.0"))
        self.assertNotIn("custom_call", self.text("ops", "--diff", "1.17.0..1.17.0"))

    def test_renamed(self):
        self.assertEqual(self.text("ops", "--diff", "39..40"), "ops\n  ~ stablehlo.subtract: stablehlo.sub -> vhlo.subtract_v1  [40]\n")
        self.assertEqual(self.text("ops", "--diff", "40..39"), "ops\n  ~ stablehlo.sub: vhlo.subtract_v1 -> stablehlo.sub  [40]\n")

    def test_backwards(self):
        self.assertEqual(self.changes("versions", "1.4.0..1.3.0")["ops"], ["-stablehlo.tan"])
        up, down = self.changes("versions", ".."), self.changes("versions", "current..minimum")
        turned = str.maketrans("+-", "-+")
        for key, names in up.items():
            if key != "ops":  # names of renamed ops differ
                self.assertEqual(sorted(n[0].translate(turned) + n[1:] for n in names), sorted(down[key]))
        # 12 ops gained result_accuracy alone.
        self.assertGreater(len(up["ops"]), 12)

    def test_failures(self):
        self.check(2, "versions", "1.0.0..nothing", err="versions=nothing: invalid version 'nothing'")
        self.check(2, "ops", "--diff", "1.0.0", err="--diff=1.0.0: expected two versions")
        self.check(2, "ops", "gather", "--diff", "..", err="--diff compares all ops")


if __name__ == "__main__":
    unittest.main()
