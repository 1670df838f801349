// RUN: convert --emit=mlirbc --target=0.15.0 --allow-outside-window -o %t %s
// RUN: convert %t
// RUN: convert --emit=mlirbc --target=0.15.0 --allow-outside-window -o %t %t
// Artifacts hold the attributes of the module as MLIR encodes them, and MLIR had these kinds before VHLO did.
module attributes {a.buffer = memref<2xf32>, a.layout = strided<[1], offset: ?>, a.narrow = 1 : i2, a.vector = dense<[1, 2]> : vector<2xi32>, a.wide = 1 : i128} {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
}
