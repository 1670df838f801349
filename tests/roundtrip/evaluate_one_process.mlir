// RUN: eval --args "dense<[1.0, 2.0]> : tensor<2xf32>"
// A program that no one runs in parallel is a grid of one process, whose groups, stated or not, have one member.
func.func @main(%x: tensor<2xf32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  check.expect_eq_const %0, dense<0> : tensor<ui32>
  check.expect_eq_const %1, dense<0> : tensor<ui32>
  %2 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %2, %x : tensor<2xf32>
  %3 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %3, %x : tensor<2xf32>
  %4 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %4, %x : tensor<2xf32>
  %5 = "stablehlo.all_to_all"(%x) {concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %5, %x : tensor<2xf32>
  %6 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %6, %x : tensor<2xf32>
  %7 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %7, %x : tensor<2xf32>
  %8 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %8, dense<0.0> : tensor<2xf32>
  %9 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %9, %x : tensor<2xf32>
  %token = stablehlo.create_token : !stablehlo.token
  %10 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %11:2 = "stablehlo.recv"(%10) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  check.expect_eq %11#0, %x : tensor<2xf32>
  return
}
