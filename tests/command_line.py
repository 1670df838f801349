"""Shared by the tests of the command line: runs the tool, which is the first argument of the script, and checks its
exit code and messages, and that hints name flags and commands that there are."""
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parent
SUB = ROOT / "compat/37/sub.mlir"
GOOD = "func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {\n  return %arg0 : tensor<2xi32>\n}\n"


def run(*args, stdin=b"", **options):
    return subprocess.run([TOOL, *map(str, args)], input=stdin, capture_output=True, timeout=60, **options)


def out(*args):
    done = run(*args)
    assert done.returncode == 0, (args, done.stderr)
    return done.stdout.decode()


def commands_in(shown):
    """Returns the commands that a help text lists."""
    return re.findall(r"^  ([a-z]+) ", shown.partition("\nCommands:\n")[2].partition("\n\n")[0], re.M)


@functools.lru_cache(None)
def all_commands():
    """Returns the words of every command; conversion has no words."""
    return ((), *((c,) for c in commands_in(out("--help"))), *(("archive", c) for c in commands_in(out("archive", "--help"))))


@functools.lru_cache(None)
def flags_of(words):
    """Returns the flags of a command, with their dashes."""
    lines = [line for line in out(*words, "--help").splitlines() if line.startswith("  -")]
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", "\n".join(re.split(r"(?<=\S)  ", line)[0] for line in lines)))


def command_of(args):
    """Returns the words of the command that a command line runs."""
    words = [a for a in map(str, args) if not a.startswith("-")]
    for at, word in enumerate(words):
        if (word,) in all_commands():
            both = tuple(words[at:at + 2])
            return both if both in all_commands() else (word,)
    return ()


def hint_problems(args, stderr):
    """Returns what hints name that there is not: flags of the command that ran, or of the command that they name."""
    problems = []
    for hint in re.findall(r"^  hint: (.*)$", stderr, re.M):
        own = command_of(args)
        for part in re.split(r"(?:'|: )(?=shlo-compat )", hint.partition("git ")[0]):
            if part.startswith("shlo-compat ") and part != hint:
                words = tuple(re.match(r"shlo-compat((?: [a-z]+\b(?![./=]))*)", part)[1].split()[:2])
                if words and (words[0],) not in all_commands() and words[0] not in ("help", "version", "completions"):
                    problems.append(f"'{hint}' names no command")
                own = words if words in all_commands() else words[:1] if words[:1] in all_commands() else ()
            elif re.search(r"convert with|flag of conversion", part):
                own = ()
            for flag in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", part):
                if flag not in flags_of(own) | {"--help", "--man"}:
                    problems.append(f"'{hint}': '{' '.join(own) or 'conversion'}' has no {flag}")
    return problems


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.folder.name)
        self.good = self.dir / "good.mlir"
        self.good.write_text(GOOD)

    def tearDown(self):
        self.folder.cleanup()

    def check(self, code, *args, err="", **options):
        done = run(*args, **options)
        stderr = done.stderr.decode()
        if code is not None:
            self.assertEqual(done.returncode, code, f"{args}\n{stderr}")
        self.assertIn(err, stderr)
        self.assertEqual(hint_problems(args, stderr), [], args)
        return done
