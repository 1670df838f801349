// RUN: roundtrip
// Calls, declarations with attributes, several results, names that need quotes.
module @"a module" attributes {some.attribute = "text with \"quotes\" and \0A a new line"} {
  func.func private @helper(%arg0: tensor<f32> {other.name = "argument"}) -> (tensor<f32> {other.name = "result"}) {
    return %arg0 : tensor<f32>
  }
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = call @helper(%arg0) : (tensor<f32>) -> tensor<f32>
    %1 = func.call @"odd name"(%0) : (tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
  func.func private @"odd name"(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
}
