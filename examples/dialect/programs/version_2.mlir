module attributes {acme.version = 2 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "acme.scale"(%x) {factor = 2.000000e+00 : f32, label = "first"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "acme.pack"(%0) {rounding = #acme.rounding<zero>} : (tensor<4xf32>) -> !acme.packed<f32, tile>
    %2 = "acme.unpack"(%1) : (!acme.packed<f32, tile>) -> tensor<4xf32>
    %3 = "acme.tune"(%2) {passes = ["fuse", "tile"]} : (tensor<4xf32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
