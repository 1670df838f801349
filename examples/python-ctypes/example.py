#!/usr/bin/env python3
"""Converts a program, and evaluates it on memory of Python: example.py LIBRARY FILE VERSION"""
import array
import ctypes
import sys

from shlo_ctypes import MLIRBC, Error, Shlo, TensorDesc


def main(library, path, version):
    shlo = Shlo(library)
    number = ctypes.c_uint32()
    shlo.call("shlo_version_parse", version.encode(), None, ctypes.byref(number))
    program = shlo.read_file(path)
    try:
        converted = shlo.convert(program, number.value)
    except Error as error:
        print(str(error).splitlines()[0].partition(": ")[2])
        shlo.release(program)
        return error.exit_code
    print(len(shlo.write(converted, format=MLIRBC)) > 100, "an artifact of", version)

    x = array.array("f", [1, 2, 3, 4, 5, 6])
    w = array.array("f", [0.5, 0, 0, 0.25, 1, 1])
    out = array.array("f", [0] * 4)

    def tensor(values, *shape):
        return TensorDesc(element=b"f32", rank=len(shape), shape=(ctypes.c_int64 * len(shape))(*shape),
                          data=values.buffer_info()[0])
    args = [shlo.handle("shlo_tensor_create", ctypes.byref(tensor(x, 2, 3))),
            shlo.handle("shlo_tensor_create", ctypes.byref(tensor(w, 3, 2)))]
    shlo.call("shlo_evaluate_into", converted, (ctypes.c_void_p * 2)(*args), ctypes.c_size_t(2), None,
              ctypes.byref(tensor(out, 2, 2)), ctypes.c_size_t(1))
    print(list(out))
    for arg in args:
        shlo.lib.shlo_tensor_release(arg)
    shlo.release(converted)
    shlo.release(program)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
