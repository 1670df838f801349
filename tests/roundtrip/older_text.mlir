// RUN: convert --emit=generic --target=0.19.0 --allow-outside-window
// RUN: convert --emit=generic --target=0.16.0 --allow-outside-window
// RUN: convert --target=0.15.0 --allow-outside-window
// RUN: convert --target=0.13.0 --allow-outside-window
// RUN: roundtrip
// Texts of older releases have no <{...}>, lists as dense<...>, no hexadecimal booleans, and fewer custom forms.
module attributes {stablehlo.compat_version = 45 : i64} {
  func.func @main(%a: tensor<2x3xf32>, %q: tensor<1x4x4x1xf32>, %k: tensor<2x2x1x1xf32>, %n: tensor<1xi64>) -> (tensor<3x2xf32>, tensor<1x3x3x1xf32>, tensor<1x3xf32>, tensor<?x2x3xf32>) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = "stablehlo.convolution"(%q, %k) <{window_strides = array<i64: 1, 1>, window_reversal = array<i1: false, true>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
    %2 = stablehlo.slice %a [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %3 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %s = stablehlo.constant dense<[5, 2, 3]> : tensor<3xi64>
    %4 = "stablehlo.dynamic_broadcast_in_dim"(%3, %s) {broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<?x2x3xf32>
    %b = stablehlo.constant dense<[false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, true, false, false, true, false, true, true, true, false, true, true, true, true, true, true, true, true, false, false, true, true, true, true, false, false, true, false, false, true, true, false, true, false, false, true, false, true, false, false, false, false, false, true, false, false, true, true, false, true, false, false, true, false, false, false, true, false, true, true, true, true, true, false, false, false, false, false, true, false, false, true, false, true, true, false, false, true, false, false, true, false, false, false, true, true, true]> : tensor<101xi1>
    return %0, %1, %2, %4 : tensor<3x2xf32>, tensor<1x3x3x1xf32>, tensor<1x3xf32>, tensor<?x2x3xf32>
  }
}
