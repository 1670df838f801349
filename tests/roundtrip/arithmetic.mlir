// RUN: roundtrip
// RUN: convert --emit=vhlo
// The ops of the first evaluator, in their custom forms.
module @arithmetic {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xi32>
    %1 = stablehlo.constant dense<[1, -2, 3, 2147483647]> : tensor<4xi32>
    %2 = stablehlo.maximum %0, %1 : tensor<4xi32>
    %3 = stablehlo.minimum %2, %arg1 : tensor<4xi32>
    %4 = stablehlo.and %3, %1 : tensor<4xi32>
    %5 = stablehlo.or %4, %arg0 : tensor<4xi32>
    %6 = stablehlo.xor %5, %arg1 : tensor<4xi32>
    %7 = stablehlo.subtract %6, %1 : tensor<4xi32>
    %8 = stablehlo.constant dense<true> : tensor<4xi1>
    %9 = stablehlo.not %8 : tensor<4xi1>
    return %7, %9 : tensor<4xi32>, tensor<4xi1>
  }
}
