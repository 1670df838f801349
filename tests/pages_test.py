#!/usr/bin/env python3
"""Runs the commands that the pages, the help texts and the README show, each page in a folder with the files that it names.

    pages_test.py TOOL WRITE_CONTAINERS

Examples go stale by themselves: a release leaves the compatibility window, and a flag gets another name. Output is
compared by readme_test.py and archive_tutorial_test.py.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from readme_test import ROOT

MODEL = (ROOT / "tests/readme/model.mlir").read_text()
CHANGED = (ROOT / "tests/readme/changed.mlir").read_text()
NET = """func.func @main(%x: tensor<4xf32>) -> tensor<2048xi8> {
  %0 = stablehlo.constant dense<"0x""" + bytes(range(256)).hex() * 8 + """"> : tensor<2048xi8>
  return %0 : tensor<2048xi8>
}
"""
ACME = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"
# The exit codes that are not 0, by a part of the command.
CODES = {"--counterexample=": 1, "eval bug.mlir": 1, "diff old.mlir": 1, "diff --json": 1}
# What examples have, and what the files here have.
HERE = {"=main/call ": "=inner/call_1 ", "shlo-compat gate --dialect=acme.toml --released=acme/released --freeze": "rm -rf acme/released; "
        "shlo-compat gate --dialect=acme.toml --released=acme/released --freeze"}
# Names in capitals stand for others.
PLACEHOLDER = re.compile(r"\b(FILE|NAME|DIR|OUT|V|COMMAND|PATH|GLOB|ID|NEW|OLD)\b|<|\.\.\.(?!\d)")


def examples(markdown):
    """Yields (line number, command) of the fenced blocks without a language."""
    fenced = language = False
    for number, line in enumerate(markdown.split("\n"), 1):
        if line.startswith("```"):
            fenced, language = not fenced, not fenced and len(line) > 3
        elif fenced and not language and (match := re.match(r"(?:\$ )?(shlo-compat .*)", line)):
            yield number, re.sub(r"\s+#.*", "", match[1]).strip()


class Pages:
    def __init__(self, tool, write_containers):
        self.tool, self.write_containers, self.failures, self.count = tool, write_containers, [], 0

    def run(self, command, cwd, code=0):
        path = f"{cwd}/bin{os.pathsep}{os.path.dirname(self.tool)}{os.pathsep}{os.environ.get('PATH', '')}"
        env = {**os.environ, "PATH": path, "HOME": str(cwd), "SHLO_ARCHIVE": str(cwd / "models") if (cwd / "models/shlo-archive").exists() else "",
               "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
        done = subprocess.run(["bash", "-c", command], cwd=cwd, env=env, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False)
        return None if done.returncode == code else f"exit code {done.returncode}, expected {code}\n{done.stderr}"

    def page(self, name, commands, before=""):
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            self.files(name, scratch)
            if before and (problem := self.run(before, scratch)):
                self.failures.append(f"{name}: {before}: {problem}")
            for number, command in commands:
                if PLACEHOLDER.search(command) or command == "shlo-compat archive":
                    continue
                for shown, own in HERE.items():
                    command = command.replace(shown, own)
                self.count += 1
                code = next((c for part, c in CODES.items() if part in command), 0)
                if problem := self.run(command, scratch, code):
                    self.failures.append(f"{name}:{number}: {command}\n  {problem}")

    def files(self, name, folder):
        """Writes the files that examples name."""
        texts = {"model.mlir": MODEL, "m.mlir": MODEL, "a.mlir": MODEL, "b.mlir": CHANGED, "old.mlir": self.old(name), "new.mlir": CHANGED, "big.mlir": (ROOT / "tests/readme/accurate.mlir").read_text(), "resnet.mlir": MODEL,
                 "net.mlir": MODEL, "large.mlir": NET, "bin/my-compiler": "#!/bin/sh\ngrep -qa tanh $1 && exit 139\nexit 0\n",
                 "migrate.toml": self.block("archive.md", "[[migrate]]"), "acme.toml": self.block("dialect.md", 'dialect = "acme"'),
                 "dynamic.mlir": (ROOT / "tests/roundtrip/specialize.mlir").read_text(), "acme/programs/a.mlir": ACME, "checked/x.mlir": MODEL}
        for file, text in texts.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (folder / "bin/my-compiler").chmod(0o755)
        (folder / "schema").symlink_to(ROOT / "schema")
        shutil.copytree(ROOT / "tests/readme", folder / "many")
        (folder / "many/accurate.mlir").unlink()

    @staticmethod
    def old(page):
        """Returns the program in MHLO that its page shows, and for other pages one that another differs from."""
        if page != "mhlo.md":
            return MODEL
        return (ROOT / "docs/mhlo.md").read_text().partition("$ cat old.mlir\n")[2].partition("\n$ ")[0] + "\n"

    @staticmethod
    def block(page, start):
        """Returns the block of a page that begins with a text."""
        return next(b for b in re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / page).read_text(), re.S) if b.startswith(start))


