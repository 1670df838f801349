"""Compares shlo.stablehlo with the functions of jaxlib that it has the names of, on generated programs.

    jaxlib_peer.py [COUNT] [--seed S]

COUNT (default: 500) is the number of programs (tests/generator) that the peer can parse, and of those that both can
evaluate. Both serialize each of the former for several releases, from text, from bytecode and from an ir.Module; the
artifacts must be the same bytes, or both refuse. Both deserialize the artifacts, to bytecode and to an ir.Module, whose text
must be the same. The results of the latter on random arguments must be the same but for the last bits of transcendental
functions; where they differ and the program is one element-wise op, NumPy decides. Then come the functions about versions,
on every pair of some releases and of other texts. Differences with a known cause are in KNOWN.

Run by `./dev peer --python`, with the package of a build on PYTHONPATH. The last line is the count; the exit code is 1 if
a difference without a known cause remains.
"""
import argparse
import collections
import io
import json
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np

import shlo

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "generator"))
TARGETS = ["0.9.0", "1.0.0", "1.8.0", "1.12.0", "newest", "99.0.0", "0.8.0", "x"]

# Element-wise ops in float64, for results that differ.
REFEREE = {
    "abs": np.abs, "add": np.add, "cbrt": np.cbrt, "ceil": np.ceil, "cosine": np.cos, "divide": np.divide,
    "exponential": np.exp, "exponential_minus_one": np.expm1, "floor": np.floor, "log": np.log, "log_plus_one": np.log1p,
    "logistic": lambda x: 1 / (1 + np.exp(-x)), "maximum": np.maximum, "minimum": np.minimum, "multiply": np.multiply,
    "negate": np.negative, "power": np.power, "remainder": np.fmod, "round_nearest_even": np.rint,
    "round_nearest_afz": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), "rsqrt": lambda x: 1 / np.sqrt(x),
    "sign": np.sign, "sine": np.sin, "sqrt": np.sqrt, "subtract": np.subtract, "tan": np.tan, "tanh": np.tanh,
}  # fmt: skip
# Kinds of programs whose results were compared.
RESULTS = ["same results", "not the peer's results, but NumPy's", "evaluate: different"]
# Attributes that the StableHLO 1.17.0 of jaxlib 0.10.2 does not have.
NEWER = re.compile("result_tilings|is_stable|has_dynamic_root")
# Kind of a difference, a pattern for what it is about, and the cause.
KNOWN = [
    ("serialize: only ours", r"'shape\.", "jaxlib folds ops of other dialects on the way"),
    ("serialize: only the peer", r"^(text|bytes of text|bytecode) .* with shape$", "jaxlib reads strings in a context without that dialect"),
    ("evaluate: only ours", r"reduce_precision.*are not supported", "formats without infinities leave its result open"),
]


def after_producer(artifact):
    return artifact[artifact.index(b"\0", 5) + 1:]


def outcome(function, *args):
    """Returns the result of a call, or None if it was refused, and why."""
    try:
        return function(*args), ""
    except (ValueError, RuntimeError, TypeError, shlo.ShloError) as error:
        return None, str(error.__cause__ or error)


class Peer:
    def __init__(self):
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo
        self.ir, self.stablehlo, self.mlir = ir, stablehlo, mlir
        self.release = stablehlo.get_current_version()

    def context(self):
        context = self.mlir.make_ir_context()
        self.stablehlo.register_dialect(context)
        context.load_all_available_dialects()
        context.attach_diagnostic_handler(lambda d: True)
        return context

    def parse(self, text, context):
        try:
            return self.ir.Module.parse(text, context)
        except Exception:
            return None


def arguments(module, peer):
    """Random arguments of main as attributes, or None if it has none such."""
    main = next((op for op in module.body.operations if op.operation.name == "func.func" and '"main"' in str(op.attributes["sym_name"])), None)
    if main is None:
        return None
    texts = []
    for n, type in enumerate(main.type.inputs):
        try:
            texts.append(shlo.Tensor.random(str(type), n + 1).text())
        except shlo.ShloError:
            return None
    try:
        return [peer.ir.Attribute.parse(text) for text in texts]
    except Exception:
        return None


def same_values(x, y, tolerance=0):
    if x.shape != y.shape or x.dtype != y.dtype:
        return False
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    with np.errstate(invalid="ignore", over="ignore"):
        return np.allclose(x.astype(wide), y.astype(wide), rtol=tolerance, atol=tolerance and 1e-6, equal_nan=True)


