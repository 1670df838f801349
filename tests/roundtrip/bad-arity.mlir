// RUN: verify --expect "stablehlo.subtract"
func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.subtract"(%arg0) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
