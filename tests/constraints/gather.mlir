// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// gather and dynamic_gather.

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{offset_dims size (1) plus collapse_slice_dims size (0) plus operand_batching_dims size (0) is not equal to operand rank (2)}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: 3.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: -1.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = -1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{start_index_map size (2) is not equal to size of index dimension (1) of start_indices (1)}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{start_index_map size (2) is not equal to size of index dimension (2) of start_indices (1)}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4x5xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{expects offset_dims to be sorted, got: [2, 0]}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1, 5>} : (tensor<3x4x5xf32>, tensor<2x1xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4x5xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{expects offset_dims to not repeat, got: [2, 2]}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 2], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1, 5>} : (tensor<3x4x5xf32>, tensor<2x1xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{expects collapsed_slice_dims to be sorted, got: [1, 0]}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects each element of collapsed_slice_dims to be in range [0, rank-of('operand')) i.e. [0, 2). got: 2.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [2], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<4x3x0xi32>) {
  // expected-error@below {{expects operand_batching_dims to be sorted, got: [1, 0]}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<4x3x0xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects each element of operand_batching_dims to be in range [0, rank-of('operand')) i.e. [0, 2). got: 2.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [2], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<3x0xi32>) {
  // expected-error@below {{expects start_indices_batching_dims to not repeat, got: [0, 0]}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<3x0xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects each element of start_indices_batching_dims to be in range [0, rank-of('start_indices')) i.e. [0, 2). got: 2.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{expects start_indices_batching_dims not to include index_vector_dim 1}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{operand_batching_dims and start_indices_batching_dims should have the same size}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{operand_batching_dims[0] and start_indices_batching_dims[0] must have compatible sizes, but got 3 and 2}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x2xi32>) {
  // expected-error@below {{has duplicated dimension from start_index_map and operand_batching_dims: 1}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1, 1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects each element of start_index_map to be in range [0, rank-of('operand')) i.e. [0, 2). got: 2.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{slice_sizes size (1) not equal to operand rank (2)}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 2>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<3x1xi32>) {
  // expected-error@below {{Expects that for each dim in operand_batching_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>} : (tensor<3x4xf32>, tensor<3x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{slice size (4) is out of bounds for operand dimension (3) at index 0}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{slice size (-1) is out of bounds for operand dimension (3) at index 0}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: -1, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 2). got: 2.}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'}}
  // expected-error@below {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op failed to verify that all of {operand, result} have same element type}}
  %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.dynamic_gather' op inferred type(s) 'tensor<?x2xf32>' are incompatible with return type(s) of operation 'tensor<3x2xi32>'}}
  // expected-error@below {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<3xi32>) {
  // expected-error@below {{slice_sizes size (3) not equal to operand rank (2)}}
  // expected-error@below {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  %c2 = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // expected-error@below {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@below {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%a0, %a1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  %c2 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  // expected-error@below {{'stablehlo.dynamic_gather' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@below {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%a0, %a1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.dynamic_gather' op inferred type(s) 'tensor<?x2xf32>' are incompatible with return type(s) of operation 'tensor<?x3xf32>'}}
  // expected-error@below {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}
