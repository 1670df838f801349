#!/usr/bin/env python3
"""Tests of `check`: a repository of many models, and commits that break them. Usage: check_test.py TOOL"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from command_line import ROOT, TOOL, CommandLine
from refused_calls import refused

OPS = ["add", "subtract", "multiply", "maximum", "minimum", "atan2"]
POLICY = """consumers = ["1.0.0"]
custom-calls = ["Sharding"]
window = "backward=10y"
[budget]
ops = 40
[rules]
contract-changed = "error"
removed = "error"
random-op = "error"
deprecated-op = "error"
"""


def model(i, body="", op=None, args="%a: tensor<8xf32>, %b: tensor<8xf32>"):
    """Returns a model; every number gives another one."""
    lines = [f"  %0 = stablehlo.{op or OPS[i % len(OPS)]} %a, %b : tensor<8xf32>"]
    for k in range(1, 2 + i % 9):
        lines.append(f"  %{k} = stablehlo.{OPS[(i + k) % len(OPS)]} %{k - 1}, %a : tensor<8xf32>")
    last = len(lines) - 1
    return (f"func.func @main({args}) -> tensor<8xf32> {{\n" + "\n".join(lines) + "\n" + body +
            f"  return %{last} : tensor<8xf32>\n}}\n")


def git(*args, folder="."):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", *args],
                          cwd=folder, env=environment, check=True, capture_output=True).stdout.decode().strip()


class Checked(CommandLine):
    def setUp(self):
        super().setUp()
        os.chdir(self.dir)
        self.good.unlink()

    def tearDown(self):
        os.chdir("/")
        super().tearDown()

    def write(self, path, text):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text(text)

    def report(self, code, *args, **options):
        done = self.check(code, "check", "--json", *args, **options)
        return json.loads(done.stdout)

    def found(self, report):
        return [(f["file"], x["rule"]) for f in report["files"] for x in f["findings"]
                if x["severity"] == "error" and not x["waived"]]


class Repository(Checked):
    COUNT = 200

    def setUp(self):
        super().setUp()
        git("init", "-q", ".")
        self.write("shlo-compat.toml", POLICY)
        for i in range(self.COUNT):
            self.write(f"models/{i % 10}/m{i}.mlir", model(i))
        git("add", "-A")
        git("commit", "-qm", "models")

    def test_each_breaking_commit_is_found_by_its_rule(self):
        # The change, the file, and the rules that find it. A rule that compares may find what another one sees alone.
        breaking = {
            "another op": ("models/1/m1.mlir", model(1, op="power"), {"meaning-changed"}),
            "an argument more": ("models/2/m2.mlir", model(2, args="%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<f32>"),
                                 {"signature-changed"}),
            "another attribute of an argument": (
                "models/3/m3.mlir", model(3, args="%a: tensor<8xf32> {tf.name = \"x\"}, %b: tensor<8xf32>"), {"signature-changed"}),
            "an op that the consumer lacks": ("models/4/m204.mlir", model(4).replace("atan2 %a, %b", "tan %a").replace(
                "minimum %a, %b", "tan %a").replace("maximum %a, %b", "tan %a"), {"consumer-blocked"}),
            "a program that does not verify": ("models/5/m5.mlir", model(5, '  %w = "stablehlo.add"(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<9xf32>\n'), {"invalid"}),
            "a custom call": ("models/6/m206.mlir", model(6, "  %c = stablehlo.custom_call @mine(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"),
                              {"custom-call"}),
            "another function name": ("models/7/m7.mlir", model(7).replace("@main", "@forward"), {"removed"}),
            "a random op": ("models/8/m208.mlir", model(
                8, "  %s = stablehlo.constant dense<8> : tensor<1xi64>\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                   "  %r = stablehlo.rng %z, %z, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>\n"),
                {"random-op", "deprecated-op"}),
            "too many ops": ("models/9/m209.mlir", model(9, "".join(f"  %x{k} = stablehlo.add %a, %b : tensor<8xf32>\n" for k in range(50))),
                             {"op-count"}),
            "an unknown dialect": ("models/0/m210.mlir", model(0, '  "mine.op"() : () -> ()\n'), {"unknown-dialect", "consumer-blocked"}),
            "a deprecated op": ("models/1/m211.mlir", model(1, "  %t = stablehlo.create_token : !stablehlo.token\n"), {"deprecated-op"}),
        }
        clean = {
            "a comment": ("models/1/m11.mlir", "// Ours.\n" + model(11)),
            "other names": ("models/2/m12.mlir", model(12).replace("%0", "%zero")),
            "an op that nobody uses": ("models/3/m13.mlir", model(13, "  %x = stablehlo.abs %a : tensor<8xf32>\n")),
            "a new model": ("models/4/m214.mlir", model(214)),
        }
        self.assertEqual(self.found(self.report(0, "--against", "main")), [])
        for name, (path, text, rules) in breaking.items():
            with self.subTest(name):
                git("checkout", "-qb", "change")
                self.write(path, text)
                git("add", "-A")
                git("commit", "-qm", name)
                report = self.report(1, "--against", "main")
                # Only the files that changed.
                since = self.report(1, "--changed-since", "main")
                git("checkout", "-q", "main")
                git("branch", "-qD", "change")
                self.assertEqual({found[0] for found in self.found(report)}, {path})
                self.assertEqual({found[1] for found in self.found(report)}, rules)
                self.assertEqual(report["totals"]["not_checked"], 0)
                self.assertEqual([f["file"] for f in since["files"]], [path])
        for name, (path, text) in clean.items():
            with self.subTest(name):
                self.write(path, text)
                self.assertEqual(self.found(self.report(0, "--against", "main")), [])
        # They are not committed: what git does not know yet is checked, too.
        self.assertEqual(len(self.report(0, "--changed-since", "main")["files"]), len(clean))

    def test_a_model_that_is_gone_is_found(self):
        os.unlink("models/1/m1.mlir")
        self.assertEqual(self.found(self.report(1, "--against", "HEAD")), [("models/1/m1.mlir", "removed")])
        self.assertEqual(self.found(self.report(0)), [])

    def test_the_baseline_is_a_commit(self):
        report = self.report(0, "--against", "main")
        self.assertEqual(report["baseline"], {"revision": "main", "commit": git("rev-parse", "main")})
        self.check(2, "check", "--against", "no-such-branch", err="git does not know the revision 'no-such-branch'")
        self.check(2, "check", "--against", "--output=x", err="git does not know the revision")

    def test_git_may_fail(self):
        self.write("models/1/m1.mlir", model(1) + "// Ours.\n")
        command = ["check", "--against", "main"]
        pathlib.Path("bin").mkdir()
        self.write("bin/git", "#!/bin/sh\nkill -9 $$\n")
        os.chmod("bin/git", 0o755)
        rows = [("error: cannot run git: No such file or directory [io]\n  hint: install git, or pass no revision",
                 {"env": {**os.environ, "PATH": "/nowhere"}}),
                ("error: git rev-parse did not finish [io]", {"env": {**os.environ, "PATH": os.path.abspath("bin")}})]
        if "asan" not in TOOL:  # which makes pipes and waits for processes itself
            rows += [("error: cannot make a pipe: Too many open files [io]", {"preexec_fn": refused("pipe2", "EMFILE")}),
                     ("error: cannot wait for git: No child processes [io]", {"preexec_fn": refused("wait4", "ECHILD")})]
        for err, options in rows:
            self.assertEqual(self.check(4, *command, err=err, **options).stdout, b"")
        # A process may be started with its children ignored, which is nothing to the tool.
        self.check(0, *command, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.check(2, "check", "--no-policy", "--against=main", self.dir / "models", cwd="/", err="'/' is not in a git repository")
        # A file that git knows, and does not have: as in a partial clone.
        blob = git("rev-parse", "main:models/1/m1.mlir")
        os.unlink(f".git/objects/{blob[:2]}/{blob[2:]}")
        self.check(4, *command, err="error: git does not have 'models/1/m1.mlir' of main [io]\n"
                   "  hint: fetch it: git fetch --refetch")
        self.write(".git/index", "no index")
        self.check(4, *command, err=f"error: git cannot list the files of '{os.path.realpath('.')}' [io]")

    def test_threads_give_the_same_report(self):
        self.write("models/1/m1.mlir", model(1, op="power"))
        self.write("models/9/bad.mlir", "func.func @f(")
        outputs = {self.check(3, "check", "-j", n, "--against", "main").stdout for n in (1, 8)}
        self.assertEqual(len(outputs), 1)


class Policies(Checked):
    def test_init_writes_a_policy_once(self):
        self.check(0, "check", "--init", err="'shlo-compat.toml' is written")
        self.write("m.mlir", model(1))
        self.assertEqual(self.report(0)["policy"], "shlo-compat.toml")
        self.check(2, "check", "--init", err="is there already")

    def test_without_a_policy(self):
        note = ("note: no policy and no consumers: whether anything can load these programs was not checked",
                "hint: run 'shlo-compat check --init' to write a policy, or pass --for=CONSUMER")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "readme/model.mlir", folder)
            for flags, wanted in ([], True), (["--no-policy"], False), (["--for=1.20.0"], False), (["--report=junit"], True):
                done = self.check(0, "check", *flags, "model.mlir", cwd=folder)
                for text in note:
                    self.assertEqual(text in done.stderr.decode(), wanted, flags)
            (pathlib.Path(folder) / "shlo-compat.toml").write_text("")
            self.assertEqual(self.check(0, "check", "model.mlir", cwd=folder).stderr, b"")

    def test_the_nearest_policy_upwards_is_used(self):
        self.write("shlo-compat.toml", "[rules]\ndeprecated-op = \"error\"\n")
        self.write("a/b/m.mlir", model(1, "  %t = stablehlo.create_token : !stablehlo.token\n"))
        os.chdir("a/b")
        self.assertEqual(self.found(self.report(1, "m.mlir")), [("m.mlir", "deprecated-op")])
        self.assertEqual(self.found(self.report(0, "--no-policy", "m.mlir")), [])
        self.assertEqual(self.found(self.report(0, "--rule", "deprecated-op=warning", "m.mlir")), [])
        self.check(2, "check", "--rule", "deprecated=warning", "m.mlir", err="--rule=deprecated=warning: unknown rule 'deprecated' [usage]\n  hint: did you mean 'deprecated-op'?")

    def test_equal_findings_are_one(self):
        tokens = "".join(f"  %t{i} = stablehlo.create_token : !stablehlo.token\n" for i in range(3))
        self.write("m.mlir", model(1, tokens))
        message = "is deprecated (3 times)"
        for form in "text", "markdown", "github", "html", "junit", "sarif":
            text = self.check(0, "check", "m.mlir", "--report", form).stdout.decode()
            self.assertEqual(text.count("3 times"), text.count(message), form)
            self.assertIn(message, text, form)
        self.write("m.mlir", model(1, tokens.splitlines()[0] + "\n"))
        self.assertNotIn("times)", self.check(0, "check", "m.mlir").stdout.decode())

    def test_paths_have_their_own_rules(self):
        token = model(1, "  %t = stablehlo.create_token : !stablehlo.token\n")
        self.write("shlo-compat.toml", "exclude = [\"old/**\"]\n[rules]\ndeprecated-op = \"error\"\n[[path]]\nmatch = \"new/**\"\n"
                                       "rules = { deprecated-op = \"off\" }\n")
        for path in "m.mlir", "new/m.mlir", "old/m.mlir":
            self.write(path, token)
        report = self.report(1)
        self.assertEqual([f["file"] for f in report["files"]], ["m.mlir", "new/m.mlir"])
        self.assertEqual(self.found(report), [("m.mlir", "deprecated-op")])

    def test_waivers_expire(self):
        self.write("m.mlir", model(1, "  %t = stablehlo.create_token : !stablehlo.token\n"))
        self.write("shlo-compat.toml", "[rules]\ndeprecated-op = \"error\"\n[[waiver]]\nrule = \"deprecated-op\"\npath = \"*.mlir\"\n"
                                       "reason = \"known\"\nowner = \"ann\"\nexpires = 2026-05-31\n")
        report = self.report(0, "--today=2026-05-31")
        self.assertEqual(report["totals"]["waived"], 1)
        self.assertEqual(report["files"][0]["findings"][0]["waived"], "known")
        text = self.check(0, "check", "--today=2026-05-31").stdout.decode()
        self.assertEqual(text, "0 errors, 0 warnings, 1 waived in 1 file\n")
        report = self.report(1, "--today=2026-06-01")
        self.assertEqual(report["totals"]["errors"], 2)
        self.assertEqual([f["rule"] for f in report["policy_findings"]], ["waiver-expired"])
        self.write("m.mlir", model(1))
        self.assertEqual([f["rule"] for f in self.report(0, "--today=2026-05-31")["policy_findings"]], ["waiver-unused"])

    def test_mistakes_in_a_policy(self):
        self.write("m.mlir", model(1))
        self.write("shlo-compat.toml", "\nconsumer = \"1.0.0\"\n")
        self.check(2, "check", err="shlo-compat.toml:2:1: error: unknown key 'consumer'")
        self.write("shlo-compat.toml", "consumers = [\"jaxlob==1\"]\n")
        self.check(2, "check", err="")


class Goldens(Checked):
    def setUp(self):
        super().setUp()
        self.write("models/a.mlir", model(1))
        self.write("shlo-compat.toml", "[[golden]]\nmatch = \"models/*\"\ninputs = \"{dir}/{stem}.in.npz\"\noutputs = \"{dir}/{stem}.out.npz\"\n")
        value = "dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>"
        identity = self.dir / "identity.mlir"
        identity.write_text("func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {\n  return %a, %a : tensor<8xf32>, tensor<8xf32>\n}\n")
        self.check(0, "eval", identity, "--args", value, "--outputs", "models/a.in.npz")
        self.check(0, "eval", "models/a.mlir", "--inputs", "models/a.in.npz", "--outputs", "models/a.out.npz")
        identity.unlink()

    def test_equal_results_pass(self):
        self.report(0)

    def test_other_results_are_found(self):
        self.write("models/a.mlir", model(1).replace("subtract %a, %b", "add %a, %b"))
        report = self.report(1)
        self.assertEqual(self.found(report), [("models/a.mlir", "golden-differs")])
        message = report["files"][0]["findings"][0]["diagnostic"]["message"]
        self.assertRegex(message, r"result 0 differs in \d of 8 elements: .* at \[\d\], but .* was kept")
        self.assertEqual(self.found(self.report(0, "--rule", "golden-differs=warning")), [])

    def test_small_differences_are_tolerated(self):
        extra = "  %e = stablehlo.constant dense<1.0e-6> : tensor<8xf32>\n"
        text = model(1).replace("  return %", extra + "  %last = stablehlo.add %2, %e : tensor<8xf32>\n  return %")
        self.write("models/a.mlir", text.replace("return %2", "return %last"))
        self.report(1)
        policy = pathlib.Path("shlo-compat.toml").read_text()
        self.write("shlo-compat.toml", policy + "tolerance = 1e-5\n")
        self.report(0)
        self.write("shlo-compat.toml", policy + "tolerance = 1e-8\n")
        self.report(1)

    def test_other_numbers_of_results(self):
        self.write("models/a.mlir", model(1).replace("-> tensor<8xf32>", "-> (tensor<8xf32>, tensor<8xf32>)")
                   .replace("return %2 : tensor<8xf32>", "return %2, %0 : tensor<8xf32>, tensor<8xf32>"))
        report = self.report(3)
        error, = report["files"][0]["failures"]
        self.assertEqual(error["message"], "the file has 1 result, but the function has 2 results")
        self.assertTrue(error["file"].endswith("models/a.out.npz"), error)

    def test_what_cannot_be_compared_is_not_a_pass(self):
        os.rename("models/a.out.npz", "a.out.npz")
        self.report(4)
        os.rename("models/a.in.npz", "models/a.out.npz")
        self.report(4)


class ToolErrors(Checked):
    def test_a_file_that_cannot_be_read_is_never_a_pass(self):
        self.write("good.mlir", model(1))
        self.write("bad.mlir", "func.func @f(")
        report = self.report(3)
        self.assertEqual(report["totals"], {"errors": 0, "warnings": 0, "notes": 0, "waived": 0, "not_checked": 1})
        self.check(4, "check", "good.mlir", "nowhere.mlir")
        os.unlink("bad.mlir")
        os.unlink("good.mlir")
        self.assertNotEqual(self.check(2, "check").returncode, 0)

    def test_limits_are_not_a_pass(self):
        self.write("m.mlir", model(1))
        self.check(3, "check", "--max-output=0", "--rule", "not-canonical=error", "m.mlir")


class Reports(Checked):
    def setUp(self):
        super().setUp()
        self.write("a b,c.mlir", model(1, "  %t = stablehlo.create_token : !stablehlo.token\n"))
        self.write("bad<&>.mlir", "func.func @f(")
        self.write("shlo-compat.toml", "[rules]\ndeprecated-op = \"error\"\n")
        self.files = ["a b,c.mlir", "bad<&>.mlir"]

    def rendered(self, format):
        return self.check(3, "check", "--report", format, *self.files).stdout.decode()

    def test_text(self):
        text = self.rendered("text")
        self.assertIn("a b,c.mlir:5:8: error: 'stablehlo.create_token': is deprecated [deprecated-op]", text)
        self.assertEqual(text.splitlines()[-1], "1 error, 0 warnings in 2 files; 1 not checked")

    def test_sarif(self):
        sarif = json.loads(self.rendered("sarif"))
        self.assertEqual(sarif["version"], "2.1.0")
        run = sarif["runs"][0]
        result = run["results"][0]
        self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
        self.assertEqual(result["ruleId"], "deprecated-op")
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place, {"artifactLocation": {"uri": "a%20b%2Cc.mlir"}, "region": {"startLine": 5, "startColumn": 8}})
        self.assertFalse(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(run["invocations"][0]["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"]["artifactLocation"],
                         {"uri": "bad%3C%26%3E.mlir"})
        self.assertEqual(len(run["results"]), 1)

    def test_junit(self):
        root = ElementTree.fromstring(self.rendered("junit"))
        self.assertEqual((root.get("tests"), root.get("failures"), root.get("errors")), ("2", "1", "1"))
        cases = {case.get("name"): case for case in root.iter("testcase")}
        self.assertEqual(cases["a b,c.mlir"].find("failure").get("type"), "deprecated-op")
        self.assertEqual(cases["bad<&>.mlir"].find("error").get("type"), "syntax")

    def test_github(self):
        lines = self.rendered("github").splitlines()
        self.assertEqual(lines[0], "::error file=a b%2Cc.mlir,line=5,col=8,title=deprecated-op::stablehlo.create_token: is deprecated")
        self.assertTrue(lines[1].startswith("::error file=bad<&>.mlir,line=1,col=14,title=not checked::"), lines[1])

    def test_gitlab(self):
        entries = json.loads(self.rendered("gitlab"))
        self.assertEqual([(e["check_name"], e["severity"], e["location"]["path"], e["location"]["lines"]["begin"]) for e in entries],
                         [("deprecated-op", "major", "a b,c.mlir", 5), ("syntax", "blocker", "bad<&>.mlir", 1)])
        self.assertEqual(len({e["fingerprint"] for e in entries}), 2)

    def test_fingerprints_stay_while_lines_move(self):
        before = json.loads(self.rendered("gitlab"))[0]["fingerprint"]
        self.write("a b,c.mlir", "// Another line.\n" + pathlib.Path("a b,c.mlir").read_text())
        self.assertEqual(json.loads(self.rendered("gitlab"))[0]["fingerprint"], before)

    def test_markdown_and_html(self):
        self.assertIn("| error | deprecated-op | `a b,c.mlir:5` | `stablehlo.create_token: is deprecated` |", self.rendered("markdown"))
        page = self.rendered("html")
        self.assertIn("bad&lt;&amp;&gt;.mlir", page)
        self.assertNotIn("bad<", page)

    def test_several_at_once(self):
        self.check(3, "check", "--report", "sarif=out.sarif", "--report", "junit=out.xml", "--report", "github", *self.files)
        json.loads(pathlib.Path("out.sarif").read_text())
        ElementTree.fromstring(pathlib.Path("out.xml").read_text())
        self.check(2, "check", "--report", "sarif", "--report", "junit", *self.files, err="more than one report")
        self.check(2, "check", "--report", "sarf", *self.files, err="--report=sarf is not FORMAT or FORMAT=FILE")
        self.check(4, "check", "--report", "sarif=no/such/folder", *self.files)


class Rules(Checked):
    def test_rules_have_pages(self):
        listed = [line.split()[0] for line in self.check(0, "rules").stdout.decode().splitlines()]
        self.assertIn("consumer-blocked", listed)
        for rule in listed:
            self.assertIn(f"{rule}: reports ", self.check(0, "rules", rule).stdout.decode())
        self.check(2, "rules", "random-ops", err="did you mean 'random-op'?")
        self.assertEqual([r["id"] for r in json.loads(self.check(0, "rules", "--json").stdout)["rules"]], listed)


if __name__ == "__main__":
    unittest.main()
