module attributes {acme.version = 3 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "acme.scaled_sum"(%x) {factor = 2.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
