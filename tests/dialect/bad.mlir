// RUN: verify --dialect=../../examples/dialect/acme.toml --expect "bad.mlir:6:33: error: 'acme.scaled_sum': attribute 'factor' must be f32, but got '2.000000e+00 : f64'"
// RUN: convert --dialect=../../examples/dialect/acme.toml --emit=generic --expect "attribute 'factor' must be f32"
// EXIT: 1
module attributes {acme.version = 3 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "acme.scaled_sum"(%x) {factor = 2.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
