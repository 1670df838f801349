"""Numbers and lists of Python as arrays of a type, without a silent change: a value that does not fit is an error. Floats
are rounded, as NumPy does."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any, cast

from ._checked import shown
from ._errors import UsageError, argument_error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def natural(value: Any, where: object) -> NDArray[Any]:
    """Returns numbers, or nested lists of them, as NumPy reads them. Raises `UsageError` for anything else."""
    import numpy

    try:
        array = numpy.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise argument_error(where, f"no array can be made of {shown(value)}", "pass lists of equal lengths") from error
    if array.dtype.kind in "biufcV":
        return array
    for index, item in numpy.ndenumerate(numpy.asarray(value, object)):
        if not isinstance(item, numbers.Number):
            place = _place(index)
            raise argument_error(where, f"expected numbers, got {shown(item)}{place}", "pass numbers, or an array", type=True)
    return array


def exact(value: Any, element: str, dtype: np.dtype[Any], where: object) -> NDArray[Any]:
    """Returns numbers as an array of a dtype, which is that of an element type. Raises `UsageError` for a number that the
    type does not have."""
    import numpy

    found = natural(value, where)
    if found.dtype == dtype:
        return found
    if found.dtype.kind == "V":
        found = found.astype(numpy.float64)  # those of ml_dtypes
    if element == "i1":
        return _whole(value, found, 0, 1, where, element).astype(dtype)
    if element.startswith(("i", "ui")):
        import ml_dtypes

        info = ml_dtypes.iinfo(dtype)
        return _whole(value, found, int(info.min), int(info.max), where, element).astype(dtype)
    return _float(found, element, dtype, where)


def _whole(value: Any, found: NDArray[Any], low: int, high: int, where: object, element: str) -> NDArray[Any]:
    import numpy

    if found.dtype.kind in "biu":
        if found.size and (int(found.min()) < low or int(found.max()) > high):
            wide = found.astype(object)
            index = tuple(numpy.argwhere((wide < low) | (wide > high))[0])
            raise _too_large(found[index].item(), index, low, high, where, element)
        return found
    # Python's own numbers: the array has rounded integers next to a float.
    items = numpy.asarray(value, object)
    place: tuple[Any, ...]
    item: Any
    for place, item in numpy.ndenumerate(items):
        if not _is_whole(item):
            raise _not_held(item, place, where, element, "which has whole numbers only")
        if not low <= int(item) <= high:
            raise _too_large(item, place, low, high, where, element)
        items[place] = int(item)
    made: NDArray[Any] = items.astype(numpy.uint64 if high >= 2**63 else numpy.int64)
    return made


def _is_whole(item: Any) -> bool:
    if isinstance(item, numbers.Integral):
        return True
    return isinstance(item, numbers.Real) and math.isfinite(item) and item == int(cast(Any, item))


def _float(found: NDArray[Any], element: str, dtype: np.dtype[Any], where: object) -> NDArray[Any]:
    import numpy

    is_complex = element.startswith("complex")
    if found.dtype.kind == "c" and not is_complex:
        raise argument_error(where, f"expected real numbers for {element}, got complex ones", "pass x.real", type=True)
    try:
        wide = found.astype(numpy.complex128 if is_complex else numpy.float64)
    except OverflowError:
        raise argument_error(where, f"a number is too large for {element}") from None
    with numpy.errstate(all="ignore"):
        made = wide.astype(dtype)
        back = made.astype(wide.dtype)
        changed = (numpy.isnan(wide) != numpy.isnan(back)) | (numpy.isinf(wide) != numpy.isinf(back))
        if not is_complex:
            import ml_dtypes

            changed |= (numpy.sign(wide) * numpy.sign(back) < 0) | ((wide == 0) & (back != 0))
            # Some types have no infinity, and would take their largest number.
            if not numpy.isinf(numpy.asarray(numpy.inf).astype(dtype).astype(numpy.float64)):
                changed |= numpy.abs(wide) > float(ml_dtypes.finfo(dtype).max)
    if changed.any():
        index = tuple(numpy.argwhere(changed)[0])
        raise _not_held(wide[index].item(), index, where, element)
    return made


def _place(index: tuple[Any, ...]) -> str:
    return f" at [{', '.join(str(int(i)) for i in index)}]" if index else ""


def _not_held(item: object, index: tuple[Any, ...], where: object, element: str, why: str = "") -> UsageError:
    return argument_error(where, f"{shown(item)}{_place(index)} does not fit {element}" + (f", {why}" if why else ""))


def _too_large(item: object, index: tuple[Any, ...], low: int, high: int, where: object, element: str) -> UsageError:
    return _not_held(item, index, where, element, f"which has whole numbers from {low} to {high}")
