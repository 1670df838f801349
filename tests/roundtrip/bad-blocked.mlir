// RUN: convert --target=1.0.0 --allow-outside-window --expect "tan" --expect "1.4.0 (57)" --expect "[blocked]"
// EXIT: 1
// RUN: convert --target=1.4.0 --allow-outside-window
// `tan` came with 1.4.0: below, the conversion is refused and says where it could go.
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.tan"(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
