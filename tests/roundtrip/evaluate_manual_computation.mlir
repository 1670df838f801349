// RUN: eval
// A global computation and its parts on 2x2 devices: the body sees parts, and its results are put together.
"sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"} : () -> ()
func.func @main() {
  %v = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  // Rows over x, columns over y; each device adds its id to its part, and sums over its row of devices.
  %r:2 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x2xi32>):
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %wide = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %more = stablehlo.add %part, %wide : tensor<1x2xi32>
    %sum = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<1x2xi32>) -> tensor<1x2xi32>
    "sdy.return"(%more, %sum) : (tensor<1x2xi32>, tensor<1x2xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<2x2xi32>)
  check.expect_eq_const %r#0, dense<[[1, 2, 4, 5], [7, 8, 10, 11]]> : tensor<2x4xi32>
  check.expect_eq_const %r#1, dense<[[4, 6], [12, 14]]> : tensor<2x2xi32>
  // Only y is manual: the parts along x stay together.
  %c = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<2x2xi32>):
    %t = stablehlo.negate %part : tensor<2x2xi32>
    "sdy.return"(%t) : (tensor<2x2xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>} : (tensor<2x4xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %c, dense<[[-1, -2, -3, -4], [-5, -6, -7, -8]]> : tensor<2x4xi32>
  return
}
