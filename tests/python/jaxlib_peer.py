"""Compares shlo.stablehlo with the functions of jaxlib that it has the names of, on generated programs.

    jaxlib_peer.py [COUNT] [--seed S]

For each program (tests/generator) that the peer can parse, both serialize it for several releases, from text, from
bytecode and from an ir.Module; the artifacts must be the same bytes, or both refuse. Both deserialize the artifacts, to
bytecode and to an ir.Module, whose text must be the same; and both evaluate the program on random arguments, whose
results must be the same but for the last bits of transcendental functions. Then the functions about versions, on every
pair of some releases and of other texts. Differences with a known cause are in KNOWN.

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

import shlo

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "generator"))
TARGETS = ["0.9.0", "1.0.0", "1.8.0", "1.12.0", "newest", "99.0.0", "0.8.0", "x"]

# Attributes that the StableHLO 1.17.0 of jaxlib 0.10.2 does not have.
NEWER = re.compile("result_tilings|is_stable|has_dynamic_root")
# Kind of a difference, a pattern for what it is about, and the cause.
KNOWN = [
    ("evaluate: different", r"xf6E2M3FN", "jaxlib rounds 6-bit floats up to 0: ceil(0.5) is 1"),
    ("serialize: only ours", r"'shape\.", "jaxlib folds ops of other dialects on the way"),
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


def same_results(ours, theirs):
    import numpy as np
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs):
        if str(a) == str(b):
            continue
        x, y = (shlo.Tensor.parse(str(v)).numpy() for v in (a, b))
        if x.shape != y.shape or x.dtype != y.dtype:
            return False
        wide = np.complex128 if x.dtype.kind == "c" else np.float64
        with np.errstate(invalid="ignore", over="ignore"):
            if not np.allclose(x.astype(wide), y.astype(wide), rtol=1e-2 if x.dtype.itemsize < 4 else 1e-5, atol=1e-6, equal_nan=True):
                return False
    return True


def compare(peer, seed, text, note):

    from shlo import stablehlo as ours
    warnings.simplefilter("ignore")
    theirs = peer.stablehlo
    with peer.context() as context, peer.ir.Location.unknown():
        module = peer.parse(text, context)
        if module is None:
            return note("not read by the peer")
        note("program")
        plain = module.operation.get_asm(print_generic_op_form=True)
        bytecode = io.BytesIO()
        module.operation.write_bytecode(bytecode)
        for target in TARGETS:
            target = peer.release if target == "newest" else target
            for form, given in (("text", plain), ("bytes of text", plain.encode()), ("bytecode", bytecode.getvalue()), ("module", None)):
                note("step", f"serialize (peer)")
                if given is None:
                    a, why = outcome(lambda: ours.serialize_portable_artifact(module, target, writer=peer.release))
                    b, _ = outcome(theirs.serialize_portable_artifact, peer.parse(module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True), context), target)
                else:
                    a, why = outcome(lambda: ours.serialize_portable_artifact_str(given, target, writer=peer.release))
                    b, _ = outcome(theirs.serialize_portable_artifact_str, given, target)
                if (a is None) != (b is None):
                    note(f"serialize: only {'ours' if a is None else 'the peer'} refuses", f"{form} {target} {why}")
                elif a is not None and a != b:
                    note("serialize: different", f"{form} {target} {len(a)} and {len(b)} bytes")
                else:
                    note("same artifact" if a is not None else "same refusal")
                if b is None or form != "text":
                    continue
                note("step", f"deserialize (peer)")
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


def worker(seeds):
    from generate import RECIPES, make_program
    peer = Peer()
    names = [name for name in RECIPES if name.startswith("stablehlo.")]
    for seed in seeds:
        text = make_program(seed, names=names if seed % 4 else None)[0]
        print(json.dumps(["begin", seed]), flush=True)
        note = lambda *what: print(json.dumps([seed, *what]), flush=True)  # noqa: E731
        if NEWER.search(text):
            note("not known to the peer")
        else:
            compare(peer, seed, text, note)
        compare_results(peer, make_program(seed, recipe=names[seed % len(names)])[0], note)
        print(json.dumps(["end", seed]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.seeds:
        return worker(map(int, args.seeds.split(",")))
    peer = Peer()
    counts, unknown = collections.Counter(), 0

    def count(seed, kind, detail=""):
        nonlocal unknown
        counts[kind] += 1
        if not re.match("same |program|step|not ", kind):
            cause = next((cause for known, pattern, cause in KNOWN if kind.startswith(known) and re.search(pattern, detail)), None)
            unknown += cause is None
            if cause is None:
                print(f"program {seed}: {kind}: " + " ".join(detail.split())[:400])

    compare_versions(peer, lambda *what: count("versions", *what))
    seeds = list(range(args.seed, args.seed + args.count))
    while seeds:
        # In separate processes: some programs end the peer.
        part, seeds = seeds[:50], seeds[50:]
        while part:
            done = subprocess.run([sys.executable, __file__, "--seeds", ",".join(map(str, part))], capture_output=True, text=True)
            last, step, ended = None, "", set()
            for line in done.stdout.splitlines():
                record = json.loads(line)
                if record[0] == "begin":
                    last = record[1]
                elif record[0] == "end":
                    ended.add(record[1])
                elif record[1] == "step":
                    step = record[2]
                else:
                    count(record[0], *record[1:])
            if done.returncode == 0:
                break
            counts[f"the peer crashed: {step}" if "peer" in step else f"a crash: {step}"] += 1
            if last is None:
                sys.exit(done.stderr)
            part = part[part.index(last) + 1:]
    for kind, number in sorted(counts.items()):
        if kind != "step":
            print(f"  {number:6} {kind}")
    print(f"{counts['program']} programs, jaxlib's StableHLO {peer.release}: {unknown} differences without a known cause")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
