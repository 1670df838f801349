// RUN: convert
// RUN: roundtrip
// Expressions of affine maps and sets are simplified as MLIR does when it reads them.
module {
func.func @f() attributes {
 a.a = affine_map<(d0, d1) -> (d1, d0)>, a.b = affine_map<(i)[s] -> (i + s, 2 * i, i * 1, i - 1, i - i)>, a.c = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4, d0 ceildiv 2)>,
 a.d = affine_map<() -> ()>, a.e = affine_map<(d0) -> ()>, a.f = affine_map<()[s0] -> (s0)>, a.g = affine_map<(d0) -> (-d0)>, a.h2 = affine_map<(d0, d1) -> ((d0 + d1) * 2)>,
 a.i = affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 - d0 == 0)>, a.j = [affine_map<(x, y, z) -> (x, z)>, affine_map<(x, y, z) -> (z, y)>], a.k = affine_map<(d0)->(d0 + 0, 3 + 4, d0 + 2 + 3, 1 + d0)>, a.l = affine_map<(d0, d1) -> (d0 + d1 * -1, d1 - d0 * 2)>,
 a.m = strided<[2, 1], offset: 3>, a.n = strided<[?, 1], offset: ?>, a.o = affine_map<(d0) -> ((d0 * 4) floordiv 4, (d0 * 4 + 2) mod 4, d0 mod 1)>, a.p = affine_set<() : (0 == 0)>} { return }
func.func private @g(memref<2x3xf32, affine_map<(i, j) -> (j, i)>>, memref<4xf32, strided<[1], offset: ?>, 3>, tensor<4xf32, affine_map<(d0)->(d0)>>)
}
