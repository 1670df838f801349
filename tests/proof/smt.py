#!/usr/bin/env python3
"""Proves laws with an SMT solver (L5): small programs before and after a law, for all values of their operands.

usage: smt.py LAW_CHECK [LAW...]

`law_check --show` prints the programs. Both are translated: integers and indices are bit-vectors, floats are bit-vectors that
only uninterpreted functions compute with, but for comparisons and tests, which are those of IEEE 754. Gathers, scatters
and collectives are written out for the shapes at hand, once for each revision of the op and from its text. A law has as
many checks as programs whose results the solver proves equal. Nothing is proved about the kernels.
"""
import itertools
import json
import math
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PROGRAMS = 24
FORMATS = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53)}


class Unsupported(Exception):
    pass


def width(element):
    if element.startswith("complex"):
        raise Unsupported(element)
    digits = "".join(itertools.takewhile(str.isdigit, element.lstrip("uibftFN")))
    table = {"bf16": 16, "tf32": 19}
    if element in table:
        return table[element]
    if not digits:
        raise Unsupported(element)
    return int(digits)


def is_float(element):
    return element.startswith(("f", "bf", "tf"))


def parts(element):
    """Returns the element types of the parts of an element."""
    if element.startswith("complex<"):
        return [element[8:-1]] * 2
    return [element]


class Tensor:
    """Elements are lists of terms, one per part."""

    def __init__(self, element, shape, terms):
        self.element, self.shape, self.terms = element, list(shape), terms

    def at(self, index):
        offset = 0
        for size, i in zip(self.shape, index):
            offset = offset * size + i
        return self.terms[offset]


def indices(shape):
    return itertools.product(*(range(n) for n in shape))


class Solver:
    """Collects definitions; equal terms are defined once."""

    def __init__(self):
        self.lines, self.known, self.functions = [], {}, {}

    def define(self, sort, term):
        if len(term) < 24:
            return term
        if (sort, term) not in self.known:
            name = f"t{len(self.known)}"
            self.known[sort, term] = name
            self.lines.append(f"(define-fun {name} () {sort} {term})")
        return self.known[sort, term]

    def bits(self, n, term):
        return self.define(f"(_ BitVec {n})", term)

    def function(self, name, widths, result):
        key = (name, tuple(widths), result)
        if key not in self.functions:
            symbol = f"f{len(self.functions)}"
            self.functions[key] = symbol
            sorts = " ".join(f"(_ BitVec {n})" for n in widths)
            self.lines.append(f"; {name}\n(declare-fun {symbol} ({sorts}) (_ BitVec {result}))")
        return self.functions[key]

    def apply(self, name, widths, terms, result):
        symbol = self.function(name, widths, result)
        return self.bits(result, f"({symbol} {' '.join(terms)})" if terms else symbol)


def constant(value, n):
    return f"(_ bv{value % (1 << n)} {n})"


def truth(term):
    return f"(ite {term} #b1 #b0)"


def extend(term, n, to, unsigned):
    if to == n:
        return term
    if to < n:
        return f"((_ extract {to - 1} 0) {term})"
    return f"((_ {'zero' if unsigned else 'sign'}_extend {to - n}) {term})"


def fp(term, element):
    if element not in FORMATS:
        raise Unsupported(element)
    return f"((_ to_fp {FORMATS[element][0]} {FORMATS[element][1]}) {term})"


INTEGERS = {"add": "bvadd", "subtract": "bvsub", "multiply": "bvmul", "and": "bvand", "or": "bvor", "xor": "bvxor",
            "shift_left": "bvshl", "shift_right_arithmetic": "bvashr", "shift_right_logical": "bvlshr"}


