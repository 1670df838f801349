// RUN: verify --strict --expect "9:8: error: 'stablehlo.compare' op compare_type UNSIGNED does not fit elements of type 'i32', which are compared as SIGNED" --expect "hint: C3 of compare" --expect "10:8: error: 'stablehlo.compare' op compare_type SIGNED does not fit elements of type 'ui32', which are compared as UNSIGNED" --expect "11:8: error: 'stablehlo.compare' op compare_type FLOAT does not fit elements of type 'i1', which are compared as UNSIGNED" --expect "12:8: error: 'stablehlo.compare' op compare_type TOTALORDER does not fit elements of type 'complex<f32>', which are compared as FLOAT" --expect "13:8: error: 'stablehlo.compare' op compare_type SIGNED does not fit elements of type 'f32', which are compared as FLOAT" --expect "14:12: error: 'stablehlo.rng_bit_generator' op a state of type 'tensor<4xui64>' does not fit algorithm THREE_FRY" --expect "15:12: error: 'stablehlo.rng_bit_generator' op the state has elements of type 'ui64' before and of type 'i64' after" --expect "16:8: error: 'stablehlo.dynamic_iota' op the shape operand has 2 sizes for a result of rank 1" --expect "17:9: error: 'stablehlo.send' op process 0 is twice a source of source_target_pairs" --expect "18:9: error: 'stablehlo.send' op source_target_pairs have shape (1, 3), not (N, 2)" --expect "19:14: error: 'stablehlo.recv' op process 1 is twice a target of source_target_pairs" --expect "20:9: error: 'stablehlo.all_gather' op uses global device ids without a channel" --expect "21:9: error: 'stablehlo.reduce' op the elements of 'tensor<4xf32>' are combined with elements of another type, 'tensor<f64>'"
// EXIT: 1
// RUN: convert --target=1.22.0 --expect "warning: 'stablehlo.compare' op compare_type UNSIGNED does not fit"
// EXIT: 0
// RUN: verify --expect "warning: 'stablehlo.compare' op compare_type UNSIGNED does not fit"
// EXIT: 0
// What the specification demands and the reference does not look at: a warning, and an error only if it is asked for.
func.func @main(%a: tensor<4xi32>, %b: tensor<4xui32>, %p: tensor<4xi1>, %z: tensor<4xcomplex<f32>>, %f: tensor<4xf32>, %s: tensor<4xui64>, %t: tensor<2xui64>, %n: tensor<2xi64>, %token: !stablehlo.token, %d: tensor<f64>) {
  %0 = stablehlo.compare LT, %a, %a, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %b, %b, SIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %p, %p, FLOAT : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = stablehlo.compare EQ, %z, %z, TOTALORDER : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  %4 = stablehlo.compare LT, %f, %f, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5, %6 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  %7, %8 = stablehlo.rng_bit_generator %t, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xi64>, tensor<4xui32>)
  %9 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> tensor<?xi32>
  %10 = "stablehlo.send"(%a, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<4xi32>, !stablehlo.token) -> !stablehlo.token
  %11 = "stablehlo.send"(%a, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xi32>, !stablehlo.token) -> !stablehlo.token
  %12, %13 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4xi32>, !stablehlo.token)
  %14 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids} : (tensor<4xi32>) -> tensor<8xi32>
  %15 = "stablehlo.reduce"(%f, %d) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %16 = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %16 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f64>) -> tensor<f64>
  return
}
