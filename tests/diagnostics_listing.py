"""Lists every text of ours that a user can see: messages, hints, help and the build's own errors.

    diagnostics_listing.py            compares with tests/diagnostics.txt; exit code 1 if they differ
    diagnostics_listing.py --bless    rewrites tests/diagnostics.txt

A text is a string literal in lib, tools or include that has at least two words, or one word in a call that makes a
diagnostic. The listing has no line numbers, so that moving code does not change it; a reviewer sees each new text
next to the others of its file. The second part holds what mirrors the reference implementation: users match those
texts, so they are not ours to improve.
"""

import argparse
import difflib
import pathlib
import re
import sys

import cpp_lexer

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTING = ROOT / "tests" / "diagnostics.txt"
FOLDERS = ("include", "lib", "tools")

# Files whose texts are the reference implementation's, with few exceptions. Elsewhere a literal is marked with a
# comment on its line or above it.
MIRRORED = re.compile(
    r"lib/ir/verify/(rules/|shardings|type_invariants|row_checks|verify\.)|lib/serialize/text/(form|reader|lexer)"
)
MARK = "Mirrors MLIR"
# Calls whose first text is a message even when it is a single word.
DIAGNOSTIC = re.compile(r"^(Fail\w*|fail|Error\w*|\w*Error|Invalid\w*|Malformed|Bad|Warn\w*|Add(Reason|Loss)|Refuse)$")

_WORDS = re.compile(r"[A-Za-z]{2,}\S*\s+(\S+\s+)*?\S*[A-Za-z]{2,}|[A-Za-z]{3,}\S* \{|\} [a-z]{2,}")
_WORD = re.compile(r"[A-Za-z]{3,}")


def sources():
    """The C++ files with texts for users: no tests, no fuzz targets, no test data."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cc", ".h", ".inc"):
                continue
            if re.search(r"_(test|fuzz)\.|/test_|/naive/|/invalid_cases\.h", str(path)):
                continue
            yield path


def is_text(literal):
    if _WORDS.search(literal.text):
        return True
    return bool(literal.calls and DIAGNOSTIC.match(literal.calls[0]) and _WORD.search(literal.text))


def is_sql(path, literal):
    """Statements of the catalog are for SQLite."""
    words = literal.text.split()
    return path.name in ("catalog.cc", "sqlite.cc") and words[0].isupper() and "{}" not in words


def is_mirrored(path, literal):
    return bool(MIRRORED.match(str(path)) or MARK in literal.comment)


def is_diagnostic(literal):
    return any(DIAGNOSTIC.match(call) for call in literal.calls[:2])


def literals_of(path):
    """Yields the Literals of a source that are texts."""
    for literal in cpp_lexer.literals(path.read_text(), str(path.relative_to(ROOT))):
        # Names of laws are in the tables that laws are derived from.
        if is_text(literal) and literal.calls[:1] != ["SHLO_LAW_RECORD"] and not is_sql(path, literal):
            yield literal


def texts():
    """Yields (path from the root, Literal, mirrored) of every text."""
    for path in sources():
        name = path.relative_to(ROOT)
        for literal in literals_of(path):
            yield name, literal, is_mirrored(name, literal)


def _escape(text):
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\x1b", "\\e")
    return text if text == text.strip() else f'"{text}"'  # so that spaces at its ends are seen


def listing():
    parts = {False: set(), True: set()}
    for name, literal, mirrored in texts():
        parts[mirrored].add(f"{name}: {_escape(literal.text)}")
    lines = ["# Written by ./dev bless from the sources; the diff is the review (tests/diagnostics_listing.py)."]
    lines += ["", "# Texts of ours", *sorted(parts[False])]
    lines += ["", "# Texts that mirror the reference implementation", *sorted(parts[True])]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bless", action="store_true")
    arguments = parser.parse_args()
    new = listing()
    if arguments.bless:
        LISTING.write_text(new)
        return 0
    old = LISTING.read_text() if LISTING.exists() else ""
    if old == new:
        return 0
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), "tests/diagnostics.txt", "the sources", lineterm="", n=0)
    print("\n".join(diff))
    print("texts changed: run ./dev bless, and read the diff of tests/diagnostics.txt")
    return 1


if __name__ == "__main__":
    sys.exit(main())
