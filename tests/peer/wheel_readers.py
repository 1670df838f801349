"""Lets the deserializers of a jaxlib read files: a JSON list of paths on stdin, {path: {reader: problem}} on stdout.

Run it with the wheel on PYTHONPATH (wheels.py). There are two deserializers. That of the StableHLO bindings brings the
dialects that it knows. That of jax.export does so up to 0.9.2; later ones have those of the context, which is made here
as in jax. Each file is read in a separate process, because some releases crash.
"""
import json
import os
import sys

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, func, stablehlo  # noqa: F401


def find(*names):
    """The first of these attributes of modules that exists."""
    for module, name in names:
        try:
            return getattr(__import__(module, fromlist=[name]), name)
        except (ImportError, AttributeError):
            pass
    return None


bindings = find(("jaxlib.mlir.dialects.stablehlo", "deserialize_portable_artifact_str"),
                ("jaxlib.mlir.dialects.stablehlo", "deserialize_portable_artifact"))
jax_mlir = find(("jaxlib._jax", "mlir")) or find(("jaxlib.xla_extension", "mlir"))
registrars = [find(("jaxlib.mlir._mlir_libs", "register_jax_dialects")), find(("jaxlib.mlir._mlir_libs", "_jax_mlir_ext"))]


def new_context():
    context = ir.Context()
    for registrar in registrars:
        registry = getattr(registrar, "registry", None)
        if hasattr(registrar, "register_dialects"):
            registry = ir.DialectRegistry()
            registrar.register_dialects(registry)
        if registry is not None:
            context.append_dialect_registry(registry)
    if hasattr(context, "load_all_available_dialects"):
        context.load_all_available_dialects()
    # As make_ir_context() of jax does.
    for dialect, function in (("sdy", "register_dialect"), ("mpmd", "register_dialect"), ("mhlo", "register_mhlo_dialect"),
                              ("chlo", "register_dialect"), ("stablehlo", "register_dialect")):
        register = getattr(find(("jaxlib.mlir.dialects", dialect)), function, None)
        if register:
            register(context)
    return context


def read_stablehlo(data):
    if not bindings(data):
        raise ValueError("returned nothing")


def read_jax_export(data):
    said = []
    with new_context() as context, ir.Location.unknown():
        context.attach_diagnostic_handler(lambda diagnostic: said.append(str(diagnostic.message)) or True)
        try:
            jax_mlir.deserialize_portable_artifact(data)
        except Exception as error:
            raise ValueError("; ".join([*said, str(error)])) from None


def attempt(function, data):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        status = 0
        try:
            function(data)
        except BaseException as error:
            os.write(2, f"\n{error}".encode())
            status = 1
        os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return "" if status == 0 else " ".join(said.split())[:600] or f"crashed with {status}"


def main():
    answers = {}
    for path in json.load(sys.stdin):
        with open(path, "rb") as file:
            data = file.read()
        answers[path] = {"stablehlo": attempt(read_stablehlo, data), "jax.export": attempt(read_jax_export, data)}
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
