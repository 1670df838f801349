// RUN: eval
// ragged_all_to_all, a custom call of jax: process 0 sends its row 0 to itself and rows 1 and 2 to process 1, and process 1 its
// row 1 to process 0 and nothing to itself. Rows that no one sends keep the value of the second operand.
"sdy.mesh"() {mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"} : () -> ()
func.func @main() {
  %rows = stablehlo.constant dense<[[1, 10], [2, 20], [3, 30], [4, 40], [5, 50], [6, 60]]> : tensor<6x2xi32>
  %room = stablehlo.constant dense<-1> : tensor<6x2xi32>
  %from = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xi32>
  %sizes = stablehlo.constant dense<[1, 2, 1, 0]> : tensor<4xi32>
  %to = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %received = stablehlo.constant dense<[1, 1, 2, 0]> : tensor<4xi32>
  %r = "sdy.manual_computation"(%rows, %room, %from, %sizes, %to, %received) ({
  ^bb0(%a: tensor<3x2xi32>, %b: tensor<3x2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>, %f: tensor<2xi32>):
    %s = stablehlo.custom_call @ragged_all_to_all(%a, %b, %c, %d, %e, %f) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xi32>
    "sdy.return"(%s) : (tensor<3x2xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<6x2xi32>, tensor<6x2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<6x2xi32>
  check.expect_eq_const %r, dense<[[1, 10], [-1, -1], [5, 50], [-1, -1], [2, 20], [3, 30]]> : tensor<6x2xi32>
  // Two pieces for each process.
  %column = stablehlo.constant dense<[[1], [2], [3], [4], [5], [6], [7], [8]]> : tensor<8x1xi32>
  %space = stablehlo.constant dense<-1> : tensor<8x1xi32>
  %starts = stablehlo.constant dense<[0, 1, 2, 3, 0, 1, 2, 3]> : tensor<8xi32>
  %counts = stablehlo.constant dense<[1, 1, 1, 0, 1, 0, 1, 1]> : tensor<8xi32>
  %targets = stablehlo.constant dense<[0, 1, 0, 1, 2, 0, 1, 3]> : tensor<8xi32>
  %t = "sdy.manual_computation"(%column, %space, %starts, %counts, %targets) ({
  ^bb0(%a: tensor<4x1xi32>, %b: tensor<4x1xi32>, %c: tensor<4xi32>, %d: tensor<4xi32>, %e: tensor<4xi32>):
    %s = stablehlo.custom_call @ragged_all_to_all(%a, %b, %c, %d, %e, %d) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<4x1xi32>, tensor<4x1xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4x1xi32>
    "sdy.return"(%s) : (tensor<4x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x1xi32>, tensor<8x1xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<8x1xi32>
  check.expect_eq_const %t, dense<[[1], [2], [5], [-1], [3], [7], [-1], [8]]> : tensor<8x1xi32>
  return
}
