#!/usr/bin/env python3
"""Tests of the command line: exit codes, JSON, files, terminals. Usage: cli_test.py TOOL"""
import json
import os
import pathlib
import pty
import signal
import stat
import subprocess
import time
import unittest
import zipfile

import json_schema
import terminal
from command_line import GOOD, ROOT, SUB, TOOL, CommandLine, run
from programs import ENDLESS, SLOW


FOREVER = ("--max-work=1000000000", "--max-steps=1000000000000000")


class ExitCodes(CommandLine):
    def test_done(self):
        self.check(0, self.good)
        self.check(0, "--help")
        self.check(0, "inspect", "--help")
        self.check(0, "--version")

    def test_help_documents_exit_codes(self):
        text = run("--help").stdout.decode()
        for line in ("0  done", "1  negative result", "2  usage error", "3  invalid input", "4  system error"):
            self.assertIn(line, text)

    def test_negative_results(self):
        bad = self.dir / "bad.mlir"
        bad.write_text('func.func @main(%arg0: tensor<2xi32>) -> tensor<f32> {\n  "func.return"(%arg0) : (tensor<2xi32>) -> ()\n}\n')
        self.check(1, "verify", bad, err="error")
        self.check(1, bad, err="error")
        other = self.dir / "other.mlir"
        other.write_text(GOOD.replace("return %arg0", "%0 = stablehlo.add %arg0, %arg0 : tensor<2xi32>\n  return %0"))
        self.check(1, "prove", self.good, other)
        self.check(0, "prove", self.good, self.good)

    def test_usage(self):
        self.check(2, "--no-such-flag", self.good, err="--no-such-flag")
        self.check(2, "inspect", "--no-such-flag", self.good)
        self.check(2, err="no input file")
        self.check(2, "--emit=wrong", self.good, err="--emit")
        self.check(2, self.good, "extra.mlir", "more.mlir")
        self.check(2, "--target=40", "inspect", self.good, err="--target has no effect before 'inspect' [usage]\n  hint: it is a flag of conversion")
        self.check(2, "--from=40", "inspect", self.good, err="hint: pass it after the command: shlo-compat inspect --from=V")
        self.check(2, "--window=backward=soon", self.good)
        self.check(2, "inspect")
        self.check(2, "ops", "stablehlo.subtrakt", err="stablehlo.subtract")

    def test_bad_input(self):
        self.check(3, "-", stdin=b"func.func @main( {\n", err="[syntax]")
        self.check(3, "-", stdin=b"ML\xefR\x06", err="unexpected end of data inside a number")
        self.check(3, "-", stdin=b"\x00\x01\x02\x03", err="unrecognized format")
        artifact = self.dir / "a.shlo"
        self.check(0, "-o", artifact, self.good)
        artifact.write_bytes(artifact.read_bytes()[:-1])
        self.check(3, "inspect", artifact, err="error")

    def test_limits_can_be_raised(self):
        # Only slightly above the limit, because sanitizers make stack frames ten times as large.
        deep = self.dir / "deep.mlir"
        deep.write_text("func.func private @f(" + "tuple<" * 520 + "i32" + ">" * 520 + ")\n")
        self.check(3, deep, err="deeper than the limit")
        self.check(0, "--max-depth=540", deep)
        artifact = self.dir / "deep.mlirbc"
        self.check(0, "--max-depth=540", "--emit=mlirbc", "-o", artifact, deep)
        self.check(3, artifact, err="exceeds the limit of 500")
        self.check(0, "--max-depth=540", artifact)
        self.check(2, "--max-depth=1000000", deep)
        flags = self.dir / "flags.mlir"
        flags.write_text("func.func @f() {\n  %0 = stablehlo.constant dense<\"0x" + "0100" * 50 + "\"> : tensor<100xi1>\n  return\n}\n")
        artifact = self.dir / "flags.mlirbc"
        self.check(0, "--emit=mlirbc", "-o", artifact, flags)
        self.check(0, artifact)
        self.check(3, "--max-memory=0", artifact, err="exceed the memory limit of 0 bytes")

    def test_limits_of_results_and_programs(self):
        iota = self.dir / "iota.mlir"
        iota.write_text("func.func @main() -> tensor<1000000xf32> {\n  %0 = stablehlo.iota dim = 0 : tensor<1000000xf32>\n"
                        "  return %0 : tensor<1000000xf32>\n}\n")
        self.check(3, "eval", iota, "--max-output=1", err="the results are longer than the limit of 1 MiB")
        results = self.dir / "results.npz"
        # Small in memory, 4 MB in a file.
        ones = self.dir / "ones.mlir"
        ones.write_text(iota.read_text().replace("stablehlo.iota dim = 0", "stablehlo.constant dense<1.0>"))
        self.check(3, "eval", ones, "--outputs", results, "--max-memory=3", err="writing the results exceeds the memory limit of 3 MiB")
        self.assertFalse(results.exists())
        self.check(0, "eval", ones, "--outputs", results, "--max-memory=4")
        many = self.dir / "many.mlir"
        many.write_text("// -----\n" * 60)
        self.check(3, "verify", many, "--max-memory=1", err="programs exceed the memory limit of 1 MiB")
        chlo = self.dir / "chlo.mlir"
        chlo.write_text("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n" +
                        "".join(f"  %{i} = chlo.erf %a : tensor<f32> -> tensor<f32>\n" for i in range(100)) + "  return %0 : tensor<f32>\n}\n")
        self.check(3, "--expand", chlo, "--max-memory=1", err="expanding exceeds the limit of 1152 ops")
        self.check(0, "--expand", chlo)

    def test_io(self):
        self.check(4, self.dir / "missing.mlir", err="missing.mlir")
        self.check(2, self.dir, err="several inputs require a folder for the outputs")
        self.check(4, "-o", self.dir / "no/such/folder/out.mlir", self.good, err="error")
        if os.path.exists("/dev/full"):
            for arg in "versions", "--help", "--version":
                with open("/dev/full", "wb") as full:
                    done = subprocess.run([TOOL, arg], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(done.returncode, 4, (arg, done.stderr))

    def test_misspelled_words(self):
        self.check(2, "inspec", err="did you mean 'inspect'?")
        self.check(2, "inspec", self.good, err="did you mean 'inspect'?")
        self.check(2, "--taregt=1.9.0", self.good, err="did you mean '--target'?")
        self.check(2, "verify", "--lenien", self.good, err="did you mean '--lenient'?")
        self.check(2, "ops", "gathr", err="did you mean 'stablehlo.gather'?")
        self.check(2, "laws", "gatherr", err="did you mean 'gather'?")
        self.check(2, "laws", "vhlo.gather_v9", err="did you mean 'vhlo.gather_v1'?")
        self.check(2, "--target=curent", self.good, err="did you mean 'current'?")
        self.check(2, "--target=WEEK4", self.good, err="did you mean 'WEEK_4'?")
        self.check(2, "--emit=tetx", self.good, err="--emit: invalid value 'tetx'; expected one of text, generic, vhlo, shlo, mlirbc")
        self.check(2, "ops", "nothing_like_this", err="for the list")
        self.check(2, "--target=", self.good, err="'--target=' has no value")
        self.check(2, "prove", "-", "-", stdin=GOOD.encode(), err="'-' was read already")
        wrong = self.dir / "wrong.mlir"
        wrong.write_text("func.func @f(%a: tensor<i32>) -> tensor<i32> {\n  %0 = stablehlo.ad %a, %a : tensor<i32>\n  return %0 : tensor<i32>\n}\n")
        self.check(3, wrong, err="did you mean 'stablehlo.add'?")
        for text, hint in (("func.func private @f(tensor<2xf31>)\n", "did you mean 'f32'?"),
                           ("func.func private @f(!stablehlo.tokn)\n", "did you mean 'token'?"),
                           ("func.func private @f(!stablehlo.completely_different)\n", "unknown stablehlo type: completely_different"),
                           ('"foo.bar"() {a = #stablehlo<comparison_directon LT>} : () -> ()\n', "did you mean 'comparison_direction'?")):
            wrong.write_text(text)
            self.check(3, wrong, err=hint)
        wrong.write_text('func.func @f(%a: tensor<2xf32>) {\n  %0 = "stablehlo.transpose"(%a) {permutatoin = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>\n  return\n}\n')
        self.check(1, "verify", wrong, err="hint: rename attribute 'permutatoin' to 'permutation'")

    def test_the_ending_decides_the_format(self):
        for name, magic in ("a.mlirbc", b"ML\xefR"), ("A.BC", b"ML\xefR"), ("a.Shlo", b"\x89SHLO"), ("a.txt", b"func.func"):
            self.check(0, "-o", self.dir / name, self.good)
            self.assertEqual((self.dir / name).read_bytes()[:len(magic)], magic, name)

    def test_signals_leave_no_file(self):
        # The input is a pipe, so that the tool waits with the output still to be written; the next one is
        # stopped by a limit in the middle of writing.
        for signal_number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            folder = self.dir / signal_number.name
            folder.mkdir()
            with subprocess.Popen([TOOL, "-o", folder / "out.shlo", "-"], stdin=subprocess.PIPE) as tool:
                tool.stdin.write(b"module {\n")
                tool.stdin.flush()
                time.sleep(0.1)
                tool.send_signal(signal_number)
                tool.stdin.close()
                self.assertEqual(tool.wait(60), -signal_number)
            self.assertEqual(list(folder.iterdir()), [])
        import resource

        folder = self.dir / "limit"
        folder.mkdir()
        big = self.dir / "weights.mlir"
        big.write_text("func.func @main() {\n  %0 = stablehlo.constant dense<\"0x" + "".join(f"{i * 37 % 251:02X}" for i in range(1 << 20)) + f"\"> : tensor<{1 << 20}xi8>\n  return\n}}\n")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
        self.check(4, "-o", folder / "out.mlirbc", big, preexec_fn=limit, err="out.mlirbc: error: cannot write: File too large")
        self.assertEqual(list(folder.iterdir()), [])
        with open(folder / "stdout", "wb") as out:
            done = subprocess.run([TOOL, "--emit=generic", big], stdout=out, stderr=subprocess.PIPE, preexec_fn=limit, check=False)
        self.assertEqual((done.returncode, b"File too large" in done.stderr), (4, True), done.stderr)

    def test_no_memory_is_no_crash(self):
        big = self.dir / "big.mlir"
        big.write_text("func.func @main() {\n  %0 = stablehlo.constant dense<\"0x" + "AB" * (8 << 20) + f"\"> : tensor<{8 << 20}xi8>\n  return\n}}\n")
        if "asan" in TOOL or "coverage" in TOOL:
            self.skipTest("sanitizers and shared libraries need the address space")
        import resource

        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (24 << 20, 24 << 20))
        done = run(big, preexec_fn=limit)
        self.assertEqual(done.returncode, 4, done.stderr)



