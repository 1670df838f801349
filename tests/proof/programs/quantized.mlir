// Quantized sums and products.
func.func @main(%x: tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>, %f: tensor<3x4xf32>) -> (tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x4xf32>) {
  %s = stablehlo.add %x, %y : tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>
  %q = stablehlo.uniform_quantize %f : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>
  %m = stablehlo.maximum %s, %q : tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>
  %d = stablehlo.uniform_dequantize %m : (tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x4xf32>
  return %m, %d : tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x4xf32>
}
