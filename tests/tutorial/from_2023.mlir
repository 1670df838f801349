// A program as frameworks wrote them in 2023.
func.func @main(%input: tensor<8x16xf32>) -> tensor<8xf32> {
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %input : tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
