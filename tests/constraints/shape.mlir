// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Ops that make tensors or move elements.

func.func @f() {
  // expected-error@below {{does not support scalars.}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{iota dimension cannot go beyond the output rank.}}
  %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.constant' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.constant' op failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Broadcast with negative dimension size -3}}
  // expected-error@below {{'stablehlo.broadcast' op failed to infer returned types}}
  %0 = "stablehlo.broadcast"(%a0) {broadcast_sizes = array<i64: -3>} : (tensor<2xf32>) -> tensor<?x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.broadcast' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<3x4xf32>'}}
  // expected-error@below {{'stablehlo.broadcast' op failed to infer returned types}}
  %0 = "stablehlo.broadcast"(%a0) {broadcast_sizes = array<i64: 3>} : (tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 2.0:15>>) {
  // expected-error@below {{expect same quantization scale and zero_point but got 'tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>' vs 'tensor<2x!quant.uniform<i8:f32, 2.000000e+00:14>>'}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<2x!quant.uniform<i8:f32, 2.0:14>>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{broadcast_dimensions size (2) does not match operand rank (1)}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x2xf32>) {
  // expected-error@below {{broadcast_dimensions should not have duplicates}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{broadcast_dimensions contains invalid value 2 for result with rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 2>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{broadcast_dimensions contains invalid value -1 for result with rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: -1>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{size of operand dimension 0 (2) is not equal to 1 or size of result dimension 1 (3)}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<1x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{result quantization_dimension 0 not same as broadcast_dimensions[1] = 1}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.25:0}>>
  return
}

// -----

func.func @f(%a0: tensor<1x!quant.uniform<i8:f32:0, {0.5:0}>>) {
  // expected-error@below {{mismatch result scale 1 (2.500000e-01) and operand scale 0 (5.000000e-01)}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5:0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:0, 0.25:0}>>
  return
}

// -----

func.func @f(%a0: tensor<1x!quant.uniform<i8:f32:0, {0.5:3}>>) {
  // expected-error@below {{mismatch result zero_point 1 (4) and operand zero_point 0 (3)}}
  %0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5:3}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:3, 0.5:4}>>
  return
}

// -----

func.func @f(%a0: tensor<f32>) {
  // expected-error@below {{rank-0 values cannot be concatenated}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0) {dimension = 0 : i64} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{dimension 1 is out-of-bounds for input rank 1}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0) {dimension = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2x2xf32>) {
  // expected-error@below {{operands (0) and (1) do not match rank}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<2x4xf32>) {
  // expected-error@below {{shapes of operand (0) and (1) are not compatible at non-concat index 1: (2, 3) != (2, 4)}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op inferred type(s) 'tensor<6x3xf32>' are incompatible with return type(s) of operation 'tensor<7x3xf32>'}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x?xf32>, %a1: tensor<2x5xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op inferred type(s) 'tensor<4x5xf32>' are incompatible with return type(s) of operation 'tensor<4x6xf32>'}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<2x?xf32>, tensor<2x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>, %a1: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op inferred type(s) 'tensor<?x3xf32, #stablehlo.bounds<6, ?>>' are incompatible with return type(s) of operation 'tensor<7x3xf32>'}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<2x3xf32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x?xf32, #stablehlo.bounds<?, 4>>, %a1: tensor<2x5xf32>) {
  // expected-error@below {{Mismatched dimension size 5 and bound 4 in dimension 1}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<2x?xf32, #stablehlo.bounds<?, 4>>, tensor<2x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{number of output elements (5) doesn't match expected number of elements (6)}}
  %0 = "stablehlo.reshape"(%a0) : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 2.0:15>>) {
  // expected-error@below {{expect same quantization scale and zero_point but got 'tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>' vs 'tensor<2x1x!quant.uniform<i8:f32, 1.000000e+00:15>>'}}
  %0 = "stablehlo.reshape"(%a0) : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<2x1x!quant.uniform<i8:f32, 1.0:15>>
  return
}

// -----

