#!/usr/bin/env python3
"""Compares evaluation with XLA on the CPU: generated programs, the same arguments, results bit by bit.

    xla_diff.py TOOL [--count N] [--seed S] [--keep DIR]

Needs jax and numpy; not part of ctest. Programs are chains of ops with exactly defined results, and at most
one other op at the end (transcendental functions, compared within the ULP of LIMITS). CLASSES lists the permitted
differences; a program may differ only in these. Ends with the number of programs, of differences by class, and of
failures; exit code 1 if there are failures.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import ml_dtypes
import numpy as np

from xla_programs import FLOATS, TYPES, make_program

jax.config.update("jax_enable_x64", True)
np.seterr(all="ignore")

# Permitted difference of results, in ULP of the element type.
LIMITS = {"f16": 2, "bf16": 2, "f32": 8, "f64": 8, "complex<f32>": 64, "complex<f64>": 64}

# Differences that are not a bug of either side.
CLASSES = {
    "subnormal": "XLA flushes subnormal operands and results to zero; here they are kept, as IEEE 754 says",
    "nan bits": "both are NaN; the specification leaves the payload open",
    "zero sign": "zeros of either sign: maximum and minimum of XLA on CPU, and its powers, do not order them",
    "integer division": "division by zero and the least integer by -1 are left open by the specification",
    "shift": "shifts by the width or more are left open",
    "float to integer": "conversion of what the integer type does not have is left open",
    "ulp": "functions that are approximated: within LIMITS of each other",
    "complex special": "complex functions at infinities, NaN and where parts over- or underflow: C99 annex G here",
}


# --- Comparison -----------------------------------------------------------------------------------

def ordered(a):
    """Maps floats to integers whose differences are ULP."""
    unsigned = {2: np.uint16, 4: np.uint32, 8: np.uint64}[a.dtype.itemsize]
    bits = a.view(unsigned).astype(object) if a.dtype.itemsize == 8 else a.view(unsigned).astype(np.int64)
    top = 1 << (8 * a.dtype.itemsize - 1)
    return np.where(bits >= top, top - bits, bits)


def classes_of(program, ours, theirs, element):
    """Returns the classes that explain all differences, or None if a difference is unexplained."""
    ops = " ".join(program.ops)
    if ours.dtype.kind == "c":
        part = "f32" if ours.dtype == np.complex64 else "f64"
        a = np.stack([ours.real, ours.imag]).astype(FLOATS[part])
        b = np.stack([theirs.real, theirs.imag]).astype(FLOATS[part])
        return float_classes(program, a, b, element, complex_values=(ours, theirs))
    if element in FLOATS:
        return float_classes(program, ours, theirs, element)
    found = set()
    if np.array_equal(ours, theirs):
        return found
    if "divide" in ops or "remainder" in ops:
        found.add("integer division")
    if "shift" in ops:
        found.add("shift")
    if "convert" in ops:
        found.add("float to integer")
    if "bitcast" in ops or "compare" in ops:
        found.add("nan bits") if any(e in FLOATS for _, _, e in program.args) else None
    return found or None


def float_classes(program, a, b, element, complex_values=None):
    found = set()
    ops = " ".join(program.ops)
    unsigned = {2: np.uint16, 4: np.uint32, 8: np.uint64}[a.dtype.itemsize]
    different = np.ascontiguousarray(a).view(unsigned) != np.ascontiguousarray(b).view(unsigned)
    if not different.any():
        return found
    a, b = np.ascontiguousarray(a)[different], np.ascontiguousarray(b)[different]
    nan = np.isnan(a) & np.isnan(b)
    if nan.any():
        found.add("nan bits")
    a, b = a[~nan], b[~nan]
    tiny = float(ml_dtypes.finfo(a.dtype).smallest_normal)
    wa, wb = a.astype(np.float64), b.astype(np.float64)
    flushed = (np.abs(wa) <= tiny * 1.01) & (np.abs(wb) <= tiny * 1.01) & (wa != wb)
    if flushed.any():
        found.add("subnormal")
    zeros = (wa == 0) & (wb == 0)
    if zeros.any():
        found.add("zero sign")
    rest = ~(flushed | zeros)
    a, b = a[rest], b[rest]
    if not len(a):
        return found
    if program.inexact is None:
        return None
    special = np.isnan(a) | np.isnan(b) | np.isinf(a) | np.isinf(b)
    if special.any():
        if complex_values is None:
            return None
        found.add("complex special")
        a, b = a[~special], b[~special]
        if not len(a):
            return found
    distance = np.abs(ordered(a) - ordered(b))
    if complex_values is not None:
        # Parts near a zero of the function are as inaccurate as the larger part allows.
        scale = max(float(np.max(np.abs(v[np.isfinite(v)]), initial=0)) for v in complex_values)
        eps = float(ml_dtypes.finfo(a.dtype).eps)
        distance = np.where(np.abs(a.astype(np.float64) - b) <= 64 * eps * scale, 0, distance)
    if int(distance.max()) <= LIMITS[element]:
        found.add("ulp")
        return found
    return None


# --- Both sides -----------------------------------------------------------------------------------

class Xla:
    def __init__(self):
        from jax._src import xla_bridge
        from jax._src.lib import xla_client
        self.client = xla_client
        self.backend = xla_bridge.get_backend("cpu")
        self.devices = xla_client.DeviceList(tuple(self.backend.local_devices()[:1]))

    def run(self, text, data):
        executable = self.backend.compile_and_load(text, self.devices, self.client.CompileOptions())
        out = executable.execute_sharded([jax.device_put(d) for d in data])
        return [np.asarray(o[0]) for o in out.disassemble_into_single_device_arrays()]


def bits_of(array):
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


class Tool:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def run(self, text, data, dtype):
        program, inputs, outputs = (os.path.join(self.folder, n) for n in ("p.mlir", "in.npz", "out.npz"))
        pathlib.Path(program).write_text(text)
        command = [self.tool, "eval", program, "--outputs", outputs]
        if data:
            np.savez(inputs, **{f"arg{i}": bits_of(d) for i, d in enumerate(data)})
            command += ["--inputs", inputs]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[:500])
        with np.load(outputs) as file:
            array = file["result0"]
        return array.view(dtype) if array.dtype != dtype else array


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="folder for the programs that fail")
    args = parser.parse_args()
    xla = Xla()
    counts, used, failures, refused = collections.Counter(), collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(os.path.abspath(args.tool), folder)
        for seed in range(args.seed, args.seed + args.count):
            program, results, text = make_program(seed)
            element = results[0][2]
            used.update(program.ops)
            try:
                theirs = xla.run(text, program.data)[0]
            except Exception as error:  # XLA does not support the program
                refused += 1
                print(f"seed {seed}: XLA: {str(error).splitlines()[0][:150]}", flush=True)
                continue
            problem = None
            try:
                ours = tool.run(text, program.data, np.dtype(TYPES[element]))
                classes = set()
                if ours.shape != theirs.shape:
                    problem = f"shapes {ours.shape} and {theirs.shape}"
                elif ours.tobytes() != theirs.astype(ours.dtype).tobytes():
                    classes = classes_of(program, ours, theirs, element)
                    if classes is None:
                        problem = "results differ"
                for name in classes or ():
                    counts[name] += 1
                if not classes and not problem:
                    counts["bit for bit"] += 1
            except RuntimeError as error:
                problem = str(error)
            if problem:
                failures += 1
                print(f"seed {seed}: {', '.join(program.ops)}: {problem}", flush=True)
                if problem == "results differ":
                    flat, other = ours.ravel(), theirs.ravel()
                    at = [i for i in range(flat.size) if flat[i:i + 1].tobytes() != other[i:i + 1].tobytes()][:3]
                    print(f"    {element}: {[(flat[i], other[i]) for i in at]}", flush=True)
                if args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    pathlib.Path(args.keep, f"{seed}.mlir").write_text(text)
                    np.savez(os.path.join(args.keep, f"{seed}.npz"),
                             **{f"arg{i}": bits_of(d) for i, d in enumerate(program.data)})
    for name, count in counts.most_common():
        print(f"{count:7} {name}" + (f": {CLASSES[name]}" if name in CLASSES else ""))
    print(f"{len(used)} ops in use; {args.count} programs, {refused} refused by XLA, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
