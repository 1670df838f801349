"""Lets a jaxlib compile portable artifacts for the processor: a JSON list of paths on stdin, {path: problem} on stdout.

Run it with the wheel on PYTHONPATH (wheels.py). Each file is compiled in a separate process, because some releases crash.
"""
import json
import sys

import wheel_readers
from jaxlib import xla_client
from jaxlib.mlir import ir


def compile_for_cpu(data):
    make = wheel_readers.find(("jaxlib.xla_client", "make_cpu_client"), ("jaxlib._jax", "get_tfrt_cpu_client"))
    client = make()
    with wheel_readers.new_context() as context, ir.Location.unknown():
        text = ir.Module.parse(wheel_readers.bindings(data), context).operation.get_asm(print_generic_op_form=True)
    options = xla_client.CompileOptions()
    if hasattr(client, "compile_and_load"):
        client.compile_and_load(text, xla_client.DeviceList(tuple(client.local_devices()[:1])), options)
    else:
        client.compile(text, options)


if __name__ == "__main__":
    answers = {}
    for path in json.load(sys.stdin):
        with open(path, "rb") as file:
            answers[path] = wheel_readers.attempt(compile_for_cpu, file.read())
    print(json.dumps(answers))
