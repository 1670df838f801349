#!/usr/bin/env python3
"""Compares an f32 matrix product on one core with NumPy's (OpenBLAS), alternating between both.

    dot.py [--bench build/release/bin/shlo_bench] [--size N] [--rounds N] [--core N]

Prints the best CPU time of each, which other processes affect less than wall time, and the ratio. With threadpoolctl
it names the kernel that OpenBLAS selected. Environment variables that change this selection are not passed on.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NUMPY = """
import sys, time
import numpy as np
n = int(sys.argv[1])
a, b = (np.random.default_rng(i).random((n, n), dtype=np.float32) for i in range(2))
best, start = 1e9, time.perf_counter()
while time.perf_counter() - start < 0.5:
    t = time.process_time()
    a @ b
    best = min(best, time.process_time() - t)
kernel = "numpy"
try:
    import threadpoolctl
    kernel = ", ".join(f"{p['internal_api']} {p.get('version')} {p.get('architecture')}" for p in threadpoolctl.threadpool_info())
except ImportError:
    pass
print(best * 1000, kernel)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/shlo_bench")
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--core", type=int, default=0)
    args = parser.parse_args()
    n = args.size
    os.sched_setaffinity(0, {args.core})
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    best = {"numpy": 1e9, "fast": 1e9, "exact": 1e9}
    kernel = "numpy"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "dot.mlir")
        t = f"tensor<{n}x{n}xf32>"
        program.write_text(f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n"
                           f"  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}\n"
                           f"  return %0 : {t}\n}}\n")

        def run(command):
            return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

        for _ in range(args.rounds):
            time, kernel = run([sys.executable, "-c", NUMPY, str(n)]).strip().split(" ", 1)
            best["numpy"] = min(best["numpy"], float(time))
            for mode in ("fast", "exact"):
                out = run([args.bench, "--eval", str(program)] + (["fast"] if mode == "fast" else []))
                best[mode] = min(best[mode], float(re.search(r"processor ([0-9.]+) ms", out)[1]))
    for name, ms in best.items():
        print(f"{kernel if name == 'numpy' else name:32} {ms:8.3f} ms {2 * n ** 3 / ms / 1e6:7.1f} GFLOP/s "
              f"{100 * best['numpy'] / ms:6.1f} %")


if __name__ == "__main__":
    main()
