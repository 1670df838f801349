// RUN: convert --dialect=../../examples/dialect/acme.toml --dialect-target=acme=1
// RUN: convert --dialect=../../examples/dialect/acme.toml --target=1.14.0
// RUN: convert --dialect=../../examples/dialect/acme.toml --target=1.14.0 -o %t.shlo
// RUN: convert --dialect=../../examples/dialect/acme.toml --dialect-target=acme=1 %t.shlo
// RUN: convert --dialect=../../examples/dialect/acme.toml
// One value of a list, an attribute at its default, and names.
module attributes {acme.version = 3 : i64} {
  func.func @main(%x: tensor<4xf32>) -> !acme.packed<f32, row> {
    %0 = "acme.scaled_sum"(%x) {factor = 1.000000e+00 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "acme.pack"(%0) {rounding = #acme.rounding<nearest>} : (tensor<4xf32>) -> !acme.packed<f32, row>
    return %1 : !acme.packed<f32, row>
  }
}