func.func @f(%a0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{expect same quantization scales and zero_points but got 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>' vs 'tensor<3x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,7.500000e-01}>>'}}
  %0 = "stablehlo.reshape"(%a0) : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<3x1x2x!quant.uniform<i8:f32:2, {0.5:0, 0.75:0}>>
  return
}

// -----

func.func @f(%a0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{expect same quantization scales and zero_points but got 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>' vs 'tensor<3x1x2x!quant.uniform<i8:f32:2, {5.000000e-01:1,2.500000e-01}>>'}}
  %0 = "stablehlo.reshape"(%a0) : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<3x1x2x!quant.uniform<i8:f32:2, {0.5:1, 0.25:0}>>
  return
}

// -----

func.func @f(%a0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{expect same quantization dimension size for operand and result 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>' and 'tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.250000e-01}>>'}}
  %0 = "stablehlo.reshape"(%a0) : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 0.125:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{product of dimensions before quantization dimension must match between operand and result for 2 and 1}}
  %0 = "stablehlo.reshape"(%a0) : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.25:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{TransposeOp operand rank 2 does not match permutation size 1}}
  // expected-error@below {{'stablehlo.transpose' op failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{attribute permutation must be a permutation of [0, 1] but got 1, 1}}
  // expected-error@below {{'stablehlo.transpose' op failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{attribute permutation must be a permutation of [0, 1] but got 2, 0}}
  // expected-error@below {{'stablehlo.transpose' op failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 2, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{attribute permutation must be a permutation of [0, 1] but got -1, 0}}
  // expected-error@below {{'stablehlo.transpose' op failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: -1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.transpose' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@below {{'stablehlo.transpose' op failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x!quant.uniform<i8:f32, 2.0:15>>) {
  // expected-error@below {{expect same quantization scale and zero_point but got 'tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00:15>>' vs 'tensor<3x2x!quant.uniform<i8:f32, 2.500000e+00:15>>'}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<3x2x!quant.uniform<i8:f32, 2.5:15>>
  return
}

// -----

