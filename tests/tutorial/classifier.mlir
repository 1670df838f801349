// A small classifier; archive_tutorial_test.py fills in the weights.
func.func @main(%input: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %w0 = stablehlo.constant dense<"0xWEIGHTS(1, 4096)"> : tensor<64x64xf32>
  %0 = stablehlo.dot_general %input, %w0, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<16x64xf32>
  %1 = stablehlo.maximum %0, %zero : tensor<16x64xf32>
  %bias = stablehlo.constant dense<"0xWEIGHTS(2, 512)"> : tensor<16x32xf32>
  %w1 = stablehlo.constant dense<"0xWEIGHTS(3, 2048)"> : tensor<64x32xf32>
  %2 = stablehlo.dot_general %1, %w1, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %3 = stablehlo.add %2, %bias : tensor<16x32xf32>
  return %3 : tensor<16x32xf32>
}
