#!/usr/bin/env python3
"""Readers and maintenance with four writers of an archive: none of them reports damage that is not there, or fails.

    archive_race_test.py TOOL [--rounds N] [--seconds S] [--seed N]

Each round is one command: it must exit with 0 and print nothing about damage, missing packs or the catalog. Some models
stay for the whole run, and must have their bytes in each round. Meanwhile four writers add, tag, migrate, remove and
prune other models, one of them with a separate catalog. At the end, all that they acknowledged is present. Ends after N
rounds, or after S seconds if that is earlier (0: never).
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

STAYING = 3
ALARMS = re.compile(r"damage|missing|malformed|catalog|does not have|cannot|readonly|locked|error|warning")


def program(seed):
    """Returns a program at an old version, whose weights others share."""
    own, shared = random.Random(seed).randbytes(2000), random.Random(seed % 5).randbytes(20_000)
    return ("module attributes {stablehlo.compat_version = 62 : i32} {\n  func.func @main() -> (tensor<500xi32>, tensor<5000xi32>) {\n"
            f'    %0 = stablehlo.constant dense<"0x{own.hex().upper()}"> : tensor<500xi32>\n'
            f'    %1 = stablehlo.constant dense<"0x{shared.hex().upper()}"> : tensor<5000xi32>\n'
            "    return %0, %1 : tensor<500xi32>, tensor<5000xi32>\n  }\n}\n")


class Race:
    def __init__(self, tool, folder, rounds, seconds, seed):
        self.tool, self.folder, self.rounds = tool, folder, rounds
        self.end = time.monotonic() + seconds if seconds else None
        self.random = random.Random(seed)
        self.archive = folder / "archive"
        self.lock, self.stop = threading.Lock(), False
        self.counts, self.failures = collections.Counter(), []
        self.added, self.removed = set(), set()
        self.must("init", self.archive)
        for i in range(STAYING):
            (folder / f"stays{i}.mlir").write_text(program(i))
            self.must("add", folder / f"stays{i}.mlir", "--golden=random:1")
        self.must("migrate", "stays0", "--target=1.10.0")

    def run(self, *args, env=None):
        done = subprocess.run([self.tool, "archive", *map(str, args)], capture_output=True, text=True, check=False,
                              env={**os.environ, "SHLO_ARCHIVE": str(self.archive), **(env or {})})
        return done.returncode, done.stdout, done.stderr

    def must(self, *args, env=None):
        code, out, err = self.run(*args, env=env)
        err = re.sub("note: waiting for another writer: .*\n", "", err)
        if code != 0 or ALARMS.search(err):
            with self.lock:
                self.failures.append(f"{args}: exit code {code}: {(out + err)[-400:]}")
        return out

    def write(self, writer):
        """Adds, tags, converts, removes and prunes models until the end."""
        own = random.Random(writer)
        env = {"SHLO_ARCHIVE_CATALOG": str(self.folder / "catalog-of-3")} if writer == 3 else None
        mine, number = [], 0
        while not self.stop:
            self.counts["writes"] += 1
            step = own.random()
            if step < 0.5 or not mine:
                name = f"w{writer}-{number}"
                number += 1
                path = self.folder / f"{name}.mlir"
                path.write_text(program(100 * writer + number))
                if f"{name}@1  added" in self.must("add", path, env=env):
                    mine.append(name)
                    with self.lock:
                        self.added.add(name)
            elif step < 0.6:
                self.must("tag", own.choice(mine), f"--add=t{number}", env=env)
            elif step < 0.7:
                self.must("migrate", own.choice(mine), "--target=1.9.0", env=env)
            elif step < 0.9:
                name = mine.pop(own.randrange(len(mine)))
                with self.lock:
                    self.removed.add(name)
                self.must("prune", name, env=env)
            else:
                self.must("prune", env=env)

    def read(self, number):
        """One round. Returns its name."""
        stays = f"stays{number % STAYING}"
        commands = {
            "verify": ["verify"], "verify --files": ["verify", "--files"], "verify --goldens": ["verify", "--goldens"],
            "verify --certificates": ["verify", "--certificates"], "verify --part": ["verify", f"--part={1 + number % 2}/2"],
            "rebuild --check": ["rebuild", "--check"], "rebuild": ["rebuild"], "ls": ["ls"], "show": ["show", stays],
            "get": ["get", stays, "--original"], "get --target": ["get", stays, "--target=1.13.0", "-o", self.folder / "out.mlirbc"],
            "log": ["log"], "stats": ["stats"], "export": ["export", "**", "-o", self.folder / "out.bundle"],
            "migrate --dry-run": ["migrate", "--target=1.11.0", "--dry-run"], "migrate": ["migrate", "stays*", f"--target=1.{11 + number % 9}.0"],
            "migrate all": ["migrate", "--target=1.9.0"], "prune": ["prune"], "prune --dry-run": ["prune", "--dry-run"],
            "verify, own catalog": ["verify", f"--catalog={self.folder / 'own-catalog'}"],
        }
        # Those that false alarms come from, more often.
        often = ["verify", "verify --files", "rebuild --check", "prune", "migrate all", "get"]
        name = self.random.choice([*commands, *often, *often])
        before = len(self.failures)
        out = self.must(*commands[name])
        if name == "get" and out != program(number % STAYING):
            self.failures.append(f"{stays} has other bytes")
        if name == "ls" and any(f"stays{i}@1" not in out for i in range(STAYING)):
            self.failures.append(f"a model is not listed: {out}")
        if name.startswith(("verify", "rebuild --check")) and len(self.failures) == before and re.search("found|is not what", out):
            self.failures.append(f"{name}: {out[-400:]}")
        return name

    def go(self):
        writers = [threading.Thread(target=self.write, args=(i,)) for i in range(4)]
        for writer in writers:
            writer.start()
        rounds = 0
        while rounds < self.rounds and (self.end is None or time.monotonic() < self.end) and len(self.failures) < 20:
            self.counts[self.read(rounds)] += 1
            rounds += 1
        self.stop = True
        for writer in writers:
            writer.join()
        out = self.must("ls")
        for name in self.added - self.removed:
            if f"{name}@1" not in out:
                self.failures.append(f"{name} was acknowledged, and is not there")
        self.must("verify", "--files")
        left = [path.name for path in (self.archive / "packs").iterdir() if not path.name.endswith(".pack")]
        if left:
            self.failures.append(f"left behind: {left}")
        return rounds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        race = Race(os.path.abspath(args.tool), pathlib.Path(folder), args.rounds, args.seconds, args.seed)
        rounds = race.go()
    for failure in race.failures[:20]:
        print(failure)
    print(f"{rounds} rounds beside {race.counts.pop('writes')} writes of 4 writers: "
          + ", ".join(f"{count} {what}" for what, count in sorted(race.counts.items())) + f"; {len(race.failures)} failures")
    return 1 if race.failures or rounds == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
