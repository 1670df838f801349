"""Shared by commands.py and instructions.py: the programs that they run commands on, and the command lines."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
THREE_LINES = "func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {\n  return %arg0 : tensor<2xi32>\n}\n"


def shlo_compat(tool, job, source, output, target):
    """Returns the command line of a job: the ending of the output, or what is done without one."""
    if job == "version":
        return [tool, "--version"]
    if job == "inspect":
        return [tool, "inspect", source]
    # The reference writes artifacts for a version; text and archives keep the version that the program has.
    return [tool, source, "-o", output, *([f"--target={target}"] if job == "mlirbc" else [])]


def reference(folder, job, source, output, target):
    """Returns the same job for the tools of the reference implementation in a folder, or None if they cannot do it."""
    opt, translate = (os.path.join(folder, name) for name in ("stablehlo-opt", "stablehlo-translate"))
    reads = pathlib.Path(source).suffix
    if job == "version":
        return [opt, "--version"]
    if (reads, job) == (".mlir", "mlirbc"):
        return [translate, "--serialize", f"--target={target}", source, "-o", output]
    if (reads, job) == (".mlirbc", "mlir"):
        return [translate, "--deserialize", source, "-o", output]
    if (reads, job) == (".mlir", "mlir"):
        return [opt, source, "-o", output]
    return None


def generate(generator, path, kind, size):
    """Writes the text of a generated program, under a temporary name until it is whole."""
    part = pathlib.Path(f"{path}.part")
    with open(part, "wb") as out:
        subprocess.run([generator, "--generate", kind, str(size)], stdout=out, check=True)
    part.rename(path)
