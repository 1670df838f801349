#!/usr/bin/env python3
"""Tests that each promise of SECURITY.md names tests that exist. Usage: security_page_test.py"""
import pathlib
import re
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent


def promises():
    """Returns the promises with what holds each."""
    in_table = False
    for line in (SOURCES / "SECURITY.md").read_text().splitlines():
        if line == "| Promise | Held by |":
            in_table = True
        elif not line.startswith("|"):
            in_table = False
        elif in_table and not line.startswith("|---"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


class Page(unittest.TestCase):
    def test_every_promise_is_held_by_a_test(self):
        rows = list(promises())
        self.assertGreater(len(rows), 20)
        for row in rows:
            with self.subTest(row[0]):
                self.assertEqual(len(row), 2, row)
                path = None
                for part in row[1].split(", "):
                    named = re.fullmatch(r"`(?:([\w/]+\.\w+)(?:: )?)?(\w+)?`", part)
                    self.assertTrue(named, part)
                    if named[1]:
                        path = SOURCES / named[1]
                        self.assertTrue(path.is_file(), part)
                    if named[2]:
                        self.assertRegex(path.read_text(), rf"\b{named[2]}\b", part)

    def test_every_program_that_is_started_is_stated(self):
        # A change that starts another program must state it.
        found = set()
        for folder in "lib", "tools", "python":
            for path in (SOURCES / folder).rglob("*"):
                if path.suffix in (".cc", ".h", ".py") and not path.name.endswith("_test.cc"):
                    if re.search(r"::posix_spawn|::fork\(|\bpopen\(|::execl|\bsystem\(|subprocess\.(run|Popen)|os\.system|::socket\(|urlopen", path.read_text()):
                        found.add(str(path.relative_to(SOURCES)))
        self.assertEqual(found, {"tools/git_process.cc", "tools/child.cc", "python/shlo/fleet/_slot.py", "python/shlo/fleet/archive.py"})


if __name__ == "__main__":
    unittest.main()