def one(s, op, element, terms, attrs):
    """Returns the term of an element-wise op on one element of each operand (real types)."""
    n, unsigned = width(element), element.startswith("u") or element == "i1"
    number = not is_float(element)
    a = terms
    if op == "sub":  # of versions 37 to 39: the sum of the left operand and the negated right one
        if number:
            return s.bits(n, f"(bvadd {a[0]} (bvadd (bvnot {a[1]}) {constant(1, n)}))")
        op = "subtract"
    if number and element == "i1" and op in ("add", "multiply"):
        op = {"add": "or", "multiply": "and"}[op]
    if number and op in INTEGERS:
        return s.bits(n, f"({INTEGERS[op]} {a[0]} {a[1]})")
    if number and op == "not":
        return s.bits(n, f"(bvnot {a[0]})")
    if number and op == "negate":
        return s.bits(n, f"(bvneg {a[0]})")
    if number and op in ("minimum", "maximum"):
        less = f"({'bvult' if unsigned else 'bvslt'} {a[0]} {a[1]})"
        return s.bits(n, f"(ite {less} {a[0 if op == 'minimum' else 1]} {a[1 if op == 'minimum' else 0]})")
    if op == "abs" and element in FORMATS:
        return s.bits(n, f"(bvand {a[0]} {constant((1 << (n - 1)) - 1, n)})")
    if op == "compare":
        direction = attrs.get("comparison_direction", 0)
        if number:
            u = "u" if unsigned else "s"
            relation = ["=", "distinct", f"bv{u}ge", f"bv{u}gt", f"bv{u}le", f"bv{u}lt"][direction]
            return s.bits(1, truth(f"({relation} {a[0]} {a[1]})"))
        if attrs.get("compare_type", 0) > 1:
            return s.apply(f"compare {direction} {attrs['compare_type']} {element}", [n, n], a, 1)
        x, y = fp(a[0], element), fp(a[1], element)
        relation = ["fp.eq", "fp.eq", "fp.geq", "fp.gt", "fp.leq", "fp.lt"][direction]
        term = f"({relation} {x} {y})"
        return s.bits(1, truth(f"(not {term})" if direction == 1 else term))
    if op == "is_finite":
        x = fp(a[0], element)
        return s.bits(1, truth(f"(not (or (fp.isNaN {x}) (fp.isInfinite {x})))"))
    # Any other function of the scalars, which both programs share.
    rest = json.dumps({k: v for k, v in sorted(attrs.items())})
    return s.apply(f"{op} {element} {rest}", [n] * len(a), a, n)


def mulhi(s, element, a):
    n, unsigned = width(element), element.startswith("u")
    x, y = (extend(t, n, 2 * n, unsigned) for t in a)
    return s.bits(n, f"((_ extract {2 * n - 1} {n}) (bvmul {x} {y}))")


def next_after(s, element, a):
    """The neighbor of x in the direction of y: by cases of IEEE 754, not by the order of codes."""
    n = width(element)
    x, y = fp(a[0], element), fp(a[1], element)
    sign = constant(1 << (n - 1), n)
    smallest = f"(bvor (bvand {a[1]} {sign}) {constant(1, n)})"
    up, down = f"(bvadd {a[0]} {constant(1, n)})", f"(bvsub {a[0]} {constant(1, n)})"
    eb, sb = FORMATS[element]
    nan = constant(((1 << eb) - 1) << (sb - 1) | 1 << (sb - 2), n)
    grows = f"(= (fp.lt {x} {y}) (not (fp.isNegative {x})))"
    return s.bits(n, f"(ite (or (fp.isNaN {x}) (fp.isNaN {y})) {nan} (ite (fp.eq {x} {y}) {a[1]} "
                     f"(ite (fp.isZero {x}) {smallest} (ite {grows} {up} {down}))))")


def choose(s, tensor, starts, offsets, n_index):
    """Returns the element at starts + offsets; `starts` are terms, or None for 0."""
    terms = None
    ranges = [range(size) if start is not None else [offset] for size, start, offset in zip(tensor.shape, starts, offsets)]
    for index in itertools.product(*ranges):
        conditions = [f"(= {start} {constant(i - offset, n_index)})" for i, start, offset in zip(index, starts, offsets)
                      if start is not None]
        value = tensor.at(index)
        if terms is None:
            terms = value
        elif conditions:
            test = f"(and {' '.join(conditions)})"
            terms = [s.bits(width(p), f"(ite {test} {v} {t})") for p, v, t in zip(parts(tensor.element), value, terms)]
    if terms is None:
        raise Unsupported("empty operand")
    return terms


def clamp(s, term, n, low, high):
    return s.bits(n, f"(ite (bvslt {term} {constant(low, n)}) {constant(low, n)} "
                     f"(ite (bvsgt {term} {constant(high, n)}) {constant(high, n)} {term}))")


WIDE = 72  # bits of an index: no sum of an index and an offset overflows


def vector(s, tensor, vector_dim, batch, k):
    at = list(batch)
    if vector_dim < len(tensor.shape):
        at.insert(vector_dim, k)
    unsigned = tensor.element.startswith("u")
    return s.bits(WIDE, extend(tensor.at(at)[0], width(tensor.element), WIDE, unsigned))


