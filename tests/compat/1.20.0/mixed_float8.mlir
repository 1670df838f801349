// RUN: roundtrip
// RUN: verify
// RUN: convert --target=1.19.0 --expect "lhs and rhs have different 8-bit float types" --expect "target 1.20.0 (73) or newer" --expect "target for this program: 1.20.0 (73)"
// EXIT: 1
// RUN: convert --target=0.19.0 --allow-outside-window --expect "target 1.20.0 (73) or newer"
// EXIT: 1
// Convolutions of two different 8-bit float types. The reference accepts them since 1.20.0, whose artifacts hold
// them; for older targets it refuses, also where dynamic_conv has its older revision.
module attributes {stablehlo.compat_version = 73 : i64} {
  func.func @main(%arg0: tensor<1x4x4x1xf8E4M3FN>, %arg1: tensor<2x2x1x1xf8E5M2>, %arg2: tensor<2x2xi32>) -> (tensor<1x3x3x1xf32>, tensor<1x?x?x1xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1)
      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x4x4x1xf8E4M3FN>, tensor<2x2x1x1xf8E5M2>) -> tensor<1x3x3x1xf32>
    %1 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {
      dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      batch_group_count = 1 : i64, feature_group_count = 1 : i64
    } : (tensor<1x4x4x1xf8E4M3FN>, tensor<2x2x1x1xf8E5M2>, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>
    func.return %0, %1 : tensor<1x3x3x1xf32>, tensor<1x?x?x1xf32>
  }
}
