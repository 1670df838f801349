#!/usr/bin/env python3
"""Tests of the commands prove, laws and reduce, and of limits. Usage: cli_prove_test.py TOOL"""
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from command_line import TOOL, CommandLine, run


class Proofs(CommandLine):
    def program(self, name, body, type="tensor<4xf32>", attributes=""):
        path = self.dir / name
        path.write_text(f"func.func @main(%a: {type}{attributes}, %b: {type}) -> {type} {{\n{body}\n  return %r : {type}\n}}\n")
        return path

    def op(self, name, op, type="tensor<4xf32>"):
        return self.program(name, f"  %r = stablehlo.{op} %a, %b : {type}", type)

    def test_evidence_decides_the_exit_code(self):
        twice = self.program("twice.mlir", "  %r = stablehlo.add %a, %a : tensor<4xf32>")
        times = self.program("times.mlir", "  %c = stablehlo.constant dense<2.0> : tensor<4xf32>\n"
                                           "  %r = stablehlo.multiply %a, %c : tensor<4xf32>")
        out = self.check(1, "prove", twice, times).stdout.decode()
        self.assertIn("not told apart by 256 input sets", out)
        self.assertIn("not enough for --at-least=exhaustive", out)
        proof = json.loads(self.check(0, "prove", "--json", "--at-least=sampled", twice, times).stdout)
        coverage = proof["functions"][0]["coverage"]
        self.assertEqual((coverage["compared"], coverage["blind"], coverage["not_run"]), (256, [], []))
        self.assertEqual((coverage["elements"], coverage["telling"]), (4, 4))
        either = self.op("or.mlir", "or", "tensor<i1>"), self.op("maximum.mlir", "maximum", "tensor<i1>")
        self.assertIn("equal on all 4 possible inputs", self.check(0, "prove", *either).stdout.decode())
        self.check(1, "prove", "--at-least=laws", *either)
        old = self.dir / "old.mlir"
        self.check(0, "--target=0.9.0", "--allow-outside-window", "-o", old, self.op("tanh.mlir", "atan2"))
        self.check(0, "prove", "--at-least=congruence", self.dir / "tanh.mlir", old)
        self.check(2, "prove", "--at-least=hope", twice, times, err="--at-least")

    def test_laws_are_listed(self):
        new, old = self.program("sine.mlir", "  %r = stablehlo.sine %a : tensor<4xf32>"), self.dir / "old.mlirbc"
        self.check(0, "--target=1.9.0", "--emit=mlirbc", "-o", old, new)
        proof = json.loads(self.check(0, "prove", "--json", new, old).stdout)
        self.assertEqual((proof["verdict"], proof["evidence"]), ("equal", "laws"))
        self.assertEqual(proof["laws"], [{"name": "vhlo.sine_v1 -> vhlo.sine_v2", "op_count": 1, "approximate": False, "errors": []}])
        self.check(1, "prove", "--at-least=congruence", new, old)

    def test_laws_have_evidence(self):
        table = self.check(0, "laws").stdout.decode()
        self.assertRegex(table, r"vhlo\.dynamic_conv_v1 -> vhlo\.dynamic_conv_v2 +upgrade +exact ")
        laws = json.loads(self.check(0, "laws", "--json").stdout)["laws"]
        self.assertEqual(table.count("\n"), len(laws) + 2)
        for law in laws:
            self.assertEqual([r["name"] for r in law["rungs"]], [f"L{i}" for i in range(8)])
            self.assertGreater(law["rungs"][4]["count"], 0, law["name"])
            for rung in law["rungs"]:
                self.assertTrue(rung["count"] or rung["reason"], law["name"])
            self.assertEqual(law["exact"], not law["errors"], law["name"])
        one = self.check(0, "laws", "vhlo.dynamic_conv_v1 -> vhlo.dynamic_conv_v2").stdout.decode()
        self.assertIn("none, because the first revision has its own kernel", one)
        self.assertIn("2 ULP of f64", self.check(0, "laws", "chlo.acos").stdout.decode())
        self.check(2, "laws", "hope", err="unknown law 'hope'")

    def test_approximations_are_marked(self):
        tan = self.program("tan.mlir", "  %r = stablehlo.tan %a : tensor<4xf32>")
        self.check(0, "--expand", "--target=1.0.0", "--allow-outside-window", "-o", self.dir / "old.mlir", tan)
        out = self.check(0, "prove", tan, self.dir / "old.mlir").stdout.decode()
        self.assertIn("up to the error of 1 approximation", out)
        self.assertIn("law: expansion of stablehlo.tan (1 op, approximate)\n  error: real operands (any): 3 ULP of f64, 3 of f32", out)
        proof = json.loads(self.check(0, "prove", "--json", tan, self.dir / "old.mlir").stdout)
        self.assertEqual([len(law["errors"]) for law in proof["laws"] if law["approximate"]], [2], "of real and complex operands")

    def test_the_contract_is_reported_apart(self):
        plain = self.op("plain.mlir", "add")
        donated = self.program("donated.mlir", "  %r = stablehlo.add %a, %b : tensor<4xf32>",
                               attributes=" {tf.aliasing_output = 0 : i32}")
        out = self.check(1, "prove", plain, donated).stdout.decode()
        self.assertIn("@main: different contract; values are equal by congruence\n  contract: 'func.func' at 1:1: ", out)
        proof = json.loads(self.check(1, "prove", "--json", plain, donated).stdout)
        self.assertEqual(proof["verdict"], "different contract")
        self.assertIn("attributes of argument 0", proof["functions"][0]["contract"][0]["message"])

    def test_a_part_is_evaluated(self):
        def program(name, part):
            return self.program(name, '  %0 = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n' + part +
                                '  %r = "other.op"(%1) : (tensor<4xf32>) -> tensor<4xf32>')
        known = program("known.mlir", "  %1 = stablehlo.subtract %0, %b : tensor<4xf32>\n")
        same = program("same.mlir", "  %n = stablehlo.negate %b : tensor<4xf32>\n"
                                    "  %1 = stablehlo.add %0, %n : tensor<4xf32>\n")
        wrong = program("wrong.mlir", "  %1 = stablehlo.add %0, %b : tensor<4xf32>\n")
        out = self.check(0, "prove", "--at-least=sampled", known, same).stdout.decode()
        self.assertIn("equal by congruence but for 1 part, not told apart by", out)
        out = self.check(1, "prove", "--at-least=sampled", known, wrong).stdout.decode()
        self.assertIn("@main: not covered: ", out)
        self.assertIn("'stablehlo.subtract' at 3:8, cut out with 1 op: result 0 differs at", out)


    def test_a_counterexample_is_a_program(self):
        a = self.program("a.mlir", "  %0 = stablehlo.add %a, %b : tensor<64xf32>\n"
                                   "  %r = stablehlo.abs %0 : tensor<64xf32>", "tensor<64xf32>")
        b = self.program("b.mlir", "  %r = stablehlo.add %a, %b : tensor<64xf32>", "tensor<64xf32>")
        out = self.dir / "out.mlir"
        text = self.check(1, "prove", a, b, "--counterexample", out).stdout.decode()
        self.assertIn("dense<0.000000e+00> : tensor<64xf32>", text)
        self.assertIn("@first", out.read_text())
        self.check(1, "eval", out, err="check.expect_eq")
        out.unlink()
        self.check(0, "prove", a, a, "--counterexample", out, err="no input is known")
        self.assertFalse(out.exists())

    def test_a_counterexample_of_a_part_may_never_occur(self):
        # An exponential is never below zero, but nothing says so.
        b = self.program("b.mlir", "  %r = stablehlo.exponential %a : tensor<4xf32>", "tensor<4xf32>")
        a = self.program("a.mlir", "  %z = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
                                   "  %0 = stablehlo.exponential %a : tensor<4xf32>\n"
                                   "  %r = stablehlo.maximum %0, %z : tensor<4xf32>", "tensor<4xf32>")
        out = self.dir / "out.mlir"
        self.check(1, "prove", a, b, "--counterexample", out, err="a part of @main; its input may never occur in the function")
        self.check(1, "eval", out, err="check.expect_eq")

    def test_a_counterexample_needs_static_types(self):
        a = self.program("a.mlir", "  %r = stablehlo.add %a, %b : tensor<?xf32>", "tensor<?xf32>")
        b = self.program("b.mlir", "  %r = stablehlo.multiply %a, %b : tensor<?xf32>", "tensor<?xf32>")
        out = self.dir / "out.mlir"
        self.check(1, "prove", a, b, "--counterexample", out, err="its type is not a static tensor; '" + str(out) + "' is not written")
        self.assertFalse(out.exists())

    def test_a_counterexample_tells_bits_apart(self):
        a = self.program("a.mlir", "  %r = stablehlo.negate %a : tensor<f32>", "tensor<f32>")
        b = self.program("b.mlir", "  %0 = stablehlo.constant dense<0.0> : tensor<f32>\n"
                                   "  %r = stablehlo.subtract %0, %a : tensor<f32>", "tensor<f32>")
        out = self.dir / "out.mlir"
        self.check(1, "prove", a, b, "--counterexample", out)
        self.assertIn("bitcast_convert", out.read_text())
        self.check(1, "eval", out, err="check.expect_eq")


