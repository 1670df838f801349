module attributes {acme.version = 1 : i64} {
  func.func @main(%x: tensor<4xf32>, %p: !acme.packed<i4, row>) -> (tensor<4xf32>, !acme.packed<f32, row>) {
    %0 = "acme.scale"(%x) {factor = 2.000000e+00 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    "acme.barrier"() : () -> ()
    %1 = "acme.pack"(%0) : (tensor<4xf32>) -> !acme.packed<f32, row>
    %2 = "acme.unpack"(%p) : (!acme.packed<i4, row>) -> tensor<4xi4>
    return %0, %1 : tensor<4xf32>, !acme.packed<f32, row>
  }
}
