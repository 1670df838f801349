#!/usr/bin/env python3
"""Compares what is valid here and in MLIR for generated ops of the dialects arith, tensor, shape, scf and func.

    upstream_ops.py --tools DIR [--count N] [--seed S] [--samples TOOL] [--list]

DIR holds the drop-in tools (build/release/bin/dropin). Each program is a function with one op, in generic form, valid
or with some of its types and attributes replaced. Both accept it, or both refuse it; equal messages are counted, and
--list prints those that differ. TOOL prints samples of the ops (tests/write_samples.cc), which the peer accepts if it
knows the dialect. Needs jaxlib, as jaxlib_peer.py. Exit code 1 when one accepts what the other refuses,
2 when jaxlib is missing.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

INTEGERS = ["i1", "i4", "i8", "i16", "i32", "i64", "i7", "index"]
SIZED = ["i1", "i4", "i8", "i16", "i32", "i64", "i7"]
FLOATS = ["f16", "bf16", "f32", "f64", "f8E4M3FN"]
OTHERS = ["ui8", "si32", "complex<f32>", "!shape.size", "tuple<>"]
SHAPES = ["!shape.shape", "tensor<2xindex>", "tensor<?xindex>", "tensor<3xindex>", "tensor<0xindex>"]
SIZES = ["!shape.size", "index"]
ODD = ["!shape.value_shape", "!shape.witness", "tensor<2x2xindex>", "tensor<*xindex>", "vector<2xindex>", "tuple<i32>",
       "memref<2xindex>", "memref<?xi32>", "memref<*xf32>", "tensor<2xi32>", "!stablehlo.token", "vector<[2]xi32>"]


def dims(rng, low=0, high=3):
    return "".join(rng.choice(["2x", "3x", "?x", "1x", "0x"]) for _ in range(rng.randrange(low, high)))


def static(rng):
    return "".join(rng.choice(["2x", "3x", "1x", "0x"]) for _ in range(rng.randrange(0, 3)))


def container(rng):
    """Returns a function that puts an element type into a scalar, a vector, or a tensor of some shape."""
    kind = rng.randrange(10)
    if kind < 3:
        return lambda e: e
    if kind == 3:
        size = rng.choice(["2", "2x3", "[4]"])
        return lambda e: f"vector<{size}x{'i8' if re.match('complex|!', e) else e}>"  # others cannot be in a vector
    if kind == 4:
        return lambda e: f"tensor<*x{e}>"
    shape, encoding = dims(rng), rng.choice(["", "", "", ", 1 : i32", ", #stablehlo.bounds<3>"])
    if "bounds" in encoding:
        shape = "?x"
    return lambda e: f"tensor<{shape}{e}{encoding}>"


def any_type(rng):
    element = rng.choice(INTEGERS + FLOATS + OTHERS[:3])
    if rng.random() < 0.3:
        return rng.choice(ODD + SHAPES + SIZES + OTHERS)
    return container(rng)(element)


class Made:
    """An op: its operand types, result types, attributes, and for a region its arguments, what it returns and how."""

    def __init__(self, operands, results, attrs=None, region=None):
        self.operands, self.results, self.attrs, self.region = list(operands), list(results), dict(attrs or {}), region


def binary(elements, flag=None):
    def make(rng):
        t = container(rng)(rng.choice(elements))
        return Made([t, t], [t], {flag[0]: rng.choice(flag[1])} if flag and rng.random() < 0.5 else {})
    return make


def compare(rng):
    shaped, element = container(rng), rng.choice(INTEGERS)
    return Made([shaped(element)] * 2, [shaped("i1")], {"predicate": f"{rng.randrange(10)} : i64"})


def cast(pairs):
    def make(rng):
        shaped, (a, b) = container(rng), rng.choice(pairs)
        if "memref" in a:
            return Made([a], [b])
        return Made([shaped(a)], [shaped(b)])
    return make


WIDTHS = {e: int(e[1:]) for e in SIZED}
WIDER = [(a, b) for a in SIZED for b in SIZED if WIDTHS[a] < WIDTHS[b]]
INDEX = [("index", e) for e in SIZED] + [(e, "index") for e in SIZED] + [("memref<2xindex>", "memref<2xi32>")]


def constant(rng):
    element, shape = rng.choice(INTEGERS + FLOATS + ["ui8", "si32"]), static(rng)
    value = rng.choice(["1", "0"]) if element[0] in "usi" else "1.0"
    if element == "i1":
        value = rng.choice(["true", "false"])
    kind = rng.randrange(5)
    if kind == 0:
        return Made([], [element], {"value": value if element == "i1" else f"{value} : {element}"})
    t = f"vector<2x{element}>" if kind == 1 else f"tensor<{shape}{element}>"
    return Made([], [t], {"value": f"dense<{value}> : {t}"})


def select(rng):
    shaped, t = container(rng), rng.choice(INTEGERS + FLOATS)
    if rng.random() < 0.4:
        t = any_type(rng)
        return Made(["i1", t, t], [t])
    return Made([shaped("i1"), shaped(t), shaped(t)], [shaped(t)])


def tensor_cast(rng):
    e = rng.choice(INTEGERS + FLOATS + OTHERS)
    sizes = [rng.randrange(4) for _ in range(rng.randrange(3))]
    def tensor():
        if rng.random() < 0.15:
            return f"tensor<*x{e}>"
        return "tensor<" + "".join(("?" if rng.random() < 0.4 else str(n)) + "x" for n in sizes) + \
            e + (", 1 : i32>" if rng.random() < 0.1 else ">")
    return Made([tensor()], [tensor()])


def tensor_dim(rng):
    e = rng.choice(INTEGERS + FLOATS + OTHERS)
    t = f"tensor<*x{e}>" if rng.random() < 0.2 else f"tensor<{dims(rng, 1)}{e}>"
    return Made([t, "index"], ["index"])


def from_elements(rng):
    e = rng.choice(INTEGERS + FLOATS + OTHERS)
    sizes = [rng.randrange(3) for _ in range(rng.randrange(3))]
    count = 1
    for n in sizes:
        count *= n
    return Made([e] * count, ["tensor<" + "".join(f"{n}x" for n in sizes) + f"{e}>"])


def insert(rng):
    e, shape = rng.choice(INTEGERS + FLOATS + OTHERS), dims(rng)
    t = f"tensor<{shape}{e}{rng.choice(['', '', ', 1 : i32'])}>"
    return Made([e, t] + ["index"] * shape.count("x"), [t])


def shape_op(operands, results, attrs=None):
    def make(rng):
        pick = lambda cell: rng.choice(cell) if isinstance(cell, list) else cell(rng)
        given = attrs(rng) if attrs else {}
        return Made([pick(c) for c in operands], [pick(c) for c in results], given)
    return make


def shapes(least):
    def make(rng):
        count = rng.randrange(least, 4)
        return Made([rng.choice(SHAPES) for _ in range(count)], [rng.choice(SHAPES)])
    return make


def broadcastable(rng):
    return Made(shapes(2)(rng).operands, ["!shape.witness"])


def const_shape(rng):
    n = rng.randrange(4)
    value = f"dense<{rng.choice(['[' + ', '.join('12345'[:n]) + ']', 7]) if n else '[]'}> : tensor<{n}xindex>"
    return Made([], [rng.choice(["!shape.shape", f"tensor<{n}xindex>"])], {"shape": value})


def shape_of(rng):
    rank = rng.randrange(3)
    arg = rng.choice(["tensor<", "vector<", "memref<"]) + "2x" * rank + "f32>"
    if arg == "vector<f32>":
        arg = "tensor<f32>"
    return Made([arg], [rng.choice([f"tensor<{rank}xindex>", "tensor<?xindex>", "!shape.shape"])])


def assuming(rng):
    types = [any_type(rng) for _ in range(rng.randrange(3))]
    return Made(["!shape.witness"], types, {}, [[], list(types), "shape.assuming_yield"])


def scf_for(rng):
    bound = rng.choice(["index", "i32", "i64"])
    inits = [any_type(rng) for _ in range(rng.randrange(3))]
    return Made([bound] * 3 + inits, inits, {}, [[bound] + inits, list(inits), "scf.yield"])


def conversion_cast(rng):
    return Made([any_type(rng) for _ in range(rng.randrange(3))], [any_type(rng) for _ in range(rng.randrange(1, 3))])


def call(rng):
    return Made(["i32", "tensor<2xf32>"], ["f32"], {"callee": "@callee"})


OVERFLOW = ("overflowFlags", ["#arith.overflow<none>", "#arith.overflow<nsw>", "#arith.overflow<nsw, nuw>"])
FAST = ("fastmath", ["#arith.fastmath<none>", "#arith.fastmath<fast>", "#arith.fastmath<nnan,ninf>"])
OPS = {
    **{f"arith.{n}": binary(INTEGERS, OVERFLOW) for n in ["addi", "subi", "muli"]},
    **{f"arith.{n}": binary(INTEGERS) for n in ["divsi", "maxsi", "minsi"]},
    "arith.addf": binary(FLOATS, FAST), "arith.cmpi": compare, "arith.constant": constant, "arith.select": select,
    "arith.extsi": cast(WIDER), "arith.trunci": cast([(b, a) for a, b in WIDER]), "arith.index_cast": cast(INDEX),
    "tensor.cast": tensor_cast, "tensor.dim": tensor_dim, "tensor.from_elements": from_elements,
    "tensor.insert": insert, "shape.broadcast": shapes(0), "shape.concat": shape_op([SHAPES, SHAPES], [SHAPES]),
    "shape.const_shape": const_shape, "shape.cstr_broadcastable": broadcastable,
    "shape.dim": shape_op([any_type, SIZES], [SIZES]), "shape.get_extent": shape_op([SHAPES, SIZES], [SIZES]),
    "shape.num_elements": shape_op([SHAPES], [SIZES]), "shape.shape_of": shape_of,
    "shape.split_at": shape_op([SHAPES, SIZES], [SHAPES, SHAPES]),
    "shape.to_extent_tensor": shape_op([SHAPES], [["tensor<2xindex>", "tensor<?xindex>", "tensor<*xindex>"]]),
    "shape.assuming": assuming, "scf.for": scf_for, "builtin.unrealized_conversion_cast": conversion_cast,
    "func.call": call,
}
ATTRS = ["1 : i64", "99 : i64", "-1 : i64", "3 : i32", "1.0 : f32", "unit", '"text"', "true", "dense<1> : tensor<2xi64>",
         "dense<1> : tensor<2xindex>", "dense<1.0> : tensor<f32>", "#arith.overflow<nsw>", "#arith.fastmath<fast>",
         "@callee", "@none", "[1 : i32]", "array<i32: 1, 2>", "array<i64: 1>", "i32", '"typed" : i32', "{a}"]


def near(rng, t):
    """Returns a type that differs from `t` in one part, or any other."""
    if rng.random() < 0.5:
        choices = [re.sub(r"^tensor<(?=\d)", "tensor<?x", t), re.sub(r"2x", "3x", t, count=1),
                   re.sub(r"[23]x", "?x", t, count=1), re.sub(r"^tensor", "vector", t), re.sub(r"\?x", "2x", t, count=1),
                   re.sub(r"\b(?:i\d+|index|f\d+)", rng.choice(INTEGERS + FLOATS), t),
                   re.sub(r">$", ", 2 : i32>", t) if t.startswith("tensor<") and "," not in t else t]
        new = rng.choice(choices)
        if new != t and not (new.startswith("vector") and ("?" in new or "*" in new or "," in new or "vector<i" in new)):
            return new
    return any_type(rng)


def damage(rng, op):
    lists = [l for l in [op.operands, op.results] + (op.region[:2] if op.region else [])]
    for _ in range(rng.choice([1, 1, 1, 2])):
        what = rng.randrange(12)
        items = rng.choice([l for l in lists if l] or [op.results])
        if what < 8 and items:
            i = rng.randrange(len(items))
            items[i] = near(rng, items[i])
        elif what == 8 and items:
            items.pop()
        elif what == 9:
            items.append(rng.choice(items) if items else any_type(rng))
        elif op.attrs and rng.random() < 0.7:
            name = rng.choice(sorted(op.attrs))
            op.attrs[name] = rng.choice(ATTRS)
            if rng.random() < 0.2:
                del op.attrs[name]
        else:
            if op.region and rng.random() < 0.3:
                op.region[2] = rng.choice(["scf.yield", "shape.assuming_yield", "func.return"])
            elif items:
                items[0] = any_type(rng)


def text_of(name, op):
    given = list(op.operands) + (op.region[1] if op.region else [])
    args = ", ".join(f"%a{i}: {t}" for i, t in enumerate(given))
    names = ", ".join(f"%a{i}" for i in range(len(op.operands)))
    attrs = " {" + ", ".join(f"{k} = {v}" for k, v in op.attrs.items()) + "}" if op.attrs else ""
    region = ""
    if op.region:
        inner, returned, terminator = op.region
        values = ", ".join(f"%a{len(op.operands) + i}" for i in range(len(returned)))
        block = "^bb0" + ("(" + ", ".join(f"%b{i}: {t}" for i, t in enumerate(inner)) + ")" if inner else "") + ":"
        region = f' ({{\n  {block}\n    "{terminator}"({values}) : ({", ".join(returned)}) -> ()\n  }})'
    results = f"%r:{len(op.results)} = " if op.results else ""
    return ("func.func private @callee(i32, tensor<2xf32>) -> f32\n"
            f"func.func @f({args}) {{\n"
            f'  {results}"{name}"({names}){region}{attrs} : ({", ".join(op.operands)}) -> ({", ".join(op.results)})\n'
            "  return\n}\n")


def program(seed):
    rng = random.Random(seed)
    name = rng.choice(sorted(OPS))
    op = OPS[name](rng)
    if rng.random() < 0.7:
        damage(rng, op)
    return name, text_of(name, op)


def check_samples(peer, tool):
    """Returns how many samples the peer accepts, and how many it refuses."""
    accepted = refused = 0
    for text in subprocess.run([tool], capture_output=True, text=True, check=True, timeout=60).stdout.split("// -----\n"):
        if not text or "ml_program" in text:
            continue
        module, why = peer.parse(text)
        accepted += module is not None
        refused += module is None
        if not module:
            print(f"the peer refuses a sample: {why}\n{text}")
    return accepted, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--samples")
    parser.add_argument("--list", action="store_true", help="print messages that differ")
    args = parser.parse_args()
    try:
        from jaxlib_peer import Peer
        peer = Peer()
    except ImportError as error:
        print(f"upstream_ops: {error}: run ./dev peer, which installs jax", file=sys.stderr)
        return 2
    opt = os.path.join(args.tools, "stablehlo-opt")
    programs = [program(args.seed + i) for i in range(args.count)]

    def ours(text):
        done = subprocess.run([opt, "-"], input=text.encode(), capture_output=True, timeout=60)
        return done.returncode, done.stderr.decode("utf-8", "replace")

    counts, by_op = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool, peer.context() as context:
        context.allow_unregistered_dialects = False
        accepted, wrong = check_samples(peer, args.samples) if args.samples else (0, 0)
        for i, ((name, text), (code, err)) in enumerate(zip(programs, pool.map(ours, [t for _, t in programs]))):
            module, why = peer.parse(text)
            if code not in (0, 1):
                print(f"program {args.seed + i}: exit code {code}\n{text}{err}")
                wrong += 1
                continue
            if bool(module) != (code == 0):
                print(f"program {args.seed + i}: {'only we refuse' if module else 'only the peer refuses'}: "
                      f"{err.strip()[:600] if module else why}\n{text}")
                wrong += 1
                by_op[name] += 1
                continue
            counts["valid" if module else "invalid"] += 1
            if module:
                continue
            first = re.search(r"error: (.*)", err)
            same = first and first.group(1).strip() == why.split("\n")[0].strip()
            counts["same message" if same else "another message"] += 1
            if args.list and not same:
                print(f"program {args.seed + i}: ours: {first.group(1) if first else err[:300]} | peer: {why[:300]}")
    if by_op:
        print("differences by op:", dict(by_op.most_common()))
    print(f"{args.count} ops of MLIR's dialects, peer {peer.release}: {counts['valid']} valid and {counts['invalid']} invalid "
          f"in both ({counts['same message']} with the same message, {counts['another message']} with another), "
          f"{accepted} samples, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
