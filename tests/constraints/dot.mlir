// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Products of matrices.

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@below {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.dot"(%a0, %a1) {precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<4xf32>) {
  // expected-error@below {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = "stablehlo.dot"(%a0, %a1) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<4x5xf32>) {
  // expected-error@below {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = "stablehlo.dot"(%a0, %a1) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@below {{inferred shape '[2, 4]' is incompatible with return type of operation 'tensor<4x2xf32>'}}
  %0 = "stablehlo.dot"(%a0, %a1) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{inferred shape '[]' is incompatible with return type of operation 'tensor<3xf32>'}}
  %0 = "stablehlo.dot"(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@below {{inferred shape '[4]' is incompatible with return type of operation 'tensor<3xf32>'}}
  %0 = "stablehlo.dot"(%a0, %a1) : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{lhs and rhs should have the same number of batching dimensions}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{lhs and rhs should have the same number of contracting dimensions}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = []>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 0}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 0}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{lhs_batching_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{lhs_contracting_dimensions value: -1 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [-1], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{rhs_batching_dimensions value: 4 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [4], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{rhs_contracting_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<3x4x5xf32>) {
  // expected-error@below {{batching dimension sizes must match for lhs/rhs}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x3x5xf32>) {
  // expected-error@below {{contracting dimension sizes must match for lhs/rhs}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{inferred shape '[2, 3, 5]' is incompatible with return type of operation 'tensor<2x5x3xf32>'}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{must specify DEFAULT precision config when algorithm is set.}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{lhs component count must be positive}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{rhs component count must be positive}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{num primitive operations must be positive}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f32', rhs:'f32', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:2, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f32', rhs:'f32', accum:'f32', lhs_components:2, rhs_components:1, primitive_ops:1, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 2, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f32', rhs:'f32', accum:'f32', lhs_components:1, rhs_components:2, primitive_ops:1, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 2, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f32', rhs:'f32', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:1}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'bf16', rhs:'bf16', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:2, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'bf16', rhs:'bf16', accum:'f16', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'bf16', rhs:'f16', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f64', rhs:'f32', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f64, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f8E8M0FNU', rhs:'f8E8M0FNU', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E8M0FNU, rhs_precision_type = f8E8M0FNU, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{dot algorithm not known to be supported on any hardware: {lhs:'f8E5M2', rhs:'f8E4M3FN', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:2, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E5M2, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x5x!quant.uniform<i8:f32, 1.0:3>>) {
  // expected-error@below {{Zero point of rhs should be 0}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x5x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x2x!quant.uniform<i8:f32:2, {1.0:0, 1.0:3}>>) {
  // expected-error@below {{Zero points of rhs should be 0}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x2x!quant.uniform<i8:f32:2, {1.0:0, 1.0:3}>>) -> tensor<2x3x2x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x5x!quant.uniform<i8:f32:1, {1.0:0, 1.0:0, 1.0:0, 1.0:0}>>) {
  // expected-error@below {{Quantization dimension of rhs should not be in the contracting dimension of rhs}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x5x!quant.uniform<i8:f32:1, {1.0:0, 1.0:0, 1.0:0, 1.0:0}>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x5xf32>) {
  // expected-error@below {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x5x!quant.uniform<i4:f32, 1.0:0>>) {
  // expected-error@below {{mismatched lhs and rhs quantization storage types}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x5x!quant.uniform<i4:f32, 1.0:0>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x5x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x3x5x!quant.uniform<i32:f16, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x4x5x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched rhs and result quantization granularity}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x3x5x!quant.uniform<i32:f32:2, {1.0:0, 1.0:0, 1.0:0, 1.0:0, 1.0:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x5x!quant.uniform<i8:f16, 1.0:0>>) {
  // expected-error@below {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5x!quant.uniform<i8:f16, 1.0:0>>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{lhs and rhs should have the same number of batching dimensions}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{There must be exactly one ragged dimension in the lhs.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1, 2], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{There must be exactly one ragged dimension in the lhs.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{Expects lhs_ragged_dim to be in range [0, lhs_rank) i.e. [0, 3). got: 3.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [3], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<2x2x3xi64>) {
  // expected-error@below {{expected group_sizes to have rank 2, got 3}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x2x3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3x3xi64>) {
  // expected-error@below {{group_sizes is expected to have shape [2, 3], got [3, 3]}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3x3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<2x5x7xf32>, %a2: tensor<2x5x3xi64>) {
  // expected-error@below {{expected group_sizes to have rank 2, got 3}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<2x5x3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{Expects rhs_group_dim to be in range [0, rhs_rank) i.e. [0, 4). got: 4.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [4]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{has duplicated dimension from rhs_group_dimensions and rhs_batching_dimensions: 1}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{has duplicated dimension from rhs_group_dimensions and rhs_contracting_dimensions: 2}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [2]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{There must be zero group dimensions in the rhs when the ragged dimension is batch or contracting.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{There must be zero group dimensions in the rhs when the ragged dimension is batch or contracting.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{There must be exactly one group dimension in the rhs when the lhs ragged dimension is non-contracting.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<4x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{rhs group dimension is expected to have size=3, got 4}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<4x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{inferred shape '[2, 11, 7]' is incompatible with return type of operation 'tensor<2x7x11xf32>'}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x7x11xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{inferred shape '[3, 2, 11, 7]' is incompatible with return type of operation 'tensor<2x11x7xf32>'}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

// Of two batch dimensions, those before the ragged one are dimensions of group_sizes.
func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x3x4x7xf32>, %a2: tensor<2x5xi64>) {
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<2x3x4xf32>, tensor<2x3x4x7xf32>, tensor<2x5xi64>) -> tensor<2x3x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x3x4x7xf32>, %a2: tensor<2x5xi64>) {
  // expected-error@below {{expected group_sizes to have rank 1, got 2}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<2x3x4xf32>, tensor<2x3x4x7xf32>, tensor<2x5xi64>) -> tensor<2x3x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x3x4x7xf32>, %a2: tensor<3x5xi64>) {
  // expected-error@below {{group_sizes is expected to have shape [2, 5], got [3, 5]}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<2x3x4xf32>, tensor<2x3x4x7xf32>, tensor<3x5xi64>) -> tensor<2x3x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x4xf32>, %a1: tensor<2x3x4x7xf32>, %a2: tensor<2x3x5xi64>) {
  // expected-error@below {{expected group_sizes to have rank 2, got 3}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<2x3x4xf32>, tensor<2x3x4x7xf32>, tensor<2x3x5xi64>) -> tensor<2x3x7xf32>
  return
}
