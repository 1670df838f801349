#!/usr/bin/env python3
"""Damaged packs, catalogs and policies. Usage: mutants_test.py TOOL [COUNT]

What the tool takes of a damaged file means the same as before: a model has its bytes, a list has what was added, and a new
model gets a new number; a policy says what Python's TOML reader and the lines below make of it. COUNT of each kind are
tried, in at most 512 MiB and 10 s each."""
import fnmatch
import json
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

try:
    import tomllib
except ImportError:
    tomllib = None

COUNT = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 60
TOOL = os.path.abspath(sys.argv.pop(1))
MEMORY, SECONDS = 512 << 20, 10
PROGRAM = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.custom_call @foo(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.{} %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}}
"""
MODELS = {name: PROGRAM.format(name).encode() for name in ("tanh", "sine", "cosine")}
POLICY = """consumers = ["1.9.0"]
exclude = ["other/**"]
window = "backward=5y,forward=2y"
custom-calls = ["foo", "b*"]
dialects = ["mydialect"]
[budget]
size = "100 MB"
ops = 5
constants = "1 MiB"
[rules]
custom-call = "warning"
op-count = "error"
[[path]]
match = "other/*"
rules = { deprecated-op = "off" }
[[waiver]]
rule = "random-op"
path = "m.mlir"
reason = "r"
owner = "o"
expires = 2027-05-31
"""
WORDS = ["0", "-1", "99999999999999999999", "1e308", "nan", '""', '"*"', '"f*"', "[]", "[[]]", "{}", "true", "2027-02-30", '"\\u0000"', '"5"',
         "[budget]", "[rules]", "ops = 1", "ops = 5", 'custom-calls = ["bar"]', 'custom-call = "error"', 'custom-call = "off"', "a.b.c = 1",
         "'''", '"""', "#", "=", "\n", "\x7f", "\u202e", "\x00"]


def run(*arguments, folder):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return subprocess.run([TOOL, *map(str, arguments)], cwd=folder, capture_output=True, check=False, timeout=SECONDS, preexec_fn=limit)