def same_results(ours, theirs):
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs):
        if str(a) == str(b):
            continue
        x, y = (shlo.Tensor.parse(str(v)).numpy() for v in (a, b))
        if not same_values(x, y, 1e-2 if x.dtype.itemsize < 4 else 1e-5):
            return False
    return True


def numpy_results(module, args):
    """Returns the results of a program of one element-wise op: NumPy's in float64, rounded once by ml_dtypes; else None."""
    ops = [op.operation for op in next(iter(module.body.operations)).regions[0].blocks[0].operations]
    function = REFEREE.get(ops[0].name.removeprefix("stablehlo."))
    if len(ops) != 2 or not function:
        return None
    given = [shlo.Tensor.parse(str(arg)).numpy() for arg in args]
    if any(a.dtype.kind not in "fV" for a in given):
        return None
    with np.errstate(all="ignore"):
        return [function(*(a.astype(np.float64) for a in given)).astype(given[0].dtype)]


def compare(peer, text, note):
    from shlo import stablehlo as ours
    warnings.simplefilter("ignore")
    theirs = peer.stablehlo
    with peer.context() as context, peer.ir.Location.unknown():
        module = peer.parse(text, context)
        if module is None:
            return note("not read by the peer")
        note("program")
        plain = module.operation.get_asm(print_generic_op_form=True)
        others = " ".join(sorted(set(re.findall(r'"(\w+)\.\w+"\(', plain)) - {"builtin", "stablehlo", "chlo", "func"}))
        bytecode = io.BytesIO()
        module.operation.write_bytecode(bytecode)
        for target in TARGETS:
            target = peer.release if target == "newest" else target
            for form, given in (("text", plain), ("bytes of text", plain.encode()), ("bytecode", bytecode.getvalue()), ("module", None)):
                note("step", "serialize (peer)")
                if given is None:
                    a, why = outcome(lambda: ours.serialize_portable_artifact(module, target, writer=peer.release))
                    b, _ = outcome(theirs.serialize_portable_artifact, peer.parse(module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True), context), target)
                else:
                    a, why = outcome(lambda: ours.serialize_portable_artifact_str(given, target, writer=peer.release))
                    b, _ = outcome(theirs.serialize_portable_artifact_str, given, target)
                if (a is None) != (b is None):
                    note(f"serialize: only {'ours' if a is None else 'the peer'} refuses", f"{form} {target} {why} with {others}")
                elif a is not None and a != b:
                    note("serialize: different", f"{form} {target} {len(a)} and {len(b)} bytes")
                else:
                    note("same artifact" if a is not None else "same refusal")
                if b is None or form != "text":
                    continue
                note("step", "deserialize (peer)")
                for damaged in (b, b[: len(b) // 2], b"junk" + b):
                    x, why = outcome(lambda: ours.deserialize_portable_artifact_str(damaged, writer=peer.release))
                    y, _ = outcome(theirs.deserialize_portable_artifact_str, damaged)
                    if (x is None) != (y is None):
                        note(f"deserialize: only {'ours' if x is None else 'the peer'} refuses", f"{target} {why}")
                    elif x is not None:
                        with peer.context() as other:
                            p, q = peer.parse(x, other), peer.parse(y, other)
                            same = p is not None and p.operation.get_asm() == q.operation.get_asm()
                        note("same program" if same else "deserialize: different", "" if same else target)
                    else:
                        note("same refusal")
                p, why = outcome(ours.deserialize_portable_artifact, context, b)
                q, _ = outcome(theirs.deserialize_portable_artifact, context, b)
                if p is not None and q is not None:
                    same = p.operation.get_asm() == q.operation.get_asm()
                    note("same program" if same else "deserialize to a module: different", "" if same else target)
                elif (p is None) != (q is None):
                    note("deserialize to a module: only one refuses", f"{target} {why}")


def compare_results(peer, text, note):
    from shlo import stablehlo as ours
    with peer.context() as context, peer.ir.Location.unknown():
        module = peer.parse(text, context)
        args = module and arguments(module, peer)
        if args is None:
            return note("not evaluated")
        note("step", "evaluate")
        a, why = outcome(ours.eval_module, module, args)
        note("step", "evaluate (peer)")
        b, _ = outcome(peer.stablehlo.eval_module, module, args)
        if a is None or b is None:
            kind = "same refusal" if a is b else f"evaluate: only {'ours' if a is None else 'the peer'} refuses"
            note(kind, why if a is not b else "")
        elif same_results(a, b):
            note("same results")
        elif (right := numpy_results(module, args)) and same_values(shlo.Tensor.parse(str(a[0])).numpy(), right[0]):
            note("not the peer's results, but NumPy's", f"{a} and {b}")
        else:
            note("evaluate: different", f"{a} and {b}"[:600])


def compare_versions(peer, note):
    from shlo import stablehlo as ours
    theirs = peer.stablehlo
    texts = ["0.9.0", "1.0.0", "1.17.0", "1.9.10", "99.0.0", "01.2.3", "1.0", "1.0.0.0", "x", "", "-1.0.0", "1.0.0-a", " 1.0.0", "v1.0.0"]
    for a in texts:
        for b in texts:
            x, y = outcome(ours.get_smaller_version, a, b), outcome(theirs.get_smaller_version, a, b)
            note("same version" if x[0] == y[0] else "get_smaller_version: different", "" if x[0] == y[0] else f"{a!r} {b!r}: {x} {y}")
    same = ours.get_minimum_version() == theirs.get_minimum_version() and ours.get_api_version() == theirs.get_api_version()
    note("same version" if same else "versions: different")
    mine, peers = ours.StablehloCompatibilityRequirement, theirs.StablehloCompatibilityRequirement
    same = {r.name: r.value for r in mine} == {r.name: r.value for r in peers}
    note("same version" if same else "requirements: different")
    # Durations count back from today here, from its release in the peer; both get older from one to the next.
    for mine_one, peers_one in zip(mine, peers):
        release = ours.get_version_from_compatibility_requirement(mine_one), theirs.get_version_from_compatibility_requirement(peers_one)
        note("same version" if theirs.get_smaller_version(*release) == release[1] else "requirement: older than the peer's", str(release))


def worker(seeds, results_only):
    from generate import RECIPES, make_program

    peer = Peer()
    names = [name for name in RECIPES if name.startswith("stablehlo.")]
    for seed in seeds:
        print(json.dumps(["begin", seed]), flush=True)
        note = lambda *what: print(json.dumps([seed, *what]), flush=True)  # noqa: E731
        if not results_only:
            text = make_program(seed, names=names if seed % 4 else None)[0]
            if NEWER.search(text):
                note("not known to the peer")
            else:
                compare(peer, text, note)
        compare_results(peer, make_program(seed, recipe=names[seed % len(names)])[0], note)
        print(json.dumps(["end", seed]), flush=True)


class Counts:
    def __init__(self, count):
        self.wanted, self.counts, self.unknown = count, collections.Counter(), 0

    @property
    def programs(self):
        return self.counts["program"]

    @property
    def results(self):
        return sum(self.counts[kind] for kind in RESULTS)

    def note(self, seed, kind, detail=""):
        self.counts[kind] += 1
        if re.match("same |program|not ", kind):
            return
        cause = next((cause for known, pattern, cause in KNOWN if kind.startswith(known) and re.search(pattern, detail)), None)
        if cause is None:
            self.unknown += 1
            print(f"program {seed}: {kind}: " + " ".join(detail.split())[:400])

    def run(self, part):
        """Compares some programs in other processes: some programs end the peer."""
        results_only = ["--results"] if self.programs >= self.wanted else []
        while part:
            command = [sys.executable, __file__, "--seeds", ",".join(map(str, part)), *results_only]
            done = subprocess.run(command, capture_output=True, text=True)
            last, step = None, ""
            for line in done.stdout.splitlines():
                record = json.loads(line)
                if record[0] == "begin":
                    last = record[1]
                elif record[1] == "step":
                    step = record[2]
                elif record[0] != "end":
                    self.note(*record)
            if done.returncode == 0:
                return
            if last is None:
                sys.exit(done.stderr)
            if "peer" in step:
                self.counts[f"the peer crashed: {step}"] += 1
            else:
                self.note(last, f"a crash: {step}", done.stderr[-300:])
            part = part[part.index(last) + 1 :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", help=argparse.SUPPRESS)
    parser.add_argument("--results", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.seeds:
        return worker(map(int, args.seeds.split(",")), args.results)
    peer, counts, seed = Peer(), Counts(args.count), args.seed
    compare_versions(peer, lambda *what: counts.note("versions", *what))
    while counts.programs < args.count or counts.results < args.count:
        counts.run(list(range(seed, seed + 50)))
        seed += 50
    for kind, number in sorted(counts.counts.items()):
        print(f"  {number:6} {kind}")
    print(
        f"{counts.programs} programs and the results of {counts.results}, jaxlib's StableHLO {peer.release}: "
        f"{counts.unknown} differences without a known cause"
    )
    return 1 if counts.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