class Evaluation(CommandLine):
    ADD = """func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @other(%arg0: tensor<100xf32>, %arg1: tensor<64xi4>, %arg2: tensor<3xcomplex<f64>>) -> (tensor<100xf32>, tensor<64xi4>, tensor<3xcomplex<f64>>) {
  return %arg0, %arg1, %arg2 : tensor<100xf32>, tensor<64xi4>, tensor<3xcomplex<f64>>
}
"""
    ONE, TWO = "dense<[1, 2]> : tensor<2xi32>", "dense<[10, 20]> : tensor<2xi32>"

    def setUp(self):
        super().setUp()
        self.add = self.dir / "add.mlir"
        self.add.write_text(self.ADD)

    def test_arguments(self):
        both = self.check(0, "eval", self.add, "--args", self.ONE, self.TWO).stdout
        self.assertEqual(both, b"dense<[11, 22]> : tensor<2xi32>\n")
        self.assertEqual(self.check(0, "eval", self.add, "--arg", f"arg1={self.TWO}", f"0={self.ONE}").stdout, both)
        self.check(0, "eval", self.add, "--args", self.ONE, self.TWO, "--outputs", self.dir / "out.npz")
        archive = self.dir / "in.npz"
        self.check(0, "eval", self.add, "--entry", "other", "--inputs", "random:3", "--outputs", archive)
        again = self.check(0, "eval", self.add, "--entry", "other", "--inputs", archive).stdout
        self.assertEqual(again, self.check(0, "eval", self.add, "--entry", "other", "--inputs", "random:3").stdout)

    def test_tensor_files(self):
        # Results go in again as arguments, whatever the format.
        same = self.dir / "same.mlir"
        same.write_text("func.func @main(%x: tensor<9xbf16>, %y: tensor<2x2xcomplex<f32>>) -> (tensor<9xbf16>, "
                        "tensor<2x2xcomplex<f32>>) {\n  return %x, %y : tensor<9xbf16>, tensor<2x2xcomplex<f32>>\n}\n")
        want = self.check(0, "eval", same, "--inputs", "random:3").stdout
        for name in ("out.npz", "out.safetensors"):
            file = self.dir / name
            self.check(0, "eval", same, "--inputs", "random:3", "--outputs", file)
            self.assertEqual(self.check(0, "eval", same, "--inputs", file).stdout, want)
        # The program states that these are bf16; the file says two bytes of anything.
        bf16 = self.dir / "bf16.mlir"
        bf16.write_text("func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> {\n  return %x : tensor<2xbf16>\n}\n")

        def npy(descr, data, shape="(2,)", fortran=False):
            header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
            return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data

        file = self.dir / "x.npy"
        file.write_bytes(npy("<V2", b"\x80\x3f\x00\xc0"))
        for how in (("--args", f"@{file}"), ("--inputs", file)):
            out = self.check(0, "eval", bf16, *how).stdout
            self.assertEqual(out, b"dense<[1.000000e+00, -2.000000e+00]> : tensor<2xbf16>\n")
        # Likewise if the shape is dynamic.
        bf16.write_text(bf16.read_text().replace("<2x", "<?x"))
        self.assertEqual(self.check(0, "eval", bf16, "--inputs", file).stdout, out)
        # Compressed, big-endian and by columns, as NumPy may write them.
        archive = self.dir / "many.npz"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("arg1.npy", npy(">i4", b"\0\0\0\x0a\0\0\0\x14"))
            z.writestr("arg0.npy", npy("<i4", b"\x01\0\0\0\x02\0\0\0", fortran=True))
        self.assertEqual(self.check(0, "eval", self.add, "--inputs", archive).stdout, b"dense<[11, 22]> : tensor<2xi32>\n")
        # Names are numbers or not; where a number is missing, the order does not count.
        for names in ("arg0", "arg3"), ("arg1", "arg1.0"), ("0", "x"), ("arr_1", "arr_2"):
            with zipfile.ZipFile(archive, "w") as z:
                for name in names:
                    z.writestr(f"{name}.npy", npy("<i4", b"\x01\0\0\0\x02\0\0\0"))
            self.check(3, "eval", self.add, "--inputs", archive, err="is not one of 2 numbered arguments")
        # Messages name the file and the array.
        with zipfile.ZipFile(archive, "w") as z:
            z.writestr("arg0.npy", npy("<i4", b"\x01\0\0\0"))
        self.check(3, "eval", self.add, "--inputs", archive, err="many.npz: error: array 'arg0'")
        file.write_bytes(b"neither")
        self.check(3, "eval", self.add, "--args", self.ONE, f"@{file}", err="x.npy: error: not a file of tensors")

    def test_random_arguments(self):
        def values(seed):
            return self.check(0, "eval", self.add, "--entry", "other", "--inputs", f"random:{seed}").stdout

        self.assertEqual(values(1), values(1))
        self.assertNotEqual(values(1), values(2))
        floats = json.loads(values(1).split(b">")[0].split(b"<")[1])
        self.assertEqual(len(set(floats)), 100)
        self.assertTrue(all(-1 <= f < 1 for f in floats) and min(floats) < -0.5 and max(floats) > 0.5)
        one = self.check(0, "eval", self.add, "--args", self.ONE, "random:7").stdout
        self.assertEqual(one, self.check(0, "eval", self.add, "--args", self.ONE, "--arg", "1=random:7").stdout)
        self.check(2, "eval", self.add, "--inputs", "random:x", err="invalid seed")

    def test_without_inputs(self):
        named = self.dir / "named.mlir"
        named.write_text("func.func @main(%x: tensor<2xi32>,\n    %weights : tensor<f32> {a.b = 1 : i32}) -> tensor<2xi32> {\n  return %x : tensor<2xi32>\n}\n")
        self.check(2, "eval", named, err="named.mlir: error: @main takes 2 arguments: %x: tensor<2xi32>, %weights: tensor<f32> [usage]\n"
                   "  hint: pass --inputs=random:1, --inputs=FILE.npz, or them with --args, such as --args '[1, 2]' or --args @x.npy")
        self.check(2, "eval", self.add, "--entry=other", err="@other takes 3 arguments: %arg0: tensor<100xf32>, %arg1: tensor<64xi4>, %arg2: tensor<3xcomplex<f64>>")
        artifact = self.dir / "named.mlirbc"
        self.check(0, named, "-o", artifact)
        self.check(2, "eval", artifact, err="@main takes 2 arguments: %arg0: tensor<2xi32>, %arg1: tensor<f32>")
        self.assertEqual(self.check(0, "eval", named, "--args", "[1, 2]", "3").stdout, b"dense<[1, 2]> : tensor<2xi32>\n")
        self.check(0, "eval", named, "--inputs=random:1")

    def test_values_take_the_type_of_the_argument(self):
        def same(type, *values, kind="--args"):
            program = self.dir / "same.mlir"
            program.write_text(f"func.func @main(%x: {type}) -> {type} {{\n  return %x : {type}\n}}\n")
            return self.check(0, "eval", program, kind, *values).stdout.decode().strip()
        self.assertEqual(same("tensor<4xf32>", "[1,2, -3, 0.5]"), "dense<[1.000000e+00, 2.000000e+00, -3.000000e+00, 5.000000e-01]> : tensor<4xf32>")
        self.assertEqual(same("tensor<2x2xi8>", "[[1, 2], [3, -4]]"), "dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>")
        self.assertEqual(same("tensor<f64>", "5"), "dense<5.000000e+00> : tensor<f64>")
        self.assertEqual(same("tensor<f64>", "1e3"), "dense<1.000000e+03> : tensor<f64>")
        self.assertEqual(same("tensor<2xi1>", "[true, false]"), "dense<[true, false]> : tensor<2xi1>")
        self.assertEqual(same("tensor<2xf32>", "7"), "dense<7.000000e+00> : tensor<2xf32>")
        self.assertEqual(same("tensor<2xf32>", "dense<[1, 2]>"), "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>")
        self.assertEqual(same("tensor<2xcomplex<f32>>", "[(1, 2), (3, 4.5)]"), "dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.500000e+00)]> : tensor<2xcomplex<f32>>")
        self.assertEqual(same("tensor<?x2xi32>", "[[1, 2], [3, 4], [5, 6]]"), "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>")
        self.assertEqual(same("tensor<2xi32>", "0=[1, 2]", kind="--arg"), "dense<[1, 2]> : tensor<2xi32>")
        self.check(2, "eval", self.add, "--args", "[1, 2, 3]", "[1, 2]", err="error: argument 0: inferred shape of elements literal ([3]) does not match type ([2]), in '[1, 2, 3]'")
        self.check(2, "eval", self.add, "--args", "[1.5, 2]", "[1, 2]", err="error: argument 0: ")
        self.check(2, "eval", self.add, "--args", "1", "2", "3", err="expected 2 arguments, got 3")

    def test_outputs_are_named(self):
        done = self.check(0, "eval", self.add, "--args", self.ONE, self.TWO, "--outputs", "out.npz", cwd=self.dir)
        self.assertEqual(done.stdout, b"out.npz: result0, tensor<2xi32>\n")

    def test_what_does_not_fit_is_bad_input(self):
        self.check(3, "eval", self.add, "--args", self.ONE, err="expected 2 arguments, got 1")
        self.check(3, "eval", self.add, "--args", self.ONE, self.TWO, self.TWO, err="expected 2 arguments, got 3")
        self.check(3, "eval", self.add, "--args", self.ONE, "dense<1> : tensor<3xi32>", err="add.mlir:1")
        self.check(3, "eval", self.add, "--args", self.ONE, "dense<1.0> : tensor<2xf32>", err="argument 1 has type tensor<2xi32>")
        self.check(3, "eval", self.add, "--arg", f"1={self.ONE}", err="argument 0 has no value")
        self.check(2, "eval", self.add, "--arg", f"x={self.ONE}", err="INDEX=VALUE")
        self.check(2, "eval", self.add, "--entry", "mian", "--inputs", "random:1", err="@main or @other")
        self.check(2, "eval", self.add, "--entry", "mian", err="@main or @other")
        self.check(4, "eval", self.add, "--args", self.ONE, "@" + str(self.dir / "missing.npy"), err="missing.npy")
        self.check(2, "eval", self.add, "--args", self.ONE, "--inputs", "random:1")

    def test_programs_that_cannot_run(self):
        large = self.dir / "large.mlir"
        large.write_text("func.func @main() -> tensor<i8> {\n  %0 = stablehlo.iota dim = 0 : tensor<1000000000000xi8>\n"
                         "  %1 = stablehlo.slice %0 [0:1] : (tensor<1000000000000xi8>) -> tensor<1xi8>\n"
                         "  %2 = stablehlo.reshape %1 : (tensor<1xi8>) -> tensor<i8>\n  return %2 : tensor<i8>\n}\n")
        self.check(3, "eval", large, err="large.mlir:2")
        big_argument = self.dir / "big.mlir"
        big_argument.write_text(GOOD.replace("2x", "1000000000000x"))
        self.check(3, "eval", big_argument, "--inputs", "random:1", err="memory limit")
        self.check(3, "eval", self.add, "--inputs", "random:1", "--max-memory", "0", err="limit")
        unknown = self.dir / "unknown.mlir"
        unknown.write_text(GOOD.replace("return %arg0", '%0 = stablehlo.custom_call @nobody(%arg0) : (tensor<2xi32>) -> tensor<2xi32>\n  return %0'))
        self.check(3, "eval", unknown, "--args", self.ONE, err="nobody")
        self.check(3, "eval", unknown, "--args", self.ONE, err="unknown.mlir:2")

    def test_profile(self):
        done = self.check(0, "eval", self.add, "--args", self.ONE, self.TWO, "--profile", err="stablehlo.add")
        self.assertEqual(done.stdout, b"dense<[11, 22]> : tensor<2xi32>\n")
        profile = json.loads(self.check(0, "eval", "--json", self.add, "--args", self.ONE, self.TWO, "--profile").stdout)["profile"]
        self.assertEqual(profile["ops"]["stablehlo.add"]["runs"], 1)
        self.assertEqual(profile["ops"]["stablehlo.add"]["bytes"], 8)
        self.assertGreaterEqual(profile["peak_bytes"], 8)

    def test_folding(self):
        program = self.dir / "fold.mlir"
        program.write_text(GOOD.replace("return %arg0", "%0 = stablehlo.iota dim = 0 : tensor<2xi32>\n  return %0"))
        self.assertIn(b"dense<[0, 1]>", self.check(0, "--fold", program).stdout)
        self.assertIn(b"iota", self.check(0, "--fold", "--fold-limit=1", program).stdout)
        self.check(2, "--fold", "--fold-limit=many", program)


