// Batch normalization, with variances that must be positive, and a grouped convolution.
func.func @main(%x: tensor<2x4x4x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %k: tensor<3x3x2x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
  %n = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 1.0e-5 : f32, feature_index = 3 : i64}> : (tensor<2x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>
  %c = stablehlo.convolution(%n, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x4x4xf32>, tensor<3x3x2x4xf32>) -> tensor<2x4x4x4xf32>
  %h = stablehlo.logistic %c : tensor<2x4x4x4xf32>
  %y = stablehlo.multiply %c, %h : tensor<2x4x4x4xf32>
  return %n, %y : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}