func.func @f(%a0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{expect same quantization scales and zero_points but got 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>' vs 'tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,5.000000e-01}>>'}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>} : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) {
  // expected-error@below {{operand quantization_dimension 1 is not same as permutation[1] = 0}}
  %0 = "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{dimensions should be unique. Got: 1, 1}}
  %0 = "stablehlo.reverse"(%a0) {dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{all dimensions should be non-negative. Got dimension: -1.}}
  %0 = "stablehlo.reverse"(%a0) {dimensions = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{all dimensions should be between [0, 2). Got dimension: 2.}}
  %0 = "stablehlo.reverse"(%a0) {dimensions = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.slice' op failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.slice' op failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1, 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{the number of elements in start_indices (2) does not match the rank of the operand (1)}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1, 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{negative start index -1 in dimension 0}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: -1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{limit index 5 is larger than dimension size 4 in dimension 0}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@below {{limit index 5 is larger than dimension bound 4 in dimension 0}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{start index 3 is larger than limit index 2 in dimension 0}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 3>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{stride must be positive but got 0 in dimension 0}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 0>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<7xf32>) {
  // expected-error@below {{'stablehlo.slice' op inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 7>, strides = array<i64: 3>} : (tensor<7xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same size}}
  %0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>) {
  // expected-error@below {{edge_padding_low length (2) must match operand rank (1)}}
  // expected-error@below {{'stablehlo.pad' op failed to infer returned types}}
  %0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Interior padding cannot be negative: -1}}
  // expected-error@below {{'stablehlo.pad' op failed to infer returned types}}
  %0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Padding result in negative size for dimension 0}}
  // expected-error@below {{'stablehlo.pad' op failed to infer returned types}}
  %0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: -3>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<?xf32, #stablehlo.bounds<4>>, %a1: tensor<f32>) {
  // expected-error@below {{Padding result in negative bound for dimension 0}}
  // expected-error@below {{'stablehlo.pad' op failed to infer returned types}}
  %0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: -3>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>} : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op inferred type(s) 'tensor<16xf32>' are incompatible with return type(s) of operation 'tensor<13xf32>'}}
  // expected-error@below {{'stablehlo.pad' op failed to infer returned types}}
  %0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 3>} : (tensor<4xf32>, tensor<f32>) -> tensor<13xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{requires dimension attribute in range [0, 1); found (1)}}
  // expected-error@below {{'stablehlo.get_dimension_size' op failed to infer returned types}}
  %0 = "stablehlo.get_dimension_size"(%a0) {dimension = 1 : i64} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.get_dimension_size' op result #0 must be ranked tensor of 32-bit signless integer values, but got 'tensor<i64>'}}
  %0 = "stablehlo.get_dimension_size"(%a0) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<i64>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<1xi32>) {
  // expected-error@below {{size operand should be of rank-0}}
  // expected-error@below {{'stablehlo.set_dimension_size' op failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%a0, %a1) {dimension = 0 : i64} : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{requires dimension attribute in range [0, 1); found (1)}}
  // expected-error@below {{'stablehlo.set_dimension_size' op failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%a0, %a1) {dimension = 1 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{'stablehlo.set_dimension_size' op inferred type(s) 'tensor<?xf32, #stablehlo.bounds<4>>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@below {{'stablehlo.set_dimension_size' op failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%a0, %a1) {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  %c1 = stablehlo.constant dense<4> : tensor<i32>
  // expected-error@below {{'stablehlo.set_dimension_size' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@below {{'stablehlo.set_dimension_size' op failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%a0, %c1) {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to verify that all of {operand, result} have same element type}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{has mismatched number of slice sizes (2) and number of start indices (1)}}
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1) {slice_sizes = array<i64: 2, 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>, %a2: tensor<i32>) {
  // expected-error@below {{has mismatched number of start indices (2) and the rank of operand (1)}}
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1, %a2) {slice_sizes = array<i64: 2, 2>} : (tensor<4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x4xf32>, %a1: tensor<i32>, %a2: tensor<i64>) {
  // expected-error@below {{start indices must have same element type}}
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1, %a2) {slice_sizes = array<i64: 2, 2>} : (tensor<4x4xf32>, tensor<i32>, tensor<i64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{has negative size index to dynamic slice: -1}}
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1) {slice_sizes = array<i64: -1>} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{has slice size 5 greater than dimension size 4 in dimension 0 of operand}}
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1) {slice_sizes = array<i64: 5>} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a0, %a1) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<2xi32>, %a2: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op failed to verify that all of {operand, update, result} have same element type}}
  %0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2) : (tensor<4xf32>, tensor<2xi32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<2xf32>, %a2: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op failed to verify that all of {operand, update, result} have same element type}}
  %0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<2x2xf32>, %a2: tensor<i32>) {
  // expected-error@below {{update rank does not match operand rank: 2 vs 1.}}
  // expected-error@below {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2) : (tensor<4xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<2xf32>, %a2: tensor<i32>, %a3: tensor<i32>) {
  // expected-error@below {{expects number of start_indices to match operand rank: 2 vs 1.}}
  // expected-error@below {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2, %a3) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x4xf32>, %a1: tensor<2x2xf32>, %a2: tensor<i32>, %a3: tensor<i64>) {
  // expected-error@below {{start indices must have same element type}}
  // expected-error@below {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2, %a3) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i64>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<5xf32>, %a2: tensor<i32>) {
  // expected-error@below {{expects size at dimension 0 of update to be in range [0, 4]. Got: 5.}}
  // expected-error@below {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2) : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<?x1xf32>, %b: tensor<2x1xf32>, %c: tensor<3x1xf32>) {
  // expected-error@below {{Mismatched dimension sizes 2 and 3 in dimension 0}}
  // expected-error@below {{'stablehlo.concatenate' op failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a, %b, %c) {dimension = 1 : i64} : (tensor<?x1xf32>, tensor<2x1xf32>, tensor<3x1xf32>) -> tensor<?x3xf32>
  return
}
