"""Arrays of NumPy and of other packages, and the library's tensors."""

from __future__ import annotations

import functools
import math
import sys
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from . import _core
from ._checked import Count, checked, shown
from ._errors import ParseError, UnsupportedError, UsageTypeError, VerificationError, argument_error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._walk import Type

# The element types that NumPy has, and those of ml_dtypes.
_NUMPY = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64", "index": "int64",
    "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64", "complex<f64>": "complex128",
}  # fmt: skip
_ML_DTYPES = {
    "i2": "int2", "i4": "int4", "ui2": "uint2", "ui4": "uint4", "bf16": "bfloat16",
    "f8E3M4": "float8_e3m4", "f8E4M3": "float8_e4m3", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FN": "float8_e4m3fn", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E8M0FNU": "float8_e8m0fnu", "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn",
}  # fmt: skip
_dtypes: dict[str, Any] = {}


def dtype_of(element: str) -> np.dtype[Any]:
    """Returns the dtype of an element type, such as ``"bf16"``. Raises `UnsupportedError` if NumPy has none."""
    found = _dtypes.get(element)
    if found is None:
        import numpy

        if element in _NUMPY:
            found = numpy.dtype(_NUMPY[element])
        elif element in _ML_DTYPES:
            import ml_dtypes

            found = numpy.dtype(getattr(ml_dtypes, _ML_DTYPES[element]))
        else:
            text = f"NumPy has no dtype for elements of type '{element}'"
            raise UnsupportedError(text, code="unsupported", exit_code=3)
        _dtypes[element] = found
    return found


@functools.lru_cache(maxsize=None)
def _elements() -> dict[Any, str]:
    """Returns the element types by dtype. Threads that call it at the same time each make all of it."""
    out: dict[Any, str] = {}
    for element in (*_NUMPY, *_ML_DTYPES):
        if element != "index":
            try:
                out[dtype_of(element)] = element
            except (AttributeError, UnsupportedError):
                pass  # an older ml_dtypes
    return out


def element_of(dtype: Any, where: object = "dtype") -> str:
    """Returns the element type of a dtype. Raises `UsageError` if StableHLO has none."""
    import numpy

    try:
        dtype = numpy.dtype(dtype).newbyteorder("=")
        return _elements()[dtype]
    except (KeyError, TypeError):
        message = f"StableHLO has no element type for arrays of dtype '{dtype}'"
        raise argument_error(where, message, "convert it, as with x.astype(np.float32)", type=True) from None


