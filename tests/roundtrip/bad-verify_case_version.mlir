// RUN: verify --expect "comparison_type 'WEAKORDER' in attribute 'compare_type' does not exist in version 1.20.0 (73), only in 1.22.0 (75) to 1.22.0 (75)" --expect "comparison_type 'WEAKORDER' in attribute 'a.discardable' does not exist"
// EXIT: 1
// An enum case that came later than the version of the program.
module attributes {stablehlo.compat_version = 73 : i64} {
  func.func @main(%arg0: tensor<f32>) -> tensor<i1> attributes {a.discardable = {b = #stablehlo<comparison_type WEAKORDER>}} {
    %0 = stablehlo.compare LT, %arg0, %arg0, WEAKORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}
