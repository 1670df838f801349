// RUN: eval
func.func @main() {
  %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  check.expect_eq_const %1, dense<[6, 8]> : tensor<2xi32>
  return
}
