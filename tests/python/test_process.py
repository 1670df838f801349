"""Threads, forks, processes, and interpreters that end at any moment."""

import concurrent.futures
import gc
import multiprocessing
import os
import random
import subprocess
import sys
import time

import numpy as np
import pytest
import shlo
from conftest import TANH


def test_32_threads():
    program = shlo.loads(TANH)
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    expected = program["main"](x).tobytes(), program.bytes("shlo"), program.bytes("mlirbc")

    def work(number):
        for i in range(30):
            assert program["main"](x).tobytes() == expected[0]
            mine = shlo.loads(program.bytes("shlo"))
            assert (mine.bytes("shlo"), mine.bytes("mlirbc")) == expected[1:]
            assert mine == program and len(list(mine.ops())) == 4
            assert [len(v.uses) for v in program.main.arguments] == [2]
            with pytest.raises(shlo.ParseError):
                shlo.loads("bad" * i)
        return number

    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        assert list(pool.map(work, range(32))) == list(range(32))


def _in_process(program):
    return program["main"](np.zeros(4, np.float32)).tolist(), program.version


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_other_processes(method):
    program = shlo.loads(TANH)
    program["main"](np.zeros(4, np.float32))
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_in_process, [program] * 4) == [([0.0] * 4, program.version)] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_threads_run():
    program = shlo.loads(TANH)
    x = np.zeros(4, np.float32)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        running = [pool.submit(lambda: [program.eval(x) for _ in range(300)]) for _ in range(4)]
        for _ in range(5):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    code = 0 if program["main"](x).tolist() == [0] * 4 and shlo.loads(TANH) == program else 2
                finally:
                    os._exit(code)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        for future in running:
            future.result()


EXIT = """
import sys, threading, time
import numpy as np
import shlo
program = shlo.loads('''func.func @main(%x: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  %1 = "stablehlo.custom_call"(%0) {call_target_name = "mine"} : (tensor<96x96xf32>) -> tensor<96x96xf32>
  return %1 : tensor<96x96xf32>
}''')
x = np.ones((96, 96), np.float32)
def work():
    while True:
        program.eval(x, custom_calls={"mine": lambda a: a})
        shlo.loads(program.bytes("shlo")).text()
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
kept = [program, program.main, program.main.arguments, shlo.Tensor(x), shlo.Tensor(x).numpy(), shlo.prove(program, program)]
time.sleep(float(sys.argv[1]))
"""


def test_the_interpreter_ends_at_any_moment():
    rng = random.Random(1)
    running = [subprocess.Popen([sys.executable, "-c", EXIT, str(rng.random() * 0.05)], stderr=subprocess.PIPE) for _ in range(6)]
    for process in running:
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")


def test_an_atexit_handler_may_use_the_library():
    code = f"import atexit, shlo\np = shlo.loads({TANH!r})\natexit.register(lambda: print(p.op_count, len(p.bytes('shlo')) > 0))\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("4 True\n", "", 0)
    before = f"import atexit\ndef late():\n  import shlo\n  print(shlo.loads({TANH!r}).op_count)\natexit.register(late)\nimport shlo\n"
    done = subprocess.run([sys.executable, "-c", before], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("4\n", 0)


def _resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_nothing_leaks():
    data = shlo.loads(TANH).bytes("shlo")
    x = np.zeros(4, np.float32)

    def round_trip():
        program = shlo.loads(data)
        program["main"](x)
        program.convert("1.9.0")
        [op.attributes for op in program.ops()]
        try:
            shlo.loads("bad")
        except shlo.ParseError:
            pass

    for _ in range(200):
        round_trip()
    gc.collect()
    before = _resident()
    for _ in range(1000):
        round_trip()
    gc.collect()
    assert _resident() - before < 4 << 20


def test_import_is_light():
    code = "import sys, shlo; print([m for m in ('numpy', 'ml_dtypes', 'jax', 'inspect', 'dataclasses', 'tqdm') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert time.monotonic() > 0
