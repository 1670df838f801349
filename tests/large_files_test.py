#!/usr/bin/env python3
"""Converts files with large constants and with many functions.

    large_files_test.py TOOL [--no-limits]

No form of a large constant is ever held in memory: conversions work with a few megabytes of private memory, whatever
the size of the weights. Outputs are the same for any number of threads. --no-limits: for tools with sanitizers.
"""
import random
import resource
import sys

from command_line import CommandLine, run, unittest

LIMITS = "--no-limits" not in sys.argv
sys.argv = [word for word in sys.argv if word != "--no-limits"]
CONSTANTS, ELEMENTS = 4, 2 << 20 if LIMITS else 1 << 17  # of f32: 32 MiB, or 2
LIMIT = 24 << 20


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))


def weights(elements=ELEMENTS):
    numbers = random.Random(7)
    lines = ["module {", f"  func.func @main() -> tensor<{elements}xf32> {{"]
    for i in range(CONSTANTS):
        digits = numbers.randbytes(4 * elements).hex().upper()
        name = "%cst" if i == 0 else f"%cst_{i - 1}"
        lines.append(f"    {name} = stablehlo.constant dense<\"0x{digits}\"> : tensor<{elements}xf32>")
    lines += [f"    return %cst : tensor<{elements}xf32>", "  }", "}", ""]
    return "\n".join(lines)


def functions(count):
    lines = ["module {"]
    for i in range(count):
        lines.append(f"  func.func private @f{i}(%arg0: tensor<{i % 7 + 1}xf32>) -> tensor<{i % 7 + 1}xf32> {{")
        for k in range(12):
            use = f"%{k - 1}" if k else "%arg0"
            lines.append(f"    %{k} = stablehlo.add {use}, %arg0 {{note = {i % 31} : i32}} : tensor<{i % 7 + 1}xf32>")
        lines += [f"    return %11 : tensor<{i % 7 + 1}xf32>", "  }"]
    return "\n".join([*lines, "}", ""])


class LargeFiles(CommandLine):
    def convert(self, source, name):
        options = {"preexec_fn": limited} if LIMITS else {}
        self.check(0, source, "-o", self.dir / name, **options)
        return self.dir / name

    def test_constants_are_not_held(self):
        text = self.dir / "weights.mlir"
        text.write_text(weights())
        bytecode = self.convert(text, "a.mlirbc")
        shlo = self.convert(text, "a.shlo")
        for i, made in enumerate([text, bytecode, shlo]):
            self.assertEqual(self.convert(made, f"{i}.mlir").read_bytes(), text.read_bytes(), made)
            self.assertEqual(self.convert(made, f"{i}.mlirbc").read_bytes(), bytecode.read_bytes(), made)
            self.assertEqual(self.convert(made, f"{i}.shlo").read_bytes(), shlo.read_bytes(), made)
        done = self.check(0, text, **({"preexec_fn": limited} if LIMITS else {}))
        self.assertEqual(done.stdout, text.read_bytes())
        self.assertEqual(shlo.stat().st_size // (1 << 20), CONSTANTS * ELEMENTS * 4 >> 20)

    def test_nothing_is_made_of_damaged_constants(self):
        """They are compared with their hashes while the output is written."""
        text, damaged = self.dir / "weights.mlir", self.dir / "damaged.shlo"
        text.write_text(weights(1 << 19))
        self.check(0, text, "-o", damaged)
        with damaged.open("r+b") as file:
            file.seek(-1000, 2)
            byte = file.read(1)
            file.seek(-1000, 2)
            file.write(bytes([byte[0] ^ 1]))
        files = sorted(self.dir.iterdir())
        said = self.check(3, "verify", damaged).stderr
        self.assertIn(b"error: constant hash mismatch", said)
        self.assertEqual(said.count(b"\n"), 1)
        outputs = [["-o", self.dir / name] for name in ("a.mlirbc", "a.shlo", "a.mlir", damaged.name)]
        for output in [*outputs, ["--emit=mlirbc"], [], ["--target=40"], ["--prove"], ["--fold"]]:
            for threads in (1, 2):
                done = self.check(3, damaged, f"--threads={threads}", *output)
                self.assertEqual((done.stdout, done.stderr), (b"", said), output)
                self.assertEqual(sorted(self.dir.iterdir()), files)
        printed = self.check(3, damaged, "--json", "-o", self.dir / "a.shlo").stdout
        self.assertEqual(printed.count(b"constant hash mismatch"), 1)
        # An output that cannot be written.
        done = self.check(3, damaged, "-o", self.dir / "missing" / "a.mlirbc")
        self.assertEqual(done.stderr, said)

    def test_threads_make_the_same_files(self):
        text = self.dir / "functions.mlir"
        text.write_text(functions(2500 if LIMITS else 1800))
        self.assertGreater(text.stat().st_size, 3 << 19)
        for name in ("a.mlir", "a.mlirbc", "a.shlo"):
            made = []
            for threads in (1, 2, 5):
                self.check(0, text, f"--threads={threads}", "-o", self.dir / name)
                made.append((self.dir / name).read_bytes())
            self.assertEqual(made[0], made[1])
            self.assertEqual(made[0], made[2])
        self.assertEqual((self.dir / "a.mlir").read_bytes(), text.read_bytes())
        broken = text.read_text().replace("stablehlo.add %3", "stablehlo.add %arg7", 1500).replace("tensor<5xf32>)", "tensor<5xf33>)", 9)
        text.write_text(broken)
        messages = {run(text, f"--threads={threads}").stderr for threads in (1, 2, 5)}
        self.assertEqual(len(messages), 1)
        self.assertIn(b"%arg7", messages.pop())

    def test_inspection_reads_no_large_constant(self):
        text = self.dir / "weights.mlir"
        text.write_text(weights())
        shlo = self.dir / "a.shlo"
        self.check(0, text, "-o", shlo)
        damaged = bytearray(shlo.read_bytes())
        damaged[-5] ^= 1
        shlo.write_bytes(damaged)
        self.check(0, "inspect", shlo)
        self.check(0, "strings", shlo)
        self.check(3, "verify", shlo, err="a.shlo")


if __name__ == "__main__":
    unittest.main()
