// RUN: roundtrip
// Numbers of every length: six digits, as many as it takes, and bits for what digits cannot say.
func.func @constants() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -2.5, 0.1, 0.7, 3.14159274, 1.0e-45, 3.40282347E+38]> : tensor<9xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345]> : tensor<5xf32>
  %2 = stablehlo.constant dense<[0.1, 0.33333333333333331, 4.9406564584124654E-324, 1.7976931348623157E+308]> : tensor<4xf64>
  %3 = stablehlo.constant dense<[16777216.0, 123456789.0, 1.0e+20]> : tensor<3xf32>
  %4 = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF8000000000001]> : tensor<2xf64>
  %5 = stablehlo.constant dense<[5.960460e-08, 6.550400e+04, 0x7C00, 0x7E00]> : tensor<4xf16>
  %6 = stablehlo.constant dense<[1.0, 3.140630e+00, 0xFF80]> : tensor<3xbf16>
  %7 = stablehlo.constant dense<[1.0, 4.480000e+02, 0x7F]> : tensor<3xf8E4M3FN>
  %8 = stablehlo.constant dense<[0.5, 6.0, -6.0]> : tensor<3xf4E2M1FN>
  %9 = stablehlo.constant dense<[(1.0, -2.0), (0x7F800000, 0.1)]> : tensor<2xcomplex<f32>>
  return
}
