#!/usr/bin/env python3
"""Tests what the tool says of consumers: guesses, what they read and cannot compile, hints that they lack, artifacts that
their readers refuse, and one line for each cause. Usage: consumers_test.py TOOL"""
import json
import unittest

import json_schema
from command_line import TOOL, CommandLine

HINTS = """module attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}
"""
GATHER = """func.func @main(%a: tensor<3x2xf32>, %i: tensor<3x1xi32>) -> tensor<3x1xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x2xf32>, tensor<3x1xi32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}
"""
SCATTER = """func.func @main(%v: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.exponential %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
OLD = "--allow-outside-window"


class Consumers(CommandLine):
    def file(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def document(self, code, *args):
        document = json.loads(self.check(code, *args).stdout)
        self.assertEqual(json_schema.check(document), [])
        return document

    def test_a_guess_is_called_one(self):
        for requirement, note in {
            "jaxlib==5.0": "jaxlib 5.0 is not a known version; it is assumed to have StableHLO 1.22.0, as 0.12.0.1 has",
            "jaxlib==0.4.32": "assumed to have StableHLO 1.4.2, as 0.4.31 has: target 1.4.0 (57)",
            "jax>=0.4.37": "jaxlib 0.4.37 is not a known version",
            "tensorflow==2.21.1": "assumed to have StableHLO 1.13.7, as 2.21.0 has",
            "iree==3.7": "iree-base-compiler 3.7 is not a known version; it is assumed to have StableHLO 1.12.0, as 3.6.0 has",
        }.items():
            self.check(0, f"--for={requirement}", OLD, self.good, err=note)
            (consumer,) = self.document(0, "--json", f"--for={requirement}", OLD, self.good)["consumers"]
            self.assertEqual(consumer["requirement"], requirement)
            self.assertIn(consumer["assumed_as"], note + "0.4.36")
        for requirement, release in {"jaxlib==0.4.30": "1.1.3", "tensorflow==2.21.0": "1.13.7", "tensorflow==2.14": "0.14.8",
                                     "tensorflow>=2.17": "1.1.1", "iree-base-compiler==3.0.0": "1.8.0", "torchax==0.0.5": "1.11.0"}.items():
            done = self.check(0, f"--for={requirement}", OLD, self.good, err=f" has StableHLO {release}, target ")
            self.assertNotIn(b"assumed", done.stderr)
            (consumer,) = self.document(0, "--json", f"--for={requirement}", OLD, self.good)["consumers"]
            self.assertEqual(consumer["stablehlo"], release)
            self.assertNotIn("assumed_as", consumer)
        (version,) = self.document(0, "--json", "--for=1.9.0", self.good)["consumers"]
        self.assertEqual((set(version), version["target"]["n"]), ({"requirement", "target"}, 62))
        self.assertNotIn("consumers", self.document(0, "--json", self.good))
        # The check names it so, too.
        hints = self.file("hints.mlir", HINTS)
        done = self.check(1, "check", "--no-policy", "--for=jaxlib==0.6.3", hints)
        self.assertIn("jaxlib 0.6.3 (assumed as 0.6.2) does not have attribute kind", done.stdout.decode())

    def test_hints_are_dropped_on_request(self):
        path = self.file("hints.mlir", HINTS)
        refused = self.check(1, "--for=jaxlib==0.6.2", OLD, path).stderr.decode()
        self.assertIn("jaxlib 0.6.2 does not have attribute kind '#sdy.op_sharding_rule' (2 times)", refused)
        self.assertIn("hint: pass --drop-hints to leave out what changes no result", refused)
        self.assertEqual(refused.count("error:"), 1)
        document = self.document(0, "--json", "--for=jaxlib==0.6.2", OLD, "--drop-hints", path)
        self.assertNotIn("sdy", document["text"])
        self.assertEqual(document["files"][0]["programs"][0]["dropped_hints"], [{"name": "sdy.sharding_rule", "count": 2}])
        # A version without attributes of other dialects, in an artifact.
        old = self.dir / "old.mlirbc"
        self.check(1, "--target=1.9.0", OLD, "-o", old, path, err="or pass --drop-hints")
        self.check(0, "--target=1.9.0", OLD, "--drop-hints", "-o", old, path)
        self.check(0, "--drop-hints", self.good)

    def test_one_line_for_each_cause(self):
        body = "".join(f"  %{i} = stablehlo.tan %a : tensor<4xf32>\n  %c{i} = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf4E2M1FN>\n"
                       for i in range(50))
        path = self.file("many.mlir", f"func.func @main(%a: tensor<4xf32>) {{\n{body}  return\n}}\n")
        few = self.check(1, "--target=1.0.0", OLD, path).stderr.decode()
        self.assertEqual(few.count("error:"), 2, few)
        self.assertIn(f"{path}:2:8: error: 'stablehlo.tan': op does not exist in version 1.0.0 (50 times) [blocked]", few)
        self.assertIn("type 'f4E2M1FN' of result 0 does not exist in version 1.0.0 (50 times)", few)
        every = self.check(1, "--target=1.0.0", OLD, "--all", path).stderr.decode()
        self.assertEqual(every.count("error:"), 100)
        self.assertNotIn("times)", every)
        found = [d for d in self.document(1, "--json", "--target=1.0.0", OLD, path)["diagnostics"] if d["severity"] == "error"]
        self.assertEqual([d["count"] for d in found], [50, 50])
        found = self.document(1, "--json", "--target=1.0.0", OLD, "--all", path)["diagnostics"]
        self.assertTrue(all("count" not in d for d in found))

    def test_what_is_read_and_not_compiled(self):
        path = self.file("gather.mlir", GATHER)
        warned = self.check(0, "--for=jaxlib==0.4.30", OLD, path).stderr.decode()
        self.assertIn("warning: 'stablehlo.gather': jaxlib 0.4.30 reads this, but cannot compile it", warned)
        self.assertIn("hint: pass --expand", warned)
        done = self.check(0, "--for=jaxlib==0.4.30", OLD, "--expand", path)
        self.assertNotIn(b"cannot compile", done.stderr)
        self.assertNotIn(b"operand_batching_dims", done.stdout)
        for other in ("jaxlib==0.4.33", "jaxlib==0.12.0", "1.1.0"):
            self.assertNotIn(b"cannot compile", self.check(0, f"--for={other}", OLD, path).stderr)
        found = self.document(0, "check", "--json", "--no-policy", "--for=jaxlib==0.4.30", path)["files"][0]["findings"]
        self.assertIn("consumer-cannot-compile", [f["rule"] for f in found])
        own = self.file("own.json", json.dumps({"consumers": [
            {"package": "plugin", "version": "1", "stablehlo": "1.9.0", "cannot_compile": ["stablehlo.gather@1.1.0", "f8E5M2"]}]}))
        self.check(0, "--for=plugin==1", f"--consumers={own}", path, err="plugin 1 reads this, but cannot compile it")
        for wrong in ("stablehlo.gather@1.x", "stablehlo.gather@0.9.0"):
            bad = self.file("bad.json", json.dumps({"consumers": [
                {"package": "plugin", "version": "1", "stablehlo": "1.9.0", "cannot_compile": [wrong]}]}))
            self.check(2, "--for=plugin==1", f"--consumers={bad}", path, err="has no release after 0.9.0 (41) and '@'")

    def test_artifacts_that_readers_refuse(self):
        path, out = self.file("scatter.mlir", SCATTER), self.dir / "out.mlirbc"
        message = "StableHLO 1.9.0 and later cannot read 'vhlo.exponential_v1' in the region of this op at version 1.0.0 (53)"
        warned = self.check(0, "--target=1.0.0", OLD, "-o", out, path, err=f"warning: 'stablehlo.scatter': {message}")
        self.assertIn(b"hint: target 1.1.0 (54) or newer", warned.stderr)
        self.assertNotIn(b"cannot read", self.check(0, "--target=1.1.0", OLD, "-o", out, path).stderr)
        # Text is upgraded by whoever reads it.
        self.assertNotIn(b"cannot read", self.check(0, "--target=1.0.0", OLD, path).stderr)
        # Consumers that are named decide; one that refuses the artifact is an error.
        self.assertNotIn(b"cannot read", self.check(0, "--for=jaxlib==0.4.26", OLD, "-o", out, path).stderr)
        self.check(1, "--for=jaxlib==0.4.26", "--for=jaxlib==0.10.2", OLD, "-o", out, path,
                   err="so jaxlib 0.10.2 refuses the artifact [blocked]")
        self.check(0, "--target=1.0.0", OLD, "-o", out, path)
        found = self.check(1, "check", "--no-policy", "--for=jaxlib==0.10.2", out).stdout.decode()
        self.assertIn(message, found)
        self.assertIn("[consumer-blocked]", found)
        self.assertNotIn(message, self.check(None, "check", "--no-policy", "--for=jaxlib==0.4.26", out).stdout.decode())

    def test_dialects_of_consumers_are_known(self):
        path = self.file("sdy.mlir", 'func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = "sdy.sharding_barrier"(%a) : '
                         "(tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")
        done = self.check(0, "check", "--no-policy", "--for=jaxlib==0.12.0", path).stdout.decode()
        self.assertNotIn("is not known", done)
        self.assertIn("ops of dialect 'sdy' have no compatibility guarantee", done)


if __name__ == "__main__":
    unittest.main()