@checked
class Tensor(_core.TensorBuffer):
    """A value of the library: a tensor, a token or a tuple. NumPy, DLPack and the buffer protocol read its memory
    without a copy; it must not be written to. Python has no buffers of elements that NumPy lacks (``bf16``, ``i4``, ...):
    ``memoryview(t)`` is an error for these, as for arrays with dtypes of ml_dtypes.

    Examples:
        >>> t = shlo.Tensor([[1, 2], [3, 4]], "tensor<2x2xi32>")
        >>> t.shape, t.ndim, t.size, len(t), t[1].tolist()
        ((2, 2), 2, 4, 2, [3, 4])
        >>> memoryview(t).tolist()
        [[1, 2], [3, 4]]
    """

    __slots__ = ("_handle", "_info")
    _handle: Any
    _info: tuple[Any, ...]

    def __init__(self, value: Any, type: Type | str | None = None):
        """Makes a tensor of an array, of a DLPack tensor, or of numbers, which take the elements of `type`:
        ``Tensor([1, 2], "tensor<2xf32>")``. The memory of contiguous arrays is used as it is. Raises `UsageError` for a
        value that `type` does not have, and `UsageTypeError` for an array with other elements."""
        self._handle = handle_of(value, type)
        self._info = _core.tensor_get(self._handle)

    @classmethod
    def _of(cls, handle: Any) -> Tensor:
        tensor = cls.__new__(cls)
        tensor._handle = handle
        tensor._info = _core.tensor_get(handle)
        return tensor

    @classmethod
    def parse(cls, text: str) -> Tensor:
        """Parses a constant: ``"dense<[1, 2]> : tensor<2xi32>"``."""
        return cls._of(_core.tensor_parse(text))

    @classmethod
    def random(cls, type: Type | str, seed: Count = 1) -> Tensor:
        """Makes a tensor of random elements, the same for the same seed everywhere: floats in [-1, 1), integers in
        [0, 9]."""
        return cls._of(_core.tensor_random(str(type), seed))

    @property
    def type(self) -> str:
        """``"tensor<2x3xf32>"``."""
        return str(self._info[0])

    @property
    def element(self) -> str:
        """Its element type, ``"f32"``; of a quantized tensor, the storage type; empty for tokens and tuples."""
        return str(self._info[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements."""
        return dtype_of(self.element)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its dimensions."""
        return tuple(self._info[2])

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._info[2])

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self._info[3])

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return int(self._info[5])

    def tolist(self) -> Any:
        """Returns its elements as numbers of Python, in nested lists."""
        return self.numpy().tolist()

    def item(self, *index: int) -> Any:
        """Returns its only element, or that at an index, as a number of Python."""
        return self.numpy().item(*index)

    def __len__(self) -> int:
        """The size of the first dimension; of a tuple, the number of members."""
        return int(self._info[6]) if self._info[6] else len(self.numpy())

    def __getitem__(self, index: Any) -> Any:
        """Returns a part, as an array indexed in the same way does; of a tuple, a member."""
        return self.members[index] if self._info[6] else self.numpy()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.members if self._info[6] else self.numpy())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __bool__(self) -> bool:
        return True if self._info[6] or not self.element else bool(self.numpy())

    @property
    def members(self) -> list[Tensor]:
        """The members of a tuple."""
        return [Tensor._of(member) for member in _core.tensor_members(self._handle)]

    def numpy(self) -> NDArray[Any]:
        """Returns a read-only view of its elements as an array."""
        import numpy

        dtype = self.dtype
        data = _core.tensor_data(self._handle)
        array: NDArray[Any] = numpy.ndarray(self.shape, dtype, buffer=data)
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """Makes a view for DLPack. Raises `UnsupportedError` for elements that DLPack does not have."""
        if dl_device is not None and tuple(dl_device) != (1, 0):
            raise BufferError("tensors of shlo are in the memory of the CPU")
        if copy:
            return self.numpy().copy().__dlpack__()
        return _core.tensor_to_dlpack(self._handle)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CPU."""
        return 1, 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and bool(_core.tensor_equal(self._handle, other._handle))

    def __hash__(self) -> int:
        return hash(self.type)

    def text(self, max_elements: Count = 0) -> str:
        """Returns ``"dense<[1, 2]> : tensor<2xi32>"``, with ``...`` after `max_elements`; 0: all."""
        return str(_core.tensor_text(self._handle, max_elements))

    def __repr__(self) -> str:
        return f"<shlo.Tensor {self.text(16)}>"

    def _repr_html_(self) -> str:
        from ._html import text

        return text(self.type, self.text(64))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._info[6]:
            return _tuple, (self.members,)
        return _load, (bytes(_core.tensor_data(self._handle)), self.type, self.shape)


def _tuple(members: Sequence[Tensor]) -> Tensor:
    return Tensor._of(_core.tensor_tuple([member._handle for member in members]))


def _load(data: bytes, type: str, shape: tuple[int, ...]) -> Tensor:
    return Tensor._of(_core.tensor_create(data, None, type, list(shape)))


def handle_of(value: Any, type: Type | str | None = None, where: object = "value") -> Any:
    """Returns a tensor of the extension for a value. `type` is the one that is expected: numbers and lists take its
    elements, and everything else must have them already, but for types that a dtype does not tell, such as quantized
    ones. `where` names the value in errors."""
    import numpy

    wanted = _parsed(type) if isinstance(type, str) else type
    if value.__class__.__name__ == "PRNGKeyArray" and "jax" in sys.modules:
        value = sys.modules["jax"].random.key_data(value)  # as jax passes keys
    if isinstance(value, tuple) and wanted is not None and wanted.kind == "tuple":
        members = wanted.members
        if len(members) != len(value):
            raise argument_error(where, f"expected {wanted}, got a tuple of {len(value)}")
        return _core.tensor_tuple([handle_of(v, t, f"{where}, member {i}") for i, (v, t) in enumerate(zip(value, members))])
    if isinstance(value, Tensor):
        return _like(value, wanted, where)
    capsule_of = getattr(value, "__dlpack__", None)
    if capsule_of is not None and not isinstance(value, (numpy.ndarray, numpy.generic)):
        try:
            return _like(Tensor._of(_core.tensor_from_dlpack(capsule_of())), wanted, where)
        except UsageTypeError:
            raise
        except (RuntimeError, BufferError, TypeError, ValueError, UnsupportedError) as error:
            if not hasattr(value, "__array__"):
                raise _no_array(value, where, error) from error
    return _tensor_of(array_of(value, wanted, where), wanted, where)


def array_of(value: Any, wanted: Type | None, where: object) -> NDArray[Any]:
    """Returns an array that has the elements of a type, whatever its shape."""
    import numpy

    element = None if wanted is None else wanted.storage
    if wanted is not None and element is None:
        raise argument_error(where, f"expected {wanted}, got {shown(value)}", "pass a shlo.Tensor", type=True)
    if isinstance(value, (bool, int, float, complex, list, tuple)) and not isinstance(value, numpy.generic):
        from ._exact import exact, natural

        return natural(value, where) if element is None else exact(value, element, dtype_of(element), where)
    if not isinstance(value, (numpy.ndarray, numpy.generic)) and not _is_array(value):
        what = "an array" if wanted is None else f"a value of {wanted}"
        raise argument_error(where, f"expected {what}, got {shown(value)}", "pass an array, a number or a list", type=True)
    try:
        array = numpy.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise _no_array(value, where, error) from error
    if isinstance(value, numpy.ma.MaskedArray) and numpy.any(getattr(value, "mask", False)):
        raise argument_error(where, "the array has masked elements, which have no values", "pass x.filled(0)")
    if array.dtype.byteorder == ">" or not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if wanted is not None:
        _check_element(_elements().get(array.dtype, ""), wanted, where, array.dtype)
    return array


def _no_array(value: object, where: object, error: Exception) -> Exception:
    """Makes the error about a value that NumPy refuses, with the first line of what it says."""
    if type(value).__name__.endswith("Tracer"):
        hint = "call it outside of functions that jax transforms, or through jax.pure_callback"
        return argument_error(where, f"{shown(value)} has no value: jax traces the function that it is in", hint, type=True)
    said = (str(error).splitlines() or [""])[0]
    return argument_error(where, f"no array can be made of {shown(value)}: {said}", type=True)


def _is_array(value: object) -> bool:
    """Whether it has elements, in the way of NumPy."""
    if any(hasattr(value, name) for name in ("__array__", "__array_interface__", "__array_struct__")):
        return True
    try:
        return not isinstance(value, bytes) and memoryview(value) is not None  # type: ignore[arg-type]
    except TypeError:
        return False


@functools.lru_cache(256)
def _parsed(text: str) -> Type:
    """Parses a type."""
    from ._program import loads
    from ._walk import Function

    try:
        found = list(loads(f"func.func private @f({text})", version=_core.version_current()).functions.values())
    except (ParseError, VerificationError):
        found = []
    inputs = found[0].type.inputs if len(found) == 1 and isinstance(found[0], Function) else []
    if len(inputs) != 1:
        raise argument_error("type", f"'{text}' is not a type", 'types are written as in MLIR: "tensor<2x3xf32>"')
    return inputs[0]


def _check_element(element: str, wanted: Type, where: object, dtype: object = None) -> None:
    expected = wanted.storage
    if expected is None or element == expected or (dtype is not None and dtype_of(expected) == dtype):
        return
    name = dtype_of(expected).name
    name = f"ml_dtypes.{name}" if expected in _ML_DTYPES else f"np.{name if name != 'bool' else 'bool_'}"
    said = f"dtype {dtype}" if dtype is not None else f"elements of type {element}"
    hint = f"convert it if its values allow that: x.astype({name})"
    is_raw = getattr(dtype, "kind", "f") in "uiV" and getattr(dtype, "itemsize", 0) == dtype_of(expected).itemsize
    if expected in _ML_DTYPES and is_raw:
        hint = f"if these are bits, as in an .npz file: x.view({name}); if they are values: x.astype({name})"
    raise argument_error(where, f"expected {wanted}, got an array with {said}", hint, type=True)


def _check_shape(shape: Sequence[int], wanted: Type, where: object) -> None:
    expected = wanted.shape
    if expected is None or (len(expected) == len(shape) and all(d is None or d == n for d, n in zip(expected, shape))):
        return
    fits = wanted.size is not None and wanted.size == math.prod(shape)
    hint = f"pass x.reshape({', '.join(map(str, expected)) or '()'})" if fits else ""
    raise argument_error(where, f"expected {wanted}, got an array of shape {tuple(shape)}", hint)


def _like(tensor: Tensor, wanted: Type | None, where: object) -> Any:
    """Returns the handle of a tensor that has a type."""
    if wanted is not None and wanted.storage is not None and not tensor._info[6]:
        _check_element(tensor.element, wanted, where)
        _check_shape(tensor.shape, wanted, where)
    return tensor._handle


def _tensor_of(array: NDArray[Any], wanted: Type | None, where: object) -> Any:
    import numpy

    element: str | None = element_of(array.dtype, where) if wanted is None else wanted.storage
    full = None
    if wanted is not None:
        _check_shape(array.shape, wanted, where)
        if wanted.element.kind == "uniform":
            element, full = None, str(wanted)
    # Dtypes of ml_dtypes have no buffer protocol.
    data = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8) if array.size else b""
    return _core.tensor_create(data, element, full, list(array.shape))


def value_of(handle: Any) -> Any:
    """Returns an array for a tensor of the extension, a tuple for a tuple, and the tensor for a token."""
    tensor = Tensor._of(handle)
    if tensor._info[6] or tensor.type.startswith("tuple<"):
        return tuple(value_of(member._handle) for member in tensor.members)
    return tensor.numpy() if tensor.element else tensor