def gather(s, operand, start, sizes, attrs, result, batching):
    offset_dims, collapsed = attrs["offset_dims"], attrs["collapsed_slice_dims"]
    index_map, vector_dim = attrs["start_index_map"], attrs["index_vector_dim"]
    of_operand, of_indices = (attrs.get("operand_batching_dims", []), attrs.get("start_indices_batching_dims", [])
                              ) if batching else ([], [])
    terms = []
    for index in indices(result[1]):
        batch = [i for d, i in enumerate(index) if d not in offset_dims]
        offset = [i for d, i in enumerate(index) if d in offset_dims]
        starts, offsets, rest = [None] * len(operand.shape), [0] * len(operand.shape), iter(offset)
        for d in range(len(operand.shape)):
            if d not in collapsed and d not in of_operand:
                offsets[d] = next(rest)
        for k, d in enumerate(index_map):
            starts[d] = clamp(s, vector(s, start, vector_dim, batch, k), WIDE, 0, operand.shape[d] - sizes[d])
        for d, b in zip(of_operand, of_indices):
            offsets[d] += batch[b - (0 if b < vector_dim else 1)]
        terms.append(choose(s, operand, starts, offsets, WIDE))
    return Tensor(result[0], result[1], terms)


def scatter(s, inputs, start, updates, attrs, body, batching):
    window_dims, inserted = attrs["update_window_dims"], attrs["inserted_window_dims"]
    index_map, vector_dim = attrs["scatter_dims_to_operand_dims"], attrs["index_vector_dim"]
    of_input, of_indices = (attrs.get("input_batching_dims", []), attrs.get("scatter_indices_batching_dims", [])
                            ) if batching else ([], [])
    values = [dict(zip(indices(t.shape), t.terms)) for t in inputs]
    shape = inputs[0].shape
    for index in indices(updates[0].shape):
        batch = [i for d, i in enumerate(index) if d not in window_dims]
        window = iter([i for d, i in enumerate(index) if d in window_dims])
        position = [constant(0, WIDE)] * len(shape)
        for d in range(len(shape)):
            if d not in inserted and d not in of_input:
                position[d] = constant(next(window), WIDE)
        for d, b in zip(of_input, of_indices):
            position[d] = constant(batch[b - (0 if b < vector_dim else 1)], WIDE)
        for k, d in enumerate(index_map):
            position[d] = s.bits(WIDE, f"(bvadd {vector(s, start, vector_dim, batch, k)} {position[d]})")
        for at in indices(shape):
            test = " ".join(f"(= {p} {constant(i, WIDE)})" for p, i in zip(position, at))
            old = [v[at] for v in values]
            new = body([Tensor(t.element, [], [o]) for t, o in zip(inputs, old)] +
                       [Tensor(u.element, [], [u.at(index)]) for u in updates])
            for v, t, o, x in zip(values, inputs, old, new):
                v[at] = [s.bits(width(t.element), f"(ite (and true {test}) {x.terms[0][0]} {o[0]})")]
    return [Tensor(t.element, t.shape, [v[at] for at in indices(shape)]) for t, v in zip(inputs, values)]


def dot_general(s, l, r, attrs, result):
    lb, rb = attrs["lhs_batching_dimensions"], attrs["rhs_batching_dimensions"]
    lc, rc = attrs["lhs_contracting_dimensions"], attrs["rhs_contracting_dimensions"]
    lf = [d for d in range(len(l.shape)) if d not in lb + lc]
    rf = [d for d in range(len(r.shape)) if d not in rb + rc]
    n, terms = width(l.element), []
    for index in indices(result[1]):
        batch, free_l, free_r = index[: len(lb)], index[len(lb) : len(lb) + len(lf)], index[len(lb) + len(lf) :]
        total = constant(0, n)
        for c in indices([l.shape[d] for d in lc]):
            i, j = [0] * len(l.shape), [0] * len(r.shape)
            for where, dims, at in ((i, lb, batch), (i, lf, free_l), (i, lc, c), (j, rb, batch), (j, rf, free_r), (j, rc, c)):
                for d, v in zip(dims, at):
                    where[d] = v
            total = s.bits(n, f"(bvadd {total} (bvmul {l.at(i)[0]} {r.at(j)[0]}))")
        terms.append([total])
    return Tensor(result[0], result[1], terms)


