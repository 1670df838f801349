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
