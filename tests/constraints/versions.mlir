// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Structure of regions, and what a version lacks.

func.func @f() {
  // expected-error@below {{'ml_program.global_load' op requires one result}}
  "ml_program.global_load"() {global = @f} : () -> ()
  return
}

// -----

module attributes {stablehlo.compat_version = 50 : i32} {
  func.func @f(%a: tensor<3x4x5xf32>, %i: tensor<3x2xi32>) {
    // expected-error@below {{'stablehlo.gather' op attribute 'operand_batching_dims' does not exist in version 0.18.0 (50), only in 1.1.0 (54) to 1.22.0 (75)}}
    %0 = "stablehlo.gather"(%a, %i) {slice_sizes = array<i64: 1, 1, 5>, operand_batching_dims = array<i64: 0>, offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0, 1>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1 : i64} : (tensor<3x4x5xf32>, tensor<3x2xi32>) -> tensor<3x5xf32>
    return
  }
}
