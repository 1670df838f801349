// RUN: simplify --prove
// RUN: simplify --allow=nan,zero-sign
// RUN: simplify --only=TransposeOp_TransposeOfTranspose --only=AndOp_RemoveNoop
// Only exact rewrites unless others are allowed.

func.func @main(%x: tensor<2x3xf32>, %n: tensor<4xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %0 = stablehlo.add %x, %zero : tensor<2x3xf32>
  %1 = stablehlo.multiply %one, %x : tensor<2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %ones = stablehlo.constant dense<-1> : tensor<4xi32>
  %4 = stablehlo.and %n, %ones : tensor<4xi32>
  %unused = stablehlo.sine %x : tensor<2x3xf32>
  return %0, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xi32>
}
