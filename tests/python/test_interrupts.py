"""Signals that come while the library works: its calls end at once, and the next ones work."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import shlo

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")

# Calls @started in each iteration.
ENDLESS = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.while(%i = %x) : tensor<4xf32> cond {
    %true = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %true : tensor<i1>
  } do {
    %1 = stablehlo.custom_call @started(%i) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.while(%j = %1) : tensor<4xf32> cond {
      %true = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %true : tensor<i1>
    } do {
      stablehlo.return %j : tensor<4xf32>
    }
    stablehlo.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}"""
# Within 0.2 s on a machine that does nothing else; without interrupts, calls end after 60 s or never.
SOON = 5.0
LIMITS = shlo.Limits(timeout=60, max_work=float("inf"), max_steps=float("inf"))


class Interrupted(Exception):
    """Raised by a handler of a signal."""


@pytest.fixture
def interrupts():
    """Returns a function that makes a call, sends SIGUSR1, whose handler raises `Interrupted`, from another thread while it
    runs, and returns how long it took from the signal on. `started` is set when the call runs."""
    first = []

    def handler(number, frame):
        raise Interrupted

    before = signal.signal(signal.SIGUSR1, handler)

    def run(call, started=None):
        def send():
            if started is not None:
                started.wait(60)
            time.sleep(0.1)
            first.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGUSR1)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            with pytest.raises(Interrupted):
                call()
                sender.join()  # if the call was faster
        finally:
            sender.join()
        return time.monotonic() - first.pop()

    yield run
    signal.signal(signal.SIGUSR1, before)


def test_an_endless_evaluation_ends(interrupts):
    x = [1.0, 2.0, 3.0, 4.0]
    m = shlo.loads(ENDLESS)
    for _ in range(3):
        started = threading.Event()
        options = {"custom_calls": {"started": lambda v: started.set() or v}, "limits": LIMITS}
        assert interrupts(lambda: m.eval(x, **options), started) < SOON
    # Nothing is left of it.
    assert shlo.loads("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }").main(x).tolist() == x


def test_processes_of_a_grid_end(interrupts):
    m = shlo.loads(ENDLESS)
    x = [1.0, 2.0, 3.0, 4.0]
    started = threading.Event()
    options = {"custom_calls": {"started": lambda v: started.set() or v}, "limits": LIMITS, "replicas": 2}
    assert interrupts(lambda: m.eval(x, x, **options), started) < SOON


def test_one_large_op_ends(interrupts):
    m = shlo.loads("""func.func @main(%a: tensor<6000x6000xf32>) -> tensor<6000x6000xf32> {
      %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<6000x6000xf32>, tensor<6000x6000xf32>) -> tensor<6000x6000xf32>
      return %0 : tensor<6000x6000xf32>
    }""")
    import numpy as np

    a = np.ones((6000, 6000), np.float32)
    assert interrupts(lambda: m.eval(a)) < SOON


