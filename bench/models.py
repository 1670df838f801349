#!/usr/bin/env python3
"""Evaluates models of realistic size end to end, and compares with XLA on the CPU if jax is installed.

    models.py [--tool build/release/bin/shlo-compat] [--bench build/release/bin/shlo_bench] [--write DIR] [--runs N]
              [MODEL...]

Convolutional networks (224x224) and transformers (width 768), in StableHLO, with random weights as arguments. First
the evaluation alone: the first and the best time in one process, on random inputs. Then, if numpy is installed, whole
commands (`eval FILE --inputs X.npz --outputs Y.npz`) in turns with a run of XLA in a process that has compiled the
program and read the inputs: medians of wall time and processor time, the peak memory of each process, and the ratio
to XLA. Programs of bf16 need ml_dtypes, which jax brings.
"""
import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time


class Writer:
    def __init__(self, element="f32"):
        self.args, self.lines, self.n, self.element = [], [], 0, element

    def type(self, shape):
        return "tensor<" + "".join(f"{d}x" for d in shape) + f"{self.element}>"

    def arg(self, *shape):
        self.args.append(shape)
        return f"%a{len(self.args) - 1}", shape

    def op(self, text, shape):
        self.lines.append(f"    %{self.n} = {text}")
        self.n += 1
        return f"%{self.n - 1}", tuple(shape)

    def constant(self, value, shape=()):
        return self.op(f"stablehlo.constant dense<{value}> : {self.type(shape)}", shape)

    def binary(self, name, x, y):
        return self.op(f"stablehlo.{name} {x[0]}, {y[0]} : {self.type(x[1])}", x[1])

    def unary(self, name, x):
        return self.op(f"stablehlo.{name} {x[0]} : {self.type(x[1])}", x[1])

    def broadcast(self, x, shape, dims):
        return self.op(f"stablehlo.broadcast_in_dim {x[0]}, dims = {list(dims)} : ({self.type(x[1])}) -> {self.type(shape)}", shape)

    def number(self, value, shape):
        return self.broadcast(self.constant(value), shape, [])

    def reduce(self, name, x, dims, init):
        shape = [d for i, d in enumerate(x[1]) if i not in dims]
        z = self.constant(init)
        return self.op(f"stablehlo.reduce({x[0]} init: {z[0]}) applies stablehlo.{name} across dimensions = {list(dims)} : "
                       f"({self.type(x[1])}, {self.type(())}) -> {self.type(shape)}", shape)

    def dot(self, x, y, contract, batch=((), ())):
        left = [d for i, d in enumerate(x[1]) if i not in contract[0] and i not in batch[0]]
        right = [d for i, d in enumerate(y[1]) if i not in contract[1] and i not in batch[1]]
        shape = [x[1][i] for i in batch[0]] + left + right
        batching = f"batching_dims = {list(batch[0])} x {list(batch[1])}, " if batch[0] else ""
        return self.op(f"stablehlo.dot_general {x[0]}, {y[0]}, {batching}contracting_dims = {list(contract[0])} x "
                       f"{list(contract[1])} : ({self.type(x[1])}, {self.type(y[1])}) -> {self.type(shape)}", shape)

    def reshape(self, x, shape):
        return self.op(f"stablehlo.reshape {x[0]} : ({self.type(x[1])}) -> {self.type(shape)}", shape)

    def transpose(self, x, order):
        shape = [x[1][d] for d in order]
        return self.op(f"stablehlo.transpose {x[0]}, dims = {list(order)} : ({self.type(x[1])}) -> {self.type(shape)}", shape)

    def conv(self, x, out, size, stride, groups=1):
        n, h, w, c = x[1]
        k = self.arg(size, size, c // groups, out)
        oh, ow = -(-h // stride), -(-w // stride)
        total = max((oh - 1) * stride + size - h, 0)
        pad = [total // 2, total - total // 2]
        shape = (n, oh, ow, out)
        return self.op(f"stablehlo.convolution({x[0]}, {k[0]}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
                       f"{{stride = [{stride}, {stride}], pad = [{pad}, {pad}]}} {{batch_group_count = 1 : i64, "
                       f"feature_group_count = {groups} : i64}} : ({self.type(x[1])}, {self.type(k[1])}) -> {self.type(shape)}", shape)

    def norm(self, x, relu=True):
        scale, bias = (self.broadcast(self.arg(x[1][-1]), x[1], [3]) for _ in range(2))
        y = self.binary("add", self.binary("multiply", x, scale), bias)
        return self.relu(y) if relu else y

    def relu(self, x):
        return self.binary("maximum", x, self.broadcast(self.constant("0.0"), x[1], []))

    def text(self, result):
        args = ", ".join(f"%a{i}: {self.type(s)}" for i, s in enumerate(self.args))
        body = "\n".join(self.lines)
        return (f"module @m {{\n  func.func public @main({args}) -> {self.type(result[1])} {{\n{body}\n    return {result[0]} : "
                f"{self.type(result[1])}\n  }}\n}}\n")


def resnet(batch=1, groups=1):
    w = Writer()
    x = w.norm(w.conv(w.arg(batch, 224, 224, 3), 64, 7, 2))
    z = w.constant("0xFF800000")
    shape = (batch, 56, 56, 64)
    x = w.op(f'"stablehlo.reduce_window"({x[0]}, {z[0]}) ({{\n    ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n      %s = '
             f'stablehlo.maximum %l, %r : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }}) {{window_dimensions = '
             f'array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, '
             f'0]]> : tensor<4x2xi64>}} : ({w.type(x[1])}, tensor<f32>) -> {w.type(shape)}', shape)
    for stage, blocks in enumerate([3, 4, 6, 3]):
        width = 64 << stage
        inner = width if groups == 1 else 2 * width
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            short = x if block else w.norm(w.conv(x, 4 * width, 1, stride), relu=False)
            y = w.norm(w.conv(x, inner, 1, stride))
            y = w.norm(w.conv(y, inner, 3, 1, groups))
            y = w.norm(w.conv(y, 4 * width, 1, 1), relu=False)
            x = w.relu(w.binary("add", y, short))
    x = w.reduce("add", x, [1, 2], "0.0")
    return w.text(w.dot(x, w.arg(2048, 1000), ([1], [0])))


def mobilenet(batch=1):
    w = Writer()

    def clamped(x):
        return w.binary("minimum", w.relu(x), w.number("6.0", x[1]))

    x = clamped(w.norm(w.conv(w.arg(batch, 224, 224, 3), 32, 3, 2), relu=False))
    for factor, width, blocks, first in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                         (6, 160, 3, 2), (6, 320, 1, 1)]:
        for block in range(blocks):
            inner = factor * x[1][-1]
            stride = 1 if block else first
            y = clamped(w.norm(w.conv(x, inner, 1, 1), relu=False)) if factor > 1 else x
            y = clamped(w.norm(w.conv(y, inner, 3, stride, inner), relu=False))
            y = w.norm(w.conv(y, width, 1, 1), relu=False)
            x = w.binary("add", x, y) if block else y
    x = clamped(w.norm(w.conv(x, 1280, 1, 1), relu=False))
    x = w.binary("divide", w.reduce("add", x, [1, 2], "0.0"), w.constant("49.0", (batch, 1280)))
    return w.text(w.dot(x, w.arg(1280, 1000), ([1], [0])))


def transformer(layers=12, batch=None, element="f32", gate="logistic", tokens=128, width=768, heads=12):
    """Without a batch, heads are transposed to the front; with one, they are a batching dimension where they are, as
    jax.numpy.einsum writes it. Softmax and normalization of bf16 are computed in bf16."""
    w = Writer(element)
    lead = (tokens,) if batch is None else (batch, tokens)
    last = len(lead)
    kept = list(range(last))
    low = {"f32": "0xFF800000", "bf16": "0xFF80"}[element]
    x = w.arg(*lead, width)

    def dense(x, out):
        y = w.dot(x, w.arg(x[1][-1], out), ([last], [0]))
        return w.binary("add", y, w.broadcast(w.arg(out), y[1], [last]))

    def normalize(x):
        n = w.constant(f"{float(width)}", lead)
        mean = w.broadcast(w.binary("divide", w.reduce("add", x, [last], "0.0"), n), x[1], kept)
        c = w.binary("subtract", x, mean)
        v = w.binary("divide", w.reduce("add", w.binary("multiply", c, c), [last], "0.0"), n)
        r = w.unary("rsqrt", w.binary("add", v, w.constant("1.0e-5", lead)))
        y = w.binary("multiply", c, w.broadcast(r, x[1], kept))
        return w.binary("add", w.binary("multiply", y, w.broadcast(w.arg(width), x[1], [last])),
                        w.broadcast(w.arg(width), x[1], [last]))

    def softmax(s):
        rows = list(range(len(s[1]) - 1))
        top = w.broadcast(w.reduce("maximum", s, [len(rows)], low), s[1], rows)
        e = w.unary("exponential", w.binary("subtract", s, top))
        return w.binary("divide", e, w.broadcast(w.reduce("add", e, [len(rows)], "0.0"), s[1], rows))

    def gated(h):
        if gate == "logistic":
            return w.binary("multiply", h, w.unary("logistic", w.binary("multiply", h, w.constant("1.702", h[1]))))
        half = w.binary("multiply", h, w.number("0.5", h[1]))
        if gate == "erf":
            e = w.op(f"chlo.erf {w.binary('multiply', h, w.number('0.70710678', h[1]))[0]} : {w.type(h[1])} -> "
                     f"{w.type(h[1])}", h[1])
        else:
            cube = w.binary("multiply", w.binary("multiply", h, h), h)
            inner = w.binary("add", h, w.binary("multiply", cube, w.number("0.044715", h[1])))
            e = w.unary("tanh", w.binary("multiply", inner, w.number("0.79788456", h[1])))
        return w.binary("multiply", half, w.binary("add", e, w.number("1.0", h[1])))

    size = width // heads
    for _ in range(layers):
        h = normalize(x)
        q, k, v = (w.reshape(dense(h, width), (*lead, heads, size)) for _ in range(3))
        if batch is None:
            q, k, v = (w.transpose(p, [1, 0, 2]) for p in (q, k, v))
            s = w.dot(q, k, ([2], [2]), ([0], [0]))
        else:
            s = w.dot(q, k, ([3], [3]), ([0, 2], [0, 2]))
        s = softmax(w.binary("multiply", s, w.constant(f"{size ** -0.5:e}", s[1])))
        if batch is None:
            o = w.transpose(w.dot(s, v, ([2], [1]), ([0], [0])), [1, 0, 2])
        else:
            o = w.transpose(w.dot(s, v, ([3], [1]), ([0, 1], [0, 2])), [0, 2, 1, 3])
        x = w.binary("add", x, dense(w.reshape(o, (*lead, width)), width))
        h = gated(dense(normalize(x), 4 * width))
        x = w.binary("add", x, dense(h, width))
    return w.text(normalize(x))


MODELS = {
    "resnet50": resnet,
    "transformer12": transformer,
    "resnet50-batch8": lambda: resnet(batch=8),
    "resnext50": lambda: resnet(groups=32),
    "mobilenet": mobilenet,
    "bert-erf-batch8": lambda: transformer(layers=4, batch=8, gate="erf"),
    "gpt-tanh": lambda: transformer(layers=12, batch=1, gate="tanh", tokens=256),
    "transformer-bf16": lambda: transformer(layers=12, element="bf16", gate="tanh"),
}


def arguments_of(path):
    """Returns the text, and shape and element type of each argument."""
    text = pathlib.Path(path).read_text()
    types = [t.split("x") for t in re.findall(r"tensor<([^>]*)>", text[:text.index(" -> ")])]
    return text, [(tuple(int(d) for d in t[:-1]), t[-1]) for t in types]


def dtype(element):
    import numpy as np
    if element == "f32":
        return np.float32
    import ml_dtypes
    return ml_dtypes.bfloat16


def write_inputs(path):
    """Runs in its own process: the peak memory of a command includes that of the process that starts it."""
    import numpy as np
    rng = np.random.default_rng(1)
    data = {f"arg{i}": (rng.uniform(-1, 1, s) / max(1, np.prod(s[:-1])) ** 0.5).astype(dtype(element))
            for i, (s, element) in enumerate(arguments_of(path)[1])}
    np.savez(pathlib.Path(path).with_suffix(".npz"), **data)


def run_xla(path):
    """Compiles, reads the inputs, and then runs the program once for every line of standard input. Prints wall and
    processor time of each run in ms, and at the end the peak memory in MiB. Runs in its own process."""
    import jax
    import numpy as np
    from jax._src import xla_bridge
    from jax._src.lib import xla_client
    text, arguments = arguments_of(path)
    backend = xla_bridge.get_backend("cpu")
    with np.load(pathlib.Path(path).with_suffix(".npz")) as file:
        data = [jax.device_put(file[f"arg{i}"].view(dtype(element))) for i, (_, element) in enumerate(arguments)]
    executable = backend.compile_and_load(text, xla_client.DeviceList(tuple(backend.local_devices()[:1])),
                                          xla_client.CompileOptions())
    print("ready", flush=True)
    for _ in sys.stdin:
        start, processor = time.perf_counter(), time.process_time()
        out = executable.execute_sharded(data).disassemble_into_single_device_arrays()
        result = np.asarray(out[0][0])
        print((time.perf_counter() - start) * 1e3, (time.process_time() - processor) * 1e3, flush=True)
    np.savez(pathlib.Path(path).with_suffix(".xla.npz"), result0=result.astype(np.float32))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def run_command(command):
    """Returns wall and processor time in ms, and the peak memory in MiB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    return took * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


def compare_commands(tool, path, runs):
    name, inputs = pathlib.Path(path).stem, str(pathlib.Path(path).with_suffix(".npz"))
    if subprocess.run([sys.executable, __file__, "--inputs-of", path], stderr=subprocess.DEVNULL).returncode != 0:
        return print(f"{name:14} no numpy: commands are not timed")
    xla = subprocess.Popen([sys.executable, __file__, "--xla", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    with_xla = xla.stdout.readline() == "ready\n"
    samples = {"exact": [], "--fast": [], "XLA": []}
    for i in range(runs + 2):  # the first two of each warm up
        for what in ("exact", "--fast"):
            output = str(pathlib.Path(path).with_suffix(f".{what.strip('-')}.npz"))
            pathlib.Path(output).unlink(missing_ok=True)  # a file that is replaced is synced
            samples[what].append(run_command([tool, "eval", path, "--inputs", inputs, "--outputs", output] +
                                             ["--fast"] * (what == "--fast")))
        if with_xla:
            xla.stdin.write("run\n")
            xla.stdin.flush()
            samples["XLA"].append([float(x) for x in xla.stdout.readline().split()])
    peak = 0.0
    if with_xla:
        xla.stdin.close()
        peak = float(xla.stdout.read())
    xla.wait()
    wall = {what: statistics.median(s[0] for s in all[2:]) for what, all in samples.items() if all}
    for what, all in samples.items():
        if not all:
            continue
        memory = peak if what == "XLA" else max(s[2] for s in all)
        ratio = f", {wall[what] / wall['XLA']:.2f} of XLA's time, {memory / peak:.2f} of its memory" if with_xla else ""
        print(f"{name:14} {what + (' warm run' if what == 'XLA' else ' command'):16} median {wall[what]:.1f} ms, "
              f"processor {statistics.median(s[1] for s in all[2:]):.1f} ms, peak {memory:.1f} MiB{ratio}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/shlo_bench")
    parser.add_argument("--tool", default="build/release/bin/shlo-compat")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each command (default: 5)")
    parser.add_argument("--inputs-of", help=argparse.SUPPRESS)
    parser.add_argument("--write", help="directory to keep the programs in")
    parser.add_argument("--xla", help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"default: all of {', '.join(MODELS)}")
    args = parser.parse_args()
    if unknown := set(args.models) - set(MODELS):
        parser.error(f"there is no model {', '.join(sorted(unknown))}")
    if args.xla:
        return run_xla(args.xla)
    if args.inputs_of:
        return write_inputs(args.inputs_of)
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.write or scratch
        os.makedirs(folder, exist_ok=True)
        for name in args.models or MODELS:
            path = os.path.join(folder, name + ".mlir")
            pathlib.Path(path).write_text(MODELS[name]())
            for what, command in (("exact", [args.bench, "--eval", path]), ("--fast", [args.bench, "--eval", path, "fast"])):
                done = subprocess.run(command, capture_output=True, text=True)
                line = done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]
                print(f"{name:14} {what:16} {line}", flush=True)
            compare_commands(args.tool, path, args.runs)


if __name__ == "__main__":
    main()
