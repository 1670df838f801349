// RUN: convert --expand --target=1.0.0 --allow-outside-window
// RUN: convert --expand --emit=mlirbc --target=0.9.0 --allow-outside-window -o %t %s
// RUN: eval %t
// RUN: eval
// RUN: convert --target=1.0.0 --allow-outside-window --expect "'stablehlo.tan': op does not exist in version 1.0.0" --expect "target 1.4.0 (57), or pass --expand to rewrite this op"
// EXIT: 1
// What 1.0.0 lacks is rewritten into what it has, and so is CHLO.
func.func @main() -> (tensor<2xf32>, tensor<2x2xi32>, tensor<2x1xi32>) {
  %x = stablehlo.constant dense<[0.0, 0.5]> : tensor<2xf32>
  %0 = stablehlo.tan %x : tensor<2xf32>
  %1 = chlo.asinh %0 : tensor<2xf32> -> tensor<2xf32>
  %i = stablehlo.constant dense<[[3], [4]]> : tensor<2x1xi32>
  %j = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %2 = chlo.broadcast_subtract %i, %j : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %3 = "stablehlo.gather"(%2, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  return %1, %2, %3 : tensor<2xf32>, tensor<2x2xi32>, tensor<2x1xi32>
}
