// RUN: eval --args "dense<1> : tensor<i32>" "dense<2> : tensor<i32>" "dense<3> : tensor<i32>"
// RUN: eval --args "dense<1> : tensor<i32>" "dense<2> : tensor<i32>" "dense<3> : tensor<i32>" --partitions 3
// RUN: eval --args "dense<1> : tensor<i32>" --partitions 1 --expect "process 1 of the groups does not exist: there is 1 replica of 1 partition"
// EXIT: 3
// RUN: eval --args "dense<1> : tensor<i32>" --expect "expected 3 arguments of 3 processes, got 1"
// EXIT: 2
// The module states how many processes take part. Each has its own arguments.
module attributes {mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<i32>) {
    %0 = func.call @sum(%x) : (tensor<i32>) -> tensor<i32>
    check.expect_eq_const %0, dense<6> : tensor<i32>
    return
  }
  func.func private @sum(%x: tensor<i32>) -> tensor<i32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
}
