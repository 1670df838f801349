#!/usr/bin/env python3
"""Kills writers of an archive at random moments: it verifies each time, and nothing that was acknowledged is missing.

    archive_kill_test.py TOOL [--runs N] [--folder DIR] [--seed S]

SIGKILL during add, migrate, and prune in turn. Then `verify` must find nothing, each model whose line was printed must
be there with its bytes, each form whose line was printed too, and the catalog must be what the packs say.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MODELS_PER_ADD = 12


def program(name, seed):
    """Returns a program of an old version, with weights that other programs share."""
    own, shared = random.Random(seed).randbytes(2000), random.Random(seed % 7).randbytes(60_000)
    return (f'module attributes {{stablehlo.compat_version = 62 : i32, test.name = "{name}"}} {{\n  func.func @main() -> (tensor<500xi32>, tensor<15000xi32>) {{\n'
            f'    %0 = stablehlo.constant dense<"0x{own.hex().upper()}"> : tensor<500xi32>\n'
            f'    %1 = stablehlo.constant dense<"0x{shared.hex().upper()}"> : tensor<15000xi32>\n'
            f"    return %0, %1 : tensor<500xi32>, tensor<15000xi32>\n  }}\n}}\n")


class Killer:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.archive = folder / "archive"
        self.durations = {}
        self.models, self.forms, self.counts, self.failures = {}, {}, collections.Counter(), []
        self.number = 0
        self.run("init", self.archive)

    def run(self, *args, code=0):
        env = {**os.environ, "SHLO_ARCHIVE": str(self.archive)}
        done = subprocess.run([self.tool, "archive", *map(str, args)], env=env, capture_output=True, text=True, check=False)
        if code is not None and done.returncode != code:
            self.failures.append(f"{args}: exit code {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
        return done.stdout

    def killed(self, what, *args):
        """Runs a command and kills it at a random moment. Returns what it printed, and whether it ended before."""
        env = {**os.environ, "SHLO_ARCHIVE": str(self.archive)}
        child = subprocess.Popen([self.tool, "archive", *map(str, args)], env=env, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        start = time.monotonic()
        # The first run of each command ends by itself, and says how long it takes.
        if what in self.durations:
            time.sleep(random.uniform(0, self.durations[what]))
            child.send_signal(signal.SIGKILL)
        out, err = child.communicate()
        self.durations.setdefault(what, time.monotonic() - start)
        ended = child.returncode != -signal.SIGKILL
        if ended and child.returncode != 0:
            self.failures.append(f"{args}: exit code {child.returncode}: {err[-500:]}")
        # Most runs are killed, some end before.
        self.durations[what] *= 0.9 if ended else 1.03
        self.counts[f"{what} {'ended' if ended else 'killed'}"] += 1
        return out, ended

    def add(self):
        folder = self.folder / "in"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        names = []
        for _ in range(MODELS_PER_ADD):
            names.append(f"m{self.number}")
            (folder / f"{names[-1]}.mlir").write_text(program(names[-1], self.number))
            self.number += 1
        out, _ = self.killed("add", "add", folder)
        for label in re.findall(r"^(\S+)  added$", out, re.M):
            name = label.partition("@")[0]
            self.models[label] = hashlib.sha256((folder / f"{name}.mlir").read_bytes()).hexdigest()

    def migrate(self):
        out, _ = self.killed("migrate", "migrate", "--target=current")
        for label in re.findall(r"^(\S+)  1\.9\.0 .* by \w+$", out, re.M):
            self.forms[label] = True

    def prune(self):
        # The oldest models go, so that the archive stays small; they may be gone or not.
        old = sorted(self.models, key=lambda l: int(l[1:].partition("@")[0]))[:-3 * MODELS_PER_ADD]
        out, ended = self.killed("prune", "prune", *(old or []))
        for label in old:
            del self.models[label]
            self.forms.pop(label, None)

    def check(self):
        found = self.run("verify", "--files")
        if "damage" in found:
            self.failures.append(found[-1000:])
        listed = {m["model"]: m for m in json.loads(self.run("ls", "--json"))["models"]}
        for label, sha256 in self.models.items():
            if label not in listed:
                self.failures.append(f"{label} was acknowledged and is missing")
                continue
            self.counts["models checked"] += 1
            if label in self.forms and listed[label]["version"]["n"] <= 62:
                self.failures.append(f"the form of {label} was acknowledged and is missing")
            self.counts["forms checked"] += label in self.forms
        for label in random.sample(sorted(self.models), min(3, len(self.models))):
            if label in listed:
                shown = json.loads(self.run("show", label, "--json"))["models"][0]
                if shown["forms"][0]["files"][0]["id"] != self.models[label]:
                    self.failures.append(f"{label} has other bytes")
        self.run("rebuild", "--check")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--runs", type=int, default=45)
    parser.add_argument("--folder", help="where to write (default: the system's temporary folder)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random.seed(args.seed)
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        killer = Killer(os.path.abspath(args.tool), pathlib.Path(folder))
        for run in range(args.runs):
            (killer.add, killer.migrate, killer.prune)[run % 3]()
            killer.check()
            if killer.failures:
                break
        # The next writer removes what a killed one leaves.
        killer.run("prune")
        left = [path.name for path in (killer.archive / "packs").iterdir() if not path.name.endswith(".pack")]
        if left:
            killer.failures.append(f"left behind: {left}")
    for failure in killer.failures[:20]:
        print(failure)
    print(f"{args.runs} runs: " + ", ".join(f"{count} {what}" for what, count in sorted(killer.counts.items())) +
          f"; {len(killer.failures)} failures")
    seen = all(killer.counts[f"{what} killed"] for what in ("add", "migrate", "prune")) and killer.counts["models checked"]
    return 1 if killer.failures or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
