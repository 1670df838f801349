#!/usr/bin/env python3
"""A library sees the headers of the layers below it, and no others: layers_test.py CXX BUILD_FOLDER

Takes the include folders of each library from compile_commands.json, and includes a header of every other layer.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

LIB = pathlib.Path(__file__).resolve().parent.parent / "lib"
# Each layer, and those directly below it: the rows of CMakeLists.txt.
ROWS = re.findall(r"^shlo_library\((\w+)(?: USES ((?:[a-z]+ ?)+))?(?: ?FOLDER ([\w/]+))?", (LIB.parent / "CMakeLists.txt").read_text(), re.M)
BELOW = {name: uses.split() for name, uses, _ in ROWS}
FOLDERS = {name: LIB / (folder or name) for name, _, folder in ROWS}


def all_below(layer):
    return {layer}.union(*(all_below(lower) for lower in BELOW[layer]))


def include_flags(build):
    """Returns the flags of each layer that name include folders."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        match = re.search(r"CMakeFiles/shlo_([a-z]+)(?:_[A-Z]+)?\.dir/", entry["command"])
        if match and match.group(1) in BELOW:
            flags.setdefault(match.group(1), set()).update(w for w in shlex.split(entry["command"]) if w.startswith("-I"))
    return flags


def includes(cxx, flags, header):
    command = [cxx, "-std=c++20", *sorted(flags), "-M", "-x", "c++", "-"]
    done = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True, check=False)
    return "No such file" not in done.stderr and "not found" not in done.stderr


def main():
    cxx, build = sys.argv[1], pathlib.Path(sys.argv[2])
    flags = include_flags(build)
    failures = [f"{layer}: not in compile_commands.json" for layer in BELOW if layer not in flags]
    checked = 0
    for layer in flags:
        for other in BELOW:
            allowed = other in all_below(layer)
            private = sorted(str(path.relative_to(LIB)) for path in FOLDERS[other].rglob("*.h"))[:1]
            public = sorted(f"shlo/{path.name}" for path in (build / "layers" / other / "shlo").iterdir())[:1]
            for name in private + public:
                checked += 1
                # Headers of other projects may be elsewhere: only what must be missing is compiled.
                found = any((build / flag[2:] / name).exists() for flag in flags[layer]) if allowed \
                    else includes(cxx, flags[layer], name)
                if found != allowed:
                    failures.append(f"{layer} {'does not see' if allowed else 'sees'} {name}")
    for failure in failures:
        print(failure)
    print(f"{checked} includes, {len(failures)} failures")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
