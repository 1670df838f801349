"""Tests of ci/matrix.py without root: which cells there are, what fails one, and the table of docs/build.md."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ci"))
import matrix  # noqa: E402


def listed(*flags):
    done = subprocess.run([sys.executable, ROOT / "ci/matrix.py", "--list", *flags], capture_output=True, text=True, check=True)
    return [tuple(line.split()) for line in done.stdout.splitlines()]


class Cells(unittest.TestCase):
    def test_every_compiler_runs_what_depends_on_it(self):
        found = listed()
        for system, (_, compilers) in matrix.SYSTEMS.items():
            for compiler in compilers:
                for name in set(matrix.CELLS) - matrix.ONE_COMPILER:
                    self.assertIn((system, compiler, name), found)
            for name in matrix.ONE_COMPILER:
                self.assertIn((system, compilers[0], name), found)
        self.assertEqual(len(found), len(set(found)))

    def test_flags_choose(self):
        self.assertEqual(listed("--system", "trixie", "--cell", "user", "--cell", "run"),
                         [("trixie", "g++-14", "run"), ("trixie", "g++-14", "user"), ("trixie", "clang-19", "run")])
        self.assertEqual(listed("--system", "trixie", "--compiler", "g++-12", "--cell", "space"), [("trixie", "g++-12", "space")])

    def test_the_compiler_of_the_system_needs_no_variable(self):
        self.assertEqual(matrix.Cell("trixie", "g++-14", "run").environment(), [])
        self.assertEqual(matrix.Cell("trixie", "g++-12", "run").environment(), ["CC=gcc-12", "CXX=g++-12"])
        self.assertEqual(matrix.Cell("bookworm", "clang-14", "run").environment(), ["CC=clang-14", "CXX=clang++-14"])

    def test_clones_that_cells_share_are_made_in_order(self):
        self.assertEqual([name for name in matrix.CELLS if name in matrix.SHARED], matrix.SHARED)
        self.assertEqual(matrix.CELLS[: len(matrix.SHARED)], matrix.SHARED)


class Results(unittest.TestCase):
    def test_warnings_of_compilers_fail_a_cell(self):
        self.assertTrue(matrix.WARNING.search("x\n../lib/a.cc:60:18: warning: reading 65 or more bytes [-Wstringop-overread]\n"))
        self.assertTrue(matrix.WARNING.search("  /root/shlo-compat/lib/a.cc:1:2: warning: 'f' is deprecated [-Wdeprecated-declarations]\n"))
        self.assertFalse(matrix.WARNING.search("m.mlir:2:8: warning: 'stablehlo.subtract': operand 0 must be ...\n"))
        self.assertFalse(matrix.WARNING.search("/usr/include/c++/12/bits/x.h:1:2: warning: unused [-Wunused]\n"))

    def test_the_table_has_a_row_for_each_cell(self):
        row = {"system": "Debian 13", "compiler": "g++-14", "cell": "run", "result": "passed", "seconds": "99", "commit": "abc", "date": "2026-01-01"}
        rows = {("Debian 13", "g++-14", "run"): row, ("Debian 12", "g++-12", "test"): {**row, "system": "Debian 12", "cell": "test"}}
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "build.md")
            page.write_text("before\n<!-- matrix -->\nold\n<!-- end -->\nafter\n")
            matrix.record(rows, page)
            matrix.record(rows, page)
            lines = page.read_text().splitlines()
        self.assertEqual(lines[0:2] + lines[-2:], ["before", "<!-- matrix -->", "<!-- end -->", "after"])
        self.assertEqual([line.split(" | ")[0] for line in lines[4:-2]], ["| Debian 12", "| Debian 13"])

    def test_the_page_has_a_place_for_it(self):
        before, _, after = matrix.PAGE.read_text().partition("<!-- matrix -->\n")
        self.assertTrue(before and "<!-- end -->\n" in after)
        for name in matrix.CELLS:
            self.assertIn(f"| `{name}` |", after)

    def test_packages_of_an_ordinary_user_are_those_of_the_document(self):
        line = next(line for line in (ROOT / "docs/build.md").read_text().splitlines() if line.startswith("sudo apt-get install"))
        for name in matrix.packages("build"):
            self.assertIn(f" {name}", line)


if __name__ == "__main__":
    unittest.main()