class Reduction(CommandLine):
    PROGRAM = """func.func private @other(%a: tensor<92xf32>) -> tensor<92xf32> {
  %r = stablehlo.cosine %a : tensor<92xf32>
  return %r : tensor<92xf32>
}
func.func @main(%a: tensor<92xf32>, %b: tensor<92xf32>) -> (tensor<92xf32>, tensor<92xf32>) {
  %0 = stablehlo.add %a, %b : tensor<92xf32>
  %1 = call @other(%0) : (tensor<92xf32>) -> tensor<92xf32>
  %2 = stablehlo.tan %1 {my.note = "x"} : tensor<92xf32>
  %3 = stablehlo.subtract %2, %a : tensor<92xf32>
  return %3, %1 : tensor<92xf32>, tensor<92xf32>
}
"""
    SMALL = """  func.func @main(%arg0: tensor<1xf32>) {
    %0 = stablehlo.tan %arg0 : tensor<1xf32>
    return
  }
"""

    def setUp(self):
        super().setUp()
        self.program = self.dir / "it's.mlir"
        self.program.write_text(self.PROGRAM)
        self.temporary = self.dir / "temporary files"
        self.temporary.mkdir()
        self.env = {**os.environ, "TMPDIR": str(self.temporary)}

    def reduce(self, code, *args, **options):
        done = self.check(code, "reduce", self.program, *args, env=self.env, **options)
        self.assertEqual(os.listdir(self.temporary), [])
        return done

    def test_by_command(self):
        done = self.reduce(0, "--still=grep -q stablehlo.tan {}", err="2 of 7 ops left after")
        self.assertIn(self.SMALL, done.stdout.decode())
        self.assertEqual(done.stdout, self.reduce(0, "--still", "grep -q stablehlo.tan").stdout)

    def test_by_exit_code_and_output(self):
        crash = "grep stablehlo.tan {} && kill -SEGV $$"
        self.assertIn(self.SMALL, self.reduce(0, f"--still={crash}", "--exit-code=139").stdout.decode())
        self.reduce(1, f"--still={crash}", err="the program itself does not show it")
        self.reduce(0, "--still=cat", "--output-has=tan")
        self.reduce(1, "--still=cat", "--output-has=cosh", err="does not show it")
        self.reduce(2, "--still=/no/such/command", err="the shell cannot run")

    def test_by_blocker(self):
        self.assertIn(self.SMALL, self.reduce(0, "--still-blocked=1.0.0").stdout.decode())
        self.reduce(1, "--still-blocked=current", err="does not show it")
        self.reduce(2, "--still-blocked=soon", err="--still-blocked=soon")

    def test_by_invalidity(self):
        self.program.write_text(self.PROGRAM.replace(
            "stablehlo.subtract %2, %a : tensor<92xf32>",
            '"stablehlo.subtract"(%2) : (tensor<92xf32>) -> tensor<92xf32>'))
        out = self.dir / "out.mlir"
        self.reduce(0, "--still-invalid", "-o", out, err="2 of 7 ops left")
        self.check(1, "verify", out, err="stablehlo.subtract")
        self.program.write_text(self.PROGRAM)
        self.reduce(1, "--still-invalid", err="does not show it")

    def test_by_difference(self):
        other = self.dir / "other.mlir"
        other.write_text(self.PROGRAM.replace("stablehlo.cosine", "stablehlo.sine"))
        text = self.reduce(0, "--still-differs", other, err="1 op of the first program and 1 op of the second").stdout
        for op in "cosine", "sine", "tensor<1xf32>":
            self.assertIn(op, text.decode())
        for op in "tan ", "subtract", "stablehlo.add", "tensor<92xf32>":
            self.assertNotIn(op, text.decode())
        self.check(1, "eval", "-", stdin=text, err="check.expect_eq")
        self.assertEqual(text, self.reduce(0, "--still-differs", other).stdout)
        self.reduce(1, "--still-differs", self.program, err="no input is known that tells the programs apart")
        self.reduce(2, "--still-differs", other, "--still-blocked", err="expected one of")
        self.reduce(2, "--still-differs", other, "--json", err="pass -o OUT")
        j = json.loads(self.reduce(0, "--still-differs", other, "--json", "-o", self.dir / "pair.mlir").stdout)
        self.assertEqual((j["command"], j["exit"]), ("reduce", 0))

    def test_artifacts(self):
        out = self.dir / "out.mlirbc"
        tool = f"'{TOOL}' inspect --json {{}} | grep -q stablehlo.tan"
        self.reduce(0, "-o", out, f"--still={tool}")
        self.assertIn(self.SMALL, self.check(0, out).stdout.decode())
        self.reduce(2, "-o", out, err="expected one of --still")

    def test_summary_and_limit(self):
        j = json.loads(self.reduce(0, "--json", "--still=grep -q stablehlo.tan").stdout)
        self.assertEqual((j["ops_before"], j["ops_after"], j["complete"]), (7, 2, True))
        self.assertIn(self.SMALL, j["text"])
        j = json.loads(self.reduce(0, "--json", "--still=grep -q stablehlo.tan", "--max-tests=3").stdout)
        self.assertEqual((j["tests"], j["complete"]), (3, False))

    def test_a_signal_leaves_no_file(self):
        child = subprocess.Popen([TOOL, "reduce", self.program, "--still=sleep 5; test -e {}"], env=self.env,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(200):
            if any(files for _, _, files in os.walk(self.temporary)):
                break
            time.sleep(0.05)
        time.sleep(0.1)
        os.killpg(child.pid, signal.SIGTERM)
        self.assertEqual(child.wait(timeout=20), -signal.SIGTERM)
        self.assertEqual(os.listdir(self.temporary), [])

    # Shows it once, and then takes long in a process of a process, which says that it runs.
    SLOW = "grep -q stablehlo.subtract {} && exit 0; sh -c 'echo $$ > pid; sleep 87'; true"

    def is_gone(self, pid):
        for _ in range(200):
            try:
                if " Z " in pathlib.Path(f"/proc/{pid}/stat").read_text():
                    return True
            except FileNotFoundError:
                return True
            time.sleep(0.05)
        return False

    def wait_for_pid(self):
        for _ in range(400):
            if (self.dir / "pid").exists() and (self.dir / "pid").read_text().strip():
                return int((self.dir / "pid").read_text())
            time.sleep(0.05)
        raise AssertionError("the command does not run")

    def test_signals_end_what_it_started_and_keep_the_result(self):
        for number in signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:
            out = self.dir / f"{number}.mlir"
            child = subprocess.Popen([TOOL, "reduce", self.program, f"--still={self.SLOW}", "-o", out], env=self.env, cwd=self.dir, stderr=subprocess.PIPE)
            pid = self.wait_for_pid()
            child.send_signal(number)
            stderr = child.communicate(timeout=20)[1].decode()
            self.assertEqual(child.returncode, -number)
            self.assertIn(f"signal {int(number)} ended the reduction early", stderr)
            self.assertTrue(self.is_gone(pid), number)
            self.assertEqual(os.listdir(self.temporary), [])
            self.assertIn("stablehlo.subtract", out.read_text())
            self.check(0, "verify", out)
            (self.dir / "pid").unlink()

    def test_the_document_of_a_reduction_that_a_signal_ended(self):
        out = self.dir / "out.mlir"
        child = subprocess.Popen([TOOL, "reduce", self.program, f"--still={self.SLOW}", "--json", "-o", out], env=self.env, cwd=self.dir, stdout=subprocess.PIPE)
        self.wait_for_pid()
        child.send_signal(signal.SIGTERM)
        j = json.loads(child.communicate(timeout=20)[0])
        self.assertEqual((child.returncode, j["exit"], j["complete"]), (-signal.SIGTERM, 0, False))

    def test_a_signal_before_the_first_result_leaves_no_output(self):
        out = self.dir / "out.mlir"
        child = subprocess.Popen([TOOL, "reduce", self.program, "--still=: {}; echo $$ > pid; sleep 87", "-o", out], env=self.env, cwd=self.dir, stderr=subprocess.DEVNULL)
        pid = self.wait_for_pid()
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(20), -signal.SIGTERM)
        self.assertTrue(self.is_gone(pid))
        self.assertFalse(out.exists())

    def test_time_limits(self):
        out = self.dir / "out.mlir"
        self.reduce(0, f"--still={self.SLOW}", "--timeout=2", "-o", out, cwd=self.dir, err="--timeout=2 ended the reduction early")
        self.assertIn("stablehlo.subtract", out.read_text())
        self.assertTrue(self.is_gone(self.wait_for_pid()))
        self.reduce(3, "--still=: {}; sleep 87", "--timeout=1", err="ended before the program itself was tested")
        # A run that is killed shows nothing, whatever exit code is looked for.
        self.reduce(3, "--still=: {}; sleep 87", "--timeout=1", "--exit-code=137", err="ended before the program itself was tested")
        self.reduce(1, "--still=: {}; sleep 87", "--test-timeout=1", "--exit-code=137", err="the program itself does not show it")
        # Without tan it takes too long.
        done = self.reduce(0, "--still=grep -q stablehlo.tan {} || sleep 87", "--test-timeout=1", "--keep-signatures", "--max-tests=6")
        self.assertIn("stablehlo.tan", done.stdout.decode())

    def test_what_a_command_leaves_running_is_ended(self):
        self.reduce(0, "--still=sleep 87 & echo $! > pid; grep -q stablehlo.tan {}", "--max-tests=2", cwd=self.dir)
        self.assertTrue(self.is_gone(self.wait_for_pid()))


