#!/usr/bin/env python3
"""Tests of commands on many files: what folders and patterns stand for, order, exit codes. Usage: many_test.py TOOL"""
import json
import os
import pathlib
import subprocess
import unittest

from command_line import GOOD, TOOL, CommandLine

INVALID = GOOD.replace("tensor<2xi32> {", "tensor<3xi32> {")


class Many(CommandLine):
    """Tests in a separate folder, with paths below it."""

    def setUp(self):
        super().setUp()
        self.good.unlink()
        os.chdir(self.dir)

    def tearDown(self):
        os.chdir("/")
        super().tearDown()

    def write(self, *paths, text=GOOD):
        for path in paths:
            pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(path).write_text(text)

    def verified(self, *args, code=0, summary=None):
        """Verifies, and returns the paths in the order of the output."""
        done = self.check(code, "verify", *args)
        if summary:
            self.assertEqual(done.stderr.decode().splitlines()[-1], summary)
        return [line.partition(": ")[0] for line in done.stdout.decode().splitlines()]


class Inputs(Many):
    def test_folders_are_sorted_by_path(self):
        self.write("m/b.mlir", "m/a-b.mlir", "m/a/z.mlir", "m/a/b/c.mlir", "m/B.mlir", "m/a.mlir")
        paths = ["m/B.mlir", "m/a/b/c.mlir", "m/a/z.mlir", "m/a-b.mlir", "m/a.mlir", "m/b.mlir"]
        self.assertEqual(self.verified("m", summary="6 verified"), paths)
        self.assertEqual(self.verified("m/"), paths)
        # The arguments have the order of the command line.
        self.assertEqual(self.verified("m/b.mlir", "m/a"), ["m/b.mlir", "m/a/b/c.mlir", "m/a/z.mlir"])
        # A file that is found twice is one; a file that is named twice is two.
        self.assertEqual(self.verified("m", "m/a", "m/*.mlir", summary="6 verified"), paths)
        self.assertEqual(self.verified("m/b.mlir", "m/b.mlir"), ["m/b.mlir", "m/b.mlir"])

    def test_content_decides(self):
        self.write("m/a.mlir")
        self.check(0, "--emit=mlirbc", "-o", "m/model", "m/a.mlir")
        self.check(0, "--emit=shlo", "-o", "m/archive.bin", "m/a.mlir")
        self.write("m/README.md", text="# Models\n\nmodule { is how they begin.\n")
        self.write("m/empty", "m/.hidden", "m/.git/a.mlir", text="")
        self.write("m/go.mod", text="module github.com/a/b\n")
        self.assertEqual(self.verified("m", summary="3 verified, 3 are not programs"), ["m/a.mlir", "m/archive.bin", "m/model"])
        # A name can claim that the file is a program, which then is an error.
        self.write("m/cut.mlirbc", text="")
        self.assertEqual(len(self.verified("m", code=3, summary="3 verified, 1 failed, 3 are not programs")), 4)
        # LLVM's bitcode claims nothing.
        self.write("n/a.mlir", "n/b.bc")
        self.write("n/c.bc", text="BC\xc0\xde")
        self.assertEqual(self.verified("n", summary="2 verified, 1 is not a program"), ["n/a.mlir", "n/b.bc"])
        # A file that is named is meant.
        self.verified("m/README.md", code=3)
        self.verified("m/README.md", "m/a.mlir", code=3, summary="1 verified, 1 failed")

    def test_patterns(self):
        self.write("m/a.mlir", "m/b.mlir", "m/x/a.mlir", "m/x/y/a.mlir", "m/.z/a.mlir", "a.mlir", "w[1].mlir", "w1.mlir")
        for pattern, paths in (
                ("*.mlir", ["a.mlir", "w1.mlir", "w[1].mlir"]), ("m/?.mlir", ["m/a.mlir", "m/b.mlir"]), ("m/[b-z].mlir", ["m/b.mlir"]),
                ("m/**/a.mlir", ["m/a.mlir", "m/x/a.mlir", "m/x/y/a.mlir"]), ("**/y/*", ["m/x/y/a.mlir"]),
                ("m/*/a.mlir", ["m/x/a.mlir"]), ("m/**", ["m/a.mlir", "m/b.mlir", "m/x/a.mlir", "m/x/y/a.mlir"]),
                ("m/x*", ["m/x/a.mlir", "m/x/y/a.mlir"]), ("m/.*/a.mlir", ["m/.z/a.mlir"]), ("m//x/*.mlir", ["m//x/a.mlir"]),
                ("**/**/b.mlir", ["m/b.mlir"]), (str(self.dir / "m/x/*.mlir"), [str(self.dir / "m/x/a.mlir")])):
            with self.subTest(pattern=pattern):
                self.assertEqual(self.verified(pattern), paths)
        # A file of that name is meant first.
        self.assertEqual(self.verified("w[1].mlir"), ["w[1].mlir"])
        self.check(4, "verify", "m/*.shlo", err="m/*.shlo: error: no file matches the pattern")
        self.check(4, "verify", "n/*.mlir", "a.mlir", err="n/: error: cannot read the folder")

    def test_nothing_is_not_a_pass(self):
        pathlib.Path("m/n").mkdir(parents=True)
        self.check(2, "verify", "m", err="m: error: found no programs")
        self.write("m/README.md", text="Nothing.\n")
        self.check(2, "verify", "m", err="1 file of other kinds")

    def test_links(self):
        self.write("m/a/x.mlir", "other/y.mlir")
        pathlib.Path("m/0").symlink_to("a")  # a second name
        pathlib.Path("m/a/up").symlink_to("..")  # loops
        pathlib.Path("m/a/self").symlink_to("self")
        pathlib.Path("m/there").symlink_to("../other")
        pathlib.Path("other/back").symlink_to("../m")
        pathlib.Path("m/file.mlir").symlink_to("a/x.mlir")
        pathlib.Path("m/nowhere").symlink_to("gone")
        os.mkfifo("m/pipe.mlir")
        self.assertEqual(self.verified("m"), ["m/a/x.mlir", "m/file.mlir", "m/there/y.mlir"])
        self.assertEqual(self.verified("m/0"), ["m/0/up/file.mlir", "m/0/up/there/y.mlir", "m/0/x.mlir"])
        pathlib.Path("m/gone.mlir").symlink_to("gone")
        self.assertIn("m/gone.mlir", self.verified("m", code=4))
        # Two links to the same folder at each of 30 levels are not a billion folders.
        self.write("deep/z.mlir")
        folder = pathlib.Path("deep")
        for _ in range(30):
            (folder / "next").mkdir()
            (folder / "one").symlink_to("next")
            (folder / "two").symlink_to("next")
            folder /= "next"
        self.write(folder / "z.mlir")
        self.assertEqual(len(self.verified("deep")), 2)

    @unittest.skipIf(os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"), "root reads everything")
    def test_unreadable(self):
        self.write("m/a.mlir", "m/b.mlir", "m/closed/c.mlir", "m/secret")
        self.dir.chmod(0o755)
        for path in "m/b.mlir", "m/closed", "m/secret":
            pathlib.Path(path).chmod(0)
        as_user = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        if as_user and subprocess.run([*as_user, TOOL, "--version"], capture_output=True, check=False).returncode:
            self.skipTest("another user cannot run the tool")
        done = subprocess.run([*as_user, TOOL, "verify", "m"], capture_output=True, text=True, check=False)
        pathlib.Path("m/closed").chmod(0o755)
        self.assertEqual(done.returncode, 4)
        self.assertTrue(done.stdout.startswith("m/a.mlir: verifies at "), done.stdout)
        for text in ("m/b.mlir: error: cannot open: Permission denied", "m/closed: error: cannot read the folder: Permission denied",
                     "m/secret: error: cannot open", "1 verified, 3 failed"):
            self.assertIn(text, done.stderr)

    def test_savedmodel_folders_are_one_input(self):
        self.write("m/sm/saved_model.pb", "m/sm/variables/x.mlir", "m/z.mlir")
        self.assertEqual(self.verified("m"), ["m/sm", "m/z.mlir"])
        self.assertEqual(self.verified("m/sm"), ["m/sm"])


class Runs(Many):
    def setUp(self):
        super().setUp()
        self.write(*(f"m/{i:03}.mlir" for i in range(40)))
        self.write("m/003.mlir", "m/030.mlir", text=INVALID)
        self.write("m/020.mlir", text="module {")

    def test_any_number_of_threads_prints_the_same(self):
        expected = self.check(3, "verify", "-j1", "m")
        self.assertEqual(len(expected.stdout.splitlines()), 40)
        self.assertEqual(expected.stderr.splitlines()[-1], b"37 verified, 3 failed")
        errors = [line.split(b":")[0] for line in expected.stderr.splitlines() if b": error" in line]
        self.assertEqual(errors, [b"m/003.mlir", b"m/020.mlir", b"m/030.mlir"])
        for jobs in ("-j2", "-j8", "-j100", "--jobs=3", "--strict"):
            done = self.check(3, "verify", jobs, "m")
            self.assertEqual((done.stdout, done.stderr), (expected.stdout, expected.stderr), jobs)
        documents = {self.check(3, "verify", "--json", f"-j{jobs}", "m").stdout for jobs in (1, 2, 8)}
        self.assertEqual(len(documents), 1)
        self.check(2, "verify", "-j-1", "m", err="--jobs")

    def test_the_exit_code_is_the_highest(self):
        self.verified("m/001.mlir", "m/002.mlir", code=0)
        self.verified("m/003.mlir", "m/002.mlir", code=1)
        self.verified("m/020.mlir", "m/003.mlir", code=3)
        self.verified("m/020.mlir", "nowhere.mlir", "m/003.mlir", code=4)

    def test_standard_input_is_one_of_the_files(self):
        done = self.check(0, "verify", "m/001.mlir", "-", stdin=GOOD.encode())
        self.assertEqual([line.split(b":")[0] for line in done.stdout.splitlines()], [b"m/001.mlir", b"-"])
        self.check(2, "verify", "-", "-", stdin=GOOD.encode(), err="'-' was read already")

    def test_a_deadline_is_of_one_file(self):
        reader, writer = os.pipe()  # nothing is written
        done = subprocess.run([TOOL, "verify", "--timeout=1", "-j1", "m/001.mlir", "-", "m/002.mlir"], stdin=reader,
                              capture_output=True, timeout=60, check=False)
        os.close(reader)
        os.close(writer)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"-: error: stopped after the limit of 1 s", done.stderr)
        self.assertIn(b"m/001.mlir: verifies", done.stdout)


