#!/usr/bin/env python3
"""Tests of commands on many files: what folders and patterns stand for, order, exit codes. Usage: many_test.py TOOL"""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time
import unittest

from command_line import GOOD, TOOL, CommandLine
from refused_calls import refused

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
        for jobs in ("-j2", "-j8", "-j100", "--jobs=3", "--lenient"):
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


class IntoFolder(Many):
    def convert(self, *args, code=0, summary=None, err=""):
        done = self.check(code, "--out-dir=out", *args, err=err)
        if summary:
            self.assertEqual(done.stderr.decode().splitlines()[-1], summary)
        return done

    def tree(self, folder="out"):
        """Returns the content of each file below a folder."""
        return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()}

    def single(self, path, *args, name):
        """Returns what a conversion of one file writes."""
        self.check(0, *args, "-o", name, path)
        return pathlib.Path(name).read_bytes()


class Conversions(IntoFolder):
    """Conversions into a folder."""

    def test_a_folder_is_mirrored(self):
        self.write("m/a.mlir", "m/d/e/b.mlir", "m/noname", "m/x.y.txt")
        self.write("m/LICENSE", text="Not a program.\n")
        self.check(0, "-o", "m/d/c.mlirbc", "m/a.mlir")
        self.check(0, "-o", "m/f.shlo", "m/a.mlir")
        self.check(0, "--emit=shlo", "-o", "m/g", "m/a.mlir")
        self.convert("--target=1.0.0", "--allow-outside-window", "m", summary="7 converted, 1 is not a program")
        options = "--target=1.0.0", "--allow-outside-window"
        self.assertEqual(self.tree(), {
            path: self.single(f"m/{path}", *options, f"--emit={emit}", name="single") for path, emit in (
                ("a.mlir", "text"), ("d/c.mlirbc", "mlirbc"), ("d/e/b.mlir", "text"), ("f.shlo", "shlo"), ("g", "shlo"),
                ("noname", "text"), ("x.y.txt", "text"))})

    def test_emit_decides_the_ending(self):
        self.write("m/a.mlir", "m/noname", "m/x.y.txt")
        self.check(0, "-o", "m/c.bc", "m/a.mlir")
        for emit, ending in (("text", ".mlir"), ("generic", ".mlir"), ("vhlo", ".mlir"), ("shlo", ".shlo"), ("mlirbc", ".mlirbc")):
            self.check(0, f"--out-dir={emit}", f"--emit={emit}", "m")
            self.assertEqual(sorted(self.tree(emit)), [name + ending for name in ("a", "c", "noname", "x.y.txt")])
            self.assertEqual(self.tree(emit)["noname" + ending], self.single("m/noname", f"--emit={emit}", name="single"))

    def test_named_files_and_patterns(self):
        self.write("m/a.mlir", "m/d/b.mlir", "m/d/e/c.mlir")
        self.convert("m/d/b.mlir", "m/a.mlir")
        self.assertEqual(list(self.tree()), ["a.mlir", "b.mlir"])
        self.check(0, "--out-dir=p", "m/*/**/*.mlir")
        self.assertEqual(list(self.tree("p")), ["d/b.mlir", "d/e/c.mlir"])
        self.check(0, "--out-dir=q", "m/a.mlir", err="1 converted")
        self.assertEqual(list(self.tree("q")), ["a.mlir"])
        # An output folder among the inputs is not an input.
        self.check(0, "--out-dir=m/out", "m", err="3 converted")
        self.check(0, "--out-dir=m/out", "m", err="3 converted")

    def test_outputs_are_never_mixed_up(self):
        self.write("a/x.mlir", "b/x.mlir", "b/y.mlir", "c/y", "d/y/z.mlir")
        self.convert("a", "b", code=2, err="b/x.mlir: error: has the same output as 'a/x.mlir': out/x.mlir")
        self.convert("a/x.mlir", "a/x.mlir", code=2, err="the same output")
        self.check(0, "-o", "a/x.mlirbc", "a/x.mlir")
        self.convert("--emit=shlo", "a", code=2, err="a/x.mlirbc: error: has the same output as 'a/x.mlir': out/x.shlo")
        self.convert("c", "d", code=2, err="d/y/z.mlir: error: its output is below the output of 'c/y': y")
        self.assertFalse(pathlib.Path("out").exists())
        before = self.tree("b")
        self.check(2, "--out-dir=b", "b", err="b/x.mlir: error: its output would replace the input 'b/x.mlir'")
        pathlib.Path("link").symlink_to("b")
        self.check(2, "--out-dir=link", "b/y.mlir", err="would replace the input")
        self.assertEqual(self.tree("b"), before)
        self.check(0, "--out-dir=b", "--emit=mlirbc", "b")
        self.assertEqual(list(self.tree("b")), ["x.mlir", "x.mlirbc", "y.mlir", "y.mlirbc"])

    def test_flags_of_one_file(self):
        self.write("m/a.mlir", "m/b.mlir")
        self.check(2, "m", err="several inputs require a folder for the outputs")
        self.check(2, "m/a.mlir", "m/b.mlir", err="pass --out-dir=DIR")
        self.check(2, "-o", "x", "m", err="-o is one file")
        self.convert("-o", "x", "m", code=2, err="-o and --out-dir")
        self.convert("--prove", "--certificate=c", "m", code=2, err="--certificate is one file")
        self.convert("--extract", "m", code=2, err="--extract requires a format")
        self.convert("-", code=2, err="has no name for an output")
        self.check(2, "--resume", "m/a.mlir", err="--resume requires a folder")
        self.convert("--target=40", "nowhere", code=4, err="nowhere: error: cannot open")
        self.check(2, "inspec", "m/a.mlir", "m/b.mlir", err="did you mean 'inspect'?")
        self.write("file")
        self.check(4, "--out-dir=file", "m", err="file: error: cannot create the folder")

    def test_a_failure_ends_it_unless_told(self):
        self.write(*(f"m/{i}.mlir" for i in range(10)))
        self.write("m/3.mlir", "m/7.mlir", text=INVALID)
        self.write("m/5.mlir", text="module {")
        expected = self.convert("-j1", "m", code=1, summary="3 converted, 1 failed, 6 left; pass --keep-going to go on after a failure")
        self.assertEqual(list(self.tree()), [".shlo-compat-resume", "0.mlir", "1.mlir", "2.mlir"])
        for jobs in (2, 3, 8):
            self.assertEqual(self.convert(f"-j{jobs}", "m", code=1).stderr, expected.stderr)
        expected = self.convert("--keep-going", "-j1", "m", code=3, summary="7 converted, 3 failed")
        outputs = {k: v for k, v in self.tree().items() if k.endswith(".mlir")}
        self.assertEqual(len(outputs), 7)
        for jobs in (2, 8):
            self.check(3, f"--out-dir=out{jobs}", "--keep-going", f"-j{jobs}", "m")
            self.assertEqual(self.tree(f"out{jobs}"), self.tree())
        # Every diagnostic names its file, also if it is about options.
        err = self.convert("--keep-going", "--target=41", "m", code=3).stderr.decode()
        self.assertEqual(err.count("is outside the compatibility window"), 7)
        self.assertIn("m/9.mlir: error: target version 0.9.0 (41)", err)
        document = json.loads(self.convert("--keep-going", "--json", "m", code=3).stdout)
        self.assertEqual([f["exit"] for f in document["files"]], [0, 0, 0, 1, 0, 3, 0, 1, 0, 0])
        self.assertEqual(document["summary"], {"done": 7, "up_to_date": 0, "failed": 3, "not_programs": 0, "left": 0})
        self.assertEqual((document["output"], document["files"][9]["output"]), ("out", "out/9.mlir"))
        # An output that cannot be written is the failure of one file.
        pathlib.Path("n").mkdir()
        for name in "ab":
            self.write(f"n/{name}/x.mlir")
        self.write("blocked/a")
        self.check(4, "--out-dir=blocked", "--keep-going", "n", err="1 converted, 1 failed")

    def test_consumers_and_proofs(self):
        self.write("m/a.mlir", "m/b.mlir")
        done = self.convert("--for=jaxlib==0.4.38", "--prove", "--allow-outside-window", "m", summary="2 converted")
        self.assertEqual(done.stderr.decode().count("note: "), 1)
        self.assertEqual(self.tree()["a.mlir"], self.single("m/a.mlir", "--for=jaxlib==0.4.38", "--allow-outside-window", name="single.mlir"))

    def test_savedmodel_folders(self):
        self.write("m/sm/variables/v", text="values")
        self.write("m/a.mlir")
        self.write("m/sm/saved_model.pb", text="not one")
        self.convert("--keep-going", "m", code=3, summary="1 converted, 1 failed")


