#!/usr/bin/env python3
"""Compiles each header of include/shlo alone, and compares the names that they declare with public_names.txt:
public_headers_test.py CXX FLAG... [--bless]

The listing makes a change of the C++ API visible in a review. --bless writes it again.
"""
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import cpp_lexer

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = HERE.parent / "include" / "shlo"
LISTED = HERE / "public_names.txt"
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


def balanced(tokens, at, closing=None):
    """Returns the position after the bracket that matches the one at `at`."""
    depth = 0
    while True:
        depth += (tokens[at] == "<" if closing else tokens[at] in OPEN) - (tokens[at] == closing if closing else tokens[at] in CLOSE)
        at += 1
        if depth == 0:
            return at


def declared_name(words):
    """Returns the name that a declaration declares: a function's, or a variable's."""
    while words[0] == "[":
        words = words[balanced(words, 0) :]
    if "operator" in words:
        at = words.index("operator")
        end = words.index("(", at + 2)
        return "operator" + "".join(words[at + 1 : end])
    depth = 0
    for i, word in enumerate(words):
        depth += (word == "<") - (word == ">")
        if word == "(" and words[i + 1] == "*" and depth == 0:  # a pointer to a function
            return words[i + 2]
        if word == "(" and depth == 0 and i and words[i - 1] not in ("alignas", "requires"):
            return ("~" if i > 1 and words[i - 2] == "~" else "") + words[i - 1]
        if word in ("=", "{", "[", ",") and depth == 0:
            words = words[:i]
            break
    return words[-1]


def names(tokens, at=0, scope="", public=True):
    """Yields the names that are declared from `at` on, up to the end of the scope; finally the position after it."""
    begin = at
    while at < len(tokens) and tokens[at] != "}":
        word, following = tokens[at], tokens[at + 1 : at + 2]
        if at == begin and word in ("public", "private", "protected") and following == [":"]:
            public, at = word == "public", at + 2
        elif at == begin and word == "template":
            at = balanced(tokens, at + 1, ">")
        elif word == "(" or word == "[":
            at = balanced(tokens, at)
            continue
        elif word == ";":
            found = tokens[begin:at]
            if found and public and found[0] not in ("friend", "static_assert") and not (found[0] in ("class", "struct", "enum") and len(found) == 2):
                yield scope + (found[1] if found[0] == "using" else declared_name(found))
            at += 1
        elif word == "{":
            head = tokens[begin:at]
            kind = next((w for w in head[:1] if w in ("namespace", "class", "struct", "enum", "extern")), None)
            if kind in ("namespace", "extern") or kind and "(" not in head:
                name = [w for w in head[1:] if w not in ("class", "final")][:1]
                inner = scope + "".join(name) + "::" if kind != "extern" else scope
                if kind != "namespace" and public and name and kind != "extern":
                    yield scope + name[0]
                if kind == "enum" or not public:
                    at = balanced(tokens, at)
                else:
                    for found in names(tokens, at + 1, inner, kind != "class"):
                        if isinstance(found, int):
                            at = found
                        else:
                            yield found
                if tokens[at : at + 1] == [";"]:
                    at += 1
            else:
                end = balanced(tokens, at)
                if "(" not in head:  # a variable, or a function without a body yet
                    at = end
                    continue
                if public and head[0] != "friend":
                    yield scope + declared_name(head)
                at = end + (tokens[end : end + 1] == [";"])
        else:
            at += 1
            continue
        begin = at
    yield at + 1


def listing():
    lines = []
    for header in sorted(HEADERS.glob("*.h")):
        if header.name == "shlo.h":  # C: capi/symbols.txt
            continue
        tokens = [t.text if t.kind != "string" else '""' for t in cpp_lexer.tokens(header.read_text(), header.name) if t.kind != "comment"]
        found = {name for name in names(tokens) if isinstance(name, str) and "::SHLO_" not in name}
        lines += [f"{header.name}: {name}\n" for name in sorted(found)]
    return "".join(lines)


def compiles(command, header):
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=f"#include <shlo/{header}>\n", text=True,
                          capture_output=True, check=False)
    return "" if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr}"


def main():
    command = [a for a in sys.argv[1:] if a != "--bless"]
    now = listing()
    if "--bless" in sys.argv:
        LISTED.write_text(now)
    old, new = set(LISTED.read_text().splitlines()), set(now.splitlines())
    failures = [f"{'no longer declared' if name in old else 'new'}: {name}" for name in sorted(old ^ new)]
    if failures:
        failures.append("run it with --bless, and review the change of public_names.txt")
    command += ["-std=c++20", "-I", str(HEADERS.parent), "-I", str(HEADERS.parent.parent)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        failures += filter(None, pool.map(lambda header: compiles(command, header.name), sorted(HEADERS.glob("*.h"))))
    for failure in failures:
        print(failure)
    print(f"{len(new)} names, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
