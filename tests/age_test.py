#!/usr/bin/env python3
"""Damage, age and kind of a file are told apart: no damaged file is called newer, and files of other kinds are named.
Usage: age_test.py TOOL"""
import json
import pathlib
import re
import unittest

from command_line import ROOT, CommandLine

PROGRAM = """module {
  func.func public @main(%x: tensor<2x3xf32> {jax.arg_info = "x"}, %y: tensor<3x2xf32>) -> (tensor<2x2xf32> {jax.result_info = ""}) {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT]
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %3 = stablehlo.select %2, %0, %1 : tensor<2x2xi1>, tensor<2x2xf32>
    return %3 : tensor<2x2xf32>
  }
}
"""
RELEASES = ["0.9.0", "1.9.0", "1.15.0", "current"]
RELEASE = re.compile(rb"StableHLO_v(\d+)\.(\d+)\.(\d+)\0")
NEWEST = (1, 22, 0)


def states_newer(data):
    """Whether an artifact of MLIR bytecode says itself that it is newer: its release, or a format that may come."""
    stated = RELEASE.search(data)
    if stated:
        return tuple(map(int, stated.groups())) > NEWEST
    # The format is a number of one byte; of release there is none.
    return data.startswith(b"ML\xefR") and 6 < data[4] >> 1 <= 16


class Damage(CommandLine):
    def write(self, release, form):
        source = self.dir / "program.mlir"
        source.write_text(PROGRAM)
        out = self.dir / f"{release}.{form}"
        self.check(0, f"--target={release}", "--allow-outside-window", f"--emit={form}", "--strip-debuginfo", "-o", out, source)
        return out.read_bytes()

    def codes(self, variants):
        """Verifies these files, and returns the codes of the errors of each."""
        folder = self.dir / "damaged"
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for i, data in enumerate(variants):
            (folder / f"{i:06}").write_bytes(data)
        done = self.check(None, "verify", "--json", *sorted(folder.iterdir()))
        self.assertIn(done.returncode, (0, 1, 3))
        found = [set() for _ in variants]
        for diagnostic in json.loads(done.stdout)["diagnostics"]:
            if diagnostic["severity"] == "error":
                found[int(pathlib.Path(diagnostic["file"]).name)].add(diagnostic["code"])
        return found

    def check_variants(self, name, data, masks, least):
        """Checks every cut and every flip of a file, of which `least` must be errors."""
        variants = [data[:i] for i in range(len(data))]
        variants += [data[:i] + bytes([byte ^ mask]) + data[i + 1:] for i, byte in enumerate(data) for mask in masks]
        errors = 0
        for variant, codes in zip(variants, self.codes(variants)):
            errors += bool(codes)
            if "newer-version" in codes:
                self.assertTrue(states_newer(variant), f"{name}: {variant}")
        self.assertGreater(errors, least * len(variants), name)

    def test_no_damaged_file_is_called_newer(self):
        for release in RELEASES:
            self.check_variants(release, self.write(release, "mlirbc"), (0x01, 0x04, 0xFF), 0.5)
        # Every byte of this format is below a checksum.
        self.check_variants("shlo", self.write("current", "shlo"), (0x01, 0xFF), 0.99)
        # An artifact that states no release.
        raw = (ROOT / "mhlo/alone.jaxlib_0_10_2.mlirbc").read_bytes()
        self.check_variants("raw", raw[:2000], (0x01,), 0.5)

    def test_damage_says_what_is_known(self):
        """The hint names the release that wrote the file, which has nothing that this tool does not know."""
        artifact = self.write("1.15.0", "mlirbc")
        path = self.dir / "artifact.mlirbc"
        for old, new, code, message, hint in (
                (b"dot_general_v2", b"dot_general_v7", "malformed", "'vhlo.dot_general_v7'", "release 1.15.0 has no such thing"),
                (b"ML\xefR\x0d", b"ML\xefR\x0f", "malformed", "unknown bytecode format 7", "release 1.15.0 has no such thing"),
                (b"ML\xefR\x0dStable", b"ML\xefR\x0fstable", "newer-version", "unknown bytecode format 7", "update shlo-compat"),
                (b"ML\xefR\x0dStable", b"ML\xefR\x2dstable", "malformed", "unknown bytecode format 22", "copy the file again"),
                (b"ML\xefR", b"ML\xefS", "malformed", "the magic number of MLIR bytecode is damaged", "copy the file again")):
            self.assertIn(old, artifact)
            path.write_bytes(artifact.replace(old, new))
            done = self.check(3, "verify", path, err=f"[{code}]")
            self.assertIn(message, done.stderr.decode())
            self.assertIn(hint, done.stderr.decode())
        # A newer release says so, whatever is wrong.
        path.write_bytes(artifact.replace(b"StableHLO_v1.15.0", b"StableHLO_v9.15.0").replace(b"dot_general_v2", b"dot_general_v7"))
        done = self.check(3, "verify", path, err="[newer-version]")
        self.assertIn("release 9.15.0 wrote the artifact", done.stderr.decode())

    def test_names_of_vhlo_text(self):
        """A later revision of a known name is newer; another name may be misspelled."""
        for text, code in (('"vhlo.add_v1x"() : () -> ()', "syntax"), ('"vhlo.ad_v1"() : () -> ()', "syntax"),
                           ('"vhlo.add_v"() : () -> ()', "syntax"), ('"vhlo.add_v0"() : () -> ()', "syntax"),
                           ('"vhlo.add_v9"() : () -> ()', "newer-version"), ('"vhlo.add_v10"() : () -> ()', "newer-version"),
                           ('"vhlo.return_v1"(%0) : (!vhlo.f32_v2) -> ()', "newer-version"),
                           ('"vhlo.return_v1"() {a = #vhlo.precision_v9<HIGH>} : () -> ()', "newer-version"),
                           ('"vhlo.return_v1"() {a = #vhlo.precisio_v1<HIGH>} : () -> ()', "syntax")):
            done = self.check(3, "verify", "-", stdin=text.encode())
            self.assertIn(f"[{code}]", done.stderr.decode(), text)