class Versions(CommandLine):
    def test_every_way_to_name_one(self):
        for name in ("62", "v62", "1.9.0", "1.9.7", "2025-02-01"):
            done = self.check(0, "versions", name, "--json")
            self.assertEqual([v["n"] for v in json.loads(done.stdout)["versions"]], [62], name)
        for name in ("current", "minimum", "WEEK_4", "WEEK_12", "MAX"):
            self.check(0, "versions", name)

    def test_unknown_ones_name_the_nearest(self):
        self.check(2, "--target=36", self.good, err="37")
        self.check(2, "--target=99", self.good, err="75")
        self.check(2, "--target=0.8.0", self.good, err="0.9.0")
        self.check(2, "--target=1.99.0", self.good, err="1.22.0")
        self.check(2, "--target=banana", self.good, err="banana")
        self.check(2, "--from=99", self.good, err="75")

    def test_a_patch_of_the_newest_release_is_unknown(self):
        self.check(0, "--target=1.21.7", self.good)
        self.check(2, "--target=1.22.1", self.good,
                   err="release 1.22.1 is newer than the newest known release, 1.22.0 (75)")

    def test_drop_ins_accept_every_release_up_to_the_current_one(self):
        translate = pathlib.Path(TOOL).parent / "dropin/stablehlo-translate"
        for release, version in (("1.22.0", "1.22.0"), ("1.21.3", "1.21.0"), ("0.25.9", "0.20.0"), ("0.9.1", "0.9.0")):
            done = subprocess.run([translate, "--serialize", f"--target={release}", self.good], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"StableHLO_v{release}".encode(), done.stdout)
            # Apart from the stated release, the bytes are those of the release before.
            plain = subprocess.run([translate, "--serialize", f"--target={version}", self.good], capture_output=True)
            self.assertEqual(done.stdout.replace(release.encode(), version.encode()), plain.stdout)
            read = subprocess.run([translate, "--deserialize"], input=done.stdout, capture_output=True)
            self.assertEqual((read.returncode, read.stderr), (0, b""))
        for release, message in (("1.22.1", b"target version 1.22.1 is greater than current version 1.22.0"),
                                 ("2.0.0", b"target version 2.0.0 is greater than current version 1.22.0"),
                                 ("0.8.9", b"target version 0.8.9 is less than minimum supported 0.9.0")):
            done = subprocess.run([translate, "--serialize", f"--target={release}", self.good], capture_output=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)


