// RUN: verify --dialect=../../examples/dialect/acme.toml
// RUN: convert --dialect=../../examples/dialect/acme.toml --target=1.14.0 --expect "'acme.scaled_sum': operand 'inputs' is one value in acme 1.1 (2), but has 2" --expect "case 'stochastic' of '#acme.rounding' does not exist in acme 1.1 (2), only in acme 2.0 (3)" --expect "operand 'hint' does not exist in acme 1.1 (2)" --expect "region 'candidates' does not exist in acme 1.1 (2)"
// EXIT: 1
// RUN: convert --dialect=../../examples/dialect/acme.toml --target=1.9.0 --expect "no version of 'acme' goes with StableHLO 1.9.0 (62)" --expect "target 1.11.0 (64) or newer"
// EXIT: 1
module attributes {acme.version = 3 : i64} {
  func.func @main(%x: tensor<4xf32>, %hint: tensor<i32>) -> tensor<4xf32> {
    %0 = "acme.scaled_sum"(%x, %x) {factor = 2.000000e+00 : f32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "acme.pack"(%0) {rounding = #acme.rounding<stochastic>} : (tensor<4xf32>) -> !acme.packed<f32, tile>
    %2 = "acme.unpack"(%1) : (!acme.packed<f32, tile>) -> tensor<4xf32>
    %3 = "acme.tune"(%2, %hint) ({
      "acme.done"() : () -> ()
    }) : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
