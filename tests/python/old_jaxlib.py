"""Takes a jax.export file of a new jax to an old one, proves it, and runs it in the old jaxlib.

    old_jaxlib.py OLD_PYTHON

Run it with a Python that has jax 0.10 and the package; OLD_PYTHON has jax 0.4.30. Prints both results and whether they are
equal.
"""
import subprocess
import sys
import tempfile

RUN = """import sys, jax, jax.export, numpy as np
f = jax.export.deserialize(bytearray(open(sys.argv[1], "rb").read()))
np.save(sys.argv[1] + ".npy", np.asarray(f.call(np.load(sys.argv[1] + ".in.npy"))))
print("jax", jax.__version__)"""


def main():
    import jax
    import jax.export
    import numpy as np
    import shlo
    import shlo.jax

    x = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)
    exported = jax.export.export(jax.jit(lambda x: jax.nn.softmax(jax.numpy.tanh(x) @ x.T)))(x)
    blob = exported.serialize()
    old = shlo.jax.downgrade(blob, "jaxlib==0.4.30", allow_outside_window=True, expand=True, prove=True)
    (program,) = shlo.reads(old)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/old.bin"
        with open(path, "wb") as file:
            file.write(old)
        np.save(path + ".in.npy", x)
        subprocess.run([sys.argv[1], "-c", RUN, path], check=True)
        theirs = np.load(path + ".npy")
    ours, new = program["main"](x), np.asarray(exported.call(x))
    print("old jaxlib and new jaxlib: equal bits", theirs.tobytes() == new.tobytes(), "max difference", np.abs(theirs - new).max())
    print("old jaxlib and shlo: max difference", np.abs(theirs - ours).max())
    assert np.allclose(theirs, new, rtol=1e-6, atol=1e-7) and np.allclose(theirs, ours, rtol=1e-6, atol=1e-7)
    print("the same numbers, StableHLO", program.version)


if __name__ == "__main__":
    main()
