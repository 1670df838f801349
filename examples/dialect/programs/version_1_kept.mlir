module attributes {acme.version = 1 : i64} {
  func.func @main(%x: tensor<2x?xbf16>) -> tensor<2x?xbf16> {
    %0 = "acme.scale"(%x) {factor = 5.000000e-01 : f32} : (tensor<2x?xbf16>) -> tensor<2x?xbf16>
    %1 = "acme.pack"(%0) : (tensor<2x?xbf16>) -> !acme.packed<bf16, row>
    %2 = "acme.unpack"(%1) : (!acme.packed<bf16, row>) -> tensor<2x?xbf16>
    return %2 : tensor<2x?xbf16>
  }
}
