// RUN: roundtrip
// Every element type has constants; hexadecimal literals give exact bits.
func.func @integers() {
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %2 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %3 = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %4 = stablehlo.constant dense<[-32768, 32767]> : tensor<2xi16>
  %5 = stablehlo.constant dense<[-2147483648, 2147483647]> : tensor<2xi32>
  %6 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %7 = stablehlo.constant dense<[0, 3]> : tensor<2xui2>
  %8 = stablehlo.constant dense<[0, 15]> : tensor<2xui4>
  %9 = stablehlo.constant dense<[0, 255]> : tensor<2xui8>
  %10 = stablehlo.constant dense<[0, 65535]> : tensor<2xui16>
  %11 = stablehlo.constant dense<[0, 4294967295]> : tensor<2xui32>
  %12 = stablehlo.constant dense<[0, 18446744073709551615]> : tensor<2xui64>
  return
}
func.func @floats() {
  %0 = stablehlo.constant dense<[0.0, -1.5]> : tensor<2xf4E2M1FN>
  %1 = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xf6E2M3FN>
  %2 = stablehlo.constant dense<[1.0, 28.0]> : tensor<2xf6E3M2FN>
  %3 = stablehlo.constant dense<[1.0, -0.25]> : tensor<2xf8E3M4>
  %4 = stablehlo.constant dense<[1.0, -240.0]> : tensor<2xf8E4M3>
  %5 = stablehlo.constant dense<[448.0, -0.0]> : tensor<2xf8E4M3FN>
  %6 = stablehlo.constant dense<[1.0, 240.0]> : tensor<2xf8E4M3FNUZ>
  %7 = stablehlo.constant dense<[1.0, 30.0]> : tensor<2xf8E4M3B11FNUZ>
  %8 = stablehlo.constant dense<[1.0, 0x7C]> : tensor<2xf8E5M2>
  %9 = stablehlo.constant dense<[1.0, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %10 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
  %11 = stablehlo.constant dense<[1.0, 0x7FC0]> : tensor<2xbf16>
  %12 = stablehlo.constant dense<[65504.0, 0xFC00]> : tensor<2xf16>
  %13 = stablehlo.constant dense<[1.17549435E-38, 0x7F800001]> : tensor<2xf32>
  %14 = stablehlo.constant dense<[1.7976931348623157E+308, 4.9406564584124654E-324]> : tensor<2xf64>
  %15 = stablehlo.constant dense<[(1.0, -2.0), (0.0, 0x7F800000)]> : tensor<2xcomplex<f32>>
  %16 = stablehlo.constant dense<(1.0, 2.5)> : tensor<complex<f64>>
  return
}
