// RUN: inspect
// RUN: strings
// What a file holds: calls to the outside with their targets, ops with their versions.
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Sharding", mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%0) {call_target_name = "other_target", backend_config = "options", api_version = 2 : i32, some.hint = #other.hint<fast>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
