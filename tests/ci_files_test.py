#!/usr/bin/env python3
"""Tests of what CI systems run: the script, and that the files of each system are about it. Usage: ci_files_test.py TOOL"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from command_line import GOOD, TOOL, CommandLine

SOURCES = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = SOURCES / "ci/check"
TOKEN = GOOD.replace("  return", "  %t = stablehlo.create_token : !stablehlo.token\n  return")


class Script(CommandLine):
    def setUp(self):
        super().setUp()
        (self.dir / "with space").mkdir()
        (self.dir / "with space/m.mlir").write_text(GOOD)

    def run_script(self, code, *words, **environment):
        base = {key: value for key, value in os.environ.items() if not key.startswith(("SHLO_", "GITHUB_"))}
        done = subprocess.run([SCRIPT, *(words or [TOOL])], cwd=self.dir, capture_output=True, text=True, timeout=60,
                              env={**base, **environment}, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def test_defaults(self):
        self.assertIn("0 errors, 0 warnings in 2 files", self.run_script(0))

    def test_paths_are_lines(self):
        self.assertIn("in 1 file", self.run_script(0, SHLO_PATHS="with space\n"))
        self.assertIn("in 1 file", self.run_script(0, SHLO_PATHS="with space/m.mlir"))

    def test_findings_fail(self):
        (self.dir / "token.mlir").write_text(TOKEN)
        (self.dir / "p.toml").write_text('[rules]\ndeprecated-op = "error"\n')
        summary = self.dir / "summary.md"
        out = self.run_script(1, SHLO_POLICY="p.toml", SHLO_SARIF="o.sarif", SHLO_JUNIT="o.xml", SHLO_GITLAB="o.json",
                              GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
        self.assertTrue(out.startswith("::error file=token.mlir,line=2,"), out)
        self.assertIn("deprecated-op", summary.read_text())
        for name in "o.sarif", "o.json":
            self.assertIn("deprecated-op", (self.dir / name).read_text())
        ElementTree.parse(self.dir / "o.xml")

    def test_consumers(self):
        (self.dir / "tan.mlir").write_text("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.tan %a : tensor<f32>\n"
                                           "  return %0 : tensor<f32>\n}\n")
        self.assertIn("consumer-blocked", self.run_script(1, SHLO_CONSUMERS="1.0.0\njaxlib==0.7.0"))

    def test_what_is_no_revision_compares_with_nothing(self):
        for revision in "", "none", "0" * 40:
            self.run_script(0, SHLO_AGAINST=revision)
        self.run_script(2, SHLO_AGAINST="main")  # not a repository

    def test_values_are_not_options_or_commands(self):
        self.run_script(4, SHLO_PATHS="--init")
        self.run_script(4, SHLO_PATHS="$(touch owned)")
        self.assertFalse((self.dir / "owned").exists())
        self.assertFalse((self.dir / "shlo-compat.toml").exists())

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_hooks_check_the_files_they_get(self):
        entries = re.findall(r"entry: shlo-compat (.*)", (SOURCES / ".pre-commit-hooks.yaml").read_text())
        self.assertEqual(len(entries), 2)
        for entry in entries:
            self.check(0, *entry.split(), self.good)
        files = re.search(r"files: (.*)", (SOURCES / ".pre-commit-hooks.yaml").read_text())[1]
        for name in "a/m.mlir", "m.mlirbc", "m.shlo":
            self.assertTrue(re.search(files, name))


class Files(unittest.TestCase):
    """Every variable of the script has a source, and every variable that a file sets is known to it."""

    def test_variables(self):
        known = set(re.findall(r"\bSHLO_[A-Z]+", SCRIPT.read_text()))
        action = (SOURCES / "action.yml").read_text()
        self.assertLessEqual(set(re.findall(r"\bSHLO_[A-Z]+", action)), known)
        inputs = set(re.findall(r"^  (\w+):\n    description", action, re.M))
        self.assertEqual(inputs, set(re.findall(r"inputs\.(\w+)", action)))
        gitlab = set(re.findall(r"\bSHLO_[A-Z]+", (SOURCES / "ci/gitlab.yml").read_text()))
        self.assertLessEqual(gitlab - {"SHLO_IMAGE"}, known)

    def test_the_tool_is_kept_by_what_it_was_built_from(self):
        key = re.search(r"key: (.*)", (SOURCES / "action.yml").read_text())[1]
        self.assertIn("steps.source.outputs.id", key)
        self.assertNotIn("ref", key)
        with tempfile.TemporaryDirectory() as folder:
            def source_id():
                return subprocess.run([SOURCES / "ci/source-id", folder], capture_output=True, check=True).stdout

            for name in "a b.cc", "lib/c.cc", "build/bin/tool", ".git/HEAD":
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("1")
            ids = [source_id()]
            pathlib.Path(folder, "build/bin/tool").write_text("2")
            self.assertEqual(source_id(), ids[0])
            pathlib.Path(folder, "lib/c.cc").write_text("2")
            ids.append(source_id())
            os.rename(f"{folder}/a b.cc", f"{folder}/b.cc")
            ids.append(source_id())
            self.assertEqual(len({*ids}), 3)
            self.assertRegex(ids[0], rb"^[0-9a-f]{64}\n$")

    def test_the_image_trusts_no_repository(self):
        for name in "ci/Dockerfile", "ci/check", "ci/gitlab.yml", "action.yml":
            self.assertNotRegex((SOURCES / name).read_text(), r"safe\.directory\W*\*")

    def test_the_image_has_the_script(self):
        self.assertIn("COPY ci/check /usr/local/bin/shlo-compat-ci", (SOURCES / "ci/Dockerfile").read_text())
        self.assertIn("shlo-compat-ci", (SOURCES / "ci/gitlab.yml").read_text())


if __name__ == "__main__":
    unittest.main()
