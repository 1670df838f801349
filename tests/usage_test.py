#!/usr/bin/env python3
"""What the command line says of itself: help, words, misspelled flags, completions, the manual page.

    usage_test.py TOOL
"""
import pathlib
import re
import shutil
import subprocess
import unittest

from command_line import ROOT, TOOL, CommandLine, all_commands, commands_in, flags_of, out, run

SHORT_LINES, WIDTH = 24, 80


class Help(unittest.TestCase):
    def test_short_help_fits_a_screen(self):
        for words in all_commands():
            lines = out(*words, "-h").splitlines()
            self.assertLessEqual(len(lines), SHORT_LINES, words)
            self.assertLessEqual(max(map(len, lines)), WIDTH, words)
            self.assertIn("Usage: shlo-compat", "\n".join(lines[:4]))
        self.assertEqual(out("archive", "add", "-h"), out("archive", "add", "-h", "--no-color"))

    def test_short_help_of_the_tool_is_true(self):
        short = out("-h")
        self.assertEqual(set(re.findall(r"--[a-z-]+", short)) - {"--help"} - flags_of(()), set())
        named = set(re.findall(r"[a-z]+(?=[,\n ])", short.partition("Commands:\n")[2].partition("\n\n")[0]))
        self.assertEqual(set(commands_in(out("--help"))) - named, set())

    def test_help_has_groups(self):
        for words in all_commands():
            text = out(*words, "--help")
            self.assertLessEqual(max(map(len, text.splitlines())), WIDTH, words)
            groups = re.findall(r"^([A-Z][a-z ]+):$", text, re.M)
            self.assertEqual(len(groups), len(set(groups)), words)
            shared = [g for g in ("Consumers and window", "Archive", "Reading", "Limits", "General") if g in groups]
            self.assertEqual([g for g in groups if g in shared], shared, words)
            if "Flags" in groups:
                self.assertLess(groups.index("Flags"), groups.index(shared[0]), words)
            self.assertEqual(out("help", *words), text)
        self.assertLess(out("--help").index("\nCommands:"), 600)
        matrix = out("inspect", "--help")
        self.assertLess(matrix.index("--matrix"), matrix.index("Reading:"))
        self.assertIn("(default: laws)", out("archive", "migrate", "--help"))
        self.assertNotIn("the oldest", out("check", "--help"))

    def test_words(self):
        for word in "version", "-V", "--version":
            self.assertRegex(out(word), r"^shlo-compat \d+\.\d+\.\d+ \(StableHLO ")
        self.assertEqual(out("help"), out("--help"))
        done = run("help", "inspec")
        self.assertEqual((done.returncode, done.stderr), (2, b"error: there is no command 'inspec' [usage]\n  hint: did you mean 'inspect'?\n"))
        self.assertEqual(run("help", "archive", "nothing").returncode, 2)


class Words(CommandLine):
    def test_what_is_neither_a_file_nor_a_command(self):
        for word, hint in {
            "convert": "conversion has no name: shlo-compat --target=V FILE", "upgrade": "conversion has no name",
            "completion": "did you mean 'completions'?", "compare": "did you mean 'diff'?", "ls": "did you mean 'archive ls'?",
            "versoin": "did you mean 'version'?", "xyzzy": "run 'shlo-compat help' for the commands"}.items():
            self.check(2, word, self.good, err=f"error: '{word}' is neither a file nor a command [usage]\n  hint: {hint}")
        # A file of this name is one.
        shutil.copy(self.good, self.dir / "convert")
        self.check(0, "convert", cwd=self.dir)
        self.check(4, "missing.mlir", err="cannot open")
        self.check(2, "good.mlir", "out.mlir", cwd=self.dir, err="out.mlir: error: there is no such file; -o names the output [usage]\n"
                   "  hint: run 'shlo-compat -o out.mlir good.mlir'")
        self.check(2, "archive", "ad", err="error: 'archive' has no command 'ad' [usage]\n  hint: did you mean 'add'?")
        self.check(2, "archive", err="error: 'archive' needs a command [usage]\n  hint: run 'shlo-compat archive --help'")

    def test_flags(self):
        for args, message in {
            ("--to=1.9.0", "good.mlir"): "unknown flag '--to' [usage]\n  hint: did you mean '--target'?",
            ("archive", "get", "--to=1.9.0", "m"): "did you mean '--target'?",
            ("archive", "migrate", "--to", "1.9.0"): "did you mean '--target'?",
            ("archive", "get", "--format=text", "m"): "did you mean '--emit'?",
            ("-target=1.9.0", "good.mlir"): "unknown flag '-target' [usage]\n  hint: did you mean '--target'?",
            ("--targ=1.9.0", "good.mlir"): "did you mean '--target'?",
            ("--matrix", "good.mlir"): "unknown flag '--matrix' [usage]\n  hint: it is a flag of 'shlo-compat inspect'",
            ("verify", "--target=1.9.0", "good.mlir"): "it is a flag of conversion, which has no name: shlo-compat --target=V FILE",
            ("verify", "--what", "good.mlir"): "hint: run 'shlo-compat verify --help' for usage",
            ("verify", "-x.mlir"): "unknown flag '-x.mlir' [usage]\n  hint: for a file of this name, pass './-x.mlir'",
            ("verify",): "PATH is required [usage]\n  hint: usage: shlo-compat verify PATH...",
            ("diff", "a", "b", "c"): "unexpected argument 'c' [usage]\n  hint: usage: shlo-compat diff A B",
            ("--target",): "'--target' has no value",
            ("-j", "good.mlir"): "--jobs: 'good.mlir' is not a number from 0 to 1024",
            ("--target", "good.mlir"): "--target=good.mlir: 'good.mlir' is a file, not a version [unknown-version]\n"
                                       "  hint: write the version first: --target=VERSION good.mlir",
            ("--target=latest", "good.mlir"): "did you mean 'current'?",
            ("--target", "=", "1.9.0", "good.mlir"): "--target = is not a version [unknown-version]\n  hint: write --target=VERSION without spaces",
            ("--target=jaxlib==0.7.0", "good.mlir"): "'jaxlib==0.7.0' is a consumer, not a version [unknown-version]\n  hint: pass --for=jaxlib==0.7.0",
            ("--TARGET=1.9.0", "good.mlir"): "did you mean '--target'?",
            ("eval", "good.mlir", "--args", "what"): "error: argument 0: expected non-function type, in 'what' [usage]\n  hint: write '[1, 2]'",
            ("--for=week_12", "good.mlir"): "did you mean 'WEEK_12'?",
            ("ops", "tahn"): "did you mean 'stablehlo.tanh'?",
            ("check", "--rule=foo=error", "."): "--rule=foo=error: unknown rule 'foo'",
            ("check", "--rule=random-ops=error", "."): "did you mean 'random-op'?",
            ("check", "--rule=random-op=eror", "."): "--rule=random-op=eror: unknown severity 'eror' [usage]\n  hint: severities are off, note, warning and error",
            ("check", "--rule=random-op", "."): "--rule=random-op is not ID=SEVERITY [usage]\n  hint: write --rule random-op=error"}.items():
            self.check(2, *args, err=message, cwd=self.dir)


