// RUN: roundtrip
// RUN: convert --target=0.20.0 --expect "attribute 'padding' is not zero" --expect "0.19.0 (51)" --expect "[blocked]"
// EXIT: 1
// RUN: convert --target=current --expect "attribute 'padding' is not zero" --expect "highest possible target for this program: 0.19.0 (51)"
// EXIT: 1
// The last release whose dynamic_conv had both an attribute and an operand for padding. From 0.20.0 on only
// the operand is left, so a program whose attribute says something cannot go up: it would lose it.
module attributes {stablehlo.compat_version = 51 : i64} {
  func.func @main(%arg0: tensor<1x8x8x1xf32>, %arg1: tensor<3x3x1x1xf32>, %arg2: tensor<2x2xi64>) -> tensor<1x?x?x1xf32> {
    %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {
      dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>,
      feature_group_count = 1 : i64,
      batch_group_count = 1 : i64
    } : (tensor<1x8x8x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
    func.return %0 : tensor<1x?x?x1xf32>
  }
}