class Limits(CommandLine):
    def test_many_functions_take_little_memory(self):
        if "asan" in TOOL or "coverage" in TOOL:
            self.skipTest("sanitizers take several times as much")
        many = self.dir / "many.mlir"
        many.write_text("".join(f"func.func @f{i}() {{ return }}\n" for i in range(60_000)))
        child = subprocess.Popen([TOOL, "prove", many, many], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        self.assertLess(usage.ru_maxrss, 200 << 10)  # in KB; twice each program, and a line for each function

    def test_limits(self):
        # Types of a few lines that are gigabytes of text, also in a message and as the type of a value.
        doubling = self.dir / "doubling.mlir"
        types = "!a0 = tuple<tensor<f32>, tensor<f32>>\n"
        types += "".join(f"!a{i} = tuple<!a{i - 1}, !a{i - 1}>\n" for i in range(1, 40))
        doubling.write_text(types + "func.func @main(%a: !a39) -> !a39 { return %a : !a39 }\n")
        for arguments in [], ["--emit=generic"], ["--emit=vhlo"]:
            self.check(3, *arguments, doubling, err="the text is longer than the limit")
        self.check(3, "--max-output=1", doubling, err="limit of 1048576 bytes")
        self.check(0, "verify", doubling)
        self.check(0, "--emit=mlirbc", "-o", self.dir / "doubling.mlirbc", doubling)
        self.check(0, "inspect", self.dir / "doubling.mlirbc")
        self.check(0, "roundtrip", doubling)
        self.check(3, "eval", doubling)
        self.check(0, "prove", doubling, doubling)
        doubling.write_text(types + "func.func @main(%a: !a39) -> !a38 { return %a : !a39 }\n")
        message = self.check(1, "verify", doubling, err="...").stderr
        self.assertLess(len(message), 20000)

        # Loops without end, calls that double, and one op that is too much.
        loop = self.dir / "loop.mlir"
        loop.write_text("func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
                        "  %1 = stablehlo.while(%x = %0) : tensor<i32> cond {\n"
                        "    %t = stablehlo.constant dense<true> : tensor<i1>\n    stablehlo.return %t : tensor<i1>\n"
                        "  } do {\n    stablehlo.return %x : tensor<i32>\n  }\n  return %1 : tensor<i32>\n}\n")
        self.check(3, "eval", loop, err="--max-steps")
        self.check(3, "eval", "--max-steps=10", loop, err="limit of 10 steps")
        self.check(3, "eval", "--timeout=1", "--max-steps=1000000000000", "--max-work=1000000000000", loop, err="--timeout")
        calls = self.dir / "calls.mlir"
        calls.write_text("func.func @f0() { return }\n" + "".join(
            f"func.func @f{i}() {{ call @f{i - 1}() : () -> () call @f{i - 1}() : () -> () return }}\n" for i in range(1, 60)))
        self.check(3, "eval", "--entry=f59", calls, err="--max-work")
        product = self.dir / "product.mlir"
        product.write_text("func.func @main() -> tensor<4000x4000xf32> {\n  %0 = stablehlo.iota dim = 0 : tensor<4000x4000xf32>\n"
                           "  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : "
                           "(tensor<4000x4000xf32>, tensor<4000x4000xf32>) -> tensor<4000x4000xf32>\n"
                           "  return %1 : tensor<4000x4000xf32>\n}\n")
        self.check(3, "eval", product, err="--max-steps")
        # A length that is a prime, and windows as large as the operand.
        transform = self.dir / "transform.mlir"
        transform.write_text("func.func @main() -> tensor<4194301xcomplex<f32>> {\n"
                             "  %0 = stablehlo.iota dim = 0 : tensor<4194301xcomplex<f32>>\n"
                             "  %1 = stablehlo.fft %0, type = FFT, length = [4194301] : (tensor<4194301xcomplex<f32>>)"
                             " -> tensor<4194301xcomplex<f32>>\n  return %1 : tensor<4194301xcomplex<f32>>\n}\n")
        self.check(3, "eval", transform, err="--max-steps")
        windows = self.dir / "windows.mlir"
        windows.write_text("func.func @main() -> tensor<2000x2000xf32> {\n"
                           "  %0 = stablehlo.iota dim = 0 : tensor<2000x2000xf32>\n"
                           "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                           "  %1 = \"stablehlo.reduce_window\"(%0, %z) ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
                           "    %c = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %c : tensor<f32>\n"
                           "  }) {window_dimensions = array<i64: 999, 999>, padding = dense<499> : tensor<2x2xi64>} : "
                           "(tensor<2000x2000xf32>, tensor<f32>) -> tensor<2000x2000xf32>\n"
                           "  return %1 : tensor<2000x2000xf32>\n}\n")
        self.check(3, "eval", windows, "--max-work=100000", err="--max-steps")

        sines = self.dir / "sines.mlir"
        sines.write_text("func.func @main() -> tensor<4000000xf32> {\n  %v0 = stablehlo.iota dim = 0 : tensor<4000000xf32>\n" +
                         "".join(f"  %v{i + 1} = stablehlo.sine %v{i} : tensor<4000000xf32>\n" for i in range(100)) +
                         "  return %v100 : tensor<4000000xf32>\n}\n")
        self.check(3, "eval", "--max-work=10", sines, err="limit of 10 ms")
        large = self.dir / "large.mlir"
        large.write_text("func.func @main() -> tensor<300000000xi8> {\n  %0 = stablehlo.iota dim = 0 : tensor<300000000xi8>\n"
                         "  return %0 : tensor<300000000xi8>\n}\n")
        self.check(3, "eval", large, err="--max-memory")
        if os.path.exists("/dev/zero"):
            self.check(3, "verify", "/dev/zero", err="/dev/zero")


if __name__ == "__main__":
    unittest.main()
