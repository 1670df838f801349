// RUN: verify
// Types and attributes of other dialects do not depend on the version of the program.
module attributes {stablehlo.compat_version = 53 : i64} {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> attributes {a.discardable = #other.attr<1>} {
    %0 = "other.op"() {a = #stablehlo.axis_ref<name = "x">, b = affine_map<(d0) -> (d0)>} : () -> memref<f8E3M4>
    "other.user"(%0) : (memref<f8E3M4>) -> ()
    return %arg0 : tensor<f32>
  }
}
