// RUN: roundtrip
// RUN: convert --target=current --emit=vhlo
// RUN: convert --target=0.9.0 --emit=vhlo
// Ops in the shapes of the first release. Each of them has another shape today: a list of operands in
// all_reduce, batching dimensions in gather, an accuracy in exponential. On the way up nothing is written
// that was not there; a consumer of either version reads the same program.
module attributes {stablehlo.compat_version = 41 : i64} {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<2x1xi64>) -> (tensor<4xf32>, tensor<2xf32>) {
    %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.gather"(%1, %arg1) {
      dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>
    } : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
    func.return %1, %2 : tensor<4xf32>, tensor<2xf32>
  }
}
