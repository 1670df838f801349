#!/usr/bin/env python3
"""Tests of answers that a newcomer needs: who reads a program, what was not checked, how much differs, and how a command
is made quiet or colorful. Usage: answers_test.py TOOL"""
import json
import os
import pathlib
import re
import unittest

from command_line import GOOD, CommandLine

FUNCTION = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{\n{}  return %0 : tensor<4xf32>\n}}\n"
TANH = FUNCTION.format("  %0 = stablehlo.tanh %a : tensor<4xf32>\n")
TAN = FUNCTION.format("  %0 = stablehlo.tan %a : tensor<4xf32>\n")
INVALID = GOOD.replace("tensor<2xi32> {", "tensor<3xi32> {")
NEGATED = FUNCTION.format("  %0 = stablehlo.negate %a : tensor<4xf32>\n")
SAME = FUNCTION.format("  %0 = stablehlo.convert %a : tensor<4xf32>\n")


class Answers(CommandLine):
    def setUp(self):
        super().setUp()
        os.chdir(self.dir)

    def tearDown(self):
        os.chdir("/")
        super().tearDown()

    def file(self, name, text):
        (self.dir / name).write_text(text)
        return name

    def said(self, code, *args, **options):
        done = self.check(code, *args, **options)
        return done.stdout.decode(), done.stderr.decode()


class Consumers(Answers):
    def test_inspect_names_readers(self):
        out, _ = self.said(0, "inspect", self.file("tanh.mlir", TANH))
        self.assertIn("\nread by        jaxlib 0.4.13 and later\n               tensorflow-cpu 2.13.0 and later\n", out)
        # tan is of 1.4.0.
        program = json.loads(self.said(0, "inspect", "--json", self.file("tan.mlir", TAN))[0])["files"][0]["programs"][0]
        since = {r["package"]: r["since"] for r in program["readers"]}
        known = json.loads(self.said(0, "consumers", "--json")[0])["consumers"]
        release = {(c["package"], c["version"]): tuple(map(int, c["stablehlo"].split("."))) for c in known}
        for package, version in since.items():
            self.assertGreaterEqual(release[package, version], (1, 4, 0))
            older = [c["version"] for c in known if c["package"] == package]
            before = older[:older.index(version)]
            self.assertTrue(not before or release[package, before[-1]] < (1, 4, 0), f"{package} {before[-1:]} has tan, too")
        self.assertIn("jaxlib", since)
        # A dialect that no consumer has.
        other = self.file("other.mlir", '"tosa.thing"() : () -> ()\n')
        self.assertIn("\nread by        no known consumer\n", self.said(0, "inspect", other)[0])

    def test_consumers_are_listed(self):
        out, _ = self.said(0, "consumers")
        self.assertRegex(out, r"(?m)^jaxlib +\d+ +0\.4\.13 ")
        lines = self.said(0, "consumers", "jaxlib")[0].splitlines()
        self.assertRegex(lines[-1], r"^0\.4\.13 +0\.13\.4 +0\.13\.0 \(45\) +-$")
        self.assertTrue(all(len(line) < 120 for line in lines))
        self.check(2, "consumers", "jaxlb", err="did you mean 'jaxlib'?")
        own = self.file("own.json", '{"consumers": [{"package": "plugin", "version": "2.1", "stablehlo": "1.4.0"}]}')
        self.assertRegex(self.said(0, "consumers", "plugin", f"--consumers={own}")[0], r"(?m)^2\.1 +1\.4\.0 +1\.4\.0 \(57\)")
        self.check(2, "--for=jaxlib", self.good, err="from 0.4.13 to ")

    def test_unknown_versions_are_a_warning(self):
        for args in (["--for=jaxlib==99.0", "-o", "out.mlir"], ["check", "--no-policy", "--for=jaxlib==99.0"]):
            _, err = self.said(0, *args, self.good)
            self.assertRegex(err, r"^warning: jaxlib 99\.0 is not a known version; it is assumed to have StableHLO \S+, as \S+ has: target \S+ \(\d+\) \[unknown-version\]\n  hint: ")
        self.assertNotIn("warning", self.said(0, "--for=jaxlib==0.7.0", "-o", "out.mlir", self.good)[1])

    def test_matrix_is_narrow(self):
        tanh, tan = self.file("tanh.mlir", TANH), self.file("tan.mlir", TAN)
        lines = self.said(0, "inspect", "--matrix", tanh, tan)[0].splitlines()
        self.assertEqual([line.split(maxsplit=2)[2] for line in lines[1:]], ["all", "1.4 and later"])
        self.assertTrue(all(len(line) < 80 for line in lines))


