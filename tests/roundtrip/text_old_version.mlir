// RUN: roundtrip
// Before properties all attributes stand in one dictionary; the version is stated.
module attributes {stablehlo.compat_version = 44 : i64} {
  func.func @f(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = "stablehlo.transpose"(%arg0) {a.b = 1 : i32, permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