class Json(CommandLine):
    def document(self, code, *args):
        done = self.check(code, *args)
        document = json.loads(done.stdout)
        self.assertEqual(document["exit"], code)
        self.assertEqual(json_schema.check(document), [])
        return document

    def test_every_command(self):
        artifact = self.dir / "a.shlo"
        self.assertEqual(self.document(0, "--json", self.good)["text"], run(self.good).stdout.decode())
        report = self.document(0, "--json", "-o", artifact, self.good)
        self.assertEqual(report["output"], str(artifact))
        self.assertTrue(artifact.exists())
        for file in (self.good, artifact):
            inspected = self.document(0, "inspect", "--json", file)["files"][0]
            self.assertEqual(inspected["format"], "shlo" if file == artifact else "text")
            self.assertEqual(inspected["programs"][0]["functions"], [{"name": "main", "private": False, "op_count": 1}])
            strings = self.document(0, "strings", "--json", file)["files"][0]["programs"][0]["strings"]
            self.assertIn("main", [s["string"] for s in strings])
            self.document(0, "roundtrip", "--json", file)
            self.document(0, "verify", "--json", file)
        results = self.document(0, "eval", "--json", self.good, "--args", "dense<[1, 2]> : tensor<2xi32>")["results"]
        self.assertEqual(results, ["dense<[1, 2]> : tensor<2xi32>"])
        self.assertEqual(self.document(0, "prove", "--json", self.good, artifact)["verdict"], "equal")
        self.assertEqual(len(self.document(0, "versions", "--json")["versions"]), 39)
        self.assertEqual(len(self.document(0, "laws", "gather_v2", "--json")["laws"]), 6)
        subtract = self.document(0, "ops", "subtract", "--json")["ops"][0]
        self.assertEqual(subtract["steps"][0]["boundary"]["n"], 40)
        gather = self.document(0, "ops", "gather", "--json")["ops"][0]
        self.assertEqual(len(gather["revisions"]), 2)
        self.assertEqual([c["label"] for c in gather["constraints"]], [f"C{i}" for i in range(1, 24)])
        self.assertEqual(gather["constraints"][4]["text"], "offset_dims in [0, rank(result))")
        self.assertEqual(gather["constraints"][22]["enforced_by"], ["checked", "inference"])
        self.assertEqual(gather["inferred_from"], ["C22", "C23"])

    def test_hints_state_the_constraint(self):
        missed = ROOT / "roundtrip/bad-constraints.mlir"
        hints = [d.get("hint") for d in self.document(1, "verify", "--json", missed)["diagnostics"]]
        self.assertIn("C4 of concatenate: dimension in [0, rank(inputs[0]))", hints)
        # The drop-in tool prints the reference's message.
        opt = pathlib.Path(TOOL).parent / "dropin/stablehlo-opt"
        done = subprocess.run([opt, missed], capture_output=True, text=True, timeout=60)
        self.assertIn("dimension 2 is out-of-bounds", done.stderr)
        self.assertNotIn("hint", done.stderr)

    def test_the_commands_of_the_prototype(self):
        dropin = pathlib.Path(TOOL).parent / "dropin"
        sub = self.dir / "sub.mlir"
        sub.write_text("""func.func private @test_sub(%arg0: tensor<2xi8>) -> () attributes {stablehlo.compat_version = 37 : i32} {
  %0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  func.return
}
""")
        for target, op in ((40, "stablehlo.subtract"), (38, "stablehlo.sub")):
            done = subprocess.run([dropin / "stablehlo-translate", "--compat", f"--target={target}", sub],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, f'%0 = "?{op}"?[ (]%arg0, %arg0')
            self.assertIn(f"stablehlo.compat_version = {target}", done.stdout)
        traced = ["-emit-bytecode", "-debug-only=stablehlo-bytecode", "-o", self.dir / "sub.bc"]
        done = subprocess.run([dropin / "stablehlo-opt", *traced, self.good], capture_output=True, text=True, timeout=60)
        self.assertIn("Called: writeType", done.stderr)
        done = subprocess.run([dropin / "stablehlo-opt", "-debug-only=stablehlo-bytecode", self.dir / "sub.bc"],
                              capture_output=True, text=True, timeout=60)
        self.assertIn("Called: readType", done.stderr)

    def test_interpret_evaluates_each_function_without_a_main(self):
        translate = pathlib.Path(TOOL).parent / "dropin/stablehlo-translate"
        tests = self.dir / "tests.mlir"
        tests.write_text("""func.func @holds() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func private @helper(%x: tensor<f64>) -> tensor<f64> {
  return %x : tensor<f64>
}
func.func @calls() -> tensor<f64> {
  %0 = stablehlo.constant dense<0.55783139999999998> : tensor<f64>
  %1 = func.call @helper(%0) : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""")
        done = subprocess.run([translate, "--interpret", tests], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "Evaluated results of function: holds\nEvaluated results of function: calls\n"
                                      "tensor<f64> {0.55783139999999998}\n")
        # Text ends with one newline.
        artifact = self.dir / "good.bc"
        subprocess.run([translate, "--serialize", "--target=1.0.0", "-o", artifact, self.good], check=True, timeout=60)
        done = subprocess.run([translate, "--deserialize", artifact], capture_output=True, text=True, timeout=60)
        self.assertTrue(done.stdout.endswith("}\n") and not done.stdout.endswith("\n\n"), done.stdout[-20:])

    def test_every_op_has_an_example(self):
        rows = self.document(0, "ops", "--json")["ops"]
        self.assertEqual([row["name"] for row in rows if not row["example"]], [])
        self.assertEqual([row["name"] for row in rows if row["name"].rpartition(".")[2] not in row["example"]], [])
        # An op of MLIR prints in its custom form, because the types of its example are those that the form implies.
        generic = [row["name"] for row in rows if row["form"] and f'"{row["name"]}"(' in row["example"]]
        upstream = ("arith.", "tensor.", "shape.", "scf.", "func.", "ml_program.")
        self.assertEqual([name for name in generic if name.startswith(upstream)], [])

    def test_matrix(self):
        tan = self.dir / "tan.mlir"
        tan.write_text("func.func @main(%a: tensor<f32>) {\n  %0 = stablehlo.tan %a : tensor<f32>\n  return\n}\n// -----\n" + GOOD)
        lines = run("inspect", "--matrix", self.good, tan).stdout.decode().splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[0].split()[:2], ["program", "own"])
        self.assertEqual(lines[1].split(), [str(self.good), "1.22", "all"])
        # tan began with 1.4.0
        self.assertEqual(lines[2].split(), [f"{tan}:1", "1.22", "1.4", "and", "later"])
        rows = self.document(0, "inspect", "--matrix", "--json", tan)["files"][0]["programs"]
        self.assertEqual([row["targets"][0] for row in rows], ["1.4.0", "0.9.0"])
        self.assertEqual(rows[0]["version"]["release"], "1.22.0")
        # A file that cannot be read costs its own row only.
        done = self.check(3, "inspect", "--matrix", ROOT / "roundtrip/bad-syntax.mlir", self.good, err="error")
        self.assertEqual(len(done.stdout.decode().splitlines()), 2)

    def test_failures_are_documents_too(self):
        self.assertEqual(self.document(3, "--json", ROOT / "roundtrip/bad-syntax.mlir")["diagnostics"][0]["code"], "syntax")
        self.assertEqual(self.document(4, "inspect", "--json", self.dir / "none")["diagnostics"][0]["code"], "io")
        self.document(2, "--json", "--emit=shlo", self.good)
        self.document(2, "ops", "--json", "nothing_like_it")
        self.document(2, "inspect", "--json", "--what", self.good)

    def test_conversion_says_what_it_did(self):
        program = self.document(0, "--json", "--target=40", SUB)["files"][0]["programs"][0]
        self.assertEqual((program["from"]["n"], program["to"]["n"]), (37, 40))
        self.assertEqual([(s["from"], s["to"], s["op_count"]) for s in program["steps"]], [("stablehlo.sub", "vhlo.subtract_v1", 1)])
        expand = ("--json", "--expand", "--target=1.0.0", "--allow-outside-window")
        program = self.document(0, *expand, ROOT / "roundtrip/expand.mlir")["files"][0]["programs"][0]
        self.assertEqual([e["name"] for e in program["expanded"]],
                         ["stablehlo.gather", "stablehlo.tan", "chlo.broadcast_subtract", "chlo.asinh"])

    def test_drop_ins_expand(self):
        opt = pathlib.Path(TOOL).parent / "dropin/stablehlo-opt"
        translate = pathlib.Path(TOOL).parent / "dropin/stablehlo-translate"
        program = ROOT / "roundtrip/expand.mlir"
        def text(*args):
            done = subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout
        for flag in ("--chlo-legalize-to-stablehlo", "-chlo-pre-serialization-pipeline"):
            out = text(opt, flag, program)
            self.assertNotIn("chlo.", out)
            self.assertIn("stablehlo.tan", out)
        for name in ("stablehlo-compatibility-expander", "stablehlo-create-compatibility-expander"):
            out = text(opt, f"--{name}=target=1.0.0", program)
            self.assertIn("chlo.asinh", out)
            self.assertNotIn("stablehlo.tan ", out)
            self.assertNotIn("operand_batching_dims", out)
        # Without a target that lacks them, nothing changes.
        self.assertEqual(text(opt, "--stablehlo-compatibility-expander=target=1.9.0", program), text(opt, program))
        artifact = self.dir / "expanded.mlirbc"
        text(translate, "--serialize", "--target=1.4.0", "--chlo-pre-serialization-pipeline", program, "-o", artifact)
        self.assertNotIn("chlo.", text(translate, "--deserialize", artifact))
        left = subprocess.run([opt, "--chlo-legalize-to-stablehlo", ROOT / "roundtrip/expand_left.mlir"], capture_output=True, text=True, timeout=60)
        self.assertEqual(left.returncode, 1)
        self.assertIn("failed to legalize operation 'chlo.cosh' that was explicitly marked illegal", left.stderr)


