"""Arrays in and out of the library."""

import gc
import pickle
import sys
import types

import ml_dtypes
import numpy as np
import pytest
import shlo


def identity(type, op="stablehlo.optimization_barrier"):
    return shlo.loads(f"func.func @main(%x: {type}) -> {type} {{\n  %0 = {op} %x : {type}\n  return %0 : {type}\n}}")["main"]


DTYPES = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8,
    "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128, "bf16": ml_dtypes.bfloat16, "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}  # fmt: skip
DTYPES.update({e: getattr(ml_dtypes, n) for e, n in {
    "i2": "int2", "ui2": "uint2", "f8E3M4": "float8_e3m4", "f8E4M3": "float8_e4m3", "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn", "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn",
}.items() if hasattr(ml_dtypes, n)})  # fmt: skip


@pytest.mark.parametrize("element", DTYPES)
def test_every_element_type_goes_in_and_out(element):
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(DTYPES[element])
    if element in ("i4", "i2"):
        array = np.array([[0, 1, -1], [-2, 0, 1]]).astype(DTYPES[element])
    if element == "f8E8M0FNU":
        array = np.array([[2, 1, 4], [1, 8, 1]]).astype(DTYPES[element])  # it has no zero
    result = identity(f"tensor<2x3x{element}>")(array)
    assert result.dtype == array.dtype and result.shape == (2, 3)
    assert np.array_equal(result.astype(np.complex128), array.astype(np.complex128))
    tensor = shlo.Tensor(array)
    assert tensor.type == f"tensor<2x3x{element}>" and tensor.element == element and tensor.dtype == array.dtype
    negated = shlo.Tensor.parse(tensor.text()).numpy()
    assert np.array_equal(negated.astype(np.complex128), array.astype(np.complex128))


def test_negative_small_integers_compute():
    program = shlo.loads("func.func @main(%x: tensor<4xi4>) -> tensor<4xi32> { %0 = stablehlo.convert %x : (tensor<4xi4>) -> tensor<4xi32> return %0 : tensor<4xi32> }")
    assert program["main"](np.array([-8, -1, 0, 7], ml_dtypes.int4)).tolist() == [-8, -1, 0, 7]


@pytest.mark.parametrize("layout", ["C", "F", "reversed", "sliced", "broadcast", "misaligned", "big-endian", "empty", "scalar"])
def test_any_layout(layout):
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    array = {
        "C": lambda: array, "F": lambda: np.asfortranarray(array), "reversed": lambda: array[::-1, :, ::-1],
        "sliced": lambda: array[:, ::2, 1:3], "broadcast": lambda: np.broadcast_to(array[0, 0], (5, 4)),
        "misaligned": lambda: np.frombuffer(b"\0" + array.tobytes(), np.dtype(np.float32), offset=1).reshape(2, 3, 4),
        "big-endian": lambda: array.astype(">f4"), "empty": lambda: array[:, :0], "scalar": lambda: np.float32(3),
    }[layout]()  # fmt: skip
    shape = "x".join([*map(str, np.shape(array)), "f32"])
    result = identity(f"tensor<{shape}>")(array)
    assert result.shape == np.shape(array) and np.array_equal(result, array)


def test_zero_copy_in_both_directions():
    array = np.arange(1 << 16, dtype=np.float32)
    tensor = shlo.Tensor(array)
    view = tensor.numpy()
    assert np.shares_memory(view, array) and not view.flags.writeable
    assert np.shares_memory(np.asarray(tensor), array) and np.shares_memory(np.from_dlpack(tensor), array)
    assert not np.shares_memory(np.array(tensor, copy=True), array)
    del tensor, view
    gc.collect()
    assert array.flags.writeable


def test_memory_lives_as_long_as_a_view():
    view = shlo.Tensor(np.full(1 << 20, 7, np.int32)).numpy()
    gc.collect()
    assert view.sum() == 7 << 20


def test_results_are_independent_of_arguments():
    array = np.zeros(4, np.float32)
    result = identity("tensor<4xf32>")(array)
    array[:] = 1
    assert result.sum() == 0