def main():
    tool, write_containers = (os.path.abspath(a) for a in sys.argv[1:])
    pages = Pages(tool, write_containers)
    make = lambda source, out: f"shlo-compat {source} --target=1.9.0 -o {out}"
    npz = "shlo-compat eval model.mlir --inputs random:1 --outputs x.npz"
    git = ("git init -q -b main . && git add model.mlir && git commit -q -m x && git update-ref refs/remotes/origin/main HEAD && "
           "mv checked models && git add models")
    before = {
        "archive.md": f"{make('model.mlir', 'resnet.mlirbc')} && {make('model.mlir', 'net.mlirbc')} && "
                      "shlo-compat eval model.mlir --inputs random:1 --outputs inputs.npz && shlo-compat archive init other && "
                      "shlo-compat archive add m.mlir --archive=other && shlo-compat archive export m -o models.bundle --archive=other",
        "check.md": git,
        "containers.md": f"mkdir made && {write_containers} made && cp made/one.bin old.bin && cp -r made/model model && cp -r made/model new_model",
        "dialect.md": "mv checked models && shlo-compat gate --dialect=acme.toml --released=acme/released --freeze acme/programs",
        "proof.md": make("model.mlir", "model.mlirbc"),
        "outside.md": f"{make('large.mlir', 'model.mlirbc')} && {npz} && mkdir weights && shlo-compat unpack model.mlirbc -o weights/small.shlo && rm weights/small.shlo",
        "help": f"{make('m.mlir', 'm.shlo')} && mv many models && cp new.mlir new.mlirbc && shlo-compat unpack large.mlir -o small.shlo && "
                "mv small.safetensors model.safetensors && rm -rf new",
    }
    for page in sorted((ROOT / "docs").glob("*.md")):
        if page.name not in ("archive-tutorial.md", "command-line.md"):
            pages.page(page.name, list(examples(page.read_text())), before.get(page.name, ""))
    shown = []
    for words in ([], ["diff"], ["ops"], ["versions"], ["pack"]):
        text = subprocess.run([tool, "help", *words], capture_output=True, text=True, check=True).stdout
        found = [re.sub(r"  .*", "", line.strip()) for line in text.split("\n") if line.startswith("  shlo-compat ")]
        if not found:
            pages.failures.append(f"help {words}: no examples")
        shown += found
    pages.page("help", list(enumerate(shown, 1)), before["help"])
    # Consumers that pages name, also for the fleet and CI.
    texts = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "action.yml"]
    for text in texts:
        for number, line in enumerate(text.read_text().split("\n"), 1):
            for consumer in re.findall(r"--for[ =](jaxlib==[0-9.]+\d)", line):
                if "--allow-outside-window" not in line:
                    pages.page(text.name, [(number, f"shlo-compat m.mlir --for={consumer}")])
    print("\n".join(pages.failures))
    print(f"{pages.count} commands, {len(pages.failures)} failures")
    return 1 if pages.failures or pages.count < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