def convolution(s, l, r, padding, attrs, result):
    """Padding is an operand, so that positions are terms."""
    n, isp, ksp, osp = width(l.element), attrs["input_spatial_dimensions"], attrs["kernel_spatial_dimensions"], attrs["output_spatial_dimensions"]
    groups, batch_groups = attrs["feature_group_count"], attrs["batch_group_count"]
    outputs = r.shape[attrs["kernel_output_feature_dimension"]]
    depth = r.shape[attrs["kernel_input_feature_dimension"]]
    batches = l.shape[attrs["input_batch_dimension"]]
    terms = []
    for index in indices(result[1]):
        b, o = index[attrs["output_batch_dimension"]], index[attrs["output_feature_dimension"]]
        total = constant(0, n)
        for w in indices([r.shape[d] for d in ksp]):
            places = []
            for d in range(len(isp)):
                pad = s.bits(WIDE, extend(padding.at([d, 0])[0], 64, WIDE, False))
                places.append(f"(bvsub {constant(index[osp[d]] * attrs['window_strides'][d] + w[d] * attrs['rhs_dilation'][d], WIDE)} {pad})")
            for f in range(depth):
                tap = [0] * len(r.shape)
                for d, k in enumerate(ksp):
                    tap[k] = r.shape[k] - 1 - w[d] if attrs["window_reversal"][d] else w[d]
                tap[attrs["kernel_input_feature_dimension"]], tap[attrs["kernel_output_feature_dimension"]] = f, o
                for at in indices([l.shape[d] for d in isp]):
                    where = [0] * len(l.shape)
                    for d, k in zip(isp, at):
                        where[d] = k
                    where[attrs["input_batch_dimension"]] = o // (outputs // batch_groups) * (batches // batch_groups) + b
                    where[attrs["input_feature_dimension"]] = o // (outputs // groups) * depth + f
                    test = " ".join(f"(= {p} {constant(k * attrs['lhs_dilation'][d], WIDE)})"
                                    for d, (p, k) in enumerate(zip(places, at)))
                    total = s.bits(n, f"(bvadd {total} (ite (and {test}) (bvmul {l.at(where)[0]} {r.at(tap)[0]}) {constant(0, n)}))")
        terms.append([total])
    return Tensor(result[0], result[1], terms)