class Kinds(CommandLine):
    def refuse(self, data, message, hint):
        """Checks that a file has one error, of one line, and a remedy."""
        path = self.dir / "model"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        done = self.check(3, "verify", path)
        lines = done.stderr.decode().splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertIn(message, lines[0])
        self.assertIn(hint, lines[1])

    def test_kinds_have_names_and_remedies(self):
        lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
        for data, name, hint in (
                (lfs, "a pointer of Git LFS", "git lfs pull"),
                ("<!DOCTYPE html>\n<html>", "a web page (HTML)", "download the file itself"),
                ("\n<HTML lang='en'>", "a web page (HTML)", "download the file itself"),
                ("<?xml version='1.0'?>\n<a/>", "XML", "pass MLIR text"),
                ('{\n  "a": [1, 2],\n  "b": {}\n}\n', "JSON", "pass MLIR text"),
                ("[1, 2,\n 3]", "JSON", "pass MLIR text"),
                (b"ML\xef\xbf\xbdR\r", "MLIR bytecode that was decoded as text", "binary form"),
                ("TUzvUgZTdGFibGVITE9fdjEuMTUuMAA", "MLIR bytecode in base64", "base64 -d"),
                ("b'ML\\xefR\\rStable'", "MLIR bytecode as a literal of Python", "write the bytes"),
                ("; ModuleID = 'a'\nsource_filename = \"a\"\n", "LLVM IR", "was compiled from"),
                ("HloModule jit_f\n\nENTRY main {\n}\n", "HLO text", "jax.export"),
                ("{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }", "a jaxpr", "jax.export"),
                ("ExportedProgram:\n    class GraphModule", "a graph of PyTorch", "torch_xla.stablehlo"),
                ("#!/bin/sh\necho a\necho b\n", "a script", "pass MLIR text"),
                ("#include <vector>\nint main() {}\n", "source of C or C++", "pass MLIR text"),
                (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image", "pass MLIR text"),
                (b"GGUF\3\0\0\0", "a GGUF file", "pass MLIR text"),
                (b"PK\3\4\x14\0", "a zip archive", "export models"),
                (b"\x80\4K\1.", "a Python pickle", "export the model")):
            self.refuse(data, f"the file is {name}", hint)

    def test_other_text_is_one_error(self):
        for text in ("# Network services\n\ntcpmux\t\t1/tcp\necho\t\t7/tcp\necho\t\t7/udp\n",
                     "id,name,score\n1,a,0.5\n2,b,0.25\n",
                     "# Models\n\nThese are the models.\n\n```mlir\nmodule {\n}\n```\n\nThey are small.\nMore of them follow.\n- a\n- b\n",
                     "import jax\n\ndef f(x):\n    return x + 1\n\nprint(f(1))\n",
                     "[project]\nname = \"a\"\nversion = \"1\"\n", "a: 1\nb:\n  - c\n  - d\n", "hello\n",
                     (ROOT / "command_line.py").read_text(), (ROOT.parent / "README.md").read_text()):
            self.refuse(text, "the file is not a program", "pass MLIR text")

    def test_mlir_with_mistakes_keeps_its_errors(self):
        program = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.sine %a : tensor<f32>\n  return %0 : tensor<f32>\n}\n"
        for text, message in ((program.replace("sine", "sinus"), "'stablehlo.sinus'"),
                              (program.replace("func.func @", "fun.func @"), "'fun.func'"),
                              ("modul {\n" + program + "}\n", "'modul'"),
                              ("other.op %a {\n  other.thing @b\n  other.last(%c)\n}\n", "<stdin>:2:15: error: expected '}'")):
            done = self.check(3, "verify", "-", stdin=text.encode())
            self.assertIn(message, done.stderr.decode())

    def test_merge_conflicts_are_one_error(self):
        line = "  %0 = stablehlo.sine %a : tensor<f32>\n"
        self.refuse("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n<<<<<<< HEAD\n" + line + "=======\n" + line +
                    ">>>>>>> other\n  return %0 : tensor<f32>\n}\n", "markers of a merge conflict", "git mergetool")


if __name__ == "__main__":
    unittest.main()
