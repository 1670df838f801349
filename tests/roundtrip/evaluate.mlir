// RUN: eval --args "dense<[1, 2]> : tensor<2xi32>" "dense<[10, -3]> : tensor<2xi32>"
// RUN: eval --entry main --args "dense<2147483647> : tensor<2xi32>" "dense<1> : tensor<2xi32>"
// (1 + 10) - 10 and (2 + -3) - -3; sums wrap around.
func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<2xi32>
  %1 = stablehlo.subtract %0, %arg1 : tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}
