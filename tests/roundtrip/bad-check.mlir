// RUN: eval --expect "[0]"
// EXIT: 1
// 3 + 3 is not 7, and the first index is named.
func.func @main() {
  %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  check.expect_eq_const %1, dense<[7, 8]> : tensor<2xi32>
  return
}