def chain(op, count):
    """Returns a program of many ops."""
    lines = ["func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {"]
    lines += [f"  %v{i + 1} = stablehlo.{op} %v{i} : tensor<4xf32>" for i in range(count)]
    return "\n".join([*lines, f"  return %v{count} : tensor<4xf32>", "}"])


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Programs whose ops take long, and a file of the first."""
    a, b = (shlo.loads(chain(op, 150_000)) for op in ("tanh", "sine"))
    path = tmp_path_factory.mktemp("large") / "a.mlir"
    path.write_text(a.text())
    return a, b, path


def repeated(call):
    """Calls for at least some seconds: the signal comes in the middle of a call, not of Python."""
    for _ in range(1000):
        call()


def test_every_kind_of_call_ends(interrupts, large):
    a, b, path = large
    text = path.read_text()
    for name, call in {
        "load": lambda: shlo.load(path),
        "loads": lambda: shlo.loads(text),
        "inspect": lambda: a.inspect(),
        "edit": lambda: a.edit().finish(),
        "verify": lambda: a.verify(),
        "convert": lambda: a.convert("1.9.0"),
        "text": lambda: a.text(),
        "bytes": lambda: a.bytes("shlo"),
        "diff": lambda: shlo.diff(a, b),
        "prove": lambda: shlo.prove(a, b, limits=LIMITS),
        "check": lambda: shlo.check([path]),
    }.items():
        took = interrupts(lambda: repeated(call))
        assert took < SOON, (name, took)
    assert a.verify() == []


def test_a_call_that_ends_by_itself_keeps_its_result():
    """The exception of a handler comes when the call has returned, if that is first."""
    m = shlo.loads("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }")
    counts = []
    before = signal.signal(signal.SIGALRM, lambda *_: counts.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        deadline = time.monotonic() + 0.5
        while time.monotonic() < deadline:
            assert m.main([1.0, 2.0, 3.0, 4.0]).tolist() == [1.0, 2.0, 3.0, 4.0]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert counts


def test_a_handler_that_raises_nothing_ends_nothing():
    m = shlo.loads(ENDLESS)
    counts = []
    before = signal.signal(signal.SIGALRM, lambda *_: counts.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        with pytest.raises(shlo.LimitError):
            m.eval([1.0] * 4, custom_calls={"started": lambda v: v}, limits=LIMITS._replace(timeout=1))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(counts) > 5  # handlers ran during the call


def test_many_files_end(tmp_path, interrupts, large):
    _, _, path = large
    for i in range(20):
        os.symlink(path, tmp_path / f"{i}.mlir")
    assert interrupts(lambda: list(shlo.load_many([tmp_path], jobs=2, progress=False))) < SOON


def test_a_check_of_many_files_ends(tmp_path, interrupts, large):
    """Also the work of the threads that help."""
    _, _, path = large
    for i in range(60):
        os.symlink(path, tmp_path / f"{i}.mlir")
    assert interrupts(lambda: shlo.check([tmp_path])) < SOON


def test_ctrl_c_raises_keyboard_interrupt(tmp_path):
    """In a separate program, as a notebook's stop button has it."""
    program = f"""
import sys, shlo
m = shlo.loads({ENDLESS!r})
def started(x):
    print("started", flush=True)
    return x
try:
    m.eval([1.0] * 4, custom_calls={{"started": started}})
except KeyboardInterrupt:
    print("interrupted", m.verify(), flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "started\n"
    time.sleep(0.1)  # until the loop runs again; an earlier signal has the same effect
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted []\n"
    assert time.monotonic() - sent < SOON
    process.stdout.close()
    assert process.wait(60) == 0


def test_evaluation_has_no_limit_of_work_by_default():
    count = 500_000  # steps that exceed the limits of a file of this size
    m = shlo.loads(f"""func.func @main() -> tensor<i32> {{
      %0 = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.while(%i = %0) : tensor<i32> cond {{
        %n = stablehlo.constant dense<{count}> : tensor<i32>
        %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      }} do {{
        %one = stablehlo.constant dense<1> : tensor<i32>
        %2 = stablehlo.add %i, %one : tensor<i32>
        %3 = stablehlo.multiply %2, %one : tensor<i32>
        %4 = stablehlo.multiply %3, %one : tensor<i32>
        %5 = stablehlo.multiply %4, %one : tensor<i32>
        stablehlo.return %5 : tensor<i32>
      }}
      return %1 : tensor<i32>
    }}""")
    assert int(m.eval()[0]) == count
    with pytest.raises(shlo.LimitError, match="limit of 0.5 ms of estimated time"):
        m.eval(limits=shlo.Limits(max_work=500_000))
    with pytest.raises(shlo.LimitError, match="limit of 1000 steps"):
        m.eval(limits=shlo.Limits(max_steps=1000))


def test_progress_without_tqdm(monkeypatch):
    from shlo._progress import progress

    class Terminal:
        text = ""

        def write(self, text):
            self.text += text

        def flush(self):
            pass

        def isatty(self):
            return True

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    items = progress("ab", total=2, label="reading")
    assert next(iter(items)) == "a"
    assert sys.stderr.text == "\r\033[Kreading 0 of 2 ..."
    assert list(items) == ["b"]
    assert sys.stderr.text.endswith("\r\033[K")
    assert list(progress("ab", total=2, label="reading", show=False)) == ["a", "b"]
