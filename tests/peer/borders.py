#!/usr/bin/env python3
"""Compares programs that a release has just learned to represent with the reference in jaxlib.

    borders.py --tools DIR

DIR holds the drop-in tools (build/release/bin/dropin). Each program needs what one release added, which generated
programs seldom have: dot algorithms, mixed 8-bit floats, comparison types. For the releases around the border both
write the same bytes, or both refuse. Needs jaxlib, as jaxlib_peer.py. Exit code 1 when there is a difference of no
known cause, 2 when jaxlib is missing.
"""
import argparse
import collections
import itertools
import os
import sys
import tempfile

FLOAT8 = ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"]


def dot(lhs, rhs, accumulation, operations, imprecise="false"):
    return f"""func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {{
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = {lhs},
    rhs_precision_type = {rhs}, accumulation_type = {accumulation}, lhs_component_count = 1, rhs_component_count = 1,
    num_primitive_operations = {operations}, allow_imprecise_accumulation = {imprecise}>
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}}"""


def convolution(lhs, rhs):
    types = f"tensor<1x4x4x1x{lhs}>, tensor<2x2x1x1x{rhs}>"
    numbers = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
    return f"""func.func @main(%a: tensor<1x4x4x1x{lhs}>, %b: tensor<2x2x1x1x{rhs}>) -> tensor<1x3x3x1xf32> {{
  %0 = stablehlo.convolution(%a, %b) dim_numbers = {numbers}, window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({types}) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}}"""


def dynamic_conv(lhs, rhs):
    types = f"tensor<1x4x4x1x{lhs}>, tensor<2x2x1x1x{rhs}>, tensor<2x2xi32>"
    numbers = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    return f"""func.func @main(%a: tensor<1x4x4x1x{lhs}>, %b: tensor<2x2x1x1x{rhs}>, %p: tensor<2x2xi32>)
    -> tensor<1x?x?x1xf32> {{
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {{dimension_numbers = {numbers}, batch_group_count = 1 : i64,
    feature_group_count = 1 : i64}} : ({types}) -> tensor<1x?x?x1xf32>
  return %0 : tensor<1x?x?x1xf32>
}}"""


def compare(kind, element, attrs=""):
    return f"""module attributes {{{attrs}}} {{
  func.func @main(%a: tensor<4x{element}>) -> tensor<4xi1> {{
    %0 = stablehlo.compare LT, %a, %a{kind} : (tensor<4x{element}>, tensor<4x{element}>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }}
}}"""


WEAK = "x.y = #stablehlo<comparison_type WEAKORDER>"


def programs():
    """The first release that has it, and a program."""
    for operations in (1, 2, 3, 4, 5):
        for imprecise in ("false", "true"):
            yield "1.21.0", dot("f8E4M3FN", "f8E4M3FN", "f32", operations, imprecise)
    for lhs, rhs in itertools.product(FLOAT8, FLOAT8):
        yield "1.21.0", dot(lhs, rhs, "f32", 1)
    for lhs, rhs in itertools.product(FLOAT8 + ["bf16", "f6E2M3FN", "f4E2M1FN"], repeat=2):
        yield "1.20.0", convolution(lhs, rhs)
        yield "1.20.0", dynamic_conv(lhs, rhs)
    for element in ("f32", "bf16", "f64", "f8E5M2", "i32", "complex<f32>"):
        for kind in ("", ", FLOAT", ", TOTALORDER", ", WEAKORDER"):
            yield "1.22.0", compare(kind, element)
    yield "1.22.0", compare("", "f32", attrs=WEAK)


# Kind of a difference, what the program has, and why it is not a fault of ours.
KNOWN = [
    ("bytes: only the peer refuses", "f8E4M3FN", "num_primitive_operations = 1",
     "jaxlib 0.12.0 refuses every algorithm of f8E4M3FN below 1.21.0; 0.11.2, the serializer of 1.20.0, writes our bytes"),
    ("bytes: only we refuse", WEAK, "",
     "jaxlib 0.12.0 writes WEAKORDER in attributes of the module for any target; 0.11.2 cannot read what it wrote"),
]


def cause_of(kind, text):
    return next((cause for known, first, second, cause in KNOWN if kind == known and first in text and second in text), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    args = parser.parse_args()
    from jaxlib_peer import Comparison, Peer, run, tool_json

    try:
        peer = Peer()
    except ImportError as error:
        print(f"borders: {error}: run ./dev peer, which installs jax", file=sys.stderr)
        return 2
    args.tools = os.path.abspath(args.tools)
    peer.compare_with(args.tools)
    releases = [v["release"] for v in tool_json(args.tools, "versions")["versions"] if v["release"]]
    counts, causes, total = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for first, text in programs():
            if not peer.knows(first):
                continue
            total += 1
            found = []
            at = releases.index(first)
            comparison = Comparison(peer, args.tools, folder, releases[at - 1:], lambda *what: found.append(what))
            comparison.step = lambda _: None
            with peer.context() as context:
                module, why = peer.parse(text)
                code, _, err = run([comparison.opt, comparison.file("program.mlir", text)])
                if bool(module) != (code == 0):
                    found.append(("verify: only the peer refuses" if code == 0 else "verify: only we refuse", "", why or err))
                elif not module:
                    found.append(("same", "both do not accept it"))
                else:
                    comparison.bytes(context, module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True),
                                     mixed=False)
            for kind, where, *detail in found:
                if kind == "same":
                    counts[where] += 1
                    continue
                cause = cause_of(kind, text)
                causes[cause] += 1
                if not cause:
                    print(f"{kind} ({where}): {' '.join(detail)[:300]}\n{text}", flush=True)
    for cause, count in causes.most_common():
        print(f"{count:6} {cause or 'not known'}")
    print(f"{total} programs, peer {peer.release}: the same {counts['bytes']} "
          f"artifacts and {counts['refusal']} refusals; {causes.total()} differences, {causes[None]} of no known cause")
    return 1 if causes[None] or not total else 0


if __name__ == "__main__":
    sys.exit(main())
