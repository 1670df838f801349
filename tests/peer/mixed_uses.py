#!/usr/bin/env python3
"""Compares the use-list order of values that flow between dialects with the reference in jaxlib.

    mixed_uses.py --tools DIR [--targets V,...]

DIR holds the drop-in tools (build/release/bin/dropin). Bytecode contains the use-list order of a value, which depends on
its definition, its users, the casts between them, and the ops that are recreated for the target. Tests all short
combinations: a value of a VHLO op, of an op with a different version in old targets, of an op of another dialect, or an
argument; and up to four users of these kinds. For each target both must write the same bytes and read them equally.
Needs jax and jaxlib, like jaxlib_peer.py. Exit code 1 if there is a difference, 2 if jaxlib is missing.
"""
import argparse
import itertools
import os
import sys
import tempfile

TYPE = "tensor<8xf32>"
# An op of each kind, with two operands that may be equal.
KINDS = {
    "vhlo": "stablehlo.add {0}, {1} : TYPE",
    "recreated": "stablehlo.exponential {0} : TYPE",
    "other": '"arith.addf"({0}, {1}) <{{fastmath = #arith.fastmath<none>}}> : (TYPE, TYPE) -> TYPE',
}


def programs():
    users = [(kind, second) for kind in KINDS for second in (("%b",) if kind == "recreated" else ("%b", "%v"))]
    for definition in [*KINDS, "argument"]:
        for count in (1, 2, 3, 4):
            # One operand each if there are many users.
            choice = users if count < 3 else [user for user in users if user[1] == "%b"]
            for number, uses in enumerate(itertools.product(choice, repeat=count)):
                if count == 4 and number % 3:
                    continue
                lines = [] if definition == "argument" else ["%v = " + KINDS[definition].format("%a", "%a")]
                value = "%a" if definition == "argument" else "%v"
                lines += [f"%u{i} = " + KINDS[kind].format("%v", second).replace("%v", value)
                          for i, (kind, second) in enumerate(uses)]
                body = "\n".join(lines + ["return %b : TYPE"])
                yield f"func.func @main(%a: TYPE, %b: TYPE) -> TYPE {{\n{body}\n}}".replace("TYPE", TYPE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--targets", default="1.0.0,1.11.0,newest")
    args = parser.parse_args()
    from jaxlib_peer import Comparison, Peer

    try:
        peer = Peer()
    except ImportError as error:
        print(f"mixed_uses: {error}: run ./dev peer, which installs jax", file=sys.stderr)
        return 2
    peer.compare_with(args.tools)
    found = []
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(peer, os.path.abspath(args.tools), folder, args.targets.split(","),
                                lambda *what: found.append((total, *what)))
        comparison.step = lambda _: None
        for text in programs():
            with peer.context() as context:
                module, why = peer.parse(text)
                assert module, why
                comparison.bytes(context, module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True),
                                 mixed=True)
            for what in found[-2 * len(comparison.targets):]:
                if what[0] == total and what[1] != "same":
                    print(f"{' '.join(map(str, what[1:]))[:300]}\n{text}", flush=True)
            total += 1
    same = sum(what[1:3] == ("same", "bytes") for what in found)
    differences = sum(what[1] != "same" for what in found)
    print(f"{total} programs with uses between dialects, peer {peer.release}, {args.targets}: the same {same} artifacts, "
          f"{differences} differences")
    return 1 if differences or not total else 0


if __name__ == "__main__":
    sys.exit(main())
