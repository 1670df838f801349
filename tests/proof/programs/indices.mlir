// An embedding with negative indices, slices at arguments, and scattered sums with an index of 5000.
func.func @main(%table: tensor<6000x2xf32>, %ids: tensor<3xi32>, %at: tensor<i32>, %col: tensor<i32>, %u: tensor<4x2xf32>, %where: tensor<4x1xi32>) -> (tensor<3x2xf32>, tensor<2x1xf32>, tensor<6000x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %size = stablehlo.constant dense<6000> : tensor<3xi32>
  %neg = stablehlo.compare LT, %ids, %zero, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %wrapped = stablehlo.add %ids, %size : tensor<3xi32>
  %id = stablehlo.select %neg, %wrapped, %ids : tensor<3xi1>, tensor<3xi32>
  %v = stablehlo.reshape %id : (tensor<3xi32>) -> tensor<3x1xi32>
  %g = "stablehlo.gather"(%table, %v) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<6000x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %s = stablehlo.dynamic_slice %table, %at, %col, sizes = [2, 1] : (tensor<6000x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
  %fixed = stablehlo.constant dense<5000> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %up = stablehlo.dynamic_update_slice %table, %s, %fixed, %c0 : (tensor<6000x2xf32>, tensor<2x1xf32>, tensor<i32>, tensor<i32>) -> tensor<6000x2xf32>
  %sc = "stablehlo.scatter"(%up, %where, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<6000x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<6000x2xf32>
  return %g, %s, %sc : tensor<3x2xf32>, tensor<2x1xf32>, tensor<6000x2xf32>
}
