// RUN: roundtrip
// Builtin attributes: lists of several types, dictionaries, symbols, types, arrays, maps.
"t.all"() {
  array = [1, 2 : i32, 3.000000e+00, 4.000000e+00 : f32, true, unit, [], [[1]], {a = 1 : i8}],
  dense_arrays = [array<i8: 1, -2>, array<i64>, array<i64: 5>, array<i1: true, false>, array<f32: 1.000000e+00, 0x7F800000>],
  dictionary = {a, b = {c = "d"}, "e f" = []},
  elements = [dense<> : tensor<0xi32>, dense<> : tensor<2x0xf32>, dense<5> : tensor<3xi32>, dense<[[1], [2]]> : tensor<2x1xi16>],
  flag,
  map = affine_map<(d0, d1) -> (d1, d0)>,
  symbols = [@a, @a::@b::@"c d"],
  types = [i32, tensor<2xf32>, (i32) -> (), !stablehlo.token],
  words = dense<["a", "b\22c"]> : tensor<2x!t.string>
} : () -> ()
