#!/usr/bin/env python3
"""The tool and the C API make the same bytes: same_bytes_test.py TOOL LIBRARY [--count N]

Generated programs are converted to several versions and written in every format, and documents are compared.
"""
import argparse
import ctypes
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "generator"), str(ROOT / "examples" / "python-ctypes")]
from generate import make_program
from shlo_ctypes import MLIRBC, SHLO, TEXT, Error, Shlo

# --emit, the ending of the outputs, and the options that mean the same.
FORMATS = {"text": (".mlir", {"format": TEXT}), "generic": (".mlir", {"format": TEXT, "generic": 1}),
           "vhlo": (".mlir", {"format": TEXT, "vhlo": 1}), "shlo": (".shlo", {"format": SHLO}),
           "mlirbc": (".mlirbc", {"format": MLIRBC})}
# No target, one before portable artifacts may hold other dialects, and one of today.
TARGETS = [None, "0.17.0", "1.10.0"]


class Failures:
    def __init__(self):
        self.count, self.checks, self.written = 0, 0, 0

    def check(self, what, same):
        self.checks += 1
        if not same:
            self.count += 1
            print(f"{what}: the tool and the library differ")


def convert_all(tool, shlo, files, folder, failures):
    for emit, (ending, options) in FORMATS.items():
        for target in TARGETS:
            number = ctypes.c_uint32(0)
            if target:
                shlo.call("shlo_version_parse", target.encode(), None, ctypes.byref(number))
            out = folder / f"{emit}_{target}"
            command = [tool, "--keep-going", f"--emit={emit}", f"--out-dir={out}", "--allow-outside-window"]
            subprocess.run(command + ([f"--target={target}"] if target else []) + [str(f) for f in files],
                           capture_output=True)
            for path in files:
                made = out / (path.stem + ending)
                program = shlo.read_file(path)
                try:
                    converted = shlo.convert(program, number.value, allow_outside_window=1, portable=int(emit == "mlirbc"))
                    try:
                        ours = shlo.write(converted, **options)
                        again = ours if emit != "mlirbc" else shlo.write(
                            plain := shlo.convert(program, number.value, allow_outside_window=1), **options)
                        if emit == "mlirbc":
                            shlo.release(plain)
                            failures.check(f"{path.name} {emit} {target}, portable when written", again == ours)
                    finally:
                        shlo.release(converted)
                except Error:
                    ours = None
                shlo.release(program)
                theirs = made.read_bytes() if made.exists() else None
                failures.check(f"{path.name} {emit} {target}", ours == theirs)
                failures.written += ours is not None


def documents(tool, shlo, files, failures):
    def run(*args):
        return subprocess.run([tool, *map(str, args)], capture_output=True).stdout
    name = [str(f).encode() for f in files]
    for path, encoded in zip(files, name):
        failures.check(f"inspect {path.name}",
                       run("inspect", "--json", path) == shlo.buffer("shlo_inspect_file_json", encoded, None))
        failures.check(f"verify {path.name}",
                       run("verify", "--json", path) == shlo.buffer("shlo_verify_file_json", encoded, None))
    for a, b in zip(files, files[1:]):
        first, second = shlo.read_file(a), shlo.read_file(b)
        failures.check(f"diff {a.name} {b.name}", run("diff", "--json", a, b) ==
                       shlo.buffer("shlo_diff", first, second, None, None))
        proof = shlo.handle("shlo_prove", first, second, None)
        failures.check(f"prove {a.name} {b.name}", run("prove", "--json", a, b) ==
                       shlo.buffer("shlo_proof_json", proof))
        shlo.lib.shlo_proof_free(proof)
        shlo.release(first)
        shlo.release(second)
    missing = files[0].with_name("no_such_file.mlir")
    failures.check("inspect a file that is missing", run("inspect", "--json", missing) ==
                   shlo.buffer("shlo_inspect_file_json", str(missing).encode(), None))
    for words in ([], ["gather"], ["vhlo.add_v1"]):
        failures.check(f"ops {words}", run("ops", "--json", *words) ==
                       shlo.buffer("shlo_ops_json", words[0].encode() if words else None))
    for words in ([], ["1.9.0"], ["1.0.0..1.9.0"], ["..0.17.0"]):
        failures.check(f"versions {words}", run("versions", "--json", *words) ==
                       shlo.buffer("shlo_versions_json", words[0].encode() if words else None, None))
    for words in ([], ["invalid"]):
        failures.check(f"rules {words}", run("rules", "--json", *words) ==
                       shlo.buffer("shlo_rules_json", words[0].encode() if words else None))
    paths = (ctypes.c_char_p * len(name))(*name)
    failures.check("check", run("check", "--json", "--no-policy", *files) ==
                   shlo.buffer("shlo_check", paths, ctypes.c_size_t(len(name)), None, None))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_args()
    shlo, failures = Shlo(args.library), Failures()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [folder / f"program_{i:05}.mlir" for i in range(args.count)]
        for i, path in enumerate(files):
            path.write_text(make_program(i)[0])
        convert_all(args.tool, shlo, files, folder, failures)
        documents(args.tool, shlo, files[:40], failures)
    # Two refusals are the same, too.
    failures.check("programs that are written", failures.written >= args.count * len(FORMATS))
    print(f"{args.count} programs, {failures.written} files, {failures.checks} comparisons, {failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main())