class Resumed(IntoFolder):
    """--resume."""

    def setUp(self):
        super().setUp()
        self.write(*(f"m/{i}.mlir" for i in range(5)))

    def resume(self, *args, summary, **options):
        return self.convert("--resume", *args, "m", summary=summary, **options)

    def test_only_what_changed_is_converted(self):
        self.resume(summary="5 converted")
        first = self.tree()
        times = {path: path.stat().st_mtime_ns for path in pathlib.Path("out").glob("*.mlir")}
        self.resume(summary="0 converted, 5 up to date")
        self.resume("-j8", "--keep-going", "--timeout=100", "--no-color", summary="0 converted, 5 up to date")
        self.assertEqual({path: path.stat().st_mtime_ns for path in times}, times)
        self.assertEqual(self.tree(), first)
        # Dates do not matter, only content does.
        for path in pathlib.Path("m").iterdir():
            os.utime(path, (2**31, 2**31))
        self.resume(summary="0 converted, 5 up to date")
        self.write("m/1.mlir", text=GOOD.replace("@main", "@other"))
        os.utime("m/1.mlir", (0, 0))
        pathlib.Path("out/2.mlir").unlink()
        self.write("out/3.mlir", text="changed")
        self.write("m/new.mlir")
        self.resume(summary="4 converted, 2 up to date")
        self.assertIn(b"@other", self.tree()["1.mlir"])
        self.resume(summary="0 converted, 6 up to date")
        document = json.loads(self.check(0, "--out-dir=out", "--resume", "--json", "m").stdout)
        self.assertTrue(all(f["up_to_date"] and f["programs"] == [] for f in document["files"]))

    def test_options_matter(self):
        self.resume(summary="5 converted")
        for options in (["--target=1.5.0", "--allow-outside-window"], ["--target=1.6.0", "--allow-outside-window"], ["--emit=generic"],
                        ["--emit=generic", "--locations"], ["--emit=vhlo"], []):
            with self.subTest(options=options):
                self.resume(*options, summary="5 converted")
                self.resume(*options, summary="0 converted, 5 up to date")
        # A date is a version, which may be a different one tomorrow.
        today = ["--target=WEEK_4", "--window=backward=5000d,forward=5000d"]
        self.resume(*today, "--today=2025-06-01", summary="5 converted")
        self.resume(*today, "--today=2025-06-01", summary="0 converted, 5 up to date")
        self.resume(*today, "--today=2024-06-01", summary="5 converted")
        consumers = pathlib.Path("c.json")
        for release, summary in (("1.4.0", "5 converted"), ("1.4.0", "0 converted, 5 up to date"), ("1.3.0", "5 converted")):
            consumers.write_text(json.dumps({"consumers": [{"package": "p", "version": "1", "stablehlo": release}]}))
            self.resume("--for=p==1", "--consumers=c.json", "--allow-outside-window", summary=summary)

    def test_failures_are_tried_again(self):
        self.write("m/2.mlir", text=INVALID)
        self.resume("--keep-going", summary="4 converted, 1 failed", code=1)
        self.resume("--keep-going", summary="0 converted, 4 up to date, 1 failed", code=1)
        self.write("m/2.mlir")
        self.resume(summary="1 converted, 4 up to date")

    def test_a_run_that_is_done_leaves_nothing_behind(self):
        self.convert("m")
        self.assertEqual(len(self.tree()), 5)
        self.convert("--resume", "m", summary="5 converted")
        # After a failure, it is kept.
        self.write("m/2.mlir", text=INVALID)
        self.convert("-j1", "m", code=1, summary="2 converted, 1 failed, 2 left; pass --keep-going to go on after a failure")
        self.write("m/2.mlir")
        self.resume("-j1", summary="3 converted, 2 up to date")

    def test_a_damaged_memory_is_no_memory(self):
        self.resume(summary="5 converted")
        memory = pathlib.Path("out/.shlo-compat-resume")
        good = memory.read_bytes()
        lines = good.splitlines(keepends=True)
        self.assertEqual((len(lines), lines[0]), (6, b"shlo-compat resume 1\n"))
        for damaged, summary in ((b"", "5 converted"), (good[:-1], "1 converted, 4 up to date"), (good[:-40], "1 converted, 4 up to date"),
                                 (b"shlo-compat resume 2\n" + b"".join(lines[1:]), "5 converted"),
                                 (good.replace(b"1.mlir", b"2.mlir"), "1 converted, 4 up to date"),
                                 (lines[0] + b"\0" * 300 + b"\n" + b"".join(lines[2:]), "1 converted, 4 up to date"),
                                 (good + b"0" * 64, "0 converted, 5 up to date"), (good + lines[1].replace(b" ", b"-"), "0 converted, 5 up to date")):
            memory.write_bytes(damaged)
            self.resume(summary=summary)
            self.assertEqual(memory.read_bytes(), good)

    def test_a_memory_that_cannot_be_written_is_reported(self):
        self.write(*(f"m/{i}.mlir" for i in range(40)))
        memory = ".shlo-compat-resume"
        append = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        self.check(4, "--out-dir=out", "--resume", "m", preexec_fn=refused("openat", "EACCES", argument=2, value=append),
                   err=f"out/{memory}: error: cannot open: Permission denied [io]")
        self.assertEqual(list(self.tree()), [memory])

        def full():  # for a file of 1 KiB: the memory, and no output
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 10, 1 << 10))
        self.write("m/bad.mlir", text="func.func @f(")
        self.check(4, "--out-dir=out", "--resume", "--keep-going", "m", preexec_fn=full,
                   err=f"out/{memory}: error: cannot write: File too large [io]")
        self.assertEqual(len(self.tree()), 41)
        # Outputs that it does not know are made again.
        (self.dir / "m/bad.mlir").unlink()
        done = self.resume(summary=None).stderr.decode().splitlines()[-1]
        again, known = map(int, re.fullmatch(r"(\d+) converted, (\d+) up to date", done).groups())
        self.assertEqual(again + known, 40)
        self.assertGreater(min(again, known), 1)

    def test_names_with_any_byte(self):
        self.write("m/a\nb.mlir", "m/c\\nd.mlir", "m/\udcff.mlir", "m/e\tf *.mlir")
        self.resume(summary="9 converted")
        self.resume(summary="0 converted, 9 up to date")

    def test_killed_runs_go_on(self):
        self.write(*(f"m/d{i % 7}/{i}.mlir" for i in range(300)), text="\n".join(GOOD.replace("@main", f"@f{i}") for i in range(100)))
        self.check(0, "--out-dir=whole", "--emit=mlirbc", "m")
        expected, killed = self.tree("whole"), 0
        for attempt in range(30):
            resume = ["--resume"] if attempt else []
            started = subprocess.Popen([TOOL, "--out-dir=out", "--emit=mlirbc", *resume, f"-j{1 + attempt % 4}", "m"], stderr=subprocess.PIPE)
            before = len(list(pathlib.Path("out").rglob("*.mlirbc")))
            while started.poll() is None and len(list(pathlib.Path("out").rglob("*.mlirbc"))) < before + 40:
                time.sleep(0.001)
            killed += started.poll() is None
            started.kill()
            _, err = started.communicate()
            for path in pathlib.Path("out").rglob("*.mlirbc"):
                self.assertEqual(path.read_bytes(), expected[str(path.relative_to("out"))])
            if started.returncode == 0:
                break
        self.assertEqual(started.returncode, 0)
        self.assertGreater(killed, 2)
        done, up_to_date = map(int, re.match(rb"(\d+) converted, (\d+) up to date", err).groups())
        self.assertEqual(done + up_to_date, 305)
        self.assertGreater(up_to_date, 100)
        self.assertEqual({k: v for k, v in self.tree().items() if k.endswith(".mlirbc")}, expected)
        # The temporary name of an output may be left.
        leftover = {re.sub("[-0-9]+$", "", k.rpartition("/")[2]) for k in self.tree() if not k.endswith(".mlirbc")}
        self.assertLessEqual(leftover, {".shlo-compat-resume", ".shlo"})


class Size(Many):
    def test_two_thousand_files(self):
        self.write(*(f"m/{i % 40}/{i}.mlir" for i in range(2000)))
        outputs = {}
        for jobs, paths, count in ((8, "m", 2000), (1, "m/**/1?.mlir", 10)):
            done = self.check(0, f"-j{jobs}", "--target=1.0.0", "--allow-outside-window", "--emit=mlirbc", f"--out-dir=out{jobs}", paths)
            self.assertEqual(done.stderr, f"{count} converted\n".encode())
            outputs[jobs] = {str(p.relative_to(f"out{jobs}")): p.read_bytes() for p in pathlib.Path(f"out{jobs}").rglob("*.mlirbc")}
            self.assertEqual(len(outputs[jobs]), count)
        self.assertLess(outputs[1].items(), outputs[8].items())
        self.assertEqual(self.check(0, "verify", "out8", err="2000 verified").stdout.count(b"1.0.0"), 2000)


if __name__ == "__main__":
    unittest.main()
