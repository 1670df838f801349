#!/usr/bin/env python3
"""Runs a scoreboard of programs or consumers from outside of this project, and compares its counts with conformance.json.

    scoreboard.py real COMMAND...         (also real12) one line per check: "name  PASSED / ALL  failures"
    scoreboard.py timemachine COMMAND...  one line per wheel: "JAXLIB RELEASE  forward N/ALL (known K)  text N/ALL ..."

Every recorded count that the board printed must be reached. Prints what the board prints.
"""
import json
import re
import subprocess
import sys

import conform


def real(lines):
    """{check: passed}"""
    found = [re.match(r"(\w+) +(\d+) / +\d+\b", line) for line in lines]
    return {m[1]: int(m[2]) for m in found if m}


def timemachine(lines):
    """{wheel: {column: passed}}; a known fault of a reader counts as passed."""
    counts = {}
    for line in lines:
        head = re.match(r"([\d.]+) [\d.]+  ", line)
        if not head:
            continue
        columns = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)/\d+", line)}
        known = re.search(r"\(known (\d+)\)", line)
        if known:
            columns["forward"] += int(known[1])
        counts[head[1]] = columns
    return counts


def below(name, recorded, counts):
    """The counts that fell, as text."""
    if isinstance(recorded, dict):
        return [text for key in recorded if key in counts for text in below(f"{name} {key}".strip(), recorded[key], counts[key])]
    return [f"{name} {counts}, recorded {recorded}"] if counts < recorded else []


def main():
    board, command = sys.argv[1], sys.argv[2:]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    sys.stdout.write(done.stdout)
    counts = (timemachine if board == "timemachine" else real)(done.stdout.splitlines())
    if not counts:
        sys.exit(f"{board}: the scoreboard printed no counts (exit code {done.returncode})")
    fallen = below("", json.loads(conform.RECORD.read_text())[board], counts)
    if fallen:
        sys.exit(f"{board}: below the record in tests/{conform.RECORD.name}: " + "; ".join(fallen))
    print(f"{board}: nothing below the record")


if __name__ == "__main__":
    main()