class Proofs(Answers):
    def test_a_witness_is_visible(self):
        out, _ = self.said(1, "prove", self.file("a.mlir", NEGATED), self.file("b.mlir", SAME))
        found = re.search(r"differs at \[\d\]: (\S+) \(bits \S+\) in the first program, (\S+) \(bits \S+\) in the second; 4 of 4 elements differ; for", out)
        self.assertTrue(found, out)
        self.assertEqual(float(found[1]), -float(found[2]))
        self.assertNotEqual(float(found[1]), 0)

    def test_only_signs_of_zeros_differ(self):
        text = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = stablehlo.add %a, %z : tensor<f32>\n  return %0 : tensor<f32>\n}\n"
        out, _ = self.said(1, "prove", self.file("a.mlir", text), self.file("b.mlir", text.replace("add %a", "subtract %a")))
        self.assertIn("0.000000e+00 (bits 0x00000000) in the first program, -0.000000e+00 (bits 0x80000000) in the second; for", out)


class Differences(Answers):
    def test_a_changed_op_is_one_line(self):
        added = FUNCTION.format("  %1 = stablehlo.add %a, %a : tensor<4xf32>\n  %0 = stablehlo.tanh %1 : tensor<4xf32>\n")
        words = ["diff", self.file("a.mlir", TANH), self.file("b.mlir", added)]
        out, _ = self.said(1, *words)
        self.assertEqual(out.splitlines()[:4], ["@main", "  + 2:8  %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>",
                                                "  ~ 2:8 -> 3:8  %1 = stablehlo.tanh %0 : tensor<4xf32>",
                                                "      operand 0: %arg0 -> %0"])
        self.assertNotIn("\x1b", out)
        out, _ = self.said(1, *words, "--color=always")
        self.assertIn("\x1b[32m  + 2:8", out)
        self.assertIn("\x1b[33m  ~ 2:8", out)

    def test_large_constants_are_told_apart(self):
        def program(values, op):
            text = ", ".join(f"{v}.0" for v in values)
            return f"func.func @main() -> tensor<20xf32> {{\n  %c = stablehlo.constant dense<[{text}]> : tensor<20xf32>\n  %0 = stablehlo.{op} %c : tensor<20xf32>\n  return %0 : tensor<20xf32>\n}}\n"
        values = list(range(20))
        a = self.file("a.mlir", program(values, "tanh"))
        lines = self.said(1, "diff", a, self.file("b.mlir", program(values[:19] + [7], "tanh")))[0].splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:3]], ["~", "value:"])
        self.assertIn("dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, ... 20 elements in all, hash ", lines[1])
        # Added and removed, the first elements are the same.
        both = program(values, "tanh").replace("tanh %c", "add %c, %d").replace(
            "  %0 =", program(values[:19] + [7], "tanh").splitlines()[1].replace("%c", "%d") + "\n  %0 =")
        lines = self.said(1, "diff", self.file("c.mlir", FUNCTION.format("  %0 = stablehlo.tanh %a : tensor<4xf32>\n").replace("@main", "@f") + both), self.file("d.mlir", TANH))[0].splitlines()
        self.assertFalse(any("__elided__" in line for line in lines), lines)


class Verification(Answers):
    def test_what_was_not_checked_is_counted(self):
        one = self.file("one.mlir", '"tosa.thing"() : () -> ()\n')
        self.assertIn("; 1 op of 'tosa' was not checked\n", self.said(0, "verify", one)[0])
        two = self.file("two.mlir", '"tosa.thing"() : () -> ()\n"acme.a"() : () -> ()\n"acme.b"() : () -> ()\n')
        self.assertIn("; 3 ops of 'acme' and 'tosa' were not checked\n", self.said(0, "verify", two)[0])
        document = json.loads(self.said(0, "verify", "--json", two)[0])
        self.assertEqual(document["files"][0]["programs"][0]["unchecked"], [{"dialect": "acme", "op_count": 2}, {"dialect": "tosa", "op_count": 1}])
        # Shardings are checked.
        mesh = self.file("mesh.mlir", 'sdy.mesh @mesh = <["x"=2]>\n' + GOOD)
        for path in self.good, mesh:
            self.assertNotIn("checked", self.said(0, "verify", path)[0])

    def test_mhlo_says_how_to_get_stablehlo(self):
        mhlo = self.file("m.mlir", TANH.replace("stablehlo.", "mhlo."))
        _, err = self.said(0, "verify", mhlo)
        self.assertIn("note: the program is MHLO, and was verified as StableHLO\n  hint: make it StableHLO: shlo-compat --target=current FILE\n", err)
        self.assertIn("stablehlo.tanh", self.said(0, "--target=current", mhlo)[0])


