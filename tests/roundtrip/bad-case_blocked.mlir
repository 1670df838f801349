// RUN: convert --all --target=1.20.0 --expect "'stablehlo.compare': comparison_type 'WEAKORDER' in attribute 'compare_type' does not exist in version 1.20.0" --expect "1.22.0 (75)" --expect "'func.func': comparison_type 'WEAKORDER' in attribute 'a.discardable'" --expect "'func.func': comparison_type 'WEAKORDER' in attribute 'arg_attrs'" --expect "'stablehlo.custom_call': comparison_type 'WEAKORDER' in attribute 'backend_config'" --expect "'stablehlo.composite': comparison_type 'WEAKORDER' in attribute 'composite_attributes'" --expect "'stablehlo.add': comparison_type 'WEAKORDER' of operand 0" --expect "lowest possible target for this program: 1.22.0 (75)"
// EXIT: 1
// RUN: convert --all --target=1.21.0 --allow-other-dialects --expect "'other.op': comparison_type 'WEAKORDER' in attribute 'a.discardable'" --expect "[blocked]"
// EXIT: 1
// An enum case that came later than the target is a blocker wherever it is.
func.func @main(%arg0: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %arg0, %arg0, WEAKORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.custom_call @target(%arg0) {api_version = 4 : i32, backend_config = {a = #stablehlo<comparison_type WEAKORDER>}} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.composite "a.b" %arg0 {composite_attributes = {a = #stablehlo<comparison_type WEAKORDER>}, decomposition = @argument} : (tensor<f32>) -> tensor<f32>
  "other.op"() {a.discardable = #stablehlo<comparison_type WEAKORDER>} : () -> ()
  return %0 : tensor<i1>
}
func.func private @argument(%arg0: tensor<f32> {a.nested = {b = [#stablehlo<comparison_type WEAKORDER>]}}) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
func.func private @discardable() attributes {a.discardable = [{b = #stablehlo<comparison_type WEAKORDER>}]} {
  return
}
func.func private @encoding(%arg0: tensor<2xf32, #stablehlo<comparison_type WEAKORDER>>) {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32, #stablehlo<comparison_type WEAKORDER>>
  return
}
