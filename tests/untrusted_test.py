#!/usr/bin/env python3
"""Tests of `check` on files of a stranger: what a policy may name, what is shown of files, and what git runs.
Usage: untrusted_test.py TOOL"""
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from check_test import Checked, git, model
from command_line import GOOD, TOOL

SECRET = "hunter2"
# Files that hold secrets, as other programs write them.
SECRETS = {
    "passwd": f"root:{SECRET}:0:0:root:/root:/bin/bash\n" * 30,
    "env": f"TOKEN={SECRET}\nUSER=x\n",
    "env.quoted": f'TOKEN="{SECRET}"\n',
    "gitconfig": f"[core]\n\tbare = false\n[http]\n\textraheader = AUTHORIZATION: basic {SECRET}\n",
    "json": f'{{"token": "{SECRET}"}}\n',
    "consumers.json": f'{{"consumers": [{{"package": "{SECRET}"}}]}}\n',
    "yaml": f"token: {SECRET}\n",
    "comment": f"# {SECRET} = 1\n#{SECRET}\n",
    "key": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n",
    "shell": f"#!/bin/sh\nexport A={SECRET}\n",
    "date": f"a = 2020-01-01{SECRET}\n",
    "bool": f"a = true{SECRET}\n",
    "number": f"a = 0x{SECRET}\n",
    "binary": f"\0\1\2{SECRET}",
    "c": f"// comment\nint main() {{ puts(\"{SECRET}\"); }}\n",
}


NO_TEXT = "unrecognized format: not MLIR text (contains a NUL byte)"