def process_groups(op, attrs, replicas, partitions):
    """The groups of processes, by the definitions of the specification."""
    if not isinstance(attrs["replica_groups"], list):
        raise Unsupported("mesh")
    flat = [v - (1 << 64) if v >> 63 else v for v in attrs["replica_groups"]]
    rows = attrs.get("#rows")
    channel, has_global = attrs.get("channel_id", 0) > 0, op in ("all_gather", "all_reduce", "reduce_scatter")
    groups = [flat[i * len(flat) // rows : (i + 1) * len(flat) // rows] for i in range(rows)]
    if not channel:
        return [[(r, p) for r in g] for p in range(partitions) for g in groups]
    if has_global and attrs.get("use_global_device_ids"):
        return [[(i // partitions, i % partitions) for i in g] for g in groups]
    if has_global:
        return [[(r, p) for p in range(partitions) for r in g] for g in groups]
    return [[(r, p) for p in g] for r in range(replicas) for g in groups]


class Interpreter:
    def __init__(self, s, functions, grid, partitions):
        self.s, self.functions = s, functions
        self.processes = [(i // partitions, i % partitions) for i in range(max(1, len(grid)))]
        self.replicas, self.partitions = max(1, len(grid)) // partitions, partitions
        self.sent = None

    def run(self, region, args):
        """`args`: of each process, its tensors. Returns the results likewise."""
        envs = []
        for own in args:
            envs.append({value: tensor for (value, _), tensor in zip(region["args"], own)})
        return self.block(region, envs)

    def block(self, region, envs):
        for op in region["ops"]:
            name = op["op"].split(".", 1)[1]
            version = 1
            if op["op"].startswith("vhlo."):
                name, version = name.rsplit("_v", 1)
                version = int(version)
            elif op["op"].startswith("chlo."):
                name = "chlo." + name
            if any(v not in env for v in op["operands"] for env in envs):
                raise Unsupported("a value from outside")
            operands = [[env[v] for v in op["operands"]] for env in envs]
            if name == "return":
                return operands
            if name in ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "reduce_scatter"):
                results = self.collective(name, version, op, operands)
            else:
                results = [self.one_op(name, version, op, own, env) for own, env in zip(operands, envs)]
            for env, own in zip(envs, results):
                for (value, _), tensor in zip(op["results"], own):
                    env[value] = tensor
        return [[] for _ in envs]

    def collective(self, name, version, op, operands):
        if version == 1 and len(op["operands"]) != 1:
            raise Unsupported("the first revision has one operand")
        at = dict(zip(self.processes, operands))
        out = {p: [] for p in self.processes}
        attrs = dict(op["attrs"])
        for i, (_, result) in enumerate(op["results"]):
            for group in process_groups(name, attrs, self.replicas, self.partitions):
                values = [at[p][i] for p in group]
                for rank, process in enumerate(group):
                    out[process].append(self.one_of_group(name, op, attrs, values, rank, result))
        return [out[p] for p in self.processes]

    def one_of_group(self, name, op, attrs, values, rank, result):
        first = values[0]
        if name == "collective_broadcast":
            return first
        if name in ("all_reduce", "reduce_scatter"):
            total = first
            for other in values[1:]:
                terms = [self.run(op["regions"][0], [[Tensor(first.element, [], [a]), Tensor(first.element, [], [b])]])[0][0].terms[0]
                         for a, b in zip(total.terms, other.terms)]
                total = Tensor(first.element, first.shape, terms)
            if name == "all_reduce":
                return total
            d = attrs["scatter_dimension"]
            return Tensor(result[0], result[1], [total.at([i + (rank * result[1][d] if k == d else 0) for k, i in enumerate(index)])
                                                 for index in indices(result[1])])
        d = attrs["all_gather_dim"] if name == "all_gather" else attrs["concat_dimension"]
        piece = list(first.shape)
        split = attrs.get("split_dimension", 0)
        if name == "all_to_all":
            piece[split] //= len(values)
        terms = []
        for index in indices(result[1]):
            sender, local = divmod(index[d], piece[d]) if piece[d] else (0, 0)
            source = list(index)
            source[d] = local
            if name == "all_to_all":
                source[split] += rank * piece[split]
            terms.append(values[sender].at(source))
        return Tensor(result[0], result[1], terms)

    def one_op(self, name, version, op, a, env):
        s, attrs = self.s, op["attrs"]
        results = [r for _, r in op["results"]]
        result = results[0] if results else None
        if name in ("gather", "dynamic_gather"):
            sizes = attrs.get("slice_sizes") if name == "gather" else self.concrete(a[2])
            return [gather(s, a[0], a[1], sizes, attrs, result, version > 1)]
        if name == "scatter":
            n = len(a) // 2
            body = lambda args: self.run(op["regions"][0], [args])[0]
            return scatter(s, a[:n], a[n], a[n + 1 :], attrs, body, version > 1)
        if name == "dot_general":
            return [dot_general(s, a[0], a[1], attrs, result)]
        if name == "dynamic_conv":
            return [convolution(s, a[0], a[1], a[2], attrs, result)]
        if name in ("chlo.ragged_dot", "chlo.scan", "chlo.top_k", "while", "sort"):
            raise Unsupported(name)
        if name == "send":
            self.sent = a[:-1]
            return [None]
        if name == "recv":
            return list(self.sent) + [None]
        if name in ("create_token", "after_all"):
            return [None]
        if name in ("composite", "call"):
            callee = attrs["decomposition" if name == "composite" else "callee"]
            return self.run(self.functions[callee], [a])[0]
        if name == "custom_call":
            key = json.dumps({k: v for k, v in sorted(attrs.items()) if v not in ([], 0) and not (k == "api_version" and v == 1)})
            widths = [width(t.element) for t in a for _ in t.terms]
            terms = [p for t in a for e in t.terms for p in e]
            return [Tensor(r[0], r[1], [[s.apply(f"custom_call {key} result {i} {k}", widths, terms, width(r[0]))]
                                        for k in range(math.prod(r[1]))]) for i, r in enumerate(results)]
        return [self.elements(name, attrs, a, result)]

    def concrete(self, tensor):
        values = [t[0] for t in tensor.terms]
        if not all(v.startswith("(_ bv") for v in values):
            raise Unsupported("sizes that are not constant")
        return [int(v.split()[1][2:]) for v in values]

    def elements(self, name, attrs, a, result):
        s = self.s
        element, shape = result
        if any(size < 0 for size in shape):
            raise Unsupported("dynamic")
        if name in ("constant", "chlo.constant"):
            bits, n = attrs["value"], len(parts(element))
            terms = [[constant(bits[i * n + p], width(parts(element)[p])) for p in range(n)] for i in range(math.prod(shape))]
            return Tensor(element, shape, terms)
        if name == "iota":
            return Tensor(element, shape, [[constant(i[attrs["iota_dimension"]], width(element))] for i in indices(shape)])
        if name == "reshape":
            return Tensor(element, shape, a[0].terms)
        if name == "broadcast_in_dim":
            dims = attrs["broadcast_dimensions"]
            return Tensor(element, shape, [a[0].at([0 if a[0].shape[k] == 1 else i[d] for k, d in enumerate(dims)])
                                           for i in indices(shape)])
        if name == "concatenate":
            d, terms = attrs["dimension"], []
            for index in indices(shape):
                at = list(index)
                for tensor in a:
                    if at[d] < tensor.shape[d]:
                        terms.append(tensor.at(at))
                        break
                    at[d] -= tensor.shape[d]
            return Tensor(element, shape, terms)
        if name == "chlo.constant_like":
            if not isinstance(attrs["value"], int):
                raise Unsupported("a float attribute")
            return Tensor(element, shape, [[constant(attrs["value"], width(element))]] * math.prod(shape))
        if name.startswith("chlo.broadcast_"):
            name = name[len("chlo.broadcast_") :]
            dims = attrs.get("broadcast_dimensions")
            attrs = {k: v for k, v in attrs.items() if k != "broadcast_dimensions"}
            stretched = []
            for t in a:
                to = dims if dims is not None and len(t.shape) < len(shape) and t.shape else range(len(shape) - len(t.shape), len(shape))
                stretched.append(Tensor(t.element, shape, [t.at([0 if t.shape[k] == 1 else i[d] for k, d in enumerate(to)])
                                                           for i in indices(shape)]))
            a = stretched
        if name == "select":
            test = a[0].terms if a[0].shape else a[0].terms * math.prod(shape)
            full = [t.terms if t.shape or not shape else t.terms * math.prod(shape) for t in a[1:]]
            terms = [[s.bits(width(p), f"(ite (= {c[0]} #b1) {x} {y})") for p, x, y in zip(parts(element), l, r)]
                     for c, l, r in zip(test, full[0], full[1])]
            return Tensor(element, shape, terms)
        terms = []
        if any(len(t.terms) != math.prod(shape) and t.shape for t in a):
            raise Unsupported(name)
        for k in range(math.prod(shape)):
            own = [t.terms[k if t.shape or not shape else 0] for t in a]
            terms.append(self.element(name, attrs, [t.element for t in a], own, element))
        return Tensor(element, shape, terms)

    def element(self, name, attrs, elements, own, result):
        s = self.s
        if name == "complex":
            return [own[0][0], own[1][0]]
        if name in ("real", "imag"):
            return [own[0][-1 if name == "imag" else 0]]
        if name == "chlo.conj":
            if len(own[0]) == 1:
                return own[0]
            return [own[0][0], one(s, "negate", parts(elements[0])[1], [own[0][1]], {})]
        if name in ("add", "subtract", "sub") and len(own[0]) > 1:
            return [one(s, name, p, [o[i] for o in own], {}) for i, p in enumerate(parts(elements[0]))]
        if any(len(o) > 1 for o in own):  # an uninterpreted function for each part
            widths = [width(p) for e in elements for p in parts(e)]
            flat = [t for o in own for t in o]
            return [s.apply(f"{name} {elements} {json.dumps(attrs)} part {i}", widths, flat, width(p))
                    for i, p in enumerate(parts(result))]
        terms, element = [o[0] for o in own], elements[0]
        n = width(element)
        if name == "convert" and not is_float(element) and not is_float(result) and "i1" not in (element, result):
            return [s.bits(width(result), extend(terms[0], n, width(result), element.startswith("u")))]
        if name == "bitcast_convert" and n == width(result):
            return terms
        if name == "chlo.mulhi":
            return [mulhi(s, element, terms)]
        if name in ("next_after", "chlo.next_after"):
            return [next_after(s, element, terms)]
        if name in ("chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf"):
            x = fp(terms[0], element)
            test = {"chlo.is_inf": "true", "chlo.is_pos_inf": f"(fp.isPositive {x})", "chlo.is_neg_inf": f"(fp.isNegative {x})"}[name]
            return [s.bits(1, truth(f"(and (fp.isInfinite {x}) {test})"))]
        if name == "chlo.square":
            return [one(s, "multiply", element, terms * 2, {})]
        if name == "convert":
            return [s.apply(f"convert {element} {result}", [n], terms, width(result))]
        if width(result) != n and name != "compare" and name != "is_finite":
            raise Unsupported(name)
        return [one(s, name, element, terms, attrs)]


def claim(program):
    """Returns the text for the solver: satisfiable if some operands make results differ. None: nothing to compare."""
    s = Solver()
    grid, partitions = program["grid"] or ["main"], program["partitions"]
    main = [program["before"][name] for name in grid]
    declared, args = [], []
    for process, function in enumerate(main):
        own = []
        for k, (_, type_) in enumerate(function["args"]):
            element, shape = type_
            terms = []
            for i in range(math.prod(shape)):
                names = [f"x{process}_{k}_{i}_{p}" for p in range(len(parts(element)))]
                declared += [f"(declare-const {n} (_ BitVec {width(p)}))" for n, p in zip(names, parts(element))]
                terms.append(names)
            own.append(Tensor(element, shape, terms))
        args.append(own)
    # The sizes of dynamic_gather are operands, but must be known to write it out: those of the result tell.
    for function, own in zip(main, args):
        for op in function["ops"]:
            if "dynamic_gather" in op["op"]:
                raise Unsupported("slice sizes that are operands")
    results = []
    for side in ("before", "after"):
        interpreter = Interpreter(s, program[side], program["grid"], partitions)
        if len(set(grid)) == 1:
            results.append(interpreter.run(program[side][grid[0]], args))
        else:
            results.append([interpreter.run(program[side][name], [own])[0] for name, own in zip(grid, args)])
    differences = []
    for before, after in zip(*results):
        if len(before) != len(after):
            return "(assert true)\n(check-sat)\n"
        for x, y in zip(before, after):
            if x.shape != y.shape or x.element != y.element:
                return "(assert true)\n(check-sat)\n"
            differences += [f"(distinct {p} {q})" for i, j in zip(x.terms, y.terms) for p, q in zip(i, j) if p != q]
            differences += ["false"] * len(x.terms)
    if not differences:
        return None
    return "\n".join(declared + s.lines + [f"(assert (or {' '.join(differences)}))", "(check-sat)", ""])


def available():
    return shutil.which("z3") is not None


def prove(law_check, law, exact):
    """Returns how many programs of a law are proved, and a list of problems."""
    out = subprocess.run([law_check, "--show", str(PROGRAMS), "--law", law], capture_output=True, text=True)
    proved, problems = 0, []
    for line in out.stdout.splitlines():
        try:
            text = claim(json.loads(line))
        except Unsupported:
            continue
        if text is None:
            continue
        # A limit of work and not of time, so that every machine proves the same.
        answer = subprocess.run(["z3", "rlimit=3000000", "-in"], input=text, capture_output=True, text=True).stdout.strip()
        if answer == "unsat":
            proved += 1
        elif answer != "unknown" and exact:
            problems.append(f"{law}: L5: {answer.splitlines()[0] if answer else 'no answer'}: {line[:300]}")
    return proved, problems


def prove_all(law_check, laws, jobs):
    """Returns the number of proofs of each law, and problems."""
    if not available():
        return {}, []
    listed = subprocess.run([law_check, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    # Most of these differ for some operands, by less than their error.
    approximate = {line.split("\t")[1] for line in listed if line.endswith("approximate")}
    with ThreadPoolExecutor(jobs) as pool:
        answers = list(pool.map(lambda law: prove(law_check, law, law not in approximate), laws))
    return {law: proved for law, (proved, _) in zip(laws, answers)}, [p for _, ps in answers for p in ps]


def main():
    law_check = sys.argv[1]
    laws = sys.argv[2:] or [line.split("\t")[1] for line in subprocess.run([law_check, "--list"], capture_output=True,
                                                                          text=True).stdout.splitlines()]
    proved, problems = prove_all(law_check, laws, 2)
    for law in laws:
        print(f"{proved.get(law, 0):3}  {law}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
