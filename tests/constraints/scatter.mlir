// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// scatter.

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<3x5xf32>, %a2: tensor<2x1xi32>, %a3: tensor<2x4xf32>, %a4: tensor<2x4xf32>) {
  // expected-error@below {{Not all inputs have compatible shapes.}}
  %0:2 = "stablehlo.scatter"(%a0, %a1, %a2, %a3, %a4) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, %r2: tensor<f32>, %r3: tensor<f32>):
    "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<3x5xf32>, tensor<2x1xi32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<3x5xf32>)
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>, %a2: tensor<2x1xi32>, %a3: tensor<2x4xf32>, %a4: tensor<2x3xf32>) {
  // expected-error@below {{Not all updates have compatible shapes.}}
  %0:2 = "stablehlo.scatter"(%a0, %a1, %a2, %a3, %a4) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, %r2: tensor<f32>, %r3: tensor<f32>):
    "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects index_vector_dim to be in range [0, rank-of('scatter_indices')] i.e. [0, 2]. got: 3.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xf32>) {
  // expected-error@below {{expects updates tensor must be of rank 2 ( == rank-of('scatter_indices') - 1 + size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 dimension if 'index_vector_dim' == rank-of('scatter_indices')), but got 1.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{expects updates tensor must be of rank 3 ( == rank-of('scatter_indices') - 1 + size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 dimension if 'index_vector_dim' == rank-of('scatter_indices')), but got 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects rank-of operand to match size-of('update_window_dims') + size-of('inserted_window_dims') + size-of('input_batching_dims') i.e. 1 but got 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x3x4xf32>) {
  // expected-error@below {{Expects update_window_dims to be sorted; got: [2, 1].}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x3x4xf32>) {
  // expected-error@below {{Expects update_window_dims to not repeat; got: [1, 1].}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects each element of update_window_dims to be in range [0, rank-of('updates')) i.e. [0, 2). got: 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xf32>) {
  // expected-error@below {{has duplicated dimension from inserted_window_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xf32>) {
  // expected-error@below {{Expects inserted_window_dims to be sorted; got: [1, 0].}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [1, 0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects each element of inserted_window_dims to be in range [0, rank-of('operand')) i.e. [0, 2). got: 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<4x3x0xi32>, %a2: tensor<4x3xf32>) {
  // expected-error@below {{Expects input_batching_dims to be sorted; got: [1, 0].}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [], index_vector_dim = 2>} : (tensor<3x4xf32>, tensor<4x3x0xi32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects each element of input_batching_dims to be in range [0, rank-of('operand')) i.e. [0, 2). got: 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [2], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<3x0xi32>, %a2: tensor<3xf32>) {
  // expected-error@below {{Expects scatter_indices_batching_dims to not repeat; got: [0, 0].}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<3x0xi32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects each element of scatter_indices_batching_dims to be in range [0, rank-of('scatter_indices')) i.e. [0, 2). got: 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{expects scatter_indices_batching_dims not to include index_vector_dim 1.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{input_batching_dims and scatter_indices_batching_dims should have the same size.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{input_batching_dims[0] and scatter_indices_batching_dims[0] must have compatible sizes, but got 3 and 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Scatter op has 2 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of scatter_indices is 1. These two numbers must be equal.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x2xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{has duplicated dimension from scatter_dims_to_operand_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x2xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{Expects each element of scatter_dims_to_operand_dims to be in range [0, rank-of('operand')) i.e. [0, 2). got: 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x5xf32>) {
  // expected-error@below {{expects bounds of the window dimensions of updates to not exceed the bounds of the corresponding dimensions of operand. For dimension 1, updates bound is 5, operand bound is 4.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<3x4xf32>) {
  // expected-error@below {{expects bounds of the scatter dimensions of updates to be same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension 0, updates bound is 3 , scatter_indices bound is 2.}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{'stablehlo.scatter' op inferred type(s) 'tensor<3x4xf32>' are incompatible with return type(s) of operation 'tensor<3x5xf32>'}}
  // expected-error@below {{'stablehlo.scatter' op failed to infer returned types}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x5xf32>
  return
}

// -----

// Updates of one shape, which is not that of the indices.
func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  %0:2 = "stablehlo.scatter"(%a0, %a0, %a1, %a2, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, %r2: tensor<f32>, %r3: tensor<f32>):
    "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
  return
}
