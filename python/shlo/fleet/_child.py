"""The process that works for a `Slot`: it gets a function and items through a pipe, and sends results back. An input that
crashes it, or makes it leak or loop, harms nothing else."""

from __future__ import annotations

import os
import pickle
import struct
import threading
import time
import traceback
from typing import IO, Any, Callable, NamedTuple

from .._errors import ShloError

_HEADER = struct.Struct("<Q")


class Value(NamedTuple):
    """The result of an item."""

    value: Any


class Raised(NamedTuple):
    """The exception of an item."""

    text: str
    """The diagnostics of a `ShloError`, or the last line of a traceback."""
    transient: bool
    """Whether a later try may succeed: an error of a file system or a network."""
    error: Any = None
    """The exception, if it can be pickled."""


class Refusal(Exception):
    """A function raises it to end the run: nothing of it can succeed. `error` is the reason."""

    def __init__(self, error: ShloError):
        super().__init__(str(error))
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        return Refusal, (self.error,)


def send(stream: IO[bytes], message: Any) -> None:
    """Writes a message."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_HEADER.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Reads a message. Raises `EOFError` if the other side has ended."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise EOFError
    data = stream.read(_HEADER.unpack(header)[0])
    if len(data) < _HEADER.unpack(header)[0]:
        raise EOFError
    return pickle.loads(data)


def raised(error: Exception) -> Raised:
    """Describes an exception."""
    text = str(error) if isinstance(error, ShloError) else traceback.format_exception_only(error)[-1].strip()
    transient = isinstance(error, (OSError, EOFError)) and not isinstance(error, ShloError)
    # Clients of object stores have their own exceptions.
    transient = transient or type(error).__module__.partition(".")[0] in _CLIENTS
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return Raised(text, transient)
    return Raised(text, transient, error)


_CLIENTS = {"botocore", "aiobotocore", "aiohttp", "gcsfs", "google", "azure", "requests", "urllib3", "s3fs"}


def apply(function: Callable[[Any], Any], items: list[Any]) -> list[Value | Raised] | Refusal:
    """Calls ``function.batch`` on all items, or the function on each."""
    batch = getattr(function, "batch", None)
    out: list[Value | Raised] = []
    try:
        if batch is not None:
            out += [Value(value) for value in batch(items)]
            return out
        for item in items:
            try:
                out.append(Value(function(item)))
            except Refusal:
                raise
            except Exception as error:
                out.append(raised(error))
        return out
    except Refusal as refusal:
        return refusal
    except Exception as error:
        failed: list[Value | Raised] = [raised(error)]
        return failed * len(items)


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def main() -> None:
    """Serves the parent until it ends."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Output of functions must not be taken for replies.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    function: Any = None
    while True:
        try:
            blob, items = receive(requests)
        except EOFError:
            return
        if blob is not None:
            function = pickle.loads(blob)
        reply = apply(function, items)
        try:
            send(replies, reply)
        except BrokenPipeError:
            return
        except Exception as error:  # a result that cannot be pickled
            send(replies, [raised(error)._replace(error=None)] * len(items))
