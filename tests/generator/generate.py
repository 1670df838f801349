#!/usr/bin/env python3
"""Generates valid StableHLO programs for every op of the table.

    generate.py write COUNT DIR [--seed S] [--recipe NAME]   one file each: program_00000.mlir ...
    generate.py list                                         the recipes

A program is a module of one to three functions with a few ops each. The seed determines the programs.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import recipes_elementwise
import recipes_other
import recipes_regions
import recipes_structural
from core import Function, Random

RECIPES = {**recipes_elementwise.RECIPES, **recipes_structural.RECIPES, **recipes_regions.RECIPES,
           **recipes_other.RECIPES}


def make_program(seed, recipe=None, names=None):
    """Returns the text of program `seed` and the names of its recipes, chosen from `names`."""
    rng = Random(seed)
    helpers, functions, tops, used = {}, [], [], []
    # Use all recipes in turn; the others in the program are random.
    names = sorted(names or RECIPES)
    first = recipe or names[seed % len(names)]
    for number in range(rng.choice([1, 1, 1, 2, 3])):
        f = Function(rng, "main" if number == 0 else f"f{number}")

        def helper(t, helpers=helpers):
            name = f"helper_{len(helpers)}"
            helpers[name] = f"  func.func private @{name}(%arg0: {t}) -> {t} {{\n    func.return %arg0 : {t}\n  }}"
            return name
        f.helper, f.tops = helper, tops
        f.locs = rng.flip(0.15)
        chosen = [first if number == 0 else rng.choice(names)]
        chosen += [rng.choice(names) for _ in range(rng.randrange(0, 4))] if not recipe else []
        for name in chosen:
            RECIPES[name](f)
        used += chosen
        attrs = " attributes {x.y = 1 : i32, z = unit}" if rng.flip(0.1) else ""
        functions.append(f.text(private=number > 0 and rng.flip(), attrs=attrs))
    head = rng.choice(["module {", "module @m {", "module attributes {mhlo.num_partitions = 1 : i32} {"])
    lines = [head] + functions + list(helpers.values()) + tops + ["}", ""]
    if any("dense_resource<blob>" in f for f in functions):
        lines += ['{-#', '  dialect_resources: {', '    builtin: {', '      blob: "0x040000000000803F"', '    }', '  }',
                  '#-}', '']
    return "\n".join(lines), used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("count", type=int)
    write.add_argument("dir")
    write.add_argument("--seed", type=int, default=0)
    write.add_argument("--recipe")
    commands.add_parser("list")
    args = parser.parse_args()
    if args.command == "list":
        print("\n".join(sorted(RECIPES)))
        return
    os.makedirs(args.dir, exist_ok=True)
    for i in range(args.count):
        text, _ = make_program(args.seed + i, args.recipe)
        with open(os.path.join(args.dir, f"program_{args.seed + i:05}.mlir"), "w") as out:
            out.write(text)


if __name__ == "__main__":
    main()
