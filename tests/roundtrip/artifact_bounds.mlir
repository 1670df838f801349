// RUN: convert --emit=mlirbc --target=1.0.0 --allow-outside-window -o %t %s
// RUN: convert %t
// Bounds are part of a tensor type, wherever the type is. VHLO has no attribute that is bounds alone.
func.func @main(%arg0: tensor<?x2xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>> {
  %0 = stablehlo.negate %arg0 {a.b = tensor<?xi8, #stablehlo.bounds<3>>} : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  return %0 : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
}
