#!/usr/bin/env python3
"""Builds and runs an example of another language: languages_test.py rust|go|python LIBRARY INCLUDE FOLDER

The example converts examples/model.mlir as the command does, or is refused for the same reason.
"""
import os
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
MODEL = EXAMPLES / "model.mlir"
REASON = "attribute 'result_accuracy' must have its default value [blocked]"


def built(language, library, include, folder):
    """Returns the command of the example, and the environment that finds the library."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    program = folder / f"example_{language}"
    if language == "rust":
        subprocess.run(["rustc", "-O", "-D", "warnings", "-L", str(library.parent), "-l", "shlo", "-o", program,
                        EXAMPLES / "rust" / "example.rs"], check=True)
    elif language == "go":
        subprocess.run(["go", "vet", "."], cwd=EXAMPLES / "go", check=True,
                       env={**environment, "CGO_CFLAGS": f"-I{include}", "CGO_LDFLAGS": f"-L{library.parent}"})
        subprocess.run(["go", "build", "-o", program, "."], cwd=EXAMPLES / "go", check=True,
                       env={**environment, "CGO_CFLAGS": f"-I{include}", "CGO_LDFLAGS": f"-L{library.parent}"})
    else:
        return [sys.executable, EXAMPLES / "python-ctypes" / "example.py", library], environment
    return [program], environment


def main():
    language, library, include, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    folder.mkdir(parents=True, exist_ok=True)
    command, environment = built(language, library.resolve(), include.resolve(), folder.resolve())

    def run(version):
        return subprocess.run([*command, MODEL, version], capture_output=True, text=True, env=environment)
    done, refused = run("1.10.0"), run("1.9.0")
    expected = "[7.0, 7.0, 16.0, 14.5]" if language == "python" else 'stablehlo.compat_version = 63'
    failures = []
    if done.returncode != 0 or expected not in done.stdout:
        failures.append(f"1.10.0: {done}")
    if refused.returncode != 1 or REASON not in refused.stdout:
        failures.append(f"1.9.0: {refused}")
    for failure in failures:
        print(failure)
    print(f"{language}: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
