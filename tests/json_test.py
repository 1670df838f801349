#!/usr/bin/env python3
"""Checks what --json prints: one document in every outcome, as the schema of the command states.

    json_test.py TOOL WRITE_CONTAINERS
"""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import json_schema
from programs import ENDLESS

TESTS = pathlib.Path(__file__).resolve().parent
SUM = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %a, %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
TAN = SUM.replace("stablehlo.add %a, %a", "stablehlo.tan %a")
PRINTS = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  "interpreter.print"(%a) : (tensor<2xf32>) -> ()
  return %a : tensor<2xf32>
}
"""
CHECK = """func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>
  return
}
"""
WEIGHTS = f"""func.func @main() -> tensor<2048xi8> {{
  %0 = stablehlo.constant dense<"0x{bytes(range(256)).hex() * 8}"> : tensor<2048xi8>
  return %0 : tensor<2048xi8>
}}
"""
FILES = {"sum.mlir": SUM, "tan.mlir": TAN, "two.mlir": SUM + "// -----\n" + TAN, "check.mlir": CHECK,
         "constant.mlir": CHECK, "constant2.mlir": CHECK.replace("<1>", "<7>"),
         "endless.mlir": ENDLESS, "bad.mlir": "func.func @f(", "invalid.mlir": SUM.replace("%a, %a", "%a"), "empty.mlir": "",
         "weights.mlir": WEIGHTS, "resource.mlir": SUM + '{-# dialect_resources: { builtin: { blob: "0x0400000001020304" } } #-}\n'}
TREES = {"models/sum.mlir": SUM, "models/a/tan.mlir": TAN, "models/README": "No program.\n", "same/sum.mlir": SUM}
ONE = "dense<1.0> : tensor<2xf32>"

# Exit code, then the command line. Every command runs in each way that it can end.
RUNS = [
    (0, "sum.mlir"), (0, "two.mlir"), (0, "-o out.mlir sum.mlir"), (0, "-o sum.shlo sum.mlir"),
    (0, "-o sum.mlirbc --target=1.9.0 sum.mlir"), (0, "--expand --target=1.0.0 --allow-outside-window tan.mlir"),
    (0, "--target=1.20.0 --prove --certificate=c.json -o out.shlo sum.mlir"),
    (0, f"--target=40 --allow-outside-window {TESTS}/compat/37/sub.mlir"),
    (1, "--target=1.0.0 --allow-outside-window tan.mlir"), (1, "--target=41 sum.mlir"), (1, "invalid.mlir"), (2, ""),
    (2, "--what sum.mlir"), (2, "--emit=shlo sum.mlir"), (2, "--target=nothing sum.mlir"), (2, "verif"),
    (2, "--target= sum.mlir"), (2, "-o x.shlo two.mlir"), (2, "--lenient verify sum.mlir"), (3, "bad.mlir"), (3, "empty.mlir"),
    (4, "nowhere.mlir"), (4, "-o nowhere/out.mlir sum.mlir"), (2, "."),
    (0, "--out-dir=new models"), (0, "--out-dir=new --resume --emit=shlo models"), (0, "--out-dir=new --resume --emit=shlo models"),
    (3, "--out-dir=new --keep-going *.mlir"), (3, "--out-dir=new bad.mlir sum.mlir"), (2, "--out-dir=models models"),
    (2, "--out-dir=new models same"), (2, "-o new models"), (2, "--resume sum.mlir"), (4, "--out-dir=sum.mlir models"),
    (0, "inspect sum.mlir two.mlir sum.shlo sum.mlirbc resource.mlir"), (0, "inspect one.bin"), (0, "unpack weights.mlir -o outside.shlo"), (0, "inspect outside.shlo"),
    (0, "inspect --matrix two.mlir sum.shlo"), (2, "inspect"), (2, "inspect --what"), (3, "inspect sum.mlir bad.mlir"),
    (3, "inspect --matrix bad.mlir sum.mlir"), (4, "inspect nowhere.mlir"),
    (0, "strings sum.mlir two.mlir"), (2, "strings"), (3, "strings bad.mlir"), (4, "strings nowhere.mlir"),
    (0, ["eval", "sum.mlir", "--args", ONE]), (0, ["eval", "sum.mlir", "--profile", "--args", ONE]),
    (0, ["eval", "print.mlir", "--args", ONE]), (1, "eval check.mlir"), (2, "eval"), (2, "eval sum.mlir"), (3, "eval bad.mlir"),
    (3, ["eval", "sum.mlir", "--args", ONE, "--max-steps=1"]), (4, "eval nowhere.mlir"),
    (3, "eval --timeout=1 --max-steps=1000000000000 --max-work=1000000000 endless.mlir"),
    (0, "prove sum.mlir sum.shlo"), (0, "prove --evaluate-only --at-least=sampled sum.mlir sum.mlirbc"), (1, "prove sum.mlir tan.mlir"),
    (0, "prove --check=c.json sum.mlir out.shlo"), (1, "prove --check=c.json sum.mlir tan.mlir"),
    (4, "prove --check=nowhere.json sum.mlir tan.mlir"), (2, "prove sum.mlir"), (3, "prove sum.mlir bad.mlir"), (4, "prove nowhere.mlir sum.mlir"),
    (0, "diff sum.mlir sum.shlo"), (1, "diff --locations sum.mlir tan.mlir"), (1, "diff sum.mlir print.mlir"), (1, "diff check.mlir endless.mlir"),
    (1, "diff constant.mlir constant2.mlir"), (2, "diff sum.mlir"), (2, "diff sum.mlir two.mlir"), (3, "diff sum.mlir bad.mlir"), (4, "diff nowhere.mlir sum.mlir"),
    (0, ["reduce", "--still=grep -q stablehlo.tan", "tan.mlir"]), (0, ["reduce", "--still=grep -q stablehlo.tan", "-o", "small.mlir", "tan.mlir"]),
    (0, "reduce --still-differs tan.mlir -o pair.mlir sum.mlir"), (1, ["reduce", "--still=false", "tan.mlir"]),
    (0, "specialize --prove sum.mlir"), (0, "specialize sum.mlir -o static.mlir"), (2, "specialize sum.mlir --dim b=2"), (2, "specialize"),
    (2, "specialize sum.mlir --arg 0"), (3, "specialize bad.mlir"), (4, "specialize nowhere.mlir"),
    (2, "reduce tan.mlir"), (3, ["reduce", "--still=true", "bad.mlir"]), (4, ["reduce", "--still=true", "nowhere.mlir"]),
    (0, "simplify sum.mlir"), (0, "simplify --prove -o simple.mlir sum.mlir"), (0, "simplify --list"), (2, "simplify"),
    (2, "simplify --only=No sum.mlir"), (2, "simplify --allow=all sum.mlir"), (3, "simplify bad.mlir"), (4, "simplify nowhere.mlir"),
    (0, "roundtrip two.mlir sum.shlo"), (2, "roundtrip"), (3, "roundtrip bad.mlir"), (4, "roundtrip nowhere.mlir"),
    (0, "verify models"), (0, "inspect models/*"), (0, "inspect --matrix models"), (0, "roundtrip models"), (0, "prove models models"),
    (1, "prove models same"), (3, "verify models bad.mlir"), (4, "verify nowhere/* sum.mlir"), (4, "verify ?.mlir"), (2, "verify empty_folder"),
    (2, "prove models sum.mlir"), (2, "prove models empty_folder"), (2, "prove --check=c.json models models"),
    (0, "verify sum.mlir two.mlir"), (1, "verify invalid.mlir sum.mlir"), (2, "verify"), (3, "verify bad.mlir"), (4, "verify nowhere.mlir"),
    (0, "check models"), (0, "check --no-policy --today=2026-01-31 sum.mlir"), (1, "check --for=1.0.0 tan.mlir"), (1, "check invalid.mlir"),
    (2, "check --report=nothing"), (2, "check --policy=bad.mlir sum.mlir"), (2, "check empty_folder"), (2, "check --against=main sum.mlir"),
    (3, "check sum.mlir bad.mlir"), (4, "check nowhere.mlir"), (0, "check --init"), (2, "check --init"),
    (0, "gate"), (2, "gate --report=nothing"), (2, "gate --freeze"), (2, "gate sum.mlir"), (3, "gate --released=empty_folder"),
    (4, "gate --released=nowhere"), (0, "rules default-changed"), (0, "rules"), (0, "rules invalid"), (2, "rules nothing"),
    (0, "ops"), (0, "ops gather"), (2, "ops gathr"), (0, "laws"), (0, "laws gather"), (2, "laws nothing"),
    (0, "ops --diff 1.0.0..1.9.0"), (0, "ops --diff current..minimum"), (2, "ops --diff 1.0.0"), (2, "ops --diff 1.0.0..9"), (2, "ops --diff .. gather"),
    (0, "versions minimum..current"), (0, "versions 1.9.0.."), (0, "versions 1.9.0..1.0.0"), (2, "versions 1.0.0..nothing"),
    (0, "versions"), (0, "versions 1.9.0"), (2, "versions nothing"), (0, "consumers"), (0, "consumers jaxlib"), (2, "consumers nothing"),
    (0, "unpack weights.mlir -o small.shlo"), (0, "pack small.shlo -o whole.shlo"), (2, "pack small.shlo"), (2, "unpack weights.mlir"),
    (4, "pack nowhere.shlo -o whole.shlo"), (3, "unpack bad.mlir -o small.shlo"),
    (2, "archive"), (2, "archive what"), (0, "archive init a"), (0, "archive init a"), (2, "archive init b --id=0"), (2, "archive ls"),
    *((code, f"archive {line} --archive=a") for code, line in [
        (0, "add sum.mlir old.mlirbc --tag=prod --golden=random:1"), (3, "add bad.mlir tan.mlir"), (2, "add"), (4, "add nowhere.mlir"),
        (1, "add invalid.mlir"), (0, "ls"), (0, "ls sum"), (2, "ls nothing"), (0, "show sum old@1"), (2, "show"), (2, "show nothing"),
        (0, "get old -o old.bin"), (0, "get sum --emit=shlo -o sum2.shlo"), (0, "get sum --golden -o g.npz"), (2, "get sum"),
        (2, "get nothing -o x"), (4, "get sum -o nowhere/x"), (0, "log"), (0, "log old"), (2, "log nothing"), (0, "diff sum sum"),
        (1, "diff sum tan"), (2, "diff sum nothing"), (0, "tag sum --add=next --meta=k=v"), (2, "tag sum"), (0, "verify"),
        (0, "verify --goldens --certificates"), (2, "verify --part=0/1"), (0, "migrate --target=current"), (2, "migrate"),
        (0, "migrate --target=current --dry-run"),
        (0, "verify --goldens --certificates --files"), (0, "export sum -o sum.models"), (2, "export sum"), (4, "export sum -o nowhere/x"),
        (0, "import sum.models"), (2, "import"), (3, "import sum.mlir"), (4, "import nowhere.models"), (0, "stats"), (2, "stats --what"),
        (0, "rebuild"), (0, "rebuild --check"), (2, "rebuild --what"), (0, "prune --dry-run"), (0, "prune tan"), (2, "prune nothing"),
        (0, "repair"), (2, "repair --from=empty_folder"), (2, "verify --files --checksums")]),
    (4, "archive ls --archive=nowhere"), (2, "archive ls --archive=empty_folder"),
]


def command_of(args, commands):
    """Returns the command of a command line."""
    at = next((i for i, a in enumerate(args) if a in commands), None)
    if at is None:
        return "convert"
    whole = " ".join(args[at:at + 2])
    return whole if whole in commands else args[at]


def commands_in(shown):
    """Returns the commands that a help text lists."""
    return re.findall(r"^  (\w+) ", shown.partition("Commands:")[2].partition("\n\n")[0], re.M)


def main():
    tool, write_containers = (os.path.abspath(a) for a in sys.argv[1:])
    failures, outcomes = [], set()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in {**FILES, "print.mlir": PRINTS}.items():
            pathlib.Path(name).write_text(text)
        for name, text in TREES.items():
            pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(name).write_text(text)
        pathlib.Path("empty_folder").mkdir()
        subprocess.run([write_containers, "."], check=True, capture_output=True)
        shown = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
        commands = commands_in(shown)
        shown = subprocess.run([tool, "archive", "--help"], capture_output=True, text=True, check=True).stdout
        commands += [f"archive {name}" for name in commands_in(shown)]
        subprocess.run([tool, "--target=1.9.0", "-o", "old.mlirbc", "sum.mlir"], check=True, capture_output=True)
        for code, line in RUNS:
            args = line.split() if isinstance(line, str) else line
            done = subprocess.run([tool, *args, "--json"], capture_output=True, text=True, errors="replace", timeout=60,
                                  stdin=subprocess.DEVNULL, check=False)
            found = []
            if done.returncode != code:
                found.append(f"exit code {done.returncode}, expected {code}: {done.stderr[:300]}")
            try:
                document = json.loads(done.stdout)
                found += json_schema.check(document)
                command = command_of(args, commands)
                if (document["exit"], document["command"]) != (done.returncode, command):
                    found.append(f"the document is of '{document['command']}' with exit code {document['exit']}")
                if code and code != 1 and not document["diagnostics"]:
                    found.append("a failure without a diagnostic")
                outcomes.add((command, code))
            except (ValueError, KeyError) as error:
                found.append(f"not a document: {error}: {done.stdout[:200]}")
            failures += [f"{' '.join(args)}: {f}" for f in found]
    for command, code in itertools.product(["convert", *commands], (0, 2)):
        if (command, code) not in outcomes and (command, code) != ("archive", 0):  # it has commands
            failures.append(f"no run of '{command}' ends with {code}")
    print("\n".join(failures))
    print(f"{len(RUNS)} documents, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
