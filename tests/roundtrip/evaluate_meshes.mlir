// RUN: eval --args "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"
// RUN: roundtrip
// Sums over the axes of a mesh of 2 x 3 devices, which programs state in different forms: jax exports both of the first one's.
"sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=3]>, stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 3 : i64}]}, sym_name = "of_jax"} : () -> ()
"sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=3], device_ids=[5, 4, 3, 2, 1, 0]>, sym_name = "of_shardy"} : () -> ()
"sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=3]>, stablehlo.mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 3>]>, sym_name = "of_stablehlo"} : () -> ()
"my.devices"() {mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 3>]>, sym_name = "named"} : () -> ()
func.func @main(%v: tensor<2x3xi32>) {
  %0 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_jax, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{}, {"y"}]>]>} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %0, dense<[[5, 7, 9]]> : tensor<1x3xi32>
  %1 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_jax, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {}]>]>} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %1, dense<[[6], [15]]> : tensor<2x1xi32>
  %2 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_shardy, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{}, {"y"}]>]>} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %2, dense<[[5, 7, 9]]> : tensor<1x3xi32>
  %3 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_shardy, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {}]>]>} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %3, dense<[[6], [15]]> : tensor<2x1xi32>
  %4 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_stablehlo, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{}, {"y"}]>]>} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %4, dense<[[5, 7, 9]]> : tensor<1x3xi32>
  %5 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_stablehlo, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {}]>]>} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %5, dense<[[6], [15]]> : tensor<2x1xi32>
  %6 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @named, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{}, {"y"}]>]>} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %6, dense<[[5, 7, 9]]> : tensor<1x3xi32>
  %7 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @named, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {}]>]>} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %7, dense<[[6], [15]]> : tensor<2x1xi32>
  %8 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 3>]>, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{}, {"y"}]>]>} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %8, dense<[[5, 7, 9]]> : tensor<1x3xi32>
  %9 = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x1xi32>):
    %s = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 3>]>, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %t = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@of_jax, [{"x"}, {}]>]>} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %9, dense<[[6], [15]]> : tensor<2x1xi32>
  return
}
