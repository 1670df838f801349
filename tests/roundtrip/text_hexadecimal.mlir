// RUN: roundtrip
// Constants of more than a hundred elements are bytes; splats stay splats.
func.func @f() {
  %0 = stablehlo.constant dense<7> : tensor<1000x1000xi32>
  %1 = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F6061626364"> : tensor<101xui8>
  %2 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %3 = stablehlo.constant dense<"0x0000803F0000004000004040"> : tensor<3x1xf32>
  return
}
