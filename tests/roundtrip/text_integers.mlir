// RUN: roundtrip
// The ends of every integer range, in attributes and in constants.
"t.attributes"() {a = 127 : i8, b = -128 : i8, c = 255 : ui8, d = 18446744073709551615 : ui64, e = -9223372036854775808, f = true, g = false, h = -1 : index, i = 170141183460469231731687303715884105727 : i128, j = -4 : si3} : () -> ()
func.func @constants() {
  %0 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %1 = stablehlo.constant dense<[0, 15]> : tensor<2xui4>
  %2 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %3 = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %4 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %5 = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  return
}
