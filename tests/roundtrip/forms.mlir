// RUN: convert
// RUN: roundtrip
// Every assembly form of stablehlo and chlo, once.
func.func @types(%arg0: tensor<2x3xf32>, %arg1: tensor<?x3xf32>, %arg2: tensor<2x3xi1>, %arg3: !stablehlo.token) -> tensor<2x3xf32> {
  %0 = stablehlo.abs %arg0 : tensor<2x3xf32>
  %1 = stablehlo.add %arg0, %arg1 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.is_finite %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %3 = stablehlo.complex %arg0, %0 : tensor<2x3xcomplex<f32>>
  %4 = stablehlo.complex %arg0, %arg1 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<2x3xcomplex<f32>>
  %5 = stablehlo.real %3 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %6 = stablehlo.select %arg2, %arg0, %5 : tensor<2x3xi1>, tensor<2x3xf32>
  %7 = stablehlo.select %arg2, %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %8 = stablehlo.tuple %6, %2 : tuple<tensor<2x3xf32>, tensor<2x3xi1>>
  %9 = stablehlo.get_tuple_element %8[1] : (tuple<tensor<2x3xf32>, tensor<2x3xi1>>) -> tensor<2x3xi1>
  %10:2 = stablehlo.optimization_barrier %6, %9 : tensor<2x3xf32>, tensor<2x3xi1>
  stablehlo.optimization_barrier()
  %11 = stablehlo.after_all %arg3, %arg3 : !stablehlo.token
  %12 = stablehlo.after_all  : !stablehlo.token
  %13 = stablehlo.create_token : !stablehlo.token
  %14 = stablehlo.replica_id : tensor<ui32>
  %15 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
func.func @attributes(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<2xi64>, %arg4: tensor<3x3xf32>) -> tensor<2xi64> {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xf32>
  %1 = stablehlo.dynamic_iota %arg3, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.compare GE, %arg0, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %3 = stablehlo.compare LT, %arg0, %0, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %4 = stablehlo.broadcast %arg0, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %5 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %6 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg3, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %7 = stablehlo.concatenate %arg0, %0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %8 = stablehlo.slice %7 [0:2, 1:6:2] : (tensor<2x6xf32>) -> tensor<2x3xf32>
  %9 = stablehlo.dynamic_slice %7, %arg2, %arg2, sizes = [1, 2] : (tensor<2x6xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  %10 = stablehlo.dynamic_update_slice %7, %9, %arg2, %arg2 : (tensor<2x6xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<2x6xf32>
  %11 = stablehlo.pad %arg0, %arg1, low = [0, 1], high = [2, 1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  %12 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %13 = stablehlo.reverse %arg0, dims = [0] : tensor<2x3xf32>
  %14 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
  %15 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2x3xf32>
  %16 = stablehlo.cholesky %arg4, lower = true : tensor<3x3xf32>
  %17 = stablehlo.cholesky %arg4 : tensor<3x3xf32>
  %18 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %19 = stablehlo.set_dimension_size %arg0, %18, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %20 = stablehlo.rng %arg1, %arg1, %arg3, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %output_state, %output = stablehlo.rng_bit_generator %arg3, algorithm = PHILOX : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
  return %output_state : tensor<2xi64>
}
func.func @products(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>, %arg2: tensor<1x8x8x3xf32>, %arg3: tensor<3x3x3x7xf32>, %arg4: tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %2 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %3 = stablehlo.dot %arg4, %arg4, precision = [DEFAULT, HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x7xf32>) -> tensor<1x4x4x7xf32>
  %5 = stablehlo.einsum %arg4, %arg4, config = "ab,cb->ac" : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = stablehlo.fft %arg4, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
  return
}
func.func @control(%arg0: tensor<i64>, %arg1: tensor<4xf32>, %arg2: tensor<f32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<10> : tensor<i64>
  %cst = stablehlo.constant {note = "kept"} dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i64>, tensor<4xf32> attributes {note = "loop"}
  cond {
    %4 = stablehlo.compare LT, %iterArg, %c : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = func.call @callee(%iterArg_0) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %iterArg, %4 : tensor<i64>, tensor<4xf32>
  }
  %1 = stablehlo.reduce(%arg1 init: %arg2) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.reduce(%arg1 init: %arg2) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg3: tensor<f32>, %arg4: tensor<f32>)  {
    %4 = stablehlo.subtract %arg3, %arg4 : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  %3 = stablehlo.custom_call @"a target"(%arg1) {backend_config = "", has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
func.func @composite(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %arg0 {composite_attributes = {n = 1 : i64}, decomposition = @callee} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @chlo(%arg0: tensor<4x5xf32>, %arg1: tensor<4x5xi1>, %arg2: tensor<4x5xi32>) -> tensor<4x5xf32> {
  %0 = chlo.acos %arg0 : tensor<4x5xf32> -> tensor<4x5xf32>
  %1 = chlo.broadcast_add %arg0, %0 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %2 = chlo.broadcast_compare %arg0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
  %3 = chlo.broadcast_select %2, %arg0, %1 : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %4 = chlo.next_after %3, %arg0 : tensor<4x5xf32>, tensor<4x5xf32> -> tensor<4x5xf32>
  %values, %indices = chlo.top_k(%4, k = 2) : tensor<4x5xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %5 = chlo.constant dense<1> : tensor<i32>
  return %4 : tensor<4x5xf32>
}
