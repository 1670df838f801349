// RUN: roundtrip
// Functions: visibility, attributes of arguments and results, of the function, a function as a result.
module @m attributes {mhlo.num_partitions = 1 : i32, "needs.quotes here" = unit} {
  func.func public @main(%arg0: tensor<f32> {jax.arg_info = "x", mhlo.sharding = "{replicated}"}, %arg1: tensor<f32>) -> (tensor<f32> {jax.result_info = ""}, tensor<f32>) attributes {a, b = [1]} {
    %0:2 = call @helper(%arg0, %arg1) {c = "d"} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    return %0#0, %0#1 : tensor<f32>, tensor<f32>
  }
  func.func private @helper(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    return %arg1, %arg0 : tensor<f32>, tensor<f32>
  }
  func.func private @declared(tensor<f32> {a.b = 1 : i32}) -> (tensor<f32> {c.d})
  func.func nested @returns_a_function() -> (() -> i32) {
    %0 = "a.b"() : () -> (() -> i32)
    return %0 : () -> i32
  }
}
