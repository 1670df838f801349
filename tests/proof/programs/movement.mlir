// Elements are padded, reversed, concatenated, transposed and cut.
func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x2xf32>, %v: tensor<f32>) -> (tensor<6x3xf32>, tensor<3x4xf32>, tensor<2x2xf32>) {
  %c = stablehlo.concatenate %x, %y, dim = 1 : (tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x6xf32>
  %t = stablehlo.transpose %c, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
  %r = stablehlo.reverse %x, dims = [1] : tensor<3x4xf32>
  %p = stablehlo.pad %y, %v, low = [1, 0], high = [-1, 1], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x4xf32>
  %s = stablehlo.add %r, %p : tensor<3x4xf32>
  %u = stablehlo.slice %s [0:3:2, 1:4:2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
  return %t, %s, %u : tensor<6x3xf32>, tensor<3x4xf32>, tensor<2x2xf32>
}