class Policy(Checked):
    """`outside` is next to the repository; `repository` is where the policy is."""

    def setUp(self):
        super().setUp()
        for folder in "outside/models", "repository/models":
            pathlib.Path(folder).mkdir(parents=True)
        for name, text in SECRETS.items():
            self.write(f"outside/{name}", text)
            self.write(f"repository/{name}", text)
        self.write("outside/models/other.mlir", GOOD.replace("@main", f"@{SECRET}"))
        self.write("outside/model.mlir", GOOD.replace("%arg0\n", "%none\n"))
        self.write("repository/models/m.mlir", GOOD)
        os.chdir("repository")

    def checked(self, code, *words, err="", cwd=None, policy=None, shows=False):
        """Runs `check`, and returns what it prints. Nothing of a secret may be in it."""
        if policy is not None:
            self.write("shlo-compat.toml", policy)
        done = self.check(None, "check", *words, **({"cwd": cwd} if cwd else {}))
        said = (done.stdout + done.stderr).decode()
        self.assertEqual(done.returncode, code, said)
        self.assertIn(err, said)
        if not shows:
            self.assertNotIn(SECRET, said)
        return said

    def test_files_stay_below_the_folder(self):
        for name in (*SECRETS, "model.mlir", "models", "models/other.mlir", "*", "**/*.mlir", "models/*"):
            for path in f"../outside/{name}", f"{self.dir}/outside/{name}", f"models/../../outside/{name}":
                with self.subTest(path):
                    said = self.checked(3, policy=f'files = ["{path}"]\n', err="the file is outside of the policy's folder")
                    self.assertEqual(said.count("error:"), 1, said)
                    self.assertIn("hint: name it on the command line", said)
        self.checked(3, policy='files = ["/"]\n', err="outside of the policy's folder")
        self.checked(0, policy='files = ["models/../models", "../repository/models"]\n')

    def test_nesting_is_an_error(self):
        nested = "[" * 100000 + "]" * 100000
        self.checked(2, policy=f"files = {nested}\n", err="shlo-compat.toml")
        os.unlink("shlo-compat.toml")
        self.write("d.toml", f"name = {nested}\n")
        self.check(2, "verify", "--dialect=d.toml", "models/m.mlir", err="d.toml")
        self.write("c.json", f'{{"consumers": {nested}}}')
        self.checked(2, "--no-policy", "--consumers=c.json", "models", err="c.json")

    def test_links_stay_below_the_folder(self):
        for target in "outside/model.mlir", "outside/passwd", "outside/models/other.mlir":
            for link in f"{self.dir}/{target}", f"../../{target}":
                os.symlink(link, "models/link.mlir")
                for policy, words in (("", []), ('files = ["models"]\n', []), ('files = ["models/*.mlir"]\n', []),
                                      ('files = ["models/link.mlir"]\n', []), ("", ["models"]), ("", ["."]), ("", ["models/*.mlir"])):
                    with self.subTest(f"{link} {policy} {words}"):
                        self.checked(3, *words, policy=policy, err="models/link.mlir: error: the file is outside of the policy's folder")
                # A user who names the link means the file.
                if target.endswith("other.mlir"):
                    self.checked(0, "models/link.mlir", shows=True)
                os.unlink("models/link.mlir")
        # Links to folders are not followed; within the folder they are.
        for link in "../../outside", "/", "..//..":
            os.symlink(link, "models/folder")
            self.assertIn("in 1 file", self.checked(0, policy=""))
            self.checked(3, policy='files = ["models/folder"]\n', err="outside of the policy's folder")
            self.checked(3, policy='files = ["models/folder/*"]\n', err="outside of the policy's folder")
            os.unlink("models/folder")
        os.symlink("models", "again")
        os.symlink("m.mlir", "models/same.mlir")
        self.checked(0, policy="", err="in 2 files")
        # A chain of links, the last of which leads out.
        os.symlink("two.mlir", "models/one.mlir")
        os.symlink("../../outside/models/other.mlir", "models/two.mlir")
        self.checked(3, policy="", err="models/one.mlir: error: the file is outside")

    def test_a_saved_model_stays_below_the_folder(self):
        pathlib.Path("saved").mkdir()
        os.symlink(self.dir / "outside/binary", "saved/saved_model.pb")
        for policy in "", 'files = ["saved"]\n', 'files = ["sav*"]\n':
            self.checked(3, policy=policy, err="saved: error: the file is outside of the policy's folder")

    def test_other_files_of_a_policy_stay_below_the_folder(self):
        golden = '[[golden]]\nmatch = "models/*"\ninputs = "{}"\noutputs = "{}"\n'
        for name in SECRETS:
            os.symlink(f"../outside/{name}", f"link.{name}")
            for path in f"../outside/{name}", f"{self.dir}/outside/{name}", f"link.{name}":
                for policy, remedy in ((f'consumer-files = ["{path}"]\n', "pass --consumers=FILE"), (f'dialect-files = ["{path}"]\n', "pass --dialect=FILE")):
                    self.checked(2, policy=policy, err=f"shlo-compat.toml: error: '{path}' is outside of the policy's folder [usage]\n  hint: {remedy}")
                for files in (path, "in.npz"), ("in.npz", path):
                    self.checked(3, policy=golden.format(*files), err=f"'{path}' is outside of the policy's folder")
            os.unlink(f"link.{name}")

    def test_nothing_is_shown_of_what_is_no_program(self):
        golden = '[[golden]]\nmatch = "models/*"\ninputs = "{0}"\noutputs = "{0}"\n'
        kinds = {"binary": NO_TEXT, "json": "the file is JSON", "consumers.json": "the file is JSON", "shell": "the file is a script"}
        for name in SECRETS:
            what = kinds.get(name, "the file is not a program")
            with self.subTest(name):
                said = self.checked(3, policy=f'files = ["{name}"]\n', err=f"error: {what}")
                self.assertEqual(said.count("error:"), 1, said)
                shutil.copy(name, f"models/{name}.mlir")
                self.checked(3, policy="", err=f"error: {what}")
                for command in "verify", "inspect", "roundtrip", "eval", "strings":
                    done = self.check(3, command, name, err=f"error: {what}")
                    self.assertNotIn(SECRET, (done.stdout + done.stderr).decode())
                os.unlink(f"models/{name}.mlir")
                for key in "consumer-files", "dialect-files":
                    self.checked(2, policy=f'{key} = ["{name}"]\n', err="error: ")
                self.checked(3, policy=golden.format(name), err="error: ")
                os.unlink("shlo-compat.toml")
                os.symlink(name, "shlo-compat.toml")
                self.checked(0 if name == "comment" else 2)
                os.unlink("shlo-compat.toml")

    def test_a_program_is_shown(self):
        self.write("models/bad.mlir", "func.func @main() {\n  %0 = stablehlo.ad %1\n}\n")
        self.checked(3, policy="", err="  %0 = stablehlo.ad %1\n")

    def test_a_policy_is_where_it_is_found(self):
        self.write("../outside/shlo-compat.toml", 'files = ["models"]\n')
        os.symlink("../outside/shlo-compat.toml", "shlo-compat.toml")
        self.checked(2, err="shlo-compat.toml: error: the policy is a link to another folder [usage]\n  hint: pass --policy=FILE")
        # A user who names it means this one, for the folder of the link.
        self.checked(0, "--policy=shlo-compat.toml", err="in 1 file")
        # An empty file of the system is a policy as well, but its folder is not that of the link.
        os.unlink("shlo-compat.toml")
        os.symlink("/dev/null", "p.toml")
        os.symlink("../../outside/models/other.mlir", "models/link.mlir")
        self.checked(3, "--policy=p.toml", err="models/link.mlir: error: the file is outside")

    def test_the_command_line_names_anything(self):
        self.write("shlo-compat.toml", "")
        self.checked(0, "../outside/models/other.mlir", shows=True)
        self.checked(0, "../outside/models", shows=True)
        self.checked(0, f"{self.dir}/outside/models/*.mlir", shows=True)
        self.write("../outside/c.json", '{"consumers": []}')
        self.checked(0, "--consumers=../outside/c.json")
        self.checked(0, "--policy=../../repository/shlo-compat.toml", cwd=self.dir / "outside/models", err="in 1 file", shows=True)


