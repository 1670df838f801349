// RUN: convert --expand --expect "'chlo.bessel_i1e': not expanded: there is no expansion for the element type"
// RUN: convert --expand --expect "'chlo.cosh': not expanded: an operand is not a ranked tensor"
func.func @main(%z: tensor<2xcomplex<f32>>, %u: tensor<*xf32>) -> (tensor<2xcomplex<f32>>, tensor<*xf32>) {
  %0 = chlo.bessel_i1e %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %1 = chlo.cosh %u : tensor<*xf32> -> tensor<*xf32>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<*xf32>
}
