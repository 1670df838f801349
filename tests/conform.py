"""Shared by conform_*.py: command-line arguments, and the record of how many cases must pass."""
import argparse
import json
import os
import pathlib

RECORD = pathlib.Path(__file__).resolve().parent / "conformance.json"


def arguments(description, folder, section):
    """Returns the arguments, with the tool as an absolute path, and the section of the record. `folder` is the name of
    the option for the directory of the suites."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument(folder, required=True, type=pathlib.Path)
    parser.add_argument("--match", default="", help="only files whose names contain this; skips the comparison with the record")
    args = parser.parse_args()
    args.tool = os.path.abspath(args.tool)
    return args, json.loads(RECORD.read_text()).get(section, {})


def verdict(args, below):
    """Prints the suites that pass less than recorded, `below`, and returns the exit code."""
    if args.match or not below:
        return 0
    print(f"below the record in tests/{RECORD.name}: " + "; ".join(below))
    return 1