@unittest.skipUnless(shutil.which("git"), "needs git")
class Git(Checked):
    """A repository whose configuration names a program wherever git lets it. The program says that it ran."""

    def setUp(self):
        super().setUp()
        self.ran = self.dir / "ran"
        self.evil = self.dir / "evil"
        self.evil.write_text(f"#!/bin/sh\necho \"$0 $*\" >>{self.ran}\nexit 1\n")
        self.evil.chmod(0o755)
        self.repository = self.dir / "repository"
        self.repository.mkdir()
        os.chdir(self.repository)
        git("init", "-q", ".")
        self.write("shlo-compat.toml", '[rules]\nremoved = "error"\n')
        for i in range(3):
            self.write(f"models/m{i}.mlir", model(i))
        self.write(".gitattributes", "*.mlir filter=evil diff=evil merge=evil ident working-tree-encoding=UTF-8\n")
        git("add", "-A")
        git("commit", "-qm", "models")
        self.write("models/m1.mlir", model(1, op="power"))
        self.write("models/new.mlir", model(7))
        os.utime("models/m2.mlir", (1, 1))

    def plant(self):
        evil = str(self.evil)
        settings = {
            "core.fsmonitor": evil, "core.fsmonitorHookVersion": "2", "core.untrackedCache": "true", "core.pager": evil, "core.editor": evil,
            "core.sshCommand": evil, "core.gitProxy": evil, "core.askPass": evil, "core.alternateRefsCommand": evil, "core.hooksPath": f"{self.dir}/hooks",
            "filter.evil.clean": evil, "filter.evil.smudge": evil, "filter.evil.process": evil, "filter.evil.required": "true",
            "diff.evil.textconv": evil, "diff.evil.command": evil, "diff.external": evil, "merge.evil.driver": evil,
            "alias.rev-parse": f"!{evil}", "alias.cat-file": f"!{evil}", "alias.ls-files": f"!{evil}", "alias.ls-tree": f"!{evil}",
            "credential.helper": evil, "pager.ls-tree": evil, "pager.ls-files": evil, "pager.rev-parse": evil, "gpg.program": evil,
            "interactive.diffFilter": evil, "uploadpack.packObjectsHook": evil, "gc.auto": "1", "submodule.recurse": "true",
            "protocol.ext.allow": "always", "protocol.file.allow": "always", "url.ext::evil.insteadOf": "https://",
            "remote.origin.url": f"ext::{evil} %S", "remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none",
            "remote.origin.uploadpack": evil, "remote.origin.vcs": "ext", "extensions.partialClone": "origin",
        }
        for key, value in settings.items():
            git("config", key, value)
        git("config", "core.repositoryFormatVersion", "1")
        hooks = self.dir / "hooks"
        for folder in hooks, self.repository / ".git/hooks":
            folder.mkdir(exist_ok=True)
            for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc", "post-rewrite",
                         "query-watchman", "sendemail-validate", "pre-commit", "update", "proc-receive"):
                shutil.copy(self.evil, folder / name)
        # A repository in the repository, and one that is bare.
        git("init", "-q", "models/inner")
        git("config", "core.fsmonitor", evil, folder="models/inner")
        self.ran.unlink(missing_ok=True)

    def hostile_environment(self):
        evil = str(self.evil)
        return {**os.environ, "GIT_EXTERNAL_DIFF": evil, "GIT_PAGER": evil, "GIT_EDITOR": evil, "GIT_SSH_COMMAND": evil, "GIT_SSH": evil,
                "GIT_ASKPASS": evil, "GIT_PROXY_COMMAND": evil, "GIT_TRACE": str(self.ran), "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/",
                "GIT_INDEX_FILE": "/nowhere", "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_EXEC_PATH": str(self.dir), "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": evil, "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{evil}'",
                "GIT_ALLOW_PROTOCOL": "ext", "GIT_CONFIG_GLOBAL": "/nowhere", "GIT_ATTR_SOURCE": "HEAD", "GIT_REDIRECT_STDERR": str(self.ran)}

    def found(self, *words, **options):
        done = self.check(1, "check", *words, **options)
        self.assertFalse(self.ran.exists(), self.ran.read_text() if self.ran.exists() else "")
        return done.stdout.decode()

    def test_nothing_that_is_configured_runs(self):
        self.plant()
        for options in {}, {"env": self.hostile_environment()}:
            for words in ["--against=main"], ["--changed-since=main"], ["--against=HEAD"]:
                found = self.found(*words, **options)
                self.assertIn("meaning-changed", found)
                self.assertIn("models/m1.mlir", found)
                self.assertIn("in 2 files" if "since" in words[0] else "in 4 files", found)
        # The same with a baseline that only the policy names.
        self.write("shlo-compat.toml", 'baseline = "main"\n')
        self.assertIn("meaning-changed", self.found())

    def test_nothing_is_fetched(self):
        blob = git("rev-parse", "main:models/m1.mlir")
        self.plant()
        path = pathlib.Path(f".git/objects/{blob[:2]}/{blob[2:]}")
        path.chmod(0o644)
        path.unlink()
        self.check(4, "check", "--against=main", err="git does not have 'models/m1.mlir' of main")
        self.assertFalse(self.ran.exists())

    def test_replaced_objects_are_not_read(self):
        old, new = git("rev-parse", "main:models/m1.mlir"), git("hash-object", "-w", "--no-filters", "models/m1.mlir")
        git("replace", old, new)
        self.assertIn("meaning-changed", self.found("--against=main"))

    def test_git_is_not_of_the_working_folder(self):
        shutil.copy(self.evil, "git")
        for path in f".:{os.environ['PATH']}", f":{os.environ['PATH']}", f"./:bin:{os.environ['PATH']}":
            self.assertIn("meaning-changed", self.found("--against=main", env={**os.environ, "PATH": path}))

    def test_a_repository_that_looks_like_a_folder_is_not_used(self):
        # A bare repository among the files: git would take its configuration.
        subprocess.run(["git", "init", "-q", "--bare", "models/bare"], check=True, capture_output=True)
        git("config", "core.fsmonitor", str(self.evil), folder="models/bare")
        git("config", "core.worktree", "/", folder="models/bare")
        self.write("models/bare/shlo-compat.toml", "")
        self.write("models/bare/m.mlir", model(1))
        done = self.check(None, "check", "--against=HEAD", cwd="models/bare")
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(self.ran.exists())

    def test_a_sparse_checkout_has_nothing_removed(self):
        git("checkout", "-q", "models")
        git("sparse-checkout", "set", "--no-cone", "/models/m0.mlir", "/shlo-compat.toml")
        self.assertFalse(pathlib.Path("models/m2.mlir").exists())
        self.check(0, "check", "--against=main")
        git("sparse-checkout", "disable")
        os.unlink("models/m2.mlir")
        self.assertIn("removed", self.found("--against=main"))

    def test_pointers_of_lfs_stand_for_files_of_the_store(self):
        old, text = model(2), model(2, op="power")
        digest = subprocess.run(["sha256sum"], input=old.encode(), capture_output=True, check=True).stdout.decode()[:64]
        store = pathlib.Path(f".git/lfs/objects/{digest[:2]}/{digest[2:4]}/{digest}")
        self.write("models/m2.mlir", f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(old)}\n")
        os.unlink("models/new.mlir")
        self.write("models/m1.mlir", model(1))
        os.unlink(".gitattributes")
        git("add", "-A")
        git("commit", "-qm", "pointer")
        self.write("models/m2.mlir", old)
        self.check(0, "check", "--changed-since=HEAD")  # the same content
        self.write("models/m2.mlir", text)
        command = ["check", "--against=HEAD"]
        missing = "error: the object of 'models/m2.mlir' of HEAD is not in the store of Git LFS"
        self.check(4, *command, err=missing)
        self.write(store, old)
        self.assertIn("meaning-changed", self.found("--against=HEAD"))
        self.write(store, text)  # not what the pointer names
        self.check(4, *command, err=missing)

    def test_files_that_git_ignores_or_does_not_know(self):
        self.write(".gitignore", "*.tmp.mlir\n")
        self.write("models/a.tmp.mlir", model(3))
        self.write("models/ü \n.mlir", model(3))
        git("add", "models/new.mlir")
        done = self.check(1, "check", "--changed-since=main", "--json").stdout.decode()
        for name, expected in ("m1", True), ("new", True), ("m0", False), ("m2", False), ("a.tmp", False), ("\\u00fc", "\\u00fc" in done):
            self.assertEqual(f'"models/{name}' in done, expected, name)

    def test_a_repository_of_sha256(self):
        os.chdir(self.dir)
        shutil.rmtree(self.repository)
        self.repository.mkdir()
        os.chdir(self.repository)
        git("init", "-q", "--object-format=sha256", ".")
        self.write("m.mlir", model(1))
        self.write("n.mlir", model(2))
        git("add", "-A")
        git("commit", "-qm", "models")
        self.write("m.mlir", model(1, op="power"))
        self.assertIn("in 1 file", self.found("--changed-since=main"))


if __name__ == "__main__":
    unittest.main()
