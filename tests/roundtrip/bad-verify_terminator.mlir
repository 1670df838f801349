// RUN: verify --expect "terminator"
func.func @f(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %arg0 : tensor<f32>
}
