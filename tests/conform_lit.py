#!/usr/bin/env python3
"""Runs the public scoreboard on the drop-in tools; fails if a suite passes less than conformance.json records.

    conform_lit.py SCOREBOARD TOOLS_DIR [SUITE...]     (default: all recorded suites)
"""
import json
import pathlib
import re
import subprocess
import sys

record = json.loads((pathlib.Path(__file__).resolve().parent / "conformance.json").read_text())["lit"]
suites = sys.argv[3:] or list(record)
chosen = [word for suite in suites for word in ("--suite", suite)]
board = subprocess.run(sys.argv[1:3] + chosen, capture_output=True, text=True).stdout
print(board, end="")
passed = {suite: int(n) for suite, n in re.findall(r"^(\w+) +(\d+) / \d+$", board, re.M)}
below = [f"{suite}: {passed.get(suite, 0)}, recorded {n}" for suite, n in record.items()
         if suite in suites and passed.get(suite, 0) < n]
if below:
    print("below the record in tests/conformance.json: " + "; ".join(below))
sys.exit(1 if below else 0)
