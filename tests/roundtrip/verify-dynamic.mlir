// RUN: verify
// Sizes that are not known fit any; bounds hold what fits within them; a constant shape operand is compared
// with the result.
func.func @main(%arg0: tensor<?x4xf32>, %arg1: tensor<3x?xf32>, %arg2: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %arg0, %arg1 : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.constant dense<[6, 2]> : tensor<2xi64>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  %3 = "stablehlo.concatenate"(%arg2, %arg2) {dimension = 0 : i64} : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32, #stablehlo.bounds<16>>
  %4 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}
