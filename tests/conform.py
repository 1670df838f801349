"""What the scripts conform_*.py share: their arguments, and the record of how many must pass."""
import argparse
import json
import os
import pathlib

RECORD = pathlib.Path(__file__).resolve().parent / "conformance.json"


def arguments(description, folder, section):
    """The arguments, with the tool as an absolute path; and the section of the record. `folder` is the option that
    names where the suites are."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument(folder, required=True, type=pathlib.Path)
    parser.add_argument("--match", default="", help="only files whose names hold this; nothing is compared")
    args = parser.parse_args()
    args.tool = os.path.abspath(args.tool)
    return args, json.loads(RECORD.read_text()).get(section, {})


def verdict(args, below):
    """The exit code; `below` says what passed less often than recorded."""
    if args.match or not below:
        return 0
    print(f"below the record in tests/{RECORD.name}: " + "; ".join(below))
    return 1
