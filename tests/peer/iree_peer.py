#!/usr/bin/env python3
"""Lets IREE compile what the tool writes, and compares what IREE computes with what `shlo-compat eval` does.

  iree_peer.py TOOL --programs DIR [--match RE] [--targets V,V,...]

Run it with a Python that has iree-base-compiler and iree-base-runtime. DIR has a folder for each program, with shipped.mlirbc, and in.npz
where it takes arguments. For each program, IREE's input conversion reads what a framework wrote, and what the tool makes of it: text,
generic text, and, for each target, text and a portable artifact. Each result that differs from the others is compiled for
the CPU and run. A program that IREE does not take as the framework wrote it is counted apart: the fault is not in the tool's output.

Where IREE's values for the original differ as well, the difference is printed, but it is not a fault of the tool's output.
Exit code 1 if IREE takes the original but not one of the variants, or if only a variant's values differ from those of eval.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile

import iree.runtime
import ml_dtypes
import numpy as np

DEVICE = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic"]
# IREE's own choice of an input type ("auto") refuses artifacts when the compilation stops after the input.
DEVICE += ["--iree-input-type=stablehlo"]
INPUT = ["--compile-to=input"]
# Differences that do not change what is computed: locations, and the version that the tool's text states.
IGNORED = re.compile(rb" loc\(.*|, stablehlo.compat_version = \d+ : i64|stablehlo.compat_version = \d+ : i64(, )?")


def run(*command, timeout=300):
    """Returns what went wrong in a line or two, or "" if nothing did."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"no end in {timeout} s"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace")
    errors = re.findall(r"error: .*", said)
    return errors[0][:240] if errors else f"exit code {done.returncode}: {said.strip()[-240:]}"


def iree_compile(source, out, *flags):
    program = os.path.join(os.path.dirname(sys.executable), "iree-compile")
    return run(program, source, "-o", out, *DEVICE, *flags)


def arrays(path):
    with np.load(path) as file:
        return [file[key] for key in sorted(file.files, key=lambda key: int("".join(filter(str.isdigit, key)) or 0))]


def run_iree(path, inputs):
    """Returns the results of @main of a compiled program."""
    config = iree.runtime.Config("local-sync")
    with open(path, "rb") as file:
        vm = iree.runtime.VmModule.copy_buffer(config.vm_instance, file.read())
    module = iree.runtime.load_vm_module(vm, config)
    given = [x.view(ml_dtypes.bfloat16) if x.dtype.kind == "V" and x.dtype.itemsize == 2 else x for x in inputs]
    results = module.main(*given)
    if results is None:
        return []
    return [np.asarray(x.to_host() if hasattr(x, "to_host") else x) for x in (results if isinstance(results, (list, tuple)) else [results])]


def difference(got, want):
    """Returns the largest difference, relative to the largest value; inf for integers that differ."""
    if got.shape != want.shape:
        return np.inf
    if got.dtype.kind == "V" or want.dtype.kind == "V":
        got, want = (x.view(ml_dtypes.bfloat16) if x.dtype.kind == "V" else x for x in (got, want))
    if want.dtype.kind in "biu":
        return 0.0 if np.array_equal(got, want) else np.inf
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    got, want = got.astype(wide), want.astype(wide)
    finite = np.isfinite(want)
    if not np.array_equal(finite, np.isfinite(got)) or not np.array_equal(got[~finite], want[~finite], equal_nan=True):
        return np.inf
    scale = np.abs(want[finite]).max(initial=0)
    return float(np.abs(got - want)[finite].max(initial=0) / (scale or 1))


class Board:
    def __init__(self, args):
        self.args = args
        self.work = tempfile.mkdtemp(prefix="iree-")
        self.passed, self.failed, self.refused = [], [], []

    def variants(self, shipped):
        """Yields (name, file, what went wrong) for each form in which the tool writes a program."""
        forms = [("text", [], ".mlir"), ("generic", ["--emit=generic"], ".mlir")]
        for target in self.args.targets.split(","):
            to = [f"--target={target}", "--allow-outside-window", "--allow-other-dialects", "--expand"]
            forms += [(f"text@{target}", to, ".mlir"), (f"artifact@{target}", [*to, "--emit=mlirbc"], ".mlirbc")]
        for name, flags, suffix in forms:
            path = f"{self.work}/{name}{suffix}"
            yield name, path, run(self.args.tool, *flags, "-o", path, shipped)

    def check(self, name, folder):
        shipped = f"{folder}/shipped.mlirbc"
        why = iree_compile(shipped, f"{self.work}/original.mlir", *INPUT) or iree_compile(shipped, f"{self.work}/original.vmfb")
        if why:
            print(f"{name}: IREE does not take the original: {why}", flush=True)
            self.refused.append(name)
            return
        inputs = arrays(f"{folder}/in.npz") if os.path.exists(f"{folder}/in.npz") else []
        outputs = f"{self.work}/eval.npz"
        given = ["--inputs", f"{folder}/in.npz"] if inputs else []
        why = run(self.args.tool, "eval", shipped, *given, "--outputs", outputs)
        want = None if why else arrays(outputs)
        faults, compiled, report, allowed = [], {}, [], self.args.tolerance
        for variant, path, wrong in [("original", shipped, ""), *self.variants(shipped)]:
            if wrong:
                report.append(f"{variant}: the tool refuses: {wrong}")
                continue
            wrong = iree_compile(path, f"{self.work}/input.mlir", *INPUT)
            if wrong:
                faults.append(f"{variant}: IREE does not take it: {wrong}")
                continue
            with open(f"{self.work}/input.mlir", "rb") as file:
                digest = hashlib.sha256(IGNORED.sub(b"", file.read())).hexdigest()
            if digest in compiled:
                continue
            wrong = iree_compile(path, f"{self.work}/out.vmfb")
            if wrong:
                faults.append(f"{variant}: IREE does not compile it: {wrong}")
                continue
            compiled[digest] = variant
            try:
                got = run_iree(f"{self.work}/out.vmfb", inputs)
            except Exception as error:  # IREE states what it could not do
                report.append(f"{variant}: IREE does not run it: {str(error)[:200]}")
                continue
            if want is None:
                continue
            worst = max(map(difference, got, want), default=0.0) if len(got) == len(want) else np.inf
            report.append(f"{variant}: differs by {worst:.1e}")
            if variant == "original":
                allowed = max(allowed, worst)
            elif not worst <= allowed:
                faults.append(f"{variant}: differs by {worst:.1e}")
        if want is None:
            report.append(f"not evaluated: {why}")
        (self.failed if faults else self.passed).append(name)
        print(f"{name}: {'FAIL ' + '; '.join(faults) if faults else 'ok'} ({'; '.join(report)})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--match", default=".")
    parser.add_argument("--targets", default="1.9.0,current")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    args = parser.parse_args()
    board = Board(args)
    for name in sorted(os.listdir(args.programs)):
        if os.path.isdir(f"{args.programs}/{name}") and re.search(args.match, name):
            board.check(name, f"{args.programs}/{name}")
    print(f"{len(board.passed)} passed, {len(board.failed)} failed, {len(board.refused)} that IREE does not take as the framework wrote them")
    sys.exit(1 if board.failed else 0)


main()
