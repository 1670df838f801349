"""A process of this machine that applies a function to items, and is replaced if it ends."""

from __future__ import annotations

import hashlib
import importlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, NamedTuple

from .._errors import usage_error
from ._child import Raised, Refusal, Value, receive, send


class Died(NamedTuple):
    """Why there are no results of a batch."""

    reason: str
    timed_out: bool = False
    lost: bool = False
    """Whether it was the worker of a cluster, which ends for reasons that are not the input's."""


class Work(NamedTuple):
    """A function in the form that slots get it in."""

    key: str
    """Names the function: the slot that had it last keeps it."""
    blob: bytes
    timeout: float | None
    """Seconds for a batch; None: no limit."""


def pack(function: Callable[[Any], Any], timeout: float | None) -> Work:
    """Makes the work of a function. Raises `UsageError` if it cannot be sent to another process."""
    pickled: bytes
    try:
        pickled = pickle.dumps(function)
        if b"__main__" in pickled:
            raise pickle.PicklingError("it is in the main program")
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        # Only such functions need the other package, which takes long to import if it is that of Ray.
        pickler = _by_value()
        if pickler is None:
            message = f"the function cannot be sent to other processes: {error}"
            raise usage_error(message, "define it in a module, or install cloudpickle") from None
        try:
            pickled = pickler.dumps(function)
        except (pickle.PicklingError, AttributeError, TypeError) as other:
            raise usage_error(f"the function cannot be sent to other processes: {other}", "define it in a module") from None
    return Work(hashlib.sha256(pickled).hexdigest(), pickled, timeout)


def _by_value() -> Any:
    """Returns a module that pickles functions with their code, or None."""
    for name in ("cloudpickle", "ray.cloudpickle"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


class Slot:
    """One process, for one batch at a time. Another thread may end it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._key = ""
        self._ended = False
        self._lock = threading.Lock()  # of the process and of whether it has ended

    def call(self, work: Work, items: list[Any]) -> list[Value | Raised] | Refusal | Died:
        """Applies the function of `work`. Starts a process if there is none."""
        process = self._running()
        if process is None:
            return Died("the run has ended")
        assert process.stdin and process.stdout
        timer = None if work.timeout is None else threading.Timer(work.timeout, process.kill)
        started = time.monotonic()
        try:
            if timer is not None:
                timer.start()
            send(process.stdin, (None if self._key == work.key else work.blob, items))
            self._key = work.key
            reply: list[Value | Raised] | Refusal = receive(process.stdout)
            return reply
        except (EOFError, BrokenPipeError):
            code = process.wait()
            self.close()
            timed_out = work.timeout is not None and time.monotonic() - started >= work.timeout
            return Died(_reason(code), timed_out)
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()
                if process.poll() is not None:  # it was stopped after its reply
                    self.close()

    def _running(self) -> subprocess.Popen[bytes] | None:
        """Returns the process, a new one if there is none, or None after `end`."""
        with self._lock:
            if self._process is None and not self._ended:
                # It has a session, so that an interrupt reaches the program that started it first.
                program = f"import sys; sys.path[:] = {sys.path!r}; from shlo.fleet._child import main; main()"
                self._process = subprocess.Popen(
                    [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                )
                self._key = ""
            return self._process

    def end(self) -> None:
        """Ends the process, at once, also one that another thread is about to start; there will be no other."""
        with self._lock:
            self._ended = True
        self.close()

    def close(self) -> None:
        """Ends the process, at once."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                try:
                    if stream:
                        stream.close()
                except BrokenPipeError:
                    pass


def _reason(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"
