// RUN: verify
// RUN: roundtrip
// Symbols are those of the nearest module.
module {
  func.func @outer() {
    call @other() : () -> ()
    return
  }
  func.func private @other()
  module @nested {
    func.func private @callee(tensor<f32>) -> tensor<f32>
    func.func @inner(%a: tensor<f32>) -> tensor<f32> {
      %0 = call @callee(%a) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
}
