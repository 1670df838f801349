#!/usr/bin/env python3
"""What a file says cannot reach a sink of text unless it is escaped: code that tries does not compile.

    unprintable_test.py COMPILER [FLAG ...]

The same code with the lines that compile must compile. Closes with 'N passed, N failed'.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = """#include "base/printable.h"
namespace shlo {
void Print(const TerminalText& text);
void Write(const XmlText& text);
void Use(const std::string& name, const char* word) {
  TerminalText text;
  %s;
}
}
"""
GOOD = ["Print(TerminalText::Of(\"{}: {}\\n\", NameText(name), 1))", "Print(TerminalText(\"done\\n\"))", "text.Add(\"{}\", word)", "text += \"\\n\"",
        "text.Add(\"{}{}\", SymbolText(name), text)", "Write(XmlText::Lines(text.str()))", "CommandText::Of(\"{}\", PropertyText::Of(\"{}\", name))"]
BAD = [
    "Print(name)", "Print(word)", "Print(\"a\" + name)", "Print(fmt::format(\"{}\", name))", "text += name", "text = word", "text += word",
    "text += fmt::format(\"@{}: equal\\n\", name)", "TerminalText other(name)", "TerminalText other(word)", "Literal literal(word)", "Literal literal(name.c_str())",
    "text.Add(\"@{}: equal\\n\", name)", "text.Add(\"in @{}\", SymbolText(name))", "text.Add(name)", "text.Add(word, 1)", "text.Add(\"{}\")", "text.Add(\"{:d}\", name)",
    "(void)fmt::format(\"{}\", text)", "std::string out = text", "Write(text)", "Print(XmlText())", "Write(XmlText::Of(\"{}\", text))", "text + XmlText()",
    "MarkdownText::Of(\"{}\", text)", "CommandText::Of(\"{}\", text)", "PropertyText::Of(\"{}\", CommandText())", "text.Add(\"{}\", name.begin())",
]


def compiles(line):
    command = [sys.argv[1], *sys.argv[2:], "-std=c++20", "-fsyntax-only", "-w", "-I", "include", "-I", "lib", "-x", "c++", "-"]
    return subprocess.run(command, input=SOURCE % line, capture_output=True, text=True, cwd=ROOT).returncode == 0


def main():
    jobs = [(";\n  ".join(GOOD), True)] + [(line, False) for line in BAD]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        found = list(pool.map(lambda job: compiles(job[0]), jobs))
    failures = [line for (line, wanted), compiled in zip(jobs, found) if compiled != wanted]
    for line in failures:
        print("FAILED:", line)
    print(f"{len(jobs) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
