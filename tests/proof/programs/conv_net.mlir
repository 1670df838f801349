// A convolution with padding and strides, bias, activation, pooling, and a dense layer.
func.func @main(%x: tensor<2x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %b: tensor<4xf32>, %w: tensor<64x5xf32>) -> tensor<2x5xf32> {
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 0], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x7x7x4xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<4xf32>) -> tensor<2x7x7x4xf32>
  %s = stablehlo.add %c, %bb : tensor<2x7x7x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x7x7x4xf32>
  %r = stablehlo.maximum %s, %zeros : tensor<2x7x7x4xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %p = "stablehlo.reduce_window"(%r, %low) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %m: tensor<f32>):
    %n = stablehlo.maximum %l, %m : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }) : (tensor<2x7x7x4xf32>, tensor<f32>) -> tensor<2x4x4x4xf32>
  %f = stablehlo.reshape %p : (tensor<2x4x4x4xf32>) -> tensor<2x64xf32>
  %d = stablehlo.dot_general %f, %w, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x5xf32>) -> tensor<2x5xf32>
  return %d : tensor<2x5xf32>
}