class Files(CommandLine):
    def test_standard_streams(self):
        from_stdin = self.check(0, "-", stdin=GOOD.encode()).stdout
        self.assertEqual(from_stdin, run(self.good).stdout)
        artifact = self.check(0, "--emit=shlo", "-o", "-", self.good).stdout
        self.assertEqual(self.check(0, "-", stdin=artifact).stdout, from_stdin)

    def test_format_is_found_by_content(self):
        artifact = self.dir / "looks_like_text.mlir"
        self.check(0, "--emit=shlo", "-o", artifact, self.good)
        self.assertIn(b"func.func", self.check(0, artifact).stdout)

    def test_conversion_prints_nothing_but_the_program(self):
        out = self.check(0, "--target=40", SUB).stdout.decode()
        self.assertEqual(out.count("stablehlo.subtract"), 1)
        self.assertEqual(out, self.check(0, "--target=40", "-", stdin=SUB.read_bytes()).stdout.decode())

    def test_output_is_replaced_whole_or_not_at_all(self):
        out = self.dir / "out.mlir"
        out.write_text("what was there before")
        out.chmod(0o640)
        self.check(3, "-o", out, "-", stdin=b"not a program {")
        self.assertEqual(out.read_text(), "what was there before")
        self.check(0, "-o", out, self.good)
        self.assertIn("func.func", out.read_text())
        self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o640)
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["good.mlir", "out.mlir"])

    def test_links_are_replaced_and_lead_nowhere(self):
        kept = self.dir / "kept"
        kept.write_text("mine")
        link = self.dir / "link.mlir"
        for to in "kept", "nothing", "/dev/full":
            link.unlink(missing_ok=True)
            link.symlink_to(to)
            self.check(0, "-o", link, self.good)
            self.assertFalse(link.is_symlink())
            self.assertIn("func.func", link.read_text())
        out = self.dir / "out"
        out.mkdir()
        (out / "good.mlir").symlink_to(kept)
        self.check(0, "--out-dir", out, self.good)
        self.assertIn("func.func", (out / "good.mlir").read_text())
        # A folder below that of the outputs may be a link as well.
        (self.dir / "in/a").mkdir(parents=True)
        (self.dir / "in/a/x.mlir").write_text(GOOD)
        (self.dir / "elsewhere").mkdir()
        (out / "a").symlink_to("../elsewhere")
        self.check(4, "--out-dir", out, self.dir / "in", err="out/a: error: cannot write through a link")
        self.assertEqual(list((self.dir / "elsewhere").iterdir()), [])
        self.assertEqual((kept.read_text(), (self.dir / "nothing").exists()), ("mine", False))

    def test_open_files_have_names(self):
        text = run(self.good).stdout
        self.assertEqual(self.check(0, "-o", "/dev/stdout", self.good).stdout, text)
        with open(self.dir / "log", "w+b") as log:
            log.write(b"before\n")
            log.flush()
            self.check(0, "-o", f"/dev/fd/{log.fileno()}", self.good, pass_fds=[log.fileno()])
            self.assertEqual((self.dir / "log").read_bytes(), b"before\n" + text)

    def test_pipes_without_a_writer_do_not_hang(self):
        def pipe(name):
            os.mkfifo(self.dir / name)
            return self.dir / name
        big = self.dir / "big.mlir"
        big.write_text("func.func @main() -> tensor<4096xi8> {\n  %0 = stablehlo.constant dense<\"0x" + "".join(f"{i * 37 % 251:02X}" for i in range(4096)) + '"> : tensor<4096xi8>\n  return %0 : tensor<4096xi8>\n}\n')
        self.check(0, "unpack", big, "-o", self.dir / "small.shlo", "--tensors=small.safetensors", cwd=self.dir)
        (self.dir / "small.safetensors").unlink()
        pipe("small.safetensors")
        self.check(4, "verify", self.dir / "small.shlo", err="small.safetensors': not a regular file")
        (self.dir / "small.safetensors").unlink()
        self.check(4, "verify", self.dir / "small.shlo", "--weights", pipe("w"), err="w': not a regular file")
        (self.dir / "out").mkdir()
        pipe("out/.shlo-compat-resume")
        self.check(4, "--resume", "--out-dir", self.dir / "out", self.good, err=".shlo-compat-resume: error: cannot write: not a regular file")
        (self.dir / "out/.shlo-compat-resume").unlink()
        pipe("out/good.mlir")
        self.check(4, "--out-dir", self.dir / "out", self.good, err="good.mlir: error: cannot write: not a regular file")

    def test_streams_have_a_limit(self):
        endless = subprocess.Popen(["yes", "// a comment"], stdout=subprocess.PIPE)
        done = subprocess.run([TOOL, "verify", "--max-memory=3", "-"], stdin=endless.stdout, capture_output=True, timeout=60, check=False)
        endless.kill()
        endless.communicate()
        self.assertEqual((done.returncode, done.stderr), (3, b"<stdin>: error: the stream is longer than the limit of 3 MiB [limit]\n  hint: write it to a file, which has no limit\n"))
        self.check(3, "verify", "--max-memory=3", "/dev/urandom", err="the stream is longer than the limit of 3 MiB")

    def test_input_may_be_the_output(self):
        before = self.good.read_text()
        self.check(0, "--target=1.9.0", "--from=current", "-o", self.good, self.good)
        self.assertNotEqual(self.good.read_text(), "")
        artifact = self.dir / "a.shlo"
        self.check(0, "-o", artifact, self.good)
        self.check(0, "-o", artifact, "--emit=shlo", "--target=current", artifact)
        self.assertIn(b"func.func", self.check(0, artifact).stdout)
        self.assertIn("func.func", before)

    def test_same_program_same_bytes(self):
        first = self.check(0, "--emit=shlo", "-o", "-", self.good).stdout
        self.assertEqual(first, self.check(0, "--emit=shlo", "-o", "-", self.good).stdout)

    def test_frozen_artifacts(self):
        artifacts = sorted((ROOT / "compat").rglob("*.mlirbc"))
        self.assertTrue(artifacts)
        for artifact in artifacts:
            text, out = artifact.with_suffix(".mlir"), self.dir / "out.mlirbc"
            self.check(0, "--emit=mlirbc", "-o", out, text)
            self.assertEqual(out.read_bytes(), artifact.read_bytes(), artifact)
            # The text states its version on the module, in the first line; the artifact states it in its producer.
            read, written = self.check(0, artifact).stdout, self.check(0, text).stdout
            self.assertEqual(read.splitlines()[1:], written.splitlines()[1:], artifact)

    def test_stripped_artifacts_hold_no_locations(self):
        located = self.dir / "located.mlir"
        located.write_text(GOOD.replace("return %arg0 : tensor<2xi32>", 'return %arg0 : tensor<2xi32> loc("secret_name.py":1:2)'))
        kept = self.check(0, "--emit=shlo", "-o", "-", located).stdout
        stripped = self.check(0, "--emit=shlo", "--strip-debuginfo", "-o", "-", located).stdout
        self.assertIn(b"secret_name.py", self.check(0, "--locations", "-", stdin=kept).stdout)
        self.assertNotIn(b"secret_name", self.check(0, "--locations", "-", stdin=stripped).stdout)

    def test_strings_of_an_artifact_are_what_no_kind_encodes(self):
        program = self.dir / "program.mlir"
        program.write_text(GOOD.replace("return", "%0 = stablehlo.add %arg0, %arg0 : tensor<2xi32>\n  return"))
        artifact = self.check(0, "--emit=shlo", "-o", "-", program).stdout
        self.assertNotIn(b"stablehlo.add", artifact)

    def test_trace(self):
        done = self.check(0, "--trace", SUB)
        self.assertNotEqual(done.stderr, b"")
        self.assertEqual(done.stdout, run(SUB).stdout)


