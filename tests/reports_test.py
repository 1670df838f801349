#!/usr/bin/env python3
"""Tests of what the commands print for people, and of messages that no other test causes. Usage: reports_test.py TOOL"""
import json
import unittest

from command_line import GOOD, ROOT, SUB, CommandLine, run

MIXED = """#a = affine_map<(d0) -> (d0)>
module {
  func.func private @helper(%a: tensor<2xf32>) -> tensor<2xf32> attributes {note = "kept"} {
    %0 = stablehlo.tan %a : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "foo.bar"(%a) {m = #a, d = {inner = "deep"}} : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.custom_call @target(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = func.call @helper(%1) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001020304"
    }
  }
#-}
"""
TWO = GOOD + "// -----\n" + GOOD


class Reports(CommandLine):
    def text(self, *args, code=0):
        return self.check(code, *args).stdout.decode()

    def file(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def test_ops(self):
        lines = self.text("ops").splitlines()
        rows = {line.split()[0]: line for line in lines}
        self.assertEqual(len(rows), len(lines))
        self.assertEqual(rows["stablehlo.gather"].split(None, 1)[1].split("  ")[0], "37 and later")
        self.assertTrue(rows["stablehlo.gather"].endswith(" 2 op versions"))
        self.assertEqual(rows["stablehlo.sub"].split(None, 1)[1].strip(), "37 to 39")
        self.assertEqual(rows["stablehlo.tan"].split(None, 1)[1].split("  ")[0], "1.4.0 (57) and later")

    def test_an_op(self):
        text = self.text("ops", "subtract")
        for line in ("stablehlo.subtract  (wire id 106)", "  form       operands attr-dict `:` same-type",
                     "  example    %0 = stablehlo.subtract %arg0, %arg1 : tensor<2xf32>", "  trait      elementwise", "  evaluated  yes",
                     "  vhlo.subtract_v1: 40 and later",
                     "  constraints  C: specification, I: its input table, R: reference implementation",
                     "    C1   base(lhs) = base(rhs) = base(result)  [relations, inference]", "  results    inferred from C1",
                     "  step       at 40: stablehlo.sub -> vhlo.subtract_v1: renamed"):
            self.assertIn(line + "\n", text)
        text = self.text("ops", "vhlo.gather_v1")
        self.assertEqual(text, self.text("ops", "stablehlo.gather"))
        for line in ("  vhlo.gather_v1: 37 to 1.0.0 (53)", "  vhlo.gather_v2: 1.1.0 (54) and later",
                     "    in text    dimension_numbers groups the fields of gather",
                     "    attributes offset_dims: array of i64, required", "               operand_batching_dims: array of i64, []"):
            self.assertIn(line + "\n", text)
        text = self.text("ops", "stablehlo.custom_call")
        self.assertIn("    condition  up to 1.16.0 (69): no operand is a future\n", text)
        self.assertIn("    operands   inputs...: ", text)
        self.assertIn("  constraints none: ", self.text("ops", "stablehlo.after_all"))
        self.assertIn("    regions    computation", self.text("ops", "all_reduce"))
        self.assertEqual(self.text("ops", "constant").count("  (wire id "), 3)

    def test_inspect(self):
        text = self.text("inspect", self.file("mixed.mlir", MIXED))
        for part in ("functions      2\n", "  @helper (private): 2 ops\n", "  @main: 4 ops\n", "foo.bar (not in the op table)\n",
                     "custom_call targets\n         1  target\n", " vhlo.tan_v2 since 1.10.0 (63)\n", "(inferred from the op names)", "resources\n"):
            self.assertIn(part, text)
        self.assertIn(" until 39\n", self.text("inspect", SUB))
        self.assertIn("version        1.9.0 (62)", self.text("inspect", "--from=1.9.0", self.good))
        self.assertIn("(set by --from)", self.text("inspect", "--from=1.9.0", self.good))
        self.assertIn("program        at line 4\n", self.text("inspect", self.file("two.mlir", TWO)))

    def test_strings(self):
        text = self.text("strings", self.file("mixed.mlir", MIXED))
        for string, origin in (("foo.bar", "name of an op not in the op table"), ("blob", "key of a resource"),
                               ("inner", "key of a dictionary"), ("note", "name of a discardable attribute")):
            self.assertRegex(text, f"(?m)^.*{string}.*{origin}")

    def test_versions(self):
        lines = self.text("versions").splitlines()
        self.assertEqual(len([line for line in lines if line.lstrip()[:2].isdigit()]), 39)
        self.assertIn("1.9.0", self.text("versions", "62"))

    def test_laws(self):
        self.assertIn("vhlo.gather_v1", self.text("laws"))
        text = self.text("laws", "gather_v2")
        self.assertIn("\n  last checked on ", text)
        self.assertIn(", exact\n", text)


class Refusals(CommandLine):
    def file(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def test_consumers(self):
        entry = {"package": "plugin", "version": "2.1", "stablehlo": "1.4.0"}
        def consumers(value):
            return self.file("consumers.json", value if isinstance(value, str) else json.dumps(value))
        def check(code, value, err="", requirement="plugin==2.1"):
            path = consumers(value)
            self.check(code, f"--for={requirement}", f"--consumers={path}", "--allow-outside-window", self.good, err=err)
            return path
        check(0, {"consumers": [{**entry, "dialects": ["chlo"], "lacks_types": ["f4E2M1FN"]}]},
              "--for=plugin==2.1: plugin 2.1 has StableHLO 1.4.0, target 1.4.0 (57)")
        for value in ("[]", "{", "1"):
            path = check(2, value, "not a JSON object")
            self.check(2, "--for=plugin==2.1", f"--consumers={path}", self.good, err=f"{path}: error: not a JSON object")
        for value in ({}, {"consumers": {}}):
            check(2, value, "expected a list 'consumers'")
        for wrong in ("x", {}, {**entry, "package": ""}, {**entry, "version": 2}, {**entry, "stablehlo": None}, {**entry, "dialects": "chlo"},
                      {**entry, "dialects": [1]}, {**entry, "lacks_types": [1]}):
            check(2, {"consumers": [entry, wrong]}, "entry 2 of 'consumers' is not valid")
        check(2, {"consumers": [{**entry, "stablehlo": "0.1.0"}]}, "0.1.0")
        check(2, {"consumers": [{**entry, "version": "x=y"}]}, "entry 1: ")
        check(2, {"consumers": [entry]}, "plugn", requirement="plugn==2.1")
        self.check(4, "--for=plugin==2.1", "--consumers=nowhere.json", self.good, err="nowhere.json: error: cannot open")
        self.check(2, "--for=jaxlib==0.4.30", "--today=yesterday", "--target=WEEK_4", self.good, err="--today=yesterday: ")
        self.check(2, "--target=WEEK_4", "--today=2025-02-30", self.good, err="invalid date '2025-02-30'; expected YYYY-MM-DD")
        self.check(0, "--for=WEEK_12", "--today=2026-09-01", self.good, err="--for=WEEK_12 is 1.16.0 (69), released 2026-04-10")
        # Of several consumers, the oldest decides.
        done = self.check(0, "--for=plugin==2.1", "--for=plugin==3", f"--consumers={consumers({'consumers': [entry, {**entry, 'version': '3', 'stablehlo': '1.9.0'}]})}",
                          "--allow-outside-window", self.good)
        self.assertIn(b"stablehlo.compat_version = 57", done.stdout)

    def test_check_and_convert_know_the_same_consumers(self):
        for consumer in ("jaxlib==0.4.30", "jax>=0.7", "tensorflow==2.13", "WEEK_4", "WEEK_12", "MAX", "minimum", "current", "1.9.0", "v60", "2025-06-01"):
            self.check(0, f"--for={consumer}", "--allow-outside-window", self.good)
            self.check(0, "check", "--no-policy", f"--for={consumer}", self.good)
        for consumer, hint in (("WEEK_13", "did you mean 'WEEK_12'?"), ("jaxlob==1", "known: jaxlib, tensorflow-cpu"), ("jaxlib", "write jaxlib==VERSION"),
                               ("9.0.0", "known: jaxlib, tensorflow-cpu")):
            said = [self.check(2, *command, f"--for={consumer}", self.good, err=hint).stderr for command in ([], ["check", "--no-policy"])]
            self.assertEqual(*said)

    def test_what_a_consumer_reads_in_part(self):
        path = self.file("mixed.mlir", 'func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = "mhlo.copy"(%a) : '
                         '(tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n')
        lacks, partly = "jaxlib 0.7.0 does not have dialect 'mhlo'", "only the jax.export deserializer of jaxlib 0.12.0 has dialect 'mhlo'"
        self.check(1, "--for=jaxlib==0.7.0", path, err=lacks)
        self.check(0, "--for=jaxlib==0.12.0", path, err=f"warning: 'mhlo.copy': {partly}")
        rules = ["check", "--no-policy", "--rule=unknown-dialect=off"]
        self.assertIn(lacks, self.check(1, *rules, "--for=jaxlib==0.7.0", path).stdout.decode())
        self.assertIn(f"{partly} [consumer-partly-blocked]", self.check(0, *rules, "--for=jaxlib==0.12.0", path).stdout.decode())
        self.assertIn("[consumer-outside-window]", self.check(0, *rules, "--for=jaxlib==0.4.30", self.good).stdout.decode())

    def test_from_only_repeats_what_an_artifact_states(self):
        artifact = self.dir / "a.shlo"
        self.check(0, "--target=1.9.0", "--allow-outside-window", "-o", artifact, self.good)
        self.check(0, "verify", "--from=1.9.0", artifact)
        self.check(2, "verify", "--from=1.10.0", artifact, err=f"{artifact}: error: --from=1.10.0 conflicts with the artifact's version 1.9.0 (62)")

    def test_arguments_of_eval(self):
        one, two = "dense<1> : tensor<2xi32>", self.file("two.mlir", TWO)
        self.check(2, "eval", self.good, "--arg", f"0=[{one}, {one}]", err="expected a single constant")
        self.check(3, "eval", self.good, "--args", one, one, err="expected 1 argument, got 2")
        self.check(2, "eval", self.good, "--args", "random:1", "random:2", err="expected 1 argument, got 2")
        self.check(4, "eval", self.good, "--args", "@nowhere.npy", err="nowhere.npy")
        pair = self.file("pair.mlir", GOOD.replace("-> tensor<2xi32>", "-> (tensor<2xi32>, tensor<2xi32>)").replace(
            "return %arg0 : tensor<2xi32>", "return %arg0, %arg0 : tensor<2xi32>, tensor<2xi32>"))
        arrays = self.dir / "out.npz"
        self.check(0, "eval", pair, "--args", one, f"--outputs={arrays}")
        self.check(3, "eval", self.good, "--args", f"@{arrays}", err=f"{arrays}: error: expected a file of 1 array for argument 0, got 2")
        self.check(2, "eval", two, "--args", one, err="split the file at its '// -----' lines")

    def test_reduce(self):
        two, invalid = self.file("two.mlir", TWO), self.file("invalid.mlir", GOOD.replace("-> tensor<2xi32>", "-> tensor<3xi32>"))
        self.check(2, "reduce", "--still-invalid", two, err="expected 1 program, but the file has 2")
        self.check(2, "reduce", "--what", self.good)
        self.check(2, "reduce", "--json", "--still-differs", self.good, self.good, err="cannot write both JSON and a program to stdout")
        self.check(0, "reduce", "--still-invalid", invalid)
        self.check(0, "reduce", "--still=true", "--max-tests=1", self.file("mixed.mlir", MIXED), err="--max-tests ended the reduction early")
        self.check(2, "reduce", "--still-blocked=x", self.good, err="invalid version 'x'")

    def test_messages_about_a_file_name_it(self):
        missing = self.dir / "nowhere.mlir"
        for command in ([], ["inspect"], ["strings"], ["eval"], ["roundtrip"], ["verify"], ["reduce", "--still=true"], ["prove", self.good],
                        ["inspect", "--matrix"]):
            self.check(4, *command, missing, err=f"{missing}: error: cannot open: No such file or directory [io]")
        bad = self.file("bad.mlir", "func.func @f(")
        for command in ([], ["inspect"], ["strings"], ["eval"], ["roundtrip"], ["verify"], ["reduce", "--still=true"], ["prove", self.good]):
            self.check(3, *command, bad, err=f"{bad}:1:14: error: ")
        for out in (["-o", self.dir / "none/out.mlir"], ["-o", self.dir / "none/out.shlo"]):
            self.check(4, *out, self.good, err=f"{out[1]}: error: cannot create a temporary file in its directory")
        self.check(4, "eval", self.good, "--args", "random:1", f"--outputs={self.dir}/none/out.npz", err=f"{self.dir}/none/out.npz")
        self.check(2, "-o", self.dir / "out.shlo", self.file("two.mlir", TWO), err="two.mlir")


if __name__ == "__main__":
    unittest.main()
