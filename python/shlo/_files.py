"""Many files, and files of tensors."""

from __future__ import annotations

import errno
import glob
import os
from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, Sequence

from . import _core
from ._arrays import handle_of, value_of
from ._checked import checked
from ._errors import FileMissingError, ShloError, file_error, usage_error
from ._progress import each
from ._program import PathLike, Program, read

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._program import LoadOptions


def _paths(given: PathLike | Sequence[PathLike]) -> list[str]:
    """Files below folders and matches of patterns, sorted, without names that begin with a dot."""
    out: list[str] = []
    for path in [given] if isinstance(given, (str, os.PathLike)) else given:
        text = os.fspath(path)
        if os.path.isdir(text):
            for folder, folders, files in os.walk(text):
                folders[:] = sorted(f for f in folders if not f.startswith("."))
                out += [os.path.join(folder, f) for f in sorted(files) if not f.startswith(".")]
        elif os.path.exists(text) or not glob.has_magic(text):
            out.append(text)
        else:
            found = sorted(f for f in glob.glob(text, recursive=True) if os.path.isfile(f))
            if not found:
                raise file_error(FileMissingError, errno.ENOENT, text, f"no file matches '{text}'")
            out += found
    return out


@checked
def load_many(
    paths: PathLike | Sequence[PathLike],
    *,
    jobs: int | None = None,
    progress: bool | None = None,
    keep_going: bool = False,
    **options: Unpack[LoadOptions],
) -> Iterator[tuple[str, list[Program] | ShloError]]:
    """Reads files, folders and patterns by several threads, and yields the path and the programs of each file in order.

    Takes the options of `read`. `progress`: show progress, by tqdm if it is installed (default: where someone sees it).
    `keep_going`: yield the error of a file that cannot be read, instead of raising it.
    """

    def one(path: str) -> tuple[str, list[Program] | ShloError]:
        try:
            return path, read(path, **options)
        except ShloError as error:
            if not keep_going:
                raise
            return path, error

    if not isinstance(paths, (str, os.PathLike)) and not (paths := list(paths)):
        raise usage_error("no paths", "pass files, folders or patterns")
    return each(one, _paths(paths), jobs=jobs, label="reading", show=progress)


@checked
def load_tensors(path: PathLike, program: Program | None = None, function: str | None = None) -> dict[str, Any]:
    """Reads a file of tensors, ``.npz``, ``.safetensors`` or ``.npy``, as arrays by name; an ``.npy`` has the name ``""``.

    A ``.safetensors`` file states the types of its elements. In an ``.npz``, elements of types that NumPy does not have
    (``bf16``, ``f8E4M3FN``, ...) are integers with their bits: pass the `program` and `function` that take them, whose
    argument i is array i, or view them, as with ``x.view(ml_dtypes.bfloat16)``.
    """
    handle = None if program is None else program._handle
    return {name: value_of(tensor) for name, tensor in _core.tensors_read_file(os.fsencode(path), handle, function)}


TensorFormat = Literal["npz", "safetensors"]


@checked
def save_tensors(
    path: PathLike, tensors: Mapping[str, Any] | Sequence[Any], format: TensorFormat | None = None
) -> None:
    """Writes a file of tensors.

    Args:
        path: the path.
        tensors: arrays by name, or a list of them, which are called ``arr_0``, ``arr_1``, ...
        format: the format (default: by the ending, ``.npz`` or ``.safetensors``).

    Raises:
        UsageError: an unknown format, or an ending that states none.
    """
    formats = {"npz": 1, "safetensors": 2}
    named_by = format or os.path.splitext(os.fspath(path))[1].lower()[1:]
    if named_by not in formats:
        what = f"unknown format '{format}'" if format else f"the ending of '{os.fspath(path)}' states no format"
        raise usage_error(what, 'pass format="npz" or format="safetensors"')
    for name, tensor in tensors.items() if isinstance(tensors, Mapping) else ():
        if isinstance(tensor, Mapping):
            inner = next(iter(tensor), "w")
            raise usage_error(f"tensor '{name}': expected an array, got a dictionary", f'name its arrays: {{"{name}.{inner}": ...}}', type=True)
    items = tensors.items() if isinstance(tensors, Mapping) else ((f"arr_{i}", t) for i, t in enumerate(tensors))
    named = [(name, handle_of(tensor, None, f"tensor '{name}'")) for name, tensor in items]
    _core.tensors_write_file(named, os.fsencode(path), formats[named_by])