class Terminals(CommandLine):
    def on_terminal(self, *args, stdout=True, env=None):
        """Runs with stderr, and stdout if wanted, on a terminal; returns exit code and output."""
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [TOOL, *map(str, args)],
            stdin=subprocess.DEVNULL,
            stdout=follower if stdout else subprocess.DEVNULL,
            stderr=follower,
            env=dict({k: v for k, v in os.environ.items() if k != "NO_COLOR"}, **(env or {})),
        )
        os.close(follower)
        shown = terminal.shown_by(leader)
        return process.wait(timeout=60), shown

    def test_binary_to_a_terminal_is_refused(self):
        code, shown = self.on_terminal("--emit=shlo", self.good)
        self.assertEqual(code, 2, shown)
        self.assertNotIn(b"\x00", shown)
        self.assertEqual(self.on_terminal(self.good)[0], 0)

    def test_long_results_are_shortened(self):
        program = self.dir / "iota.mlir"
        program.write_text("func.func @main() -> tensor<40x50xi32> {\n  %0 = stablehlo.iota dim = 1 : tensor<40x50xi32>\n  return %0 : tensor<40x50xi32>\n}\n")
        code, shown = self.on_terminal("eval", program)
        row = "[0, 1, 2, ..., 47, 48, 49]"
        want = "dense<[" + ",\n       ".join([row] * 3 + ["..."] + [row] * 3) + "]> : tensor<40x50xi32>\n"
        self.assertEqual((code, shown.decode().replace("\r\n", "\n")),
                         (0, want + "results of more than 1000 elements are shortened on a terminal; --outputs=FILE writes them\n"))
        self.assertEqual(run("eval", program).stdout.count(b"49"), 40)
        program.write_text(program.read_text().replace("50x", "5x").replace("x50", "x5"))
        self.assertNotIn(b"...", self.on_terminal("eval", program)[1])

    def test_color_only_if_wanted(self):
        bad = ROOT / "roundtrip/bad-syntax.mlir"
        self.assertIn(b"\x1b[", self.on_terminal("verify", bad)[1])
        self.assertNotIn(b"\x1b[", self.on_terminal("verify", bad, env={"NO_COLOR": "1"})[1])
        self.assertNotIn(b"\x1b[", self.on_terminal("verify", "--no-color", bad)[1])
        self.assertNotIn(b"\x1b[", run("verify", bad).stderr)

    def until_shown(self, *args, expected):
        """Starts a command as the only one of a terminal, and reads until it has shown a text; returns the process id, the
        terminal, what was shown, and the seconds that it took."""
        child, leader = pty.fork()
        if child == 0:
            os.execv(TOOL, [str(TOOL), *map(str, args)])
        started, shown = time.monotonic(), b""
        while expected not in shown:
            shown += os.read(leader, 65536)
        return child, leader, shown, time.monotonic() - started

    def rest_of(self, child, leader):
        """Returns the status of a process that ends, and what else it shows."""
        shown = b""
        try:
            while piece := os.read(leader, 65536):
                shown += piece
        except OSError:  # the other side is closed
            pass
        os.close(leader)
        return os.waitpid(child, 0)[1], shown

    def test_progress_and_interrupt(self):
        endless, slow = self.dir / "endless.mlir", self.dir / "slow.mlir"
        endless.write_text(ENDLESS)
        slow.write_text(SLOW)
        for command, expected in (
            (["eval", *FOREVER, endless], b"endless.mlir, 1 of 3 ops ..."),
            # A proof gives up soon on what never ends.
            (["prove", "--evaluate-only", *FOREVER, slow, slow], b"proving "),
        ):
            with self.subTest(command=command):
                child, leader, shown, seconds = self.until_shown(*command, expected=expected)
                # 0.3 s on a machine that does nothing else.
                self.assertLess(seconds, 5, shown)
                os.write(leader, b"\x03")
                status, rest = self.rest_of(child, leader)
                self.assertEqual(os.waitstatus_to_exitcode(status), -signal.SIGINT, rest)
                # The terminal shows ^C, and one line in place of the progress.
                self.assertRegex(rest, rb"^(\x1b|\r|\[K|\^C|[^\n])*\r\x1b\[K\x1b\[\?7hinterrupted\r\n$")

    def test_adding_to_an_archive_shows_progress(self):
        text = "".join(f"  %v{i + 1} = stablehlo.tanh %v{i} : tensor<4xf32>\n" for i in range(400_000))
        large = f"func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {{\n{text}  return %v400000 : tensor<4xf32>\n}}\n"
        for i in range(4):
            (self.dir / f"slow{i}.mlir").write_text(f"// {i}\n" + large)
        archive = f"--archive={self.dir / 'models'}"
        self.check(0, "archive", "init", self.dir / "models")
        child, leader, shown, seconds = self.until_shown("archive", "add", "-j1", archive, *(self.dir / f"slow{i}.mlir" for i in range(4)),
                                                         expected=b" ...")  # fmt: skip
        self.assertLess(seconds, 5, shown)
        os.write(leader, b"\x03")
        status, rest = self.rest_of(child, leader)
        self.assertEqual(os.waitstatus_to_exitcode(status), -signal.SIGINT, rest)
        self.assertTrue(rest.endswith(b"interrupted\r\n"), rest)
        # Nothing is left of it.
        self.assertEqual(self.check(0, "archive", "ls", archive).stdout, b"")
        self.assertIn(b"0 records", self.check(0, "archive", "verify", archive).stdout)
        self.assertEqual([path.name for path in (self.dir / "models").rglob("*") if "tmp" in path.name], [])

    def test_progress_is_erased(self):
        slow = self.dir / "slow.mlir"
        slow.write_text(ENDLESS)
        child, leader, shown, _ = self.until_shown("eval", "--timeout=1", *FOREVER, slow,
                                                   expected=b"ops ...")  # fmt: skip
        status, rest = self.rest_of(child, leader)
        self.assertEqual(os.waitstatus_to_exitcode(status), 3)
        last = (shown + rest).rsplit(b"\r\x1b[K", 1)[1]
        self.assertNotIn(b"evaluating", last)
        self.assertIn(b"[limit]", last)

    def test_no_progress_without_a_terminal(self):
        slow = self.dir / "slow.mlir"
        slow.write_text(ENDLESS)
        done = run("eval", "--timeout=1", *FOREVER, slow)
        self.assertNotIn(b"evaluating", done.stderr)
        self.assertNotIn(b"\r", done.stderr)


if __name__ == "__main__":
    unittest.main()