class Completions(CommandLine):
    def test_every_flag_is_in_every_script(self):
        for shell in "bash", "zsh", "fish":
            script = out("completions", shell)
            for words in all_commands():
                for flag in flags_of(words):
                    self.assertIn(f"-l {flag[2:]} " if shell == "fish" else flag, script, (shell, words))
        self.check(2, "completions", "ksh", err="there are no completions for 'ksh'")
        self.check(2, "completions", err="run 'shlo-compat completions bash', 'zsh' or 'fish'")

    def complete(self, *words):
        """Returns what bash would offer for the last word."""
        script = self.dir / "completions.bash"
        if not script.exists():
            script.write_text(out("completions", "bash"))
        quoted = " ".join(f"'{w}'" for w in words)
        done = subprocess.run(["bash", "-c", f"compopt() {{ :; }}; source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
                               '_shlo_compat; printf "%s\\n" "${COMPREPLY[@]}"'], capture_output=True, text=True, check=True, cwd=self.dir)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("shlo-compat", "ins"), ["inspect"])
        self.assertEqual(self.complete("shlo-compat", "--targ"), ["--target="])
        self.assertEqual(self.complete("shlo-compat", "--target", "=", "cur"), ["current"])
        self.assertEqual(self.complete("shlo-compat", "--emit", "="), ["text", "generic", "vhlo", "shlo", "mlirbc"])
        self.assertEqual(self.complete("shlo-compat", "inspect", "--mat"), ["--matrix"])
        self.assertEqual(self.complete("shlo-compat", "archive", "re"), ["repair", "rebuild"])
        self.assertEqual(self.complete("shlo-compat", "archive", "migrate", "--at-least", "=", "l"), ["laws"])
        self.assertEqual(self.complete("shlo-compat", "archive", "diff", "--loc"), ["--locations"])
        self.assertEqual(self.complete("shlo-compat", "verify", "good"), [])  # files are the shell's

    def test_other_shells_read_them(self):
        for shell in "zsh", "fish":
            if path := shutil.which(shell):
                script = self.dir / shell
                script.write_text(out("completions", shell))
                done = subprocess.run([path, "-n", script], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)


class Hints(unittest.TestCase):
    def test_every_flag_of_a_text_exists(self):
        known = set().union(*(flags_of(words) for words in all_commands())) | {"--help", "--man", "--version"}
        for name in "stablehlo-opt", "stablehlo-translate":
            tool = pathlib.Path(TOOL).parent / "dropin" / name
            known |= set(re.findall(r"--[a-z][a-z0-9-]*", subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout))
        for line in (ROOT / "diagnostics.txt").read_text().splitlines():
            if "./dev" in line or "git " in line or line.startswith(("tools/dropin.cc", "tools/opt.cc", "tools/translate.cc", "tools/git")):
                continue
            for flag in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", line):
                with self.subTest(line):
                    self.assertIn(flag, known)

    def test_every_key_of_a_policy_that_a_hint_names_exists(self):
        keys = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT.parent / "docs/check.md").read_text(), re.M))
        texts = (ROOT / "diagnostics.txt").read_text()
        named = re.findall(r"'([a-z-]+)' in the policy", texts)
        self.assertGreaterEqual(len(named), 3)
        self.assertEqual(set(named) - keys, set())
        self.assertNotRegex(texts, r"\b(custom-calls|dialects|producers)\.allow")


class ManualPage(unittest.TestCase):
    def test_every_flag_is_in_it(self):
        page = out("help", "--man")
        text = page.replace("\\-", "-")
        for words in all_commands():
            for flag in flags_of(words):
                self.assertIn(flag, text, words)
        self.assertTrue(page.startswith(".TH SHLO\\-COMPAT 1"))
        self.assertNotRegex(page, r"(?m)^\.(?!TH |SH |SS |TP$|B |br$|nf$|fi$|PP$)")
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww"], input=page, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("EXIT CODES" if "EXIT CODES" in done.stdout else "Exit codes", done.stdout)


if __name__ == "__main__":
    unittest.main()
