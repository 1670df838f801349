// RUN: eval
// Custom calls of dynamic shapes and approximate top-k, on values that are easy to compute by hand.
sdy.mesh @mesh = <["x"=2]>
func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}
// The same sum by an op that cannot run as an element loop.
func.func @called_sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = func.call @sum(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @main() {
  %v = stablehlo.constant dense<[[1.0, 4.0, 2.0, 3.0], [8.0, 5.0, 7.0, 6.0]]> : tensor<2x4xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %top:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %top#0, dense<[[4.0, 3.0], [8.0, 7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %top#1, dense<[[1, 3], [0, 2]]> : tensor<2x2xi32>
  // k and the shapes of the results are operands; the shapes come last.
  %three = stablehlo.constant dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %dyn:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%v, %i, %low, %none, %three, %shape, %shape) {called_computations = [@greater], indices_of_shape_operands = dense<[5, 6]> : tensor<2xi64>, mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %dyn0 = tensor.cast %dyn#0 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %dyn0, dense<[[4.0, 3.0, 2.0], [8.0, 7.0, 6.0]]> : tensor<2x3xf32>
  %exact:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%v, %three) {api_version = 2 : i32} : (tensor<2x4xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %exact1 = tensor.cast %exact#1 : tensor<?x?xi32> to tensor<2x3xi32>
  check.expect_eq_const %exact1, dense<[[1, 3, 2], [0, 2, 3]]> : tensor<2x3xi32>
  // Sums of windows of 2, of [1, 2, 3, 4] padded by one 0 at its start: 1, 3, 5, 7.
  %w = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %pad = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %rw = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%w, %zero, %two, %one, %one, %one, %pad) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<4xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  %rws = tensor.cast %rw : tensor<?xi32> to tensor<4xi32>
  check.expect_eq_const %rws, dense<[1, 3, 5, 7]> : tensor<4xi32>
  %cw = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%w, %zero, %two, %one, %one, %one, %pad) {api_version = 2 : i32, called_computations = [@called_sum]} : (tensor<4xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %cw, dense<[1, 3, 5, 7]> : tensor<4xi32>
  // The bits of rng_bit_generator, with the shape as an operand.
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %rs = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %random:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %rs) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %static:2 = "stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq %random#0, %static#0 : tensor<2xui64>
  %bits = tensor.cast %random#1 : tensor<?x?xui32> to tensor<2x3xui32>
  check.expect_eq %bits, %static#1 : tensor<2x3xui32>
  // Ops of MHLO, as ops and as custom calls, and annotations.
  %x = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %erf = "mhlo.erf"(%x) : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %erf, dense<[0.0, 0.84270079294971486]> : tensor<2xf64>
  %tan = stablehlo.custom_call @mhlo.tan(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %tan, dense<[0.0, 1.5574077246549022]> : tensor<2xf64>
  %topk:2 = stablehlo.custom_call @mhlo.topk(%v) {mhlo.attributes = {k = 1 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x1xi32>)
  check.expect_eq_const %topk#1, dense<[[1], [0]]> : tensor<2x1xi32>
  %copy = "mhlo.copy"(%x) : (tensor<2xf64>) -> tensor<2xf64>
  %constrained = "sdy.sharding_constraint"(%copy) {sharding = #sdy.sharding<@mesh, [{}]>} : (tensor<2xf64>) -> tensor<2xf64>
  %same = stablehlo.custom_call @Sharding(%constrained) {mhlo.sharding = "{replicated}"} : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_eq %same, %x : tensor<2xf64>
  return
}
