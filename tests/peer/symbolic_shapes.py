"""Specializes programs with symbolic shapes of jax. Usage: symbolic_shapes.py TOOL [--only NAME] [--inputs N]

Each program is exported with symbolic shapes, specialized at three sizes, and compared with what jax lowers at those
sizes: by `shlo-compat prove`, and otherwise by running both in jax. The specialized file must load in jax.export, state
the static signature, and give the same results. Needs jax 0.10 or later.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

F = jnp.float32


def mlp(x, w1, b1, w2):
    return jax.nn.gelu(x @ w1 + b1) @ w2


def attention(q, k, v):
    s = q.shape[1]
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones((s, s), bool))
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1), v)


def padding_mask(x, lengths):
    mask = jnp.arange(x.shape[1])[None, :] < lengths[:, None]
    return jnp.sum(jnp.where(mask[..., None], x, 0.0), axis=1) / jnp.maximum(lengths, 1)[:, None]


def convolution(x, w):
    y = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.nn.relu(y)


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def batch_norm(x, scale, offset):
    mean, var = jnp.mean(x, axis=(0, 1)), jnp.var(x, axis=(0, 1))
    return (x - mean) * lax.rsqrt(var + 1e-5) * scale + offset


def layer_norm(x):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(jnp.var(x, axis=-1, keepdims=True) + 1e-6)


def rnn(xs, h, w):
    def step(carry, x):
        carry = jnp.tanh(carry @ w + x)
        return carry, carry

    return lax.scan(step, h, jnp.swapaxes(xs, 0, 1))


def countdown(x):
    return lax.while_loop(lambda c: c[0] < x.shape[0], lambda c: (c[0] + 1, c[1] * 0.5 + x), (0, x))[1]


def loop_over_rows(x):
    return lax.fori_loop(0, x.shape[0], lambda i, acc: acc + lax.dynamic_index_in_dim(x, i, 0, keepdims=False), x[0])


def embedding(table, ids):
    return table[ids]


def scatter_add(x, i, u):
    return x.at[i].add(u)


def sliding(x):
    return lax.dynamic_slice(x, (x.shape[0] // 2, 0), (x.shape[0] // 2, 3)) + x[: x.shape[0] // 2, 1:4]


def update(x, y):
    return lax.dynamic_update_slice(x, y, (1, 0))


def sorting(x):
    return jnp.sort(x, axis=0), jnp.argsort(x, axis=-1)


def top_3(x):
    return lax.top_k(x, 3)


def top_half(x):
    return lax.top_k(x, x.shape[-1] // 2)


def approximate_top_half(x):
    return lax.approx_max_k(x, x.shape[-1] // 2)


def arg_max(x):
    return jnp.argmax(x, axis=-1), jnp.argmin(x, axis=0)


def einsum(a, b):
    return jnp.einsum("bij,bjk,k->bi", a, b, jnp.arange(b.shape[2], dtype=F))


def merge(x):
    b, s, d = x.shape
    y = x.reshape(b * s, d)
    return y.reshape(b, s, 2, d // 2).transpose(0, 2, 1, 3)


def concatenation(x, y):
    return jnp.concatenate([x, y, x * 2], axis=1)


def padding(x):
    return jnp.pad(x, ((1, 2), (0, x.shape[0])), constant_values=3.0)


def cumulative(x):
    return jnp.cumsum(x, axis=1), jnp.cumprod(x, axis=0)


def divisions(x):
    b = x.shape[0]
    return jnp.ones((b // 2, b % 3 + 1), F) * x[0, 0] + (b - 1), x[: (b + 3) // 4], x[::2]


def constrained(x, y):
    return x.reshape(x.shape[0] // 4, 4, -1).sum(axis=1) * y.shape[0] + y.mean()


def dimension_as_value(x):
    return x / x.shape[0] + jnp.float32(x.shape[0] * x.shape[1]), jnp.sum(x) / x.size


def random_bits(key, x):
    return jax.random.normal(jax.random.wrap_key_data(key, impl="threefry2x32"), x.shape) + x


def bit_generator(key, x):
    return lax.rng_bit_generator(key, (x.shape[0], 3), dtype=jnp.uint32)


def dropout(key, x):
    keep = jax.random.bernoulli(jax.random.wrap_key_data(key, impl="threefry2x32"), 0.8, x.shape)
    return jnp.where(keep, x / 0.8, 0.0)


def fourier(x):
    return jnp.abs(jnp.fft.rfft(x)) + jnp.real(jnp.fft.fft(x.astype(jnp.complex64)))[:, : x.shape[1] // 2 + 1]


def triangular(a, b):
    return lax.linalg.triangular_solve(jnp.tril(a) + 4 * jnp.eye(a.shape[-1]), b, left_side=True, lower=True)


def conditional(p, x):
    return lax.cond(p > 0, lambda: x * 2, lambda: jnp.flip(x, 0))


def mapped(x, w):
    return lax.map(lambda row: jnp.dot(row, w), x)


def loss_gradient(w, x, y):
    return jax.grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(w)


def nested(x):
    inner = jax.jit(lambda y: y.sum(axis=0) + y.shape[0])
    return inner(x), inner(jnp.concatenate([x, x]))


S = jax.ShapeDtypeStruct
# Name: function, dimensions, constraints, arguments (shape, element type), sizes to specialize to.
PROGRAMS = {
    "mlp": (mlp, "b", [], [("b, 8", F), ("8, 16", F), ("16", F), ("16, 4", F)], [{"b": 1}, {"b": 5}, {"b": 32}]),
    "attention": (attention, "b, s", [], [("b, s, 8", F)] * 3, [{"b": 1, "s": 1}, {"b": 2, "s": 5}, {"b": 3, "s": 16}]),
    "padding_mask": (padding_mask, "b, s", [], [("b, s, 4", F), ("b", jnp.int32)], [{"b": 1, "s": 2}, {"b": 3, "s": 4}, {"b": 4, "s": 7}]),
    "convolution": (convolution, "b, h", ["h >= 4"], [("b, h, h, 3", F), ("3, 3, 3, 4", F)], [{"b": 1, "h": 4}, {"b": 2, "h": 7}, {"b": 3, "h": 8}]),
    "max_pool": (max_pool, "b, h", ["h >= 2"], [("b, h, h + 1, 2", F)], [{"b": 1, "h": 2}, {"b": 2, "h": 5}, {"b": 3, "h": 8}]),
    "batch_norm": (batch_norm, "b, s", [], [("b, s, 4", F), ("4", F), ("4", F)], [{"b": 2, "s": 1}, {"b": 3, "s": 4}, {"b": 8, "s": 2}]),
    "layer_norm": (layer_norm, "b", [], [("b, 8", F)], [{"b": 1}, {"b": 2}, {"b": 9}]),
    "rnn": (rnn, "b, t", [], [("b, t, 4", F), ("b, 4", F), ("4, 4", F)], [{"b": 1, "t": 1}, {"b": 2, "t": 3}, {"b": 3, "t": 6}]),
    "countdown": (countdown, "b", [], [("b, 3", F)], [{"b": 1}, {"b": 4}, {"b": 7}]),
    "loop_over_rows": (loop_over_rows, "b", [], [("b, 3", F)], [{"b": 1}, {"b": 4}, {"b": 7}]),
    "embedding": (embedding, "v, b, s", [], [("v, 4", F), ("b, s", jnp.int32)], [{"v": 10, "b": 1, "s": 1}, {"v": 12, "b": 2, "s": 3}, {"v": 20, "b": 3, "s": 5}]),
    "scatter_add": (scatter_add, "n, k", [], [("n, 3", F), ("k", jnp.int32), ("k, 3", F)], [{"n": 10, "k": 1}, {"n": 12, "k": 4}, {"n": 15, "k": 6}]),
    "sliding": (sliding, "b", ["b >= 2"], [("b, 4", F)], [{"b": 2}, {"b": 5}, {"b": 8}]),
    "update": (update, "b", ["b >= 3"], [("b, 4", F), ("b - 2, 4", F)], [{"b": 3}, {"b": 4}, {"b": 9}]),
    "sorting": (sorting, "b, s", [], [("b, s", F)], [{"b": 1, "s": 3}, {"b": 4, "s": 2}, {"b": 5, "s": 8}]),
    "top_3": (top_3, "b, s", ["s >= 3"], [("b, s", F)], [{"b": 1, "s": 3}, {"b": 2, "s": 5}, {"b": 3, "s": 9}]),
    "top_half": (top_half, "b, s", ["s >= 2"], [("b, s", F)], [{"b": 1, "s": 2}, {"b": 2, "s": 5}, {"b": 3, "s": 8}]),
    "approximate_top_half": (approximate_top_half, "b, s", ["s >= 2"], [("b, s", F)], [{"b": 1, "s": 2}, {"b": 2, "s": 5}, {"b": 3, "s": 8}]),
    "arg_max": (arg_max, "b, s", [], [("b, s", F)], [{"b": 1, "s": 1}, {"b": 2, "s": 5}, {"b": 6, "s": 3}]),
    "einsum": (einsum, "b, n, k", [], [("b, n, 4", F), ("b, 4, k", F)], [{"b": 1, "n": 2, "k": 3}, {"b": 2, "n": 3, "k": 1}, {"b": 4, "n": 1, "k": 5}]),
    "merge": (merge, "b, s", [], [("b, s, 6", F)], [{"b": 1, "s": 2}, {"b": 2, "s": 3}, {"b": 5, "s": 4}]),
    "concatenation": (concatenation, "b, s, t", [], [("b, s", F), ("b, t", F)], [{"b": 1, "s": 2, "t": 1}, {"b": 2, "s": 1, "t": 4}, {"b": 3, "s": 5, "t": 2}]),
    "padding": (padding, "b, s", [], [("b, s", F)], [{"b": 1, "s": 2}, {"b": 2, "s": 3}, {"b": 5, "s": 1}]),
    "cumulative": (cumulative, "b, s", [], [("b, s", F)], [{"b": 1, "s": 2}, {"b": 3, "s": 4}, {"b": 4, "s": 7}]),
    "divisions": (divisions, "b", ["b >= 2"], [("b, 2", F)], [{"b": 2}, {"b": 7}, {"b": 12}]),
    "constrained": (constrained, "b, s", ["mod(b, 4) == 0", "b >= 4", "s >= 2", "s <= 100"], [("b, 3", F), ("s", F)], [{"b": 4, "s": 2}, {"b": 8, "s": 3}, {"b": 12, "s": 100}]),
    "dimension_as_value": (dimension_as_value, "b, s", [], [("b, s", F)], [{"b": 1, "s": 2}, {"b": 3, "s": 4}, {"b": 4, "s": 7}]),
    "random_bits": (random_bits, "b", [], [("2", jnp.uint32), ("b, 3", F)], [{"b": 1}, {"b": 4}, {"b": 5}]),
    "bit_generator": (bit_generator, "b", [], [("4", jnp.uint32), ("b, 3", F)], [{"b": 1}, {"b": 4}, {"b": 5}]),
    "dropout": (dropout, "b, s", [], [("2", jnp.uint32), ("b, s", F)], [{"b": 1, "s": 2}, {"b": 2, "s": 2}, {"b": 3, "s": 5}]),
    "fourier": (fourier, "b", [], [("b, 8", F)], [{"b": 1}, {"b": 2}, {"b": 5}]),
    "triangular": (triangular, "b, k", [], [("b, 4, 4", F), ("b, 4, k", F)], [{"b": 1, "k": 1}, {"b": 2, "k": 3}, {"b": 3, "k": 2}]),
    "conditional": (conditional, "b", [], [("", jnp.int32), ("b, 3", F)], [{"b": 1}, {"b": 2}, {"b": 6}]),
    "mapped": (mapped, "b, s", [], [("b, s", F), ("s", F)], [{"b": 1, "s": 3}, {"b": 2, "s": 5}, {"b": 3, "s": 8}]),
    "loss_gradient": (loss_gradient, "b", [], [("4, 2", F), ("b, 4", F), ("b, 2", F)], [{"b": 1}, {"b": 3}, {"b": 16}]),
    "nested": (nested, "b, s", [], [("b, s", F)], [{"b": 1, "s": 2}, {"b": 3, "s": 1}, {"b": 4, "s": 5}]),
}


def inputs_for(avals, seed):
    rng = np.random.default_rng(seed)
    values = []
    for aval in avals:
        if np.issubdtype(aval.dtype, np.floating):
            values.append(rng.standard_normal(aval.shape).astype(aval.dtype))
        else:
            values.append(rng.integers(0, 9, aval.shape).astype(aval.dtype))
    return values


def same(a, b):
    """Equal but for the order in which sums are computed."""
    a, b = jax.tree.leaves(a), jax.tree.leaves(b)
    return len(a) == len(b) and all(
        x.shape == y.shape and x.dtype == y.dtype and np.allclose(x, y, rtol=1e-5, atol=1e-5, equal_nan=True)
        for x, y in zip(a, b)
    )


class Specialization:
    def __init__(self, tool, folder, inputs):
        self.tool, self.folder, self.inputs = tool, pathlib.Path(folder), inputs

    def run(self, *args):
        return subprocess.run([self.tool, *map(str, args)], capture_output=True, text=True, timeout=300)

    def export(self, name):
        function, dims, constraints, args, _ = PROGRAMS[name]
        scope = export.SymbolicScope(constraints)
        specs = [S(export.symbolic_shape(shape, scope=scope) if shape else (), dtype) for shape, dtype in args]
        path = self.folder / f"{name}.jax"
        path.write_bytes(export.export(jax.jit(function))(*specs).serialize())
        return path

    def check(self, name, path, sizes):
        """Returns how the specialized program was compared, or the problem."""
        function, _, _, args, _ = PROGRAMS[name]
        out = self.folder / f"{name}.static.jax"
        done = self.run("specialize", path, *[f"--dim={k}={v}" for k, v in sizes.items()], "-o", out)
        if done.returncode:
            return None, done.stderr.strip()
        specs = [S(tuple(eval(shape + ",", dict(sizes))) if shape else (), dtype) for shape, dtype in args]
        loaded = export.deserialize(bytearray(out.read_bytes()))
        if [tuple(a.shape) for a in loaded.in_avals] != [s.shape for s in specs]:
            return None, f"signature {loaded.in_avals}"
        expected = jax.jit(function)
        wanted = [tuple(a.shape) for a in jax.tree.leaves(jax.eval_shape(function, *specs))]
        if [tuple(a.shape) for a in loaded.out_avals] != wanted:
            return None, f"results {loaded.out_avals}"
        for seed in range(self.inputs):
            values = inputs_for(specs, seed)
            if not same(loaded.call(*values), expected(*values)):
                return None, f"results differ for inputs {seed}"
        other = self.folder / f"{name}.lowered.jax"
        other.write_bytes(export.export(expected)(*specs).serialize())
        proved = self.run("prove", "--at-least=laws", out, other)
        return ("proved" if proved.returncode == 0 else "evaluated"), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--only", action="append")
    parser.add_argument("--inputs", type=int, default=100)
    options = parser.parse_args()
    counts, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        specialization = Specialization(options.tool, folder, options.inputs)
        for name in options.only or PROGRAMS:
            try:
                path = specialization.export(name)
            except Exception as error:  # jax refuses the program
                print(f"{name}: not exported: {str(error).splitlines()[0]}")
                failed += 1
                continue
            for sizes in PROGRAMS[name][-1]:
                how, problem = specialization.check(name, path, sizes)
                text = ", ".join(f"{k}={v}" for k, v in sizes.items())
                print(f"{name} {text}: {how or 'FAILED'} {problem}".rstrip(), flush=True)
                counts[how] = counts.get(how, 0) + 1
                failed += how is None
    print(", ".join(f"{count} {how or 'failed'}" for how, count in counts.items()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
