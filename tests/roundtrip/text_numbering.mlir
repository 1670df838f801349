// RUN: roundtrip
// Names: regions side by side repeat numbers, constants have names of their own, groups of results share one.
func.func @f(%arg0: tensor<i1>, %arg1: tensor<4xf32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %cst = stablehlo.constant dense<1.0> : tensor<f32>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = "stablehlo.if"(%arg0) ({
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %3 = stablehlo.add %c, %c_1 : tensor<i32>
    stablehlo.return %3, %c_0 : tensor<i32>, tensor<i32>
  }, {
    %3 = stablehlo.negate %c : tensor<i32>
    "stablehlo.return"(%3, %3) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i1>) -> (tensor<i32>, tensor<i32>)
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = stablehlo.add %0#0, %0#1 : tensor<i32>
  return %1 : tensor<i32>
}
