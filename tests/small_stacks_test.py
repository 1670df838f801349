#!/usr/bin/env python3
"""Deep programs through every command, with small stacks of the main thread. Usage: small_stacks_test.py TOOL

At the default limit of depth a command works or names a limit. The library has the same test for its functions, in
threads (small_stacks_test.cc)."""
import resource
import unittest

from command_line import TOOL, CommandLine, run

DEPTHS = 60, 490, 1990
STACKS = 128 << 10, 512 << 10
IF = '"stablehlo.if"(%p) ({\n', '}, { "stablehlo.return"() : () -> () }) : (tensor<i1>) -> ()\n"stablehlo.return"() : () -> ()\n'


def nested(depth, before, inside, after):
    return before * depth + inside + after * depth


def attribute(value):
    return f"func.func @main() attributes {{x = {value}}} {{ return }}\n"


def regions(depth, inside=""):
    body = nested(depth, IF[0], inside + '"stablehlo.return"() : () -> ()\n', IF[1])
    return "func.func @main(%p: tensor<i1>) {\n" + body.removesuffix('"stablehlo.return"() : () -> ()\n') + "return }\n"


def calls(depth):
    def one(i):
        call = f"call @f{i + 1}(%a) : (tensor<f32>) -> tensor<f32>" if i + 1 < depth else "stablehlo.tanh %a : tensor<f32>"
        name = f"private @f{i}" if i else "@main"
        return f"func.func {name}(%a: tensor<f32>) -> tensor<f32> {{ %0 = {call}\n return %0 : tensor<f32> }}\n"
    return "".join(map(one, range(depth)))


KINDS = {
    "regions": regions,
    "mixed": lambda n: regions(n, f'"x.y"() {{x = {nested(n, "[", "", "]")}}} : () -> ()\n'),
    "calls": calls,
    "modules": lambda n: nested(n, "module {\n", "", "}\n"),
    "tuples": lambda n: f"func.func @main(%p: {nested(n, 'tuple<', 'tensor<f32>', '>')}) {{ return }}\n",
    "lists": lambda n: attribute(nested(n, "[", "", "]")),
    "dictionaries": lambda n: attribute(nested(n, "{a = ", "1", "}")),
    "unknown": lambda n: attribute(f"#foo.bar<{nested(n, '<', '', '>')}>"),
    "affine": lambda n: attribute(f"affine_map<(d0) -> ({nested(n, '(', 'd0', ')')})>"),
    "functions": lambda n: attribute(nested(n, "() -> (", "i1", ")")),
    "locations": lambda n: "func.func @main() { return loc(" + nested(n, 'callsite("a" at ', '"b"', ")") + ") }\n",
    "dense": lambda n: "func.func @main() { %0 = stablehlo.constant dense<" + nested(n, "[", "1", "]") + f"> : tensor<{'1x' * n}i32>\n return }}\n",
}
COMMANDS = (
    ["verify", "IN"], ["IN"], ["IN", "--emit=generic", "--locations"], ["IN", "--emit=vhlo"], ["IN", "--emit=mlirbc", "-o", "out.mlirbc"],
    ["IN", "--emit=shlo", "-o", "out.shlo"], ["IN", "--target=1.13.0", "--expand", "--allow-outside-window"], ["inspect", "IN"],
    ["inspect", "--json", "IN"], ["roundtrip", "IN"], ["eval", "IN", "--inputs=random:1"], ["prove", "IN", "IN"], ["diff", "IN", "IN"],
    ["check", "--no-policy", "IN"], ["reduce", "IN", "--still=true", "--max-tests=3"], ["strings", "IN"])


class SmallStacks(CommandLine):
    def limited(self, stack, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (stack, resource.RLIM_INFINITY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return run(*words, cwd=self.dir, preexec_fn=limit)

    def test_every_command(self):
        if "asan" in TOOL or "coverage" in TOOL:
            self.skipTest("frames of sanitizers are larger")
        for kind, text in KINDS.items():
            for depth in DEPTHS:
                (self.dir / "in.mlir").write_text(text(depth))
                files = ["in.mlir"]
                for ending in "mlirbc", "shlo":
                    if run("--max-depth=2000", "in.mlir", "-o", f"in.{ending}", cwd=self.dir).returncode == 0:
                        files.append(f"in.{ending}")
                for stack in STACKS:
                    for words in COMMANDS:
                        for file in files if words[0] in ("verify", "IN") else files[:1]:
                            with self.subTest(kind=kind, depth=depth, stack=stack, words=words, file=file):
                                done = self.limited(stack, *(file if word == "IN" else word for word in words), "--max-depth=2000")
                                self.assertIn(done.returncode, range(5), done.stderr[-500:])

    def test_what_is_said(self):
        if "asan" in TOOL or "coverage" in TOOL:
            self.skipTest("frames of sanitizers are larger")
        (self.dir / "in.mlir").write_text(regions(490))
        done = self.limited(128 << 10, "verify", "in.mlir")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"in.mlir: error: nesting needs more stack than this thread has [limit]\n  hint: run 'ulimit -s 65536' first", done.stderr)
        self.assertEqual(self.limited(8 << 20, "verify", "in.mlir").returncode, 0)


if __name__ == "__main__":
    unittest.main()
