// RUN: eval --expect "padding is out of range"
// EXIT: 3
// The least number has no absolute value.
func.func @main() -> tensor<?xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<-9223372036854775808> : tensor<1xi64>
  %high = stablehlo.constant dense<0> : tensor<1xi64>
  %none = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %zero, %low, %high, %none : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
