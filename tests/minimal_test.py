#!/usr/bin/env python3
"""The minimal build (docs/libraries.md): minimal_test.py TOOL [--full TOOL] [--limit BYTES FILE...]

With --full, its files are compared with those of the full tool. With --limit, each file stripped of symbols is smaller.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import run_files

HERE = pathlib.Path(__file__).resolve().parent
COMMANDS = "inspect strings verify check roundtrip versions consumers rules".split()
# What file tests ask of the full tool.
FULL = re.compile(r"^(opt|translate|diff|prove|eval|reduce|simplify|specialize|archive|pack|unpack|ops|laws|gate)\b|--(fold|prove|weights|certificate)\b")
ARGS = None

ADD = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def run(*args, tool=None, cwd=None, code=0):
    done = subprocess.run([tool or ARGS.tool, *map(str, args)], cwd=cwd, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


class Help(unittest.TestCase):
    def test_lists_what_is_there(self):
        text = run("--help")
        listed = text.partition("\nCommands:\n")[2].partition("\n\n")[0]
        self.assertEqual(re.findall(r"^  (\w+) ", listed, re.M), COMMANDS)
        self.assertIn("This is the minimal build", text)
        for flag in "--fold", "--prove", "--at-least", "--certificate", "--weights", "--max-steps", "--max-work":
            self.assertNotIn(flag, text)
        for command in COMMANDS:
            self.assertNotIn("--weights", run(command, "--help"))
        self.assertNotIn("--max-work", run("check", "--help"))
        short = run("-h")
        self.assertNotRegex(short, r"prove|eval|archive,|keep programs")
        self.assertIn("minimal", run("--version"))
        self.assertNotIn("prove", run("completions", "bash"))

    def test_other_commands_are_usage_errors(self):
        for command in "eval", "prove", "archive":
            self.assertIn("this is the minimal build", run(command, code=2))
        self.assertIn("unknown flag '--fold'", run("--fold", "m.mlir", code=2))


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "m.mlir").write_text(ADD)

    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=self.path, check=True, capture_output=True)

    def test_rules_about_results(self):
        (self.path / "shlo-compat.toml").write_text('[[golden]]\nmatch = ["*"]\ninputs = "in.npz"\noutputs = "out.npz"\n')
        self.assertIn("this build evaluates no goldens", run("check", "m.mlir", cwd=self.path, code=3))
        self.assertIn("1 file", run("check", "--rule", "golden-differs=off", "m.mlir", cwd=self.path))

    def test_changes(self):
        try:
            self.git("init", "-q")
        except FileNotFoundError:
            self.skipTest("no git")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "a")
        (self.path / "m.mlir").write_text("// a comment\n" + ADD)
        self.assertNotIn("meaning", run("check", "--no-policy", "--against=HEAD", "m.mlir", cwd=self.path))
        (self.path / "m.mlir").write_text(ADD.replace("stablehlo.add", "stablehlo.multiply"))
        self.assertIn("meaning-unknown", run("check", "--no-policy", "--against=HEAD", "m.mlir", cwd=self.path))
        (self.path / "m.mlir").write_text(ADD.replace("@main", "@other"))
        self.assertIn("removed", run("check", "--no-policy", "--against=HEAD", "m.mlir", cwd=self.path))


class Files(unittest.TestCase):
    def test_file_tests(self):
        files = [f for folder in run_files.FOLDERS for f in sorted((HERE / folder).rglob("*.mlir"))]
        files = [f for f in files if (runs := run_files.parse(f)) and not any(FULL.search(r.line) for r in runs)]
        self.assertGreater(len(files), 100)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for path, complaints in zip(files, pool.map(lambda f: run_files.check(f, ARGS.tool, False), files)):
                self.assertEqual(complaints, [], path)

    def test_same_bytes(self):
        if not ARGS.full:
            self.skipTest("no full tool")
        with tempfile.TemporaryDirectory() as folder:
            for name in "a.shlo", "a.mlirbc", "a.mlir":
                for path in [HERE / "readme/model.mlir", HERE / "readme/changed.mlir"]:
                    written = []
                    for tool in ARGS.tool, ARGS.full:
                        run("--target=1.9.0", "--expand", "-o", f"{folder}/{name}", path, tool=tool)
                        written.append(pathlib.Path(folder, name).read_bytes())
                    self.assertEqual(*written, (path, name))

    def test_sizes(self):
        limit, *files = ARGS.limit or ["0"]
        for file in files:
            with tempfile.NamedTemporaryFile() as stripped:
                subprocess.run(["strip", "-s", "-o", stripped.name, file], check=True)
                size = os.path.getsize(stripped.name)
                print(f"\n{os.path.basename(file)} has {size} bytes without symbols")
                self.assertLess(size, int(limit))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=os.path.abspath)
    parser.add_argument("--full", type=os.path.abspath)
    parser.add_argument("--limit", nargs="+")
    ARGS = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
