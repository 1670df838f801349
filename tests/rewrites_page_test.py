#!/usr/bin/env python3
"""Compares the table of docs/rewrites.md with the rewrites of the tool.

    rewrites_page_test.py TOOL [--bless]
"""
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).parent.parent / "docs/rewrites.md"
HEAD = "| Rewrite |"


def main():
    table = subprocess.run([sys.argv[1], "simplify", "--list"], capture_output=True, text=True, check=True).stdout
    text = PAGE.read_text()
    before = text[: text.index(HEAD)] if HEAD in text else text
    if "--bless" in sys.argv:
        PAGE.write_text(before + table)
    elif text != before + table:
        sys.exit(f"{PAGE.name} has another table than 'shlo-compat simplify --list'. Run rewrites_page_test.py TOOL --bless")


main()
