#!/usr/bin/env python3
"""Every artifact that lies is bad input for the tool, too: exit code 3, and the diagnostic that the lie has.

    lies_test.py TOOL WRITE_LIES
"""
import pathlib
import subprocess
import sys
import tempfile


def main():
    tool, write_lies = sys.argv[1:]
    failures = lies = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_lies, folder], check=True)
        for path in sorted(pathlib.Path(folder).glob("*.bc")):
            name, message = path.with_suffix(".txt").read_text().splitlines()
            done = subprocess.run([tool, "verify", str(path)], capture_output=True, text=True, errors="replace")
            lies += 1
            # Without its magic bytes a file is not taken for bytecode, and refused as something else.
            other = not path.read_bytes().startswith(b"ML\xefR")
            if done.returncode != 3 or not (other or message in done.stderr):
                failures += 1
                print(f"{name}: exit code {done.returncode}: {done.stderr.strip()[:300]}")
    print(f"{lies} lies, {failures} failures")
    return 1 if failures or lies < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
