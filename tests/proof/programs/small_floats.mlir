// Scaled f8 products, and rounding to f8 and f4.
func.func @main(%x: tensor<4x4xf8E4M3FN>, %y: tensor<4x4xf8E5M2>, %s: tensor<f32>) -> (tensor<4x4xf32>, tensor<4x4xf8E4M3FN>) {
  %a = stablehlo.convert %x : (tensor<4x4xf8E4M3FN>) -> tensor<4x4xf32>
  %b = stablehlo.convert %y : (tensor<4x4xf8E5M2>) -> tensor<4x4xf32>
  %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %m = stablehlo.multiply %d, %sb : tensor<4x4xf32>
  %r = stablehlo.convert %m : (tensor<4x4xf32>) -> tensor<4x4xf8E4M3FN>
  return %m, %r : tensor<4x4xf32>, tensor<4x4xf8E4M3FN>
}
