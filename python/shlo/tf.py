"""StableHLO programs in SavedModels of TensorFlow, which need not be installed."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Sequence

from ._checked import checked
from ._program import PathLike, Program, read, replace_programs
from ._progress import progress as show_progress
from ._versions import ConsumerLike, VersionLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._program import ConvertOptions, LoadOptions

_FILE = "saved_model.pb"


@checked
def load(folder: PathLike, **options: Unpack[LoadOptions]) -> list[Program]:
    """Returns the programs of a SavedModel, each with its `name`. Takes the options of
    `shlo.read`."""
    return read(folder, **options)


@checked
def save(source: PathLike, programs: Sequence[Program], folder: PathLike) -> None:
    """Writes a copy of the SavedModel `source` to a new folder, with other programs in place of those it has: as many,
    in the order of `load`. Readers never see a part of it. Raises `FileExistsError` if the folder exists."""
    target = os.path.abspath(folder)
    if os.path.lexists(target):
        raise FileExistsError(f"'{folder}' exists")
    part = tempfile.mkdtemp(prefix=os.path.basename(target) + ".", suffix=".part", dir=os.path.dirname(target))
    try:
        copy = os.path.join(part, "model")
        shutil.copytree(source, copy)
        path = os.path.join(copy, _FILE)
        with open(path, "rb") as file:
            data = file.read()
        data = replace_programs(data, programs, name=os.path.join(os.fspath(source), _FILE))
        with open(path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(copy, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@checked
def convert(
    source: PathLike, target: VersionLike | ConsumerLike, folder: PathLike, **options: Unpack[ConvertOptions]
) -> list[Program]:
    """Writes a copy of a SavedModel with its programs at another version, and returns the programs. Options and errors are
    as for `Program.convert`."""
    programs = [
        one.convert(target, portable=True, **options) for one in show_progress(load(source), label="converting")
    ]
    save(source, programs, folder)
    return programs


__all__ = ["convert", "load", "save"]


def __dir__() -> list[str]:
    return __all__