class Words(Answers):
    def test_notes_have_no_code(self):
        _, err = self.said(0, "check", "--init")
        self.assertEqual(err, "note: 'shlo-compat.toml' is written\n")
        _, err = self.said(0, "--for=jaxlib==0.7.0", "-o", "out.mlir", self.good)
        self.assertRegex(err, r"^note: [^\[]*\n$")
        self.assertIn("[invalid-program]", self.said(1, "verify", self.file("bad.mlir", INVALID))[1])

    def test_junit_names_rules_as_text_does(self):
        out, _ = self.said(1, "check", "--no-policy", "--report=junit", self.file("bad.mlir", INVALID))
        self.assertIn('type="invalid"', out)
        self.assertIn("[invalid]", out)
        self.assertNotIn("[invalid-program]", out)

    def test_quiet(self):
        bad = self.file("bad.mlir", INVALID)
        for flag in "-q", "--quiet":
            self.assertEqual(self.said(0, "verify", flag, self.good, self.good), ("", ""))
            self.assertEqual(self.said(0, "--for=jaxlib==99.0", flag, "-o", "out.mlir", self.good), ("", ""))
            out, err = self.said(1, "verify", flag, self.good, bad)
            self.assertEqual(out, "bad.mlir: does not verify\n")
            self.assertIn("error: ", err)
            self.assertNotIn("verified", err)
        # Documents have everything.
        document = json.loads(self.said(0, "--json", "-q", "--for=jaxlib==99.0", "-o", "out.mlir", self.good)[0])
        self.assertEqual([d["severity"] for d in document["diagnostics"]], ["warning"])

    def test_color(self):
        bad = self.file("bad.mlir", INVALID)
        for flags, env, colored in ((["--color=always"], {}, True), (["--color", "always"], {"NO_COLOR": "1"}, True), (["--color=auto"], {}, False),
                                    (["--color=never"], {}, False), (["--color=always", "--no-color"], {}, False), ([], {}, False)):
            _, err = self.said(1, "verify", *flags, bad, env={**os.environ, **env})
            self.assertEqual("\x1b[1;31merror:\x1b[0m" in err, colored, flags)
        self.assertIn("\x1b[1;31m", self.said(1, "check", "--no-policy", "--color=always", bad)[0])
        self.check(2, "verify", "--color=sometimes", bad, err="expected one of auto, always, never")

    def test_an_output_that_replaces_the_input(self):
        self.file("m.mlir", TANH)
        self.assertIn("note: the output replaced the input 'm.mlir'\n", self.said(0, "m.mlir", "--target=1.9.0", "-o", "./m.mlir")[1].replace("./", ""))
        self.assertNotIn("replaced", self.said(0, "m.mlir", "--target=1.9.0", "-o", "n.mlir")[1])

    def test_archives(self):
        self.check(0, "archive", "init", "models")
        self.check(2, "inspect", "models", err="models: error: the folder is an archive of models [usage]\n  hint: list them: shlo-compat archive ls --archive=models")
        self.check(2, "models", "-o", "m.mlir", err="models: error: the folder is an archive of models [usage]")
        self.check(2, "eval", "models", err="models: error: the folder is an archive of models [usage]\n  hint: name one of them, models:MODEL; list them: shlo-compat archive ls --archive=models")
        self.check(2, "archive", "init", self.good, err="the path is a file, not a folder")

    def test_patterns_that_nothing_matches(self):
        for command in (["verify"], ["check", "--no-policy"], ["inspect"], ["roundtrip"], ["archive", "add", "--archive=models"], ["--target=1.9.0"], ["--out-dir=new"]):
            with self.subTest(command=command):
                if "archive" in command:
                    self.check(0, "archive", "init", "models")
                self.check(4, *command, "*.nothing", err="*.nothing: error: no file matches the pattern [io]")

    def test_unpack_without_large_constants(self):
        self.check(2, "unpack", self.good, "-o", "out.shlo", err="no constant has 1024 bytes or more")
        self.assertFalse(pathlib.Path("out.safetensors").exists())

    def test_weights_outside_of_the_folder(self):
        text = "func.func @main() -> tensor<20xf32> {\n  %c = stablehlo.constant dense<[" + ", ".join(f"{i}.0" for i in range(20)) + "]> : tensor<20xf32>\n  return %c : tensor<20xf32>\n}\n"
        pathlib.Path("inner").mkdir()
        self.check(0, "unpack", "--min-size=1", "--tensors=weights.safetensors", self.file("m.mlir", text), "-o", "inner/m.mlir")
        self.check(4, "eval", "inner/m.mlir", err="is in '../weights.safetensors', outside of the program's folder, where nothing is opened")
        self.check(0, "eval", "inner/m.mlir", "--weights=weights.safetensors")

    def test_reduce_says_how_the_command_ended(self):
        self.file("r.mlir", FUNCTION.format("  %1 = stablehlo.add %a, %a : tensor<4xf32>\n  %0 = stablehlo.tanh %1 : tensor<4xf32>\n"))
        for name in '"{}"', "'{}'", "{}", "":
            self.check(0, "reduce", "r.mlir", f"--still=grep -q tanh {name}", "-o", "out.mlir")
            self.assertNotIn("add", pathlib.Path("out.mlir").read_text())
        self.check(1, "reduce", "r.mlir", "--still=echo no luck; exit 3", "-o", "out.mlir", err="hint: the command exited with 3, not 0; it printed: no luck")
        self.check(1, "reduce", "r.mlir", "--still=cat {}", "--output-has=xyz", err="exited with 0, but did not print 'xyz'; it printed: module {")
        self.check(1, "reduce", "r.mlir", "--still=false", err="exited with 1, not 0, and printed nothing")
        self.check(1, "reduce", "r.mlir", "--still=sleep 9; true {}", "--test-timeout=1", err="the command ran longer than the time limit")