def damage(rng, data):
    """Returns other bytes: flipped, set, cut, repeated, moved, added."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at, end = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
        kind = rng.randrange(7)
        if kind < 3 and data:
            at = min(at, len(data) - 1)
            data[at] = data[at] ^ (1 << rng.randrange(8)) if kind else rng.randrange(256)
        elif kind == 3:
            del data[at:end if rng.random() < 0.3 else at + 8]
        elif kind == 4:
            data[at:at] = data[at:min(end, at + 64)]
        elif kind == 5:
            data[at:end] = bytes(len(data[at:end]))
        else:
            data += rng.randbytes(rng.randrange(1, 64))
    return bytes(data)


class Mutants(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.rng = random.Random(41)

    def enterContext(self, context):  # of Python 3.11
        entered = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return entered

    def tool(self, *arguments):
        done = run(*arguments, folder=self.folder)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), (arguments, done.stderr[-300:]))
        if done.returncode > 1:
            self.assertTrue(done.stderr or done.stdout, arguments)
        return done


class Archives(Mutants):
    def setUp(self):
        super().setUp()
        for name, data in MODELS.items():
            (self.folder / f"{name}.mlir").write_bytes(data)
            self.assertEqual(self.tool("archive", "init", "ar").returncode if name == "tanh" else 0, 0)
            self.assertEqual(self.tool("archive", "add", f"{name}.mlir", "--archive=ar").returncode, 0)
        self.assertEqual(self.tool("archive", "migrate", "--target=current", "--archive=ar").returncode, 0)
        shutil.copytree(self.folder / "ar", self.folder / "whole")
        self.listed = self.models()

    def models(self):
        done = self.tool("archive", "ls", "--json", "--archive=ar")
        return {model["name"]: model for model in json.loads(done.stdout)["models"]} if done.returncode == 0 else None

    def check(self, complete):
        """`complete`: nothing may be missing. Returns whether anything was refused."""
        listed, refused = self.models(), False
        if listed is None:
            refused = True
        else:
            for name, model in listed.items():
                self.assertEqual(model, self.listed.get(name))
            if complete:
                self.assertEqual(listed, self.listed)
        for name, data in MODELS.items():
            done = self.tool("archive", "get", name, "-o", "-", "--archive=ar")
            if done.returncode == 0:
                self.assertEqual(done.stdout, data)
            refused |= done.returncode != 0
        if self.tool("archive", "verify", "--archive=ar").returncode == 0 and listed is not None and len(listed) == len(MODELS):
            self.assertFalse(refused)
        return refused

    def restore(self):
        shutil.rmtree(self.folder / "ar")
        shutil.copytree(self.folder / "whole", self.folder / "ar")

    def test_packs(self):
        packs = sorted((self.folder / "whole/packs").iterdir())
        refused = 0
        for i in range(COUNT):
            with self.subTest(i):
                self.restore()
                pack = self.rng.choice(packs)
                (self.folder / "ar/packs" / pack.name).write_bytes(damage(self.rng, pack.read_bytes()))
                refused += self.check(complete=False)
        self.assertGreater(refused, COUNT // 3)

    def test_catalogs(self):
        """The catalog is derived from the packs, so a damaged one changes nothing."""
        whole = (self.folder / "whole/catalog.sqlite").read_bytes()
        for i in range(COUNT):
            with self.subTest(i):
                self.restore()
                catalog = self.folder / "ar/catalog.sqlite"
                if self.rng.random() < 0.5:
                    self.change_a_cell(catalog)
                else:
                    catalog.write_bytes(damage(self.rng, whole))
                self.assertFalse(self.check(complete=True))
                if i % 4 == 0:
                    (self.folder / "more.mlir").write_bytes(PROGRAM.format("floor").encode())
                    done = self.tool("archive", "add", "more.mlir", "--name=tanh", "--archive=ar")
                    self.assertIn(b"tanh@2", done.stdout, done.stderr)

    def change_a_cell(self, catalog):
        with sqlite3.connect(catalog) as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            table = self.rng.choice(tables)
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            try:
                if self.rng.random() < 0.3:
                    database.execute(f"DELETE FROM {table} WHERE rowid = (SELECT min(rowid) FROM {table})")
                else:
                    value = self.rng.choice([None, -1, 0, 1, 2**62, "x", b"\xff" * 32, 0.5])
                    database.execute(f"UPDATE {table} SET {self.rng.choice(columns)} = ?", (value,))
            except sqlite3.Error:
                database.execute("PRAGMA user_version = 7")
        database.close()


@unittest.skipUnless(tomllib, "needs Python 3.11")
class Policies(Mutants):
    def findings(self, text):
        """Returns the findings by rule, or None if the policy is refused."""
        (self.folder / "p.toml").write_bytes(text)
        done = self.tool("check", "--policy=p.toml", "m.mlir", "--report=json")
        if done.returncode > 1:
            return None
        return sorted((f["rule"], json.dumps(f)) for f in json.loads(done.stdout)["files"][0]["findings"])

    def mutant(self):
        lines = POLICY.splitlines(keepends=True)
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            at, kind = self.rng.randrange(len(lines)), self.rng.randrange(6)
            if kind == 0 and len(lines) > 1:
                del lines[at]
            elif kind == 1:
                lines.insert(self.rng.randrange(len(lines)), lines[at])
            elif kind == 2 and "=" in lines[at]:
                lines[at] = lines[at].split("=")[0] + "= " + self.rng.choice(WORDS) + "\n"
            elif kind == 3:
                lines.insert(at, self.rng.choice(WORDS) + "\n")
            else:
                line = lines[at].encode()
                lines[at] = damage(self.rng, line).decode("latin-1") if self.rng.random() < 0.5 else line.decode().replace("o", self.rng.choice("oO0é"), 1)
        return "".join(lines).encode("latin-1", "ignore") if self.rng.random() < 0.2 else "".join(lines).encode("utf-8", "ignore")

    def expected(self, policy):
        """The rules that find something, by the documentation of the keys: of custom calls and of the budget of ops."""
        found = set()
        allowed = policy.get("custom-calls")
        if allowed is not None and not any(fnmatch.fnmatchcase("foo", pattern) for pattern in allowed):
            found.add("custom-call")
        if policy.get("budget", {}).get("ops", 1000) < 4:
            found.add("op-count")
        return {rule for rule in found if policy.get("rules", {}).get(rule) != "off"}

    def test_policies(self):
        (self.folder / "m.mlir").write_bytes(MODELS["tanh"])
        base = self.findings(POLICY.encode())
        self.assertEqual(base, [])
        meant = tomllib.loads(POLICY)
        taken = 0
        for i in range(COUNT):
            text = self.mutant()
            with self.subTest(i, text=text):
                findings = self.findings(text)
                try:
                    policy = tomllib.loads(text.decode())
                except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError):
                    policy = None
                if findings is None:
                    self.assertNotEqual(policy, meant)
                    continue
                self.assertIsNotNone(policy, "Python refuses it")
                taken += 1
                self.assertEqual({f[0] for f in findings} & {"custom-call", "op-count"}, self.expected(policy))
        self.assertGreater(taken, COUNT // 20)


if __name__ == "__main__":
    unittest.main()
