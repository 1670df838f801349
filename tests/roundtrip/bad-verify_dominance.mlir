// RUN: verify --expect "stablehlo.negate"
func.func @f(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %1 : tensor<f32>
  %1 = stablehlo.negate %arg0 : tensor<f32>
  return %0 : tensor<f32>
}
