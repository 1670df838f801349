"""Loads programs again and again, from every format, and checks that the memory of the process does not grow.

    leaks.py [--loads 10000] [--threads 1] [--exits 0]

Every tenth load also converts, evaluates, writes, walks and pickles the program, and makes errors. With --exits N, N
interpreters end at a random moment while four threads work; all must end with code 0 and print nothing. Run by hand with
the package of a build on PYTHONPATH; under valgrind, with fewer loads and PYTHONMALLOC=malloc:

    valgrind --leak-check=full --errors-for-leak-kinds=definite python leaks.py --loads 200
"""

import argparse
import concurrent.futures
import gc
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import warnings

import shlo

TEXT = """func.func @main(%x: tensor<4xf32>, %y: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  %3 = stablehlo.dot_general %y, %2, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<4xf32>, tensor<8xf32>
}"""


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def work(data, arguments, deep):
    """Uses a program, and all of it if `deep`."""
    program = shlo.loads(data)
    if not deep:
        return
    program.eval(*arguments)
    program.convert("1.9.0", allow_outside_window=True).bytes("mlirbc")
    pickle.loads(pickle.dumps(program))
    [(op.attributes, op.location, [value.type for value in op.operands]) for op in program.ops()]
    for wrong in (data[: len(data) // 2], "bad"):
        try:
            shlo.loads(wrong)
        except shlo.ShloError:
            pass


def grows(name, data, arguments, loads, threads):
    """Prints and returns by how many bytes the process grows with `loads` more loads after as many."""

    def some(count):
        for i in range(count):
            work(data, arguments, i % 10 == 0)

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        parts = [loads // threads] * threads
        list(pool.map(some, parts))  # caches fill, and the memory of each thread
        gc.collect()
        before = resident()
        list(pool.map(some, parts))
        gc.collect()
        growth = resident() - before
    print(f"{name:10} {loads} loads on {threads} threads: {growth / 1024:.0f} KiB more", flush=True)
    return growth


def exits(count):
    """Ends interpreters at random moments."""
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    from test_process import EXIT

    rng, wrong = random.Random(2), 0
    for first in range(0, count, 8):
        running = [
            subprocess.Popen([sys.executable, "-c", EXIT, str(rng.random() * 0.2)], stderr=subprocess.PIPE)
            for _ in range(min(8, count - first))
        ]
        for process in running:
            _, err = process.communicate(timeout=120)
            if (process.returncode, err) != (0, b""):
                wrong += 1
                print(f"exit code {process.returncode}: {err.decode()[-500:]}")
    print(f"{count} interpreters ended, {wrong} of them wrongly", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--loads", type=int, default=10000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--exits", type=int, default=0)
    parser.add_argument("--limit", type=int, default=2048, help="KiB by which the process may grow")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    program = shlo.loads(TEXT)
    forms = {"text": TEXT.encode(), "mlirbc": program.bytes("mlirbc"), "plain": program.bytes("mlirbc", plain=True), "shlo": program.bytes("shlo")}
    writer = os.environ.get("SHLO_WRITE_CONTAINERS")
    arguments = [shlo.Tensor.random(str(value.type), 1) for value in program.main.arguments]
    bad = [name for name, data in forms.items() if grows(name, data, arguments, options.loads, options.threads) > options.limit << 10]
    if writer:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([writer, folder], check=True)
            for path in sorted(pathlib.Path(folder).iterdir()):
                before = resident()
                for _ in range(options.loads // 10):
                    try:
                        shlo.read(path)
                    except shlo.ShloError:
                        pass
                growth = resident() - before
                print(f"{path.name:10} {options.loads // 10} reads: {growth / 1024:.0f} KiB more", flush=True)
                if growth > options.limit << 10:
                    bad.append(path.name)
    wrong = exits(options.exits) if options.exits else 0
    print("grows: " + ", ".join(bad) if bad else "nothing grows")
    return 1 if bad or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
