// RUN: verify --expect "WEAKORDER comparison type is only supported for floating-point element types, got 'i32'" --expect "got 'complex<f32>'"
// EXIT: 1
// The weak order is one of floats.
func.func @main(%arg0: tensor<i32>, %arg1: tensor<complex<f32>>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %arg0, %arg0, WEAKORDER : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %arg1, %arg1, WEAKORDER : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
  return %0 : tensor<i1>
}
