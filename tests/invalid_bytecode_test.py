#!/usr/bin/env python3
"""Checks that the tool rejects malformed artifacts: exit code 3 and the diagnostic of the case.

    invalid_bytecode_test.py TOOL WRITE_INVALID_BYTECODE
"""
import pathlib
import subprocess
import sys
import tempfile


def main():
    tool, write_files = sys.argv[1:]
    failures = cases = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_files, folder], check=True)
        for path in sorted(pathlib.Path(folder).glob("*.bc")):
            name, message = path.with_suffix(".txt").read_text().splitlines()
            done = subprocess.run([tool, "verify", str(path)], capture_output=True, text=True, errors="replace")
            cases += 1
            # A file without the magic bytes is not detected as bytecode and fails differently.
            other = not path.read_bytes().startswith(b"ML\xefR")
            if done.returncode != 3 or not (other or message in done.stderr):
                failures += 1
                print(f"{name}: exit code {done.returncode}: {done.stderr.strip()[:300]}")
    print(f"{cases} cases, {failures} failures")
    return 1 if failures or cases < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