def test_dlpack():
    class Other:  # as PyTorch's tensors: no NumPy, only DLPack
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    array = np.arange(6, dtype=np.int64).reshape(2, 3)
    assert np.array_equal(identity("tensor<2x3xi64>")(Other(array)), array)
    tensor = shlo.Tensor(Other(array))
    assert np.shares_memory(tensor.numpy(), array) and tensor.__dlpack_device__() == (1, 0)
    capsule = tensor.__dlpack__()
    del tensor, capsule  # a capsule that nobody takes frees its tensor
    gc.collect()
    assert np.array_equal(np.from_dlpack(shlo.Tensor(array)), array)


def test_numbers_take_the_type_of_the_signature():
    add = shlo.loads("func.func @main(%x: tensor<2xbf16>, %y: tensor<2xbf16>) -> tensor<2xbf16> { %0 = stablehlo.add %x, %y : tensor<2xbf16> return %0 : tensor<2xbf16> }")["main"]
    assert add([1, 2], (0.5, 0.25)).tolist() == [1.5, 2.25]
    assert identity("tensor<i1>")(True) == np.True_ and identity("tensor<f32>")(2).dtype == np.float32


def test_wrong_arguments():
    function = identity("tensor<4xf32>")
    for wrong in (np.zeros(4), np.zeros(3, np.float32), np.zeros(4, np.int32), [1, 2, 3]):
        with pytest.raises(shlo.ShloError):
            function(wrong)
    with pytest.raises(shlo.ShloError):
        function()
    with pytest.raises(shlo.UsageError, match="dtype"):
        function(np.array(["a"]))


def test_quantized():
    type = "tensor<3x!quant.uniform<i8:f32, 2.0:3>>"
    assert identity(type)(np.array([1, 2, 3], np.int8)).tolist() == [1, 2, 3]
    tensor = shlo.Tensor([1, 2, 3], type)
    assert "quant.uniform" in tensor.type and tensor.dtype == np.int8


def test_tuples_and_tokens():
    program = shlo.loads("""func.func @main(%x: tensor<2xi32>) -> (tuple<tensor<2xi32>, tensor<2xi32>>, !stablehlo.token) {
  %0 = stablehlo.tuple %x, %x : tuple<tensor<2xi32>, tensor<2xi32>>
  %1 = stablehlo.create_token : !stablehlo.token
  return %0, %1 : tuple<tensor<2xi32>, tensor<2xi32>>, !stablehlo.token
}""")
    pair, token = program["main"]([1, 2])
    assert [a.tolist() for a in pair] == [[1, 2], [1, 2]] and isinstance(token, shlo.Tensor)


def test_tensors():
    tensor = shlo.Tensor.random("tensor<3xf32>", 5)
    assert tensor == shlo.Tensor.random("tensor<3xf32>", 5) != shlo.Tensor.random("tensor<3xf32>", 6)
    assert hash(tensor) == hash(shlo.Tensor.random("tensor<3xf32>", 5)) and tensor.shape == (3,)
    assert pickle.loads(pickle.dumps(tensor)) == tensor
    assert shlo.Tensor([1, 2], "tensor<2xi32>").text() == "dense<[1, 2]> : tensor<2xi32>"
    assert "..." in repr(shlo.Tensor(np.arange(100)))


def test_files_of_tensors(tmp_path):
    arrays = {"a": np.arange(3, dtype=np.float32), "b": np.array([[1, 2]], np.int64)}
    for name in ("x.npz", "x.safetensors"):
        shlo.save_tensors(tmp_path / name, arrays)
        again = shlo.load_tensors(tmp_path / name)
        assert list(again) == ["a", "b"] and all(np.array_equal(again[k], v) for k, v in arrays.items())
    assert np.load(tmp_path / "x.npz")["a"].tolist() == [0, 1, 2]


