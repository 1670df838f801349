"""Shared by the tests of the command line: runs the tool, which is the first argument of the script, and checks its
exit code and messages."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parent
SUB = ROOT / "compat/37/sub.mlir"
GOOD = "func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {\n  return %arg0 : tensor<2xi32>\n}\n"


def run(*args, stdin=b"", **options):
    return subprocess.run([TOOL, *map(str, args)], input=stdin, capture_output=True, timeout=60, **options)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.folder.name)
        self.good = self.dir / "good.mlir"
        self.good.write_text(GOOD)

    def tearDown(self):
        self.folder.cleanup()

    def check(self, code, *args, err="", **options):
        done = run(*args, **options)
        stderr = done.stderr.decode()
        if code is not None:
            self.assertEqual(done.returncode, code, f"{args}\n{stderr}")
        self.assertIn(err, stderr)
        return done