class Commands(Many):
    def test_outputs_are_divided_as_before(self):
        self.write("m/a.mlir", "m/b.mlir")
        one, two = (self.check(0, "inspect", f"m/{name}.mlir").stdout for name in "ab")
        done = self.check(0, "inspect", "m", err="2 inspected")
        self.assertEqual(done.stdout, one + b"\n" + two)
        matrix = self.check(0, "inspect", "--matrix", "m").stdout
        self.assertEqual(matrix, self.check(0, "inspect", "--matrix", "m/a.mlir", "m/b.mlir").stdout)
        self.assertIn(b"m/b.mlir", matrix)
        one, two = (self.check(0, "roundtrip", f"m/{name}.mlir").stdout for name in "ab")
        self.assertEqual(self.check(0, "roundtrip", "m", err="2 checked").stdout, one + two)

    def test_one_file_has_no_summary(self):
        self.write("m/a.mlir")
        for command in ("verify", "inspect", "roundtrip"):
            self.assertEqual(self.check(0, command, "m/a.mlir").stderr, b"", command)
            self.assertNotIn("summary", json.loads(self.check(0, command, "--json", "m/a.mlir").stdout), command)
            document = json.loads(self.check(0, command, "--json", "m").stdout)
            self.assertEqual(document["summary"], {"done": 1, "up_to_date": 0, "failed": 0, "not_programs": 0, "left": 0})
            self.assertEqual((document["files"][0]["file"], document["files"][0]["exit"], document["files"][0]["diagnostics"]), ("m/a.mlir", 0, []))

    def test_diagnostics_are_those_of_the_file_too(self):
        self.write("m/a.mlir")
        self.write("m/b.mlir", "m/c.mlir", text=INVALID)
        document = json.loads(self.check(1, "verify", "--json", "m").stdout)
        self.assertEqual([f["verifies"] for f in document["files"]], [True, False, False])
        self.assertEqual([f["exit"] for f in document["files"]], [0, 1, 1])
        self.assertEqual(document["diagnostics"], [d for f in document["files"] for d in f["diagnostics"]])
        self.assertEqual([d["file"] for d in document["diagnostics"]], ["m/b.mlir", "m/c.mlir"])

    def test_programs_of_two_folders_are_proved_in_pairs(self):
        self.write("a/x.mlir", "a/only.mlir", "a/d/y.mlir", "b/d/y.mlir", "b/z.mlir", "a/two.mlir", "b/two.shlo", "b/two.bc")
        self.check(0, "--emit=mlirbc", "-o", "b/x.mlirbc", "a/x.mlir")
        self.write("a/d/z.mlir")
        self.write("b/d/z.mlir", text=GOOD.replace("return %arg0", "%0 = stablehlo.add %arg0, %arg0 : tensor<2xi32>\n  return %0"))
        done = self.check(1, "prove", "a", "b/**")
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual([line for line in out.splitlines() if "mlir" in line], ["a/d/y.mlir b/d/y.mlir", "a/d/z.mlir b/d/z.mlir", "a/x.mlir b/x.mlirbc"])
        self.assertEqual(err.splitlines(), ["a/only.mlir: error: has no counterpart in 'b/**' [not-equal]"]
                         + [f"{path}: error: has no counterpart in '{other}' [not-equal]" for path, other in (
                             ("b/two.bc", "a"), ("a/two.mlir", "b/**"), ("b/two.shlo", "a"), ("b/z.mlir", "a"))]
                         + ["2 passed, 6 failed"])
        document = json.loads(self.check(1, "prove", "--json", "a", "b").stdout)
        self.assertEqual([(len(p["files"]), p.get("verdict")) for p in document["pairs"]],
                         [(2, "equal"), (2, "different"), (1, None), (1, None), (1, None), (1, None), (2, "equal"), (1, None)])
        for jobs in (1, 2, 8):
            again = self.check(1, "prove", f"-j{jobs}", "a", "b/**")
            self.assertEqual((again.stdout, again.stderr), (done.stdout, done.stderr))
        self.check(2, "prove", "a/x.mlir", "b", err="'a/x.mlir' is one program, and 'b' is not")
        self.check(2, "prove", "--certificate=c.json", "a", "b", err="--certificate is about two programs")
        self.check(4, "prove", "a", "b/nothing*", err="no file matches")


if __name__ == "__main__":
    unittest.main()
