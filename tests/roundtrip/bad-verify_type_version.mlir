// RUN: verify --expect "type 'f8E3M4' in the type of result 0 does not exist in version 1.6.0 (59), only in 1.7.0 (60) to" --expect "type 'f8E3M4' in the type of block argument 0" --expect "type 'f8E3M4' in attribute 'function_type'" --expect "'stablehlo.constant': type 'f4E2M1FN' in attribute 'value' does not exist in version 1.6.0 (59)" --expect "attribute kind 'stablehlo.axis_ref' in attribute 'a.discardable' does not exist" --expect "'stablehlo.abs': type 'memref' in the type of operand 0"
// EXIT: 1
// Types, element types and attributes that came later than the version of the program, wherever an op holds them.
module attributes {stablehlo.compat_version = 59 : i64} {
  func.func @main(%arg0: tensor<f8E3M4>) -> tensor<f8E3M4> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f8E3M4>
    %1 = stablehlo.constant dense<1.0> : tensor<f4E2M1FN>
    return %0 : tensor<f8E3M4>
  }
  func.func private @attribute() attributes {a.discardable = [{b = #stablehlo.axis_ref<name = "x">}]} {
    %0 = "other.op"() : () -> memref<f32>
    %1 = "stablehlo.abs"(%0) : (memref<f32>) -> memref<f32>
    return
  }
}
