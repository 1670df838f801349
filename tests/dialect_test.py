#!/usr/bin/env python3
"""Tests of --dialect, with the example of examples/dialect: its file and schema, the command line, `check`, and `gate`,
which finds each of many changes by the rule meant for it. Programs are in tests/dialect.
Usage: dialect_test.py TOOL"""
import json
import re
import tomllib
import unittest

import json_schema
from command_line import ROOT, CommandLine

FOLDER = ROOT.parent / "examples/dialect"
FILE = FOLDER / "acme.toml"
RELEASED = FOLDER / "released"
PROGRAMS = FOLDER / "programs"

# A change of the example, and the rules that report it.
CHANGES = [
    ('name = "pack"', 'name = "packs"', "constraint-tightened interval-changed"),
    ('name = "unpack"', 'name = "unpack"\nsince = 2', "constraint-tightened interval-changed"),
    ('formerly = [{ name = "scale", until = 2 }]', 'formerly = [{ name = "scale", until = 1 }]',
     "constraint-tightened interval-changed"),
    ('formerly = [{ name = "scale", until = 2 }]', 'formerly = [{ name = "scaled", until = 2 }]',
     "constraint-tightened id-changed interval-changed"),
    ('type = "tensor<integer | float>"', 'type = "tensor<integer>"', "constraint-tightened"),
    ('type = "tensor<integer | float>"', 'type = ["tensor<float>", "tensor<integer>"]', ""),
    ('type = "scalar<i32>"', 'type = "static<integer>"', "constraint-loosened"),
    ('type = "!packed" }]\nattributes', 'type = "any" }]\nattributes', "constraint-loosened"),
    ('{ name = "factor", kind = "f32" }', '{ name = "factor", kind = "float" }',
     "attribute-kind-changed constraint-loosened"),
    ('{ name = "factor", kind = "f32" }', '{ name = "gain", kind = "f32" }',
     "attribute-added attribute-lost constraint-tightened"),
    ('{ name = "factor", kind = "f32" },', '{ name = "factor", kind = "f32" }, { name = "bias", kind = "f32" },',
     "attribute-added constraint-tightened"),
    ('optional = true, since = 2 }', 'optional = true }', "attribute-added"),
    ('optional = true, since = 2 }', 'optional = true, since = 3 }', "attribute-lost constraint-tightened"),
    ('optional = true, since = 2 }', 'since = 2, default = "\\"\\"" }', "default-changed"),
    ('default = "#acme.rounding<nearest>"', 'default = "#acme.rounding<zero>"', "default-changed"),
    ('kind = "string[]", default = "[]"', 'kind = "string", default = "\\"\\""', "attribute-kind-changed constraint-tightened default-changed"),
    ('list-since = 3', 'list-since = 2', "operands-changed"),
    ('arity = "optional", since = 3', 'arity = "list", since = 3', "operands-changed"),
    ('{ name = "candidates", arity = "list", since = 3 }', '{ name = "candidates", arity = "list", since = 2 }',
     "operands-changed"),
    ('same = [{ what = "shape", of = ["input", "output"] }]', '', "constraint-loosened"),
    ('same = [{ what = "type", of', 'same = [{ what = "shape", of', "constraint-loosened constraint-tightened"),
    ('{ name = "tile", since = 2 }', '{ name = "tile" }', "enum-case-added"),
    ('{ name = "tile", since = 2 }', '{ name = "tile", since = 3 }', "constraint-tightened enum-case-removed"),
    ('{ name = "zero" }, ', '', "constraint-tightened enum-case-removed"),
    ('{ name = "element", kind = "type" }', '{ name = "element", kind = "attribute" }', "fields-changed"),
    ('name = "rounding"\nsince = 2', 'name = "rounding"', "interval-changed"),
    ('until = 2\n', '', "conversion-changed interval-changed"),
    ('release = "1.1"', 'release = "1.2"', "version-changed"),
    ('stablehlo = "1.14.0"', 'stablehlo = "1.15.0"', "version-changed"),
    # New rows in a version that is not frozen break nothing.
    ('# !acme.packed', '[[version]]\nnumber = 4\n# !acme.packed', "release-not-frozen"),
    ('{ name = "tile", since = 2 }', '{ name = "tile", since = 2 }, { name = "ring", since = 4 }', "release-not-frozen"),
    ('{ name = "factor", kind = "f32" }', '{ name = "factor", kind = "f32" }, '
     '{ name = "bias", kind = "f32", default = "0.0 : f32", since = 4 }', "release-not-frozen"),
    ('# Gone in', '[[op]]\nname = "fresh"\nsince = 4\noperands = [{ name = "x", type = "!fresh" }]\n[[type]]\n'
     'name = "fresh"\nsince = 4\n# Gone in', "release-not-frozen"),
]


