// RUN: roundtrip
// Lists, splats, hexadecimal, nothing at all.
func.func @constants() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = stablehlo.constant dense<7> : tensor<100x100xi32>
  %2 = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>
  %3 = stablehlo.constant dense<> : tensor<0x4xf32>
  %4 = stablehlo.constant dense<3.5> : tensor<f32>
  %5 = stablehlo.constant dense<"0xFF"> : tensor<3xi8>
  return
}
