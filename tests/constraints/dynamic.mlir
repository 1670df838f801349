// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Ops whose result shape is an operand, and random numbers.

func.func @f(%a0: tensor<1xi32>) {
  // expected-error@below {{iota dimension cannot go beyond the output rank.}}
  %0 = "stablehlo.dynamic_iota"(%a0) {iota_dimension = 1 : i64} : (tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f() {
  %c0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  // expected-error@below {{output shape [3, 4] is incompatible with return type of operation 'tensor<3x5xf32>'}}
  %0 = "stablehlo.dynamic_iota"(%c0) {iota_dimension = 1 : i64} : (tensor<2xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @f() {
  %c0 = stablehlo.constant dense<[3, -1]> : tensor<2xi32>
  // expected-error@below {{output shape [3, -1] is incompatible with return type of operation 'tensor<3x?xf32>'}}
  %0 = "stablehlo.dynamic_iota"(%c0) {iota_dimension = 1 : i64} : (tensor<2xi32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @f() {
  %c0 = stablehlo.constant dense<[3, 9]> : tensor<2xi32>
  // expected-error@below {{output shape [3, 9] is incompatible with return type of operation 'tensor<3x?xf32, #stablehlo.bounds<?, 8>>'}}
  %0 = "stablehlo.dynamic_iota"(%c0) {iota_dimension = 1 : i64} : (tensor<2xi32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 8>>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{expects operand and result to have compatible element type. Got: 'tensor<3xf32>' and 'tensor<2x3xi32>'}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{broadcast_dimensions size (2) does not match operand rank (1)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<1xi32>) {
  // expected-error@below {{result rank (1) is less than operand rank (2)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<1x1xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{broadcast_dimensions should not have duplicates}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{broadcast_dimensions contains invalid value 2 for result with rank 2}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{broadcast_dimensions contains invalid value -1 for result with rank 2}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: -1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{size of operand dimension 0 (3) is not compatible with size of result dimension 0 (2)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>) {
  %c1 = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  // expected-error@below {{output shape [2, 4] is incompatible with return type of operation 'tensor<2x3xf32>'}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %c1) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{duplicate expansion hint for at least one operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{hint for expanding dimension 1 does not refer to a valid operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{hint for expanding dimension -1 does not refer to a valid operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: -1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>) {
  %c1 = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  // expected-error@below {{size of operand dimension 0 (3) is not equal to 1 or value of shape at index 1 (4)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a0, %c1) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<6xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{expects operand and result to have compatible element type. Got: 'tensor<6xf32>' and 'tensor<2x3xi32>'}}
  %0 = "stablehlo.dynamic_reshape"(%a0, %a1) : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%a0: tensor<6xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{number of output elements (8) doesn't match expected number of elements (6)}}
  %0 = "stablehlo.dynamic_reshape"(%a0, %a1) : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<6xf32>) {
  %c1 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // expected-error@below {{output shape [2, 3] is incompatible with return type of operation 'tensor<3x?xf32>'}}
  %0 = "stablehlo.dynamic_reshape"(%a0, %c1) : (tensor<6xf32>, tensor<2xi32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<6xf32>, %a1: tensor<3xi32>) {
  // expected-error@below {{result should have a rank equal to the number of elements in output_shape}}
  %0 = "stablehlo.dynamic_reshape"(%a0, %a1) : (tensor<6xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<6xf32>) {
  %c1 = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  // expected-error@below {{output_shape is incompatible with input type of operation: input has 6 elements, but output_shape has 8}}
  %0 = "stablehlo.dynamic_reshape"(%a0, %c1) : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 2.0:15>>, %a1: tensor<2xi32>) {
  // expected-error@below {{expect same quantization scale and zero_point but got 'tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>' vs 'tensor<2x1x!quant.uniform<i8:f32, 1.000000e+00:15>>'}}
  %0 = "stablehlo.dynamic_reshape"(%a0, %a1) : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2xi32>) -> tensor<2x1x!quant.uniform<i8:f32, 1.0:15>>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>, %a4: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op failed to verify that all of {operand, padding_value, result} have same element type}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) : (tensor<4xf32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>, %a4: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op failed to verify that all of {operand, padding_value, result} have same element type}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi64>, %a4: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same type}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi64>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>, %a4: tensor<1xi64>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same type}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>, %a4: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op failed to verify that all of {operand, result} have same rank}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<2xi32>, %a3: tensor<2xi32>, %a4: tensor<2xi32>) {
  // expected-error@below {{padding operands size (2) must match operand rank (1)}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) : (tensor<4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>) {
  %c4 = stablehlo.constant dense<[-1]> : tensor<1xi32>
  // expected-error@below {{interior_padding must be non-negative, but got -1}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %c4) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %c3 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %c4 = stablehlo.constant dense<[2]> : tensor<1xi32>
  // expected-error@below {{expected output dimension at index 0 to equal 13, but got 12}}
  %0 = "stablehlo.dynamic_pad"(%a0, %a1, %c2, %c3, %c4) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<12xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<1xi32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.real_dynamic_slice' op failed to verify that all of {operand, result} have same element type}}
  %0 = "stablehlo.real_dynamic_slice"(%a0, %a1, %a2, %a3) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<1xi32>, %a2: tensor<1xi64>, %a3: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.real_dynamic_slice' op failed to verify that all of {start_indices, limit_indices, strides} have same type}}
  %0 = "stablehlo.real_dynamic_slice"(%a0, %a1, %a2, %a3) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi64>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<2xi32>, %a2: tensor<2xi32>, %a3: tensor<2xi32>) {
  // expected-error@below {{has mismatched number of operand rank (1) and start_indices size (2)}}
  %0 = "stablehlo.real_dynamic_slice"(%a0, %a1, %a2, %a3) : (tensor<4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f64>, %a2: tensor<1xi64>) {
  // expected-error@below {{'stablehlo.rng' op failed to verify that all of {a, b, result} have same element type}}
  %0 = "stablehlo.rng"(%a0, %a1, %a2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %a1: tensor<i32>, %a2: tensor<1xi64>) {
  // expected-error@below {{mu and sigma must be floats}}
  // expected-error@below {{'stablehlo.rng' op failed to infer returned types}}
  %0 = "stablehlo.rng"(%a0, %a1, %a2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.rng' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'}}
  // expected-error@below {{'stablehlo.rng' op failed to infer returned types}}
  %0 = "stablehlo.rng"(%a0, %a1, %c2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.rng' op inferred type(s) 'tensor<?x?xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.rng' op failed to infer returned types}}
  %0 = "stablehlo.rng"(%a0, %a1, %a2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xui64>) {
  // expected-error@below {{output state shape must be compatible with initial state shape. Got: 'tensor<2xui64>' and 'tensor<3xui64>'}}
  %0:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}
