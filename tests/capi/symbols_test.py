#!/usr/bin/env python3
"""Compares what the shared libraries export with symbols.txt: symbols_test.py HEADER LIBRARY... [--bless]

A symbol that is in the list stays, with its version and its meaning. New ones are added by --bless.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LISTED = HERE / "symbols.txt"


def exported(library):
    """Returns "name@@version" of what a library defines for others, without the version itself."""
    out = subprocess.run(["nm", "--dynamic", "--defined-only", "--with-symbol-versions", library], check=True,
                         capture_output=True, text=True).stdout
    fields = [line.split() for line in out.splitlines()]
    return {f[2] for f in fields if f[1] != "A"}


def declared(header):
    return set(re.findall(r"^SHLO_API [^;(]*\b(shlo_\w+)\(", pathlib.Path(header).read_text(), re.M))


def main():
    args = [a for a in sys.argv[1:] if a != "--bless"]
    header, libraries = args[0], args[1:]
    functions = declared(header)
    if "--bless" in sys.argv:
        LISTED.write_text("".join(f"{name}\n" for name in sorted(exported(libraries[0]))))
    listed = set(LISTED.read_text().split())
    failures = [f"{library}: {'exports' if symbol in now else 'does not export'} {symbol}"
                for library in libraries for now in [exported(library)] for symbol in sorted(now ^ listed)]
    failures += [f"{header}: {name} is not in {LISTED.name}"
                 for name in sorted(functions ^ {s.partition("@")[0] for s in listed})]
    # Tests call every function, so that the loss of one shows.
    tests = "".join(path.read_text() for path in HERE.glob("*.c"))
    failures += [f"{name} is called in no test" for name in sorted(functions) if not re.search(rf"\b{name}\(", tests)]
    for failure in failures:
        print(failure)
    print(f"{len(listed)} symbols, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
