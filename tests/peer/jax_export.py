#!/usr/bin/env python3
"""Converts programs that jax.export creates of real networks to every release, and compares with jaxlib.

    jax_export.py --tools DIR [--network NAME]

DIR holds the drop-in tools (build/release/bin/dropin). Both read the artifact of jax.export and must print the same
program. Then, for every release that jaxlib's StableHLO knows, both must write the same bytes or both fail, and both
must read each artifact to the same text. Prints the lowest release of each network. Needs jax, which
`./dev peer` installs. Exit code 1 if there is a difference, 2 if jax is missing.
"""
import argparse
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def networks():
    """Returns functions and arguments by name."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    f32 = jnp.float32
    x = jnp.ones((2, 8, 8, 3), f32)
    params = {"conv": jnp.ones((3, 3, 3, 4), f32), "scale": jnp.ones((4,), f32), "dense": jnp.ones((64, 10), f32)}

    def convnet(p, image):
        y = lax.conv_general_dilated(image, p["conv"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, var = y.mean((0, 1, 2)), y.var((0, 1, 2))
        y = jax.nn.gelu((y - mean) * lax.rsqrt(var + 1e-5) * p["scale"])
        y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return jax.nn.log_softmax(y.reshape(2, -1) @ p["dense"])

    def train(p, image):
        loss, grads = jax.value_and_grad(lambda q: convnet(q, image).sum())(p)
        return loss, jax.tree.map(lambda a, g: a - 0.1 * g, p, grads)

    def attention(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4.0
        scores = jnp.where(jnp.tril(jnp.ones((16, 16), bool)), scores, -1e9)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)

    def control(n, v):
        a = lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] * 1.5), (jnp.int32(0), v))[1]
        b = lax.cond(n > 2, lambda u: u + 1, lambda u: u - 1, a)
        c = lax.switch(n, [jnp.sin, jnp.cos, jnp.tan], b)
        return lax.scan(lambda carry, e: (carry + e, carry * e), c.sum(), c)

    def scatter(v, i):
        a = v.at[i].add(1.0).at[i].max(v[i] * 2).at[::2].set(0.0)
        return jnp.take_along_axis(a, i, 0), jnp.argsort(a), lax.top_k(a, 3), lax.dynamic_update_slice(a, v[:2], (i[0],))

    def rng(key):
        a, b = jax.random.split(key)
        bits = lax.rng_bit_generator(jnp.zeros(4, jnp.uint32), (3, 2), dtype=jnp.uint32)
        return jax.random.normal(a, (4,)), jax.random.permutation(b, 8), jax.random.categorical(a, jnp.ones(5)), bits

    def linear_algebra(a):
        s = a @ a.T + jnp.eye(4)
        low = jnp.linalg.cholesky(s)
        spectrum = jnp.fft.irfft(jnp.fft.rfft(a) * (1 + 2j))
        return low, lax.linalg.triangular_solve(low, a, left_side=True, lower=True), spectrum, jnp.linalg.det(s)

    def numbers(a, i):
        small = a.astype(jnp.float8_e4m3fn).astype(jnp.bfloat16), a.astype(jnp.float8_e5m2).astype(f32)
        ints = lax.population_count(i), i << 3, lax.clz(i), i.astype(jnp.int4).astype(jnp.int8), i % 3
        return small, ints, lax.reduce_precision(a, 5, 10), jnp.round(a), lax.erf(a), lax.lgamma(a), jnp.cbrt(a)

    def symbolic(a):
        return (a @ a.T).sum(0), jnp.concatenate([a, a]).reshape(-1), jnp.arange(a.shape[0]) * 2

    def sharded(a):
        mesh = jax.sharding.Mesh(jax.devices()[:1], ("d",))
        spec = jax.sharding.PartitionSpec("d")
        inner = lambda u: (lax.psum(u, "d"), lax.all_gather(u, "d"), lax.ppermute(u, "d", [(0, 0)]))
        return jax.shard_map(inner, mesh=mesh, in_specs=spec, out_specs=(jax.sharding.PartitionSpec(), spec, spec),
                             check_vma=False)(a)

    mesh = jax.sharding.Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("x", "y"))
    on = lambda *axes: jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))

    def spread(u, w):
        s = lax.with_sharding_constraint(u @ w, on("x", None))
        return jnp.linalg.cholesky(s @ s.T + jnp.eye(8)), s.sum(0)

    def by_hand(u):
        inner = lambda part: (lax.psum(part, "x"), lax.all_gather(part, "y", tiled=True))
        spec = jax.sharding.PartitionSpec
        return jax.shard_map(inner, mesh=mesh, in_specs=spec("x", "y"), out_specs=(spec(None, "y"), spec("x")),
                             check_vma=False)(u)

    q = jnp.ones((2, 16, 4, 16), f32)
    v = jnp.arange(8, dtype=f32)
    i = jnp.array([1, 5, 2], jnp.int32)
    a = jnp.arange(16, dtype=f32).reshape(4, 4)
    rows, = jax.export.symbolic_shape("rows")
    return {
        "convolutional network": (convnet, (params, x)),
        "its training step": (train, (params, x)),
        "attention": (attention, (q, q, q)),
        "attention in bfloat16": (attention, (q.astype(jnp.bfloat16),) * 3),
        "control flow": (control, (jnp.int32(2), v)),
        "scatter, gather and sort": (scatter, (v, i)),
        "random numbers": (rng, (jax.random.PRNGKey(0),)),
        "linear algebra": (linear_algebra, (a,)),
        "element types": (numbers, (v, jnp.arange(8, dtype=jnp.int32))),
        "symbolic shapes": (symbolic, (jax.ShapeDtypeStruct((rows, 4), f32),)),
        "sharded": (sharded, (v,)),
        "spread over a mesh": (jax.jit(spread, in_shardings=(on("x", "y"), on(None, ("x", "y"))),
                                       out_shardings=(on("y"), on())), (jnp.ones((8, 16)), jnp.ones((16, 8)))),
        "spread by hand": (by_hand, (jnp.ones((8, 16)),)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--network", help="network to run (default: all)")
    args = parser.parse_args()
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"
    try:
        import jax
        import jax.export
    except ImportError as error:
        print(f"jax_export: {error}: run ./dev peer, which installs jax", file=sys.stderr)
        return 2
    from jaxlib_peer import Comparison, Peer, cause_of, tool_json

    peer = Peer()
    tools = os.path.abspath(args.tools)
    peer.compare_with(tools)
    releases = [v["release"] for v in tool_json(tools, "versions")["versions"]]
    releases = [r for r in releases if r and peer.knows(r)]
    total = differences = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (function, arguments) in networks().items():
            if args.network and args.network != name:
                continue
            exported = jax.export.export(jax.jit(function))(*arguments)
            found = []
            comparison = Comparison(peer, tools, folder, releases, lambda *what: found.append(what))
            comparison.step = lambda _: None
            text = exported.mlir_module()
            comparison.generic = "sdy.mesh" in text
            with peer.context() as context:
                module, why = peer.parse(text)
                if not module:
                    found.append(("the peer cannot read the program", "", why))
                else:
                    shipped = exported.mlir_module_serialized
                    comparison.read(context, shipped, comparison.file("shipped.bc", shipped), "as exported")
                    if not comparison.generic:
                        comparison.prints(module, comparison.file("program.mlir", text))
                    stated = module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
                    comparison.raw(context, module, comparison.file("stated.mlir", stated))
                    if comparison.bytes(context, stated, mixed=False):
                        comparison.bytes(context, stated, mixed=True)
            same = [what for what in found if what[0] == "same"]
            other = [what for what in found if what[0] != "same" and not cause_of(peer, what[0], what[2])]
            for kind, where, detail in other:
                print(f"{name}: {kind}{' (' + where + ')' if where else ''}: {detail[:600]}")
            held = sum(what[1] == "bytes" for what in same)
            known = len(found) - len(same) - len(other)
            print(f"{name}: {text.count(chr(10))} lines, {held} of {len(releases)} releases can represent it with the same "
                  f"bytes, {sum(what[1] == 'refusal' for what in same)} refusals, {len(other)} differences"
                  + (f", {known} of a known cause" if known else ""), flush=True)
            total, differences = total + 1, differences + len(other)
    print(f"{total} networks, {len(releases)} releases, {differences} differences")
    return 1 if differences or not total else 0


if __name__ == "__main__":
    sys.exit(main())
