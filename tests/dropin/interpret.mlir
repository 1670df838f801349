// RUN: translate --interpret --args "[dense<[1, 2]> : tensor<2xi32>]"
// RUN: translate --interpret --interpreter-print-dense "--args=[dense<[1, 2]> : tensor<2xi32>]"
// Results of @main, as the reference prints them and as constants.

func.func @main(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<i1>) {
  %0 = stablehlo.add %a, %a : tensor<2xi32>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  return %0, %1 : tensor<2xi32>, tensor<i1>
}