def test_tensors_are_buffers():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor = shlo.Tensor(array)
    view = memoryview(tensor)
    assert (view.shape, view.format, view.itemsize, view.readonly) == ((2, 3), "f", 4, True) and view.tolist() == array.tolist()
    assert np.asarray(view).ctypes.data == array.ctypes.data and bytes(tensor) == array.tobytes()
    for dtype in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float64"):
        values = np.array([[0, 1], [1, 0]], dtype)
        other = memoryview(shlo.Tensor(values))
        assert np.asarray(other).tolist() == values.tolist()
        if sys.version_info >= (3, 12) or other.format != "e":  # earlier ones cannot unpack it
            assert other.tolist() == values.tolist()
    assert np.asarray(memoryview(shlo.Tensor(np.array([1 + 2j], np.complex64)))).dtype == np.complex64
    assert memoryview(shlo.Tensor(np.float32(3))).tolist() == 3 and memoryview(shlo.Tensor(np.zeros((0, 3)))).shape == (0, 3)
    with pytest.raises(BufferError, match="a token or tuple"):
        memoryview(shlo.Tensor((np.zeros(2), np.zeros(2)), "tuple<tensor<2xf64>, tensor<2xf64>>"))
    del tensor, array
    gc.collect()
    assert view.tolist()[1] == [3, 4, 5]


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4", "int2", "float4_e2m1fn"])
def test_tensors_that_are_no_buffers(dtype):
    """NumPy would take the bytes of a buffer without a format for numbers."""
    array = np.array([[1, 0], [0, 1]], dtype)
    if dtype.startswith("int"):
        array[1] = -1
    tensor = shlo.Tensor(array)
    for made in (np.asarray(tensor), np.array(tensor), np.stack([tensor])[0]):
        assert made.dtype == array.dtype and made.tolist() == array.tolist()
    assert np.asarray(tensor, np.float32).tolist() == array.astype(np.float32).tolist()
    with pytest.raises(BufferError, match=r"no format for elements of type \w+: call numpy\(\)"):
        memoryview(tensor)


def test_tensors_are_sequences():
    tensor = shlo.Tensor([[1, 2, 3], [4, 5, 6]], "tensor<2x3xi32>")
    assert (len(tensor), tensor.ndim, tensor.size, tensor.nbytes, tensor.shape) == (2, 2, 6, 24, (2, 3))
    assert tensor[1].tolist() == [4, 5, 6] and tensor[0, 1] == 2 and tensor.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert [row.tolist() for row in tensor] == tensor.tolist() and tensor.item(5) == 6
    scalar = shlo.Tensor(2.5, "tensor<f32>")
    assert scalar.item() == 2.5 and scalar.tolist() == 2.5 and scalar.ndim == 0 and scalar
    with pytest.raises(TypeError):
        len(scalar)
    assert "tensor&lt;2x3xi32&gt;" in tensor._repr_html_()


def test_the_ending_of_a_file_of_tensors_must_state_a_format(tmp_path):
    arrays = {"a": np.arange(3)}
    for name in ("a.bin", "a", "a.npy"):
        with pytest.raises(shlo.UsageError, match="states no format"):
            shlo.save_tensors(tmp_path / name, arrays)
    with pytest.raises(shlo.UsageError, match="unknown format 'pickle'"):
        shlo.save_tensors(tmp_path / "a.npz", arrays, "pickle")
    shlo.save_tensors(tmp_path / "a.bin", arrays, "safetensors")
    shlo.save_tensors(tmp_path / "a.NPZ", arrays)
    assert shlo.load_tensors(tmp_path / "a.bin")["a"].tolist() == shlo.load_tensors(tmp_path / "a.NPZ")["a"].tolist() == [0, 1, 2]


def test_keys_of_jax_are_passed_as_their_data(monkeypatch):
    class PRNGKeyArray:
        def __array__(self, *args, **options):
            raise TypeError("JAX array with PRNGKey dtype cannot be converted to a NumPy array")

    data = np.array([1, 2], np.uint32)
    jax = types.SimpleNamespace(random=types.SimpleNamespace(key_data=lambda key: data))
    monkeypatch.setitem(sys.modules, "jax", jax)
    program = shlo.loads("func.func @main(%k: tensor<2xui32>) -> tensor<2xui32> { return %k : tensor<2xui32> }")
    assert program.main(PRNGKeyArray()).tolist() == program.main({"k": PRNGKeyArray()}).tolist() == [1, 2]


def test_traced_values_have_one_line():
    class DynamicJaxprTracer:
        def __array__(self, *args, **options):
            raise TypeError("was called on a traced array\nThe error occurred ...\nSee https://...")

    program = shlo.loads("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    with pytest.raises(shlo.UsageTypeError, match="jax traces the function that it is in") as caught:
        program.main(DynamicJaxprTracer())
    assert len(str(caught.value).splitlines()) == 2 and "pure_callback" in str(caught.value)
