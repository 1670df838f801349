#!/usr/bin/env python3
"""Checks generated programs: each verifies, and is unchanged by writing and reading every format.

    generated_test.py TOOL [--count N] [--seed S]

Also checks that the programs cover every op of the table, every kind of attribute and type, and every element type;
and that ops of a large program, which are printed like others before them, have the text that they have else.
Ends with "N programs, M failures"; exit code 1 if there are any.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from generate import RECIPES, make_program

# Rows without a generated program: `sub` ended with version 39; a probe needs the files of an earlier run.
NO_PROGRAM = {"stablehlo.sub", "check.expect_serialized_eq"}
# Kinds that only VHLO has, or that have no syntax outside of other kinds.
NO_KIND = {"kCustomCallApiVersion", "kSubAxisInfo"}


def kinds_of_schema():
    schema = HERE.parent.parent / "schema"
    text = "".join((schema / name).read_text() for name in ("kinds.inc", "element_types.inc", "enums.inc"))
    return set(re.findall(r"^SHLO_(?!CASE)[A-Z_]+\((?:\d+, )?(k\w+)", text, re.M))


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def text_of_large(tool, programs, folder):
    """Prints one program that has all of these twice, in every form, in one thread and in two, and writes and reads it
    in every format: its ops share the texts of their signatures. Returns what is wrong."""
    # The resources of programs would be those of one file.
    parts = [re.sub(r"^module(?: @[\w.]+)?", f"module @program_{i}", text, count=1).rstrip()
             for i, text in enumerate(2 * [text for text in programs if "{-#" not in text])]
    whole = os.path.join(folder, "large.mlir")
    pathlib.Path(whole).write_text("module {\n" + "\n".join(parts) + "\n}\n")
    wrong = []
    for emit in ("text", "generic", "vhlo"):
        texts = [subprocess.run([tool, whole, "--emit", emit, *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                 for flags in (["--threads=1"], ["--threads=2"])]
        if texts[0].returncode or len(texts[0].stdout) < 1000 * len(parts) / 4:
            wrong.append(f"--emit {emit} of the large program ended with {texts[0].returncode}")
        elif texts[1].stdout != texts[0].stdout:
            wrong.append(f"--emit {emit} prints another text in two threads")
    done = run([tool, "roundtrip", whole])
    if done.returncode:
        wrong.append(f"roundtrip of the large program ended with {done.returncode}: {done.stderr[-500:]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    failures, used, text_of_all = [], set(), []
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i in range(args.count):
            text, recipes = make_program(args.seed + i)
            files.append(os.path.join(folder, f"program_{args.seed + i:05}.mlir"))
            pathlib.Path(files[-1]).write_text(text)
            used |= set(recipes)
            text_of_all.append(text)
        for start in range(0, len(files), 500):
            some = files[start:start + 500]
            for command in (["roundtrip"], ["verify"]):
                done = run([args.tool, *command, *some])
                bad = [l for l in (done.stdout + done.stderr).splitlines()
                       if " error: " in l or " warning: " in l or "DIFFERENT" in l]
                if done.returncode not in (0, 1) and not bad:
                    bad = [f"{command[0]} ended with {done.returncode}: {done.stderr[-500:]}"]
                if done.returncode == 1 and not bad:
                    bad = [f"{command[0]} found something and does not say what"]
                failures += bad
        failures += text_of_large(args.tool, text_of_all, folder)
        traced = run([args.tool, "verify", "--trace", *files[:len(RECIPES) * 5]]).stderr

    everything = "\n".join(text_of_all)
    table = json.loads(run([args.tool, "ops", "--json"]).stdout)["ops"]
    if args.count >= len(RECIPES):
        written = set(re.findall(r'"([a-z_]+\.[\w-]+)"\(', everything)) | {"builtin.module", "func.func", "func.return"}
        for row in table:
            if row["name"] not in written | NO_PROGRAM:
                failures.append(f"no program has the op {row['name']}")
        seen = set(re.findall(r"^read\w+ (k\w+)", traced, re.M))
        for kind in sorted(kinds_of_schema() - seen - NO_KIND):
            failures.append(f"no program has the kind {kind}")
    for line in failures[:50]:
        print(line)
    print(f"{args.count} programs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
