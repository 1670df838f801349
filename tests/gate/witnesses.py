#!/usr/bin/env python3
"""Collects programs that a release freezes as witnesses, one file each.

    witnesses.py DIR

They are small, and together reach every constraint, kernel and form: the invalid programs of tests/constraints, the
file tests, the examples of schema/examples.inc, generated programs of each recipe, and those of semantics.py.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/generator"))
sys.path.insert(0, str(ROOT / "tests/gate"))
import generate
import semantics

LONGEST = 2500  # characters
SEEDS = 2       # generated programs of each recipe


def split(text):
    """Returns the programs of a file, without comments."""
    for part in text.split("// -----"):
        lines = [line for line in part.splitlines() if not line.lstrip().startswith("//") and line.strip()]
        if lines:
            yield "\n".join(lines) + "\n"


def collect():
    for path in sorted((ROOT / "tests/constraints").glob("*.mlir")):
        for program in split(path.read_text()):
            yield path.stem, program
    for path in sorted((ROOT / "tests/roundtrip").glob("*.mlir")):
        for program in split(path.read_text(errors="replace")):
            yield path.stem, program
    for op, program in re.findall(r'SHLO_EXAMPLE\("([^"]+)",\s*R"\((.*?)\)"\)', (ROOT / "schema/examples.inc").read_text(), re.S):
        yield op, program + "\n"
    for recipe in sorted(generate.RECIPES):
        for seed in range(SEEDS):
            yield recipe, generate.make_program(seed, recipe)[0]
    for name, program in semantics.programs():
        yield name, program


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    seen, made = set(), {name for name, _ in semantics.programs()}
    for number, (name, program) in enumerate(collect()):
        if program in seen or len(program) > LONGEST and name not in made:
            continue
        seen.add(program)
        stem = re.sub(r"\W+", "_", name)
        (folder / f"{number:05}_{stem}.mlir").write_text(program)
    print(f"{len(seen)} programs, {sum(map(len, seen))} characters")


if __name__ == "__main__":
    main()
