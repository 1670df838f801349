// RUN: eval
// NaN among the values of approximate top-k: the values of jax's approx_max_k and approx_min_k on a CPU.
func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
  // Two positive NaN, and a negative one.
  %v = stablehlo.constant dense<[1.0, 0x7FC00000, 3.0, 2.0, 0x7FC00000, 5.0, 4.0, 0.0]> : tensor<8xf32>
  %w = stablehlo.constant dense<[1.0, 2.0, 0xFFC00000, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %0#1, dense<[1, 4, 5]> : tensor<3xi32>
  %1:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %high, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %1#1, dense<[7, 0, 3]> : tensor<3xi32>
  %2:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = false, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  check.expect_eq_const %2#1, dense<[1, 4, 5, 6, 2, 3, 0, 7]> : tensor<8xi32>
  %3:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %high, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = false, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  check.expect_eq_const %3#1, dense<[7, 0, 3, 2, 6, 5, 1, 4]> : tensor<8xi32>
  %4:2 = stablehlo.custom_call @ApproxTopK(%w, %i, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %4#1, dense<[7, 6, 5]> : tensor<3xi32>
  %5:2 = stablehlo.custom_call @ApproxTopK(%w, %i, %high, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %5#1, dense<[0, 1, 3]> : tensor<3xi32>
  %6:2 = stablehlo.custom_call @ApproxTopK(%w, %i, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = false, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  check.expect_eq_const %6#1, dense<[2, 7, 6, 5, 4, 3, 1, 0]> : tensor<8xi32>
  %7:2 = stablehlo.custom_call @ApproxTopK(%w, %i, %high, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = false, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  check.expect_eq_const %7#1, dense<[0, 1, 3, 4, 5, 6, 7, 2]> : tensor<8xi32>
  return
}