class Page(Answers):
    def test_the_page_is_sorted_and_grouped(self):
        pathlib.Path("models").mkdir()
        for i in range(3):
            self.file(f"models/m{i}.mlir", INVALID)
        token = FUNCTION.format('  %t = "stablehlo.create_token"() : () -> !stablehlo.token\n  %0 = stablehlo.tanh %a : tensor<4xf32>\n')
        self.file("models/a.mlir", token)
        self.file("p.toml", 'consumers = ["jaxlib==0.7.0"]\n[rules]\ndeprecated-op = "warning"\n')
        out, _ = self.said(1, "check", "--policy=p.toml", "--today=2026-09-01", "--report=html", "models")
        for part in ("<td>Policy</td><td><code>p.toml</code>", "<td>Consumers</td><td><code>jaxlib==0.7.0</code>", "<td>Date</td><td><code>2026-09-01</code>",
                     "<td>Tool</td><td><code>shlo-compat ", "<td>3 errors, 1 warning in 4 files</td>",
                     '<td><b class="error">error</b></td><td><code>invalid</code></td><td class="number">3</td>',
                     '<td><b class="warning">warning</b></td><td><code>deprecated-op</code></td><td class="number">1</td>',
                     "<code>models/<wbr>m0.mlir:"):
            self.assertIn(part, out)
        # Errors come first, and a sentence is there once, with its places and their lines.
        self.assertLess(out.index("models/<wbr>m2.mlir"), out.index("models/<wbr>a.mlir"))
        self.assertEqual(len(re.findall(r'<p class="error">', out)), 1)
        self.assertEqual(len(re.findall(r"<li><code>models/<wbr>m\d\.mlir:\d+</code><pre>.*\n *\^</pre></li>", out)), 3)

    def test_nothing_found(self):
        out, _ = self.said(0, "check", "--no-policy", "--report=html", self.good)
        self.assertIn("0 errors, 0 warnings in 1 file", out)
        self.assertNotIn("<h2>", out)


if __name__ == "__main__":
    unittest.main()
