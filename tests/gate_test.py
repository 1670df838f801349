#!/usr/bin/env python3
"""Tests of `gate`: the dialect of the tool against the frozen releases, and reports of changes in copies of these.

    gate_test.py TOOL
"""
import json
import re
import shutil
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from command_line import ROOT, CommandLine

RELEASED = ROOT.parent / "schema/released"
FORMATS = ["text", "json", "sarif", "junit", "github", "gitlab", "markdown", "html"]


class Gate(CommandLine):
    def setUp(self):
        super().setUp()
        self.copy = self.dir / "released"
        self.copy.mkdir()
        for path in RELEASED.glob("*.tsv"):
            shutil.copy(path, self.copy)

    def replace(self, name, old, new):
        path = self.copy / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def report(self, code, *args, form="text"):
        return self.check(code, "gate", "--released", self.copy, "--report", form, *args).stdout.decode()

    def test_the_dialect_is_what_was_released(self):
        text = self.check(0, "gate").stdout.decode()
        self.assertTrue(text.startswith("0 errors, 0 warnings"), text)

    def test_the_folder_is_what_the_tool_was_built_with(self):
        self.assertTrue(self.report(0).startswith("0 errors, 0 warnings"))

    def test_every_version_is_frozen(self):
        versions = json.loads(self.check(0, "versions", "--json").stdout)["versions"]
        names = {(v["release"] or str(v["n"])) + ".tsv" for v in versions}
        self.assertEqual({path.name for path in RELEASED.glob("*.tsv")}, names)

    def test_a_change_is_found_in_every_report(self):
        # The last file has no successor that states its checksum.
        self.replace("1.22.0.tsv", "case\tkComparisonType WEAKORDER\t5", "case\tkComparisonType WEAKORDER\t998")
        files = {form: self.dir / f"report.{form}" for form in FORMATS}
        self.check(1, "gate", "--released", self.copy, *(f"--report={form}={file}" for form, file in files.items()))
        reports = {form: file.read_text() for form, file in files.items()}
        for form, text in reports.items():
            self.assertIn("enum-renumbered", text, form)
            self.assertIn("kComparisonType WEAKORDER", text.replace("\\_", "_"), form)
        self.assertIn("jaxlib 0.12.0", reports["text"])
        self.assertIn("1 error, 0 warnings in 39 files", reports["text"])
        self.assertIn(f"file={self.copy}/1.22.0.tsv,line=", reports["github"])
        suites = ElementTree.fromstring(reports["junit"])
        self.assertEqual((suites.get("tests"), suites.get("failures"), suites.get("errors")), ("39", "1", "0"))
        self.assertEqual({case.get("classname") for case in suites.iter("testcase")}, {"shlo-compat.gate"})
        run = json.loads(reports["sarif"])["runs"][0]
        self.assertEqual([r["ruleId"] for r in run["results"]], ["enum-renumbered"])
        self.assertEqual(run["tool"]["driver"]["rules"][run["results"][0]["ruleIndex"]]["id"], "enum-renumbered")
        finding, = json.loads(reports["json"])["findings"]
        self.assertEqual((finding["since"]["n"], finding["until"]["n"]), (75, 75))
        self.assertEqual(finding["consumers"], ["jaxlib 0.12.0 to 0.12.0.1"])
        self.assertIn("comparison_type", finding["witness"]["program"])

    def test_a_witness_shows_what_changed(self):
        path = self.copy / "1.22.0.tsv"
        lines = path.read_text().splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if line.startswith("witness\tstablehlo.gather ") and line.split("\t")[11] != "-")
        fields = lines[at].split("\t")
        # The verdict, forms, bytes, targets and conversions; then the results.
        self.assertRegex(fields[11], r"^[0-9a-f]{8}")
        fields[11] = "0" * 8 + fields[11][8:]
        lines[at] = "\t".join(fields)
        path.write_text("".join(lines))
        text = self.report(1)
        self.assertRegex(text, rf"1\.22\.0\.tsv:{at + 1}:1: error: 'stablehlo\.gather': .*semantics-changed")
        self.assertIn("witness stablehlo.gather 75 ", text)

    def test_severities(self):
        self.replace("1.22.0.tsv", "case\tkComparisonType WEAKORDER\t5", "case\tkComparisonType WEAKORDER\t998")
        self.assertIn("0 errors, 1 warning", self.report(0, "--rule", "enum-renumbered=warning"))
        self.assertIn("0 errors, 0 warnings", self.report(0, "--rule", "enum-renumbered=off"))
        self.check(2, "gate", "--rule", "enum-renumbered", err="is not ID=SEVERITY")
        self.check(2, "gate", "--report", "other", err="formats are")
        self.check(2, "gate", self.good, err="programs are frozen with --freeze only")

    def test_edited_files_are_found(self):
        with open(self.copy / "1.0.0.tsv", "a") as out:
            out.write("encoding\tother\t1\n")
        self.assertIn("frozen-edited", self.report(1))

    def test_what_cannot_be_read_is_never_a_pass(self):
        self.replace("1.0.0.tsv", "gate 1\t53", "gate 1\tN")
        for form in FORMATS:
            done = self.check(3, "gate", "--released", self.copy, "--report", form, err="not frozen data")
            if form != "text":  # in the text the errors are those of stderr
                self.assertIn("not frozen data", done.stdout.decode(), form)
        self.check(4, "gate", "--released", self.dir / "nowhere", err="cannot read the folder")
        for path in self.copy.glob("*"):
            path.unlink()
        self.check(3, "gate", "--released", self.copy, err="no release is frozen")

    def test_a_new_version_is_frozen_once(self):
        (self.copy / "1.22.0.tsv").unlink()
        self.assertIn("version 1.22.0 (75) is not frozen", self.report(0))
        program = self.dir / "program.mlir"
        program.write_text("// A comment.\n" + self.good.read_text() + "// -----\n" + self.good.read_text().replace("2xi32", "7xi8"))
        self.check(0, "gate", "--freeze", "--released", self.copy, program, err="1 file written")
        text = (self.copy / "1.22.0.tsv").read_text()
        self.assertEqual(text.split("\n")[0], (RELEASED / "1.22.0.tsv").read_text().split("\n")[0])
        self.assertEqual(len(re.findall(r"^witness\tfunc.func 75 .*7xi8", text, re.M)), 1)
        self.assertNotIn("comment", text)
        self.report(0)
        self.check(2, "gate", "--freeze", "--released", self.copy, err="every version is frozen already")
        self.check(2, "gate", "--freeze", err="--freeze needs a folder")

    def test_what_is_broken_is_not_frozen(self):
        (self.copy / "1.22.0.tsv").unlink()
        self.replace("1.21.0.tsv", "\nwitness\t", "\nencoding\tother\t1\nwitness\t")
        self.check(1, "gate", "--freeze", "--released", self.copy, err="differs from releases that are frozen")
        self.assertFalse((self.copy / "1.22.0.tsv").exists())


if __name__ == "__main__":
    unittest.main()
