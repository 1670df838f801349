"""Decides whether two programs have different results: evaluates both on inputs that NumPy draws, without knowledge of
the programs, and on none of the inputs of `prove`."""
import json
import re
import subprocess
import tempfile

import numpy as np

FLOATS = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
INTS = {f"{sign}i{bits}": np.dtype(f"{'u' if sign == 'u' else ''}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)}
SIZES = (2, 3, 4, 1, 5, 8)


def signature(text):
    """Returns the types of @main's arguments in a program in generic form."""
    for line in text.splitlines():
        if '"func.func"' in line and ('sym_name = "main"' in line or text.count('"func.func"') == 1):
            m = re.search(r"function_type = \((.*?)\) -> ", line)
            return re.findall(r"tensor<([^<>]*(?:<[^<>]*>)?[^<>]*)>", m.group(1)) if m else None
    return None


def draw(rng, spec, style, size):
    """Returns an array of a type such as 2x?xf32, or None."""
    *dims, element = spec.split(",")[0].split("x") if "complex" not in spec else re.split(r"x(?=\d|\?|c)", spec)
    shape = [size if d == "?" else int(d) for d in dims]
    styles = (lambda: rng.normal(0, 1, shape), lambda: rng.normal(0, 0.1, shape), lambda: rng.uniform(0, 1, shape),
              lambda: rng.integers(-3, 4, shape).astype(float), lambda: np.abs(rng.normal(0, 2, shape)) + 0.01,
              lambda: rng.normal(0, 20, shape),
              lambda: rng.choice([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-40, 3e38, 0.5], shape),
              lambda: np.full(shape, rng.choice([0.0, -0.0, 1.0, np.inf, np.nan, 2.0])))
    integers = (lambda: rng.integers(0, 4, shape), lambda: rng.integers(-2, 10, shape), lambda: rng.integers(0, 100, shape),
                lambda: rng.integers(0, 2, shape), lambda: rng.integers(-100, 100, shape))
    if element in FLOATS or element in ("bf16",):
        values = styles[style % len(styles)]()
        if element == "bf16":
            import ml_dtypes
            return np.asarray(values).astype(ml_dtypes.bfloat16)
        return np.asarray(values).astype(FLOATS[element])
    if element == "i1":
        return np.asarray(rng.integers(0, 2, shape)).astype(bool)
    if element in INTS:
        return np.asarray(integers[style % len(integers)]()).astype(INTS[element])
    if element.startswith("complex<"):
        values = np.asarray(styles[style % len(styles)]()) + 1j * np.asarray(styles[(style + 1) % len(styles)]())
        return values.astype(np.complex64 if "f32" in element else np.complex128)
    return None


def results(tool, program, inputs):
    done = subprocess.run([tool, "eval", str(program), "--inputs", inputs, "--threads", "1"], capture_output=True, timeout=60)
    return (done.returncode, done.stdout if done.returncode == 0 else b"")


def difference(tool, a, b, count, seed):
    """Returns a description of an input on which the programs differ, or None."""
    specs = signature(a.read_text())
    if specs is None:
        return None
    rng = np.random.default_rng(seed)
    for n in range(count):
        with np.errstate(all="ignore"):
            same = rng.integers(0, 3) > 0
            style = n
            arrays = [draw(rng, s, style if same else int(rng.integers(0, 40)), SIZES[n % len(SIZES)]) for s in specs]
        if any(x is None for x in arrays):
            return None
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file, **{f"arg{i}": x for i, x in enumerate(arrays)})
            file.flush()
            try:
                ra, rb = results(tool, a, file.name), results(tool, b, file.name)
            except subprocess.TimeoutExpired:
                return None
        if ra != rb:
            return f"input {n} of seed {seed}" + (" (one fails)" if ra[0] != rb[0] else "")
        if not specs:
            return None
    return None