class Dialects(CommandLine):
    def changed(self, old, new):
        text = FILE.read_text()
        self.assertIn(old, text)
        text = text.replace(old, new, 1)
        if "since = 4" in new:
            text = text.replace("# !acme.packed", "[[version]]\nnumber = 4\n# !acme.packed", 1)
        path = self.dir / "changed.toml"
        path.write_text(text)
        return path

    def test_the_file_is_as_its_schema_says(self):
        schema = json_schema.load("dialect-file.json")
        def wrong(path):
            return list(json_schema.errors(tomllib.loads(path.read_text()), schema, "dialect-file.json"))
        self.assertEqual(wrong(FILE), [])
        for old, new in [("since = 2", "sinse = 2"), ('arity = "list"', 'arity = "lists"'), ('kind = "type"', 'kind = 1'),
                         ('name = "pack"', 'name = "1"'), ("number = 1", "number = 0")]:
            path = self.changed(old, new)
            self.assertNotEqual(wrong(path), [], new)
            self.check(2, "verify", "--dialect", path, self.good, err="[usage]")

    def test_the_gate_passes(self):
        done = self.check(0, "gate", "--dialect", FILE, "--released", RELEASED)
        self.assertTrue(done.stdout.startswith(b"0 errors, 0 warnings in 3 files"), done.stdout)

    def test_releases_are_what_freezing_gives(self):
        again = self.dir / "again"
        self.check(0, "gate", "--dialect", FILE, "--released", again, "--freeze", PROGRAMS, err="3 files written")
        self.assertEqual({p.name: p.read_text() for p in again.iterdir()},
                         {p.name: p.read_text() for p in RELEASED.iterdir()})
        self.check(2, "gate", "--dialect", FILE, "--released", again, "--freeze",
                   err="every version is frozen already; the newest is acme 2.0 (3)")

    def test_a_version_is_added(self):
        released = self.dir / "released"
        released.mkdir()
        for path in RELEASED.iterdir():
            (released / path.name).write_bytes(path.read_bytes())
        path = self.changed("# Gone in", '[[op]]\nname = "fresh"\nsince = 4\n# Gone in')
        self.check(0, "gate", "--dialect", path, "--released", released, "--freeze", err="1 file written")
        self.assertIn("op\tacme.fresh\tacme.fresh\n", (released / "4.tsv").read_text())
        self.check(0, "gate", "--dialect", path, "--released", released)
        # A break never becomes the past.
        path.write_text(path.read_text().replace('kind = "f32"', 'kind = "f64"') + "\n[[version]]\nnumber = 5\n")
        self.check(1, "gate", "--dialect", path, "--released", released, "--freeze",
                   err="the dialect differs from releases that are frozen")
        # Nor is frozen data edited.
        frozen = released / "1.0.tsv"
        frozen.write_text(frozen.read_text().replace("attr\tacme.scale factor\tf32", "attr\tacme.scale factor\tf64"))
        done = self.check(1, "gate", "--dialect", path, "--released", released)
        self.assertIn(b"[frozen-edited]", done.stdout)

    def test_changes_are_found(self):
        for old, new, rules in CHANGES:
            with self.subTest(f"{old} -> {new}"):
                path = self.changed(old, new)
                done = self.check(None, "gate", "--dialect", path, "--released", RELEASED, "--report", "json")
                report = json.loads(done.stdout)
                found = {f["rule"] for f in report["findings"]}
                self.assertEqual(" ".join(sorted(found)), rules)
                self.assertEqual(done.returncode, 1 if found - {"release-not-frozen"} else 0)

    def test_findings_state_versions_and_witnesses(self):
        path = self.changed('{ name = "zero" }, ', '')
        done = self.check(1, "gate", "--dialect", path, "--released", RELEASED, "--json")
        document = json.loads(done.stdout)
        self.assertEqual(json_schema.check(document), [])
        self.assertEqual((document["dialect"], document["newest"]), ("acme", 3))
        finding = next(f for f in document["findings"] if f["rule"] == "enum-case-removed")
        self.assertEqual((finding["since"], finding["until"]), (2, 3))
        self.assertIn("'rounding mode zero': expected 'defined' in acme 1.1 (2) to acme 2.0 (3), got none",
                      finding["diagnostic"]["message"])
        self.assertIn("#acme.rounding<zero>", finding["witness"]["program"])

    def test_wrong_command_lines(self):
        program = PROGRAMS / "version_1.mlir"
        for args, err in [
            (["verify", "--dialect", self.dir / "none.toml", program], "none.toml"),
            (["verify", "--dialect", FILE, "--dialect", FILE, program], "dialect 'acme' is defined twice"),
            (["--dialect", FILE, "--dialect-target=acme", program], "--dialect-target=acme has no version"),
            (["--dialect", FILE, "--dialect-target=amce=1", program], "did you mean 'acme'?"),
            (["--dialect-target=acme=1", program], "no dialect has this name"),
            (["--dialect", FILE, "--dialect-target=acme=9", program], "'9' is not a version of 'acme'"),
            (["--dialect", FILE, "--dialect-target=acme=1", "--dialect-target=acme=2", program], "names 'acme' twice"),
            (["gate", "--dialect", FILE], "the releases of a dialect are in a folder"),
            (["gate", "--dialect", FILE, "--released", self.dir / "none"], "none"),
        ]:
            with self.subTest(str(args)):
                done = self.check(None, *args, err=err)
                self.assertIn(done.returncode, (2, 4))
                done = self.check(None, *args, "--json")
                self.assertEqual(json_schema.check(json.loads(done.stdout)), [])
        other = self.dir / "other.toml"
        other.write_text(FILE.read_text().replace("acme", "other"))
        self.check(2, "gate", "--dialect", FILE, "--dialect", other, "--released", RELEASED, err="one dialect at a time")

    def test_json_lists_what_was_converted(self):
        done = self.check(0, "--dialect", FILE, "--dialect-target=acme=3", PROGRAMS / "version_1_kept.mlir", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(json_schema.check(document), [])
        self.assertEqual(document["files"][0]["programs"][0]["dialects"],
                         [{"name": "acme", "from": 1, "to": 3,
                           "steps": [{"change": "acme.scale -> acme.scaled_sum", "boundary": 3, "op_count": 1},
                                     {"change": "acme.scaled_sum: list 'inputs'", "boundary": 3, "op_count": 1}]}])

    def test_many_files_are_converted(self):
        out = self.dir / "out"
        self.check(0, "--dialect", FILE, "--dialect-target=acme=3", "--out-dir", out, PROGRAMS / "version_1_kept.mlir",
                   PROGRAMS / "version_3.mlir")
        texts = [p.read_text() for p in out.rglob("*.mlir")]
        self.assertEqual(len(texts), 2)
        for text in texts:
            self.assertIn("acme.version = 3", text)
            self.assertIn('"acme.scaled_sum"', text)

    def test_check_knows_the_dialect(self):
        plugin = self.dir / "consumers.json"
        plugin.write_text(json.dumps({"consumers": [{"package": "plugin", "version": "1", "stablehlo": "1.14.0",
                                                     "dialects": ["acme"]}]}))
        policy = self.dir / "shlo-compat.toml"
        policy.write_text('consumers = ["plugin==1"]\nconsumer-files = ["consumers.json"]\ndialect-files = ["acme.toml"]\n')
        (self.dir / "acme.toml").write_text(FILE.read_text())
        def rules(name):
            program = self.dir / name
            program.write_text((PROGRAMS / name).read_text())
            done = self.check(None, "check", "--policy", policy, program, "--report", "json")
            return [(f["rule"], f["diagnostic"]["op"]) for f in json.loads(done.stdout)["files"][0]["findings"]]
        self.assertEqual(rules("version_2.mlir"), [])
        # It has the version that goes with 1.14.0, the second one.
        self.assertEqual({r for r, _ in rules("version_3.mlir")}, {"consumer-blocked"})
        self.assertEqual({op for _, op in rules("version_3.mlir")}, {"acme.scaled_sum", "acme.pack", "acme.tune", "acme.done"})
        self.assertEqual(rules("wrong.mlir"), [("invalid", "acme.scaled_sum")])
        # Without the file, the dialect is unknown.
        policy.write_text('consumers = ["plugin==1"]\nconsumer-files = ["consumers.json"]\n')
        self.assertEqual({r for r, _ in rules("version_2.mlir")}, {"unknown-dialect"})
        policy.write_text('dialect-files = ["none.toml"]\n')
        self.check(4, "check", "--policy", policy, self.good, err="none.toml")

    def test_the_documented_file_is_read(self):
        page = (ROOT.parent / "docs/dialect.md").read_text()
        files = re.findall(r"```toml\n(.*?)```", page, re.S)
        self.assertTrue(files)
        path = self.dir / "page.toml"
        path.write_text(files[0])
        self.check(0, "verify", "--dialect", path, self.good)


if __name__ == "__main__":
    unittest.main()
