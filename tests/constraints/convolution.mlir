// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// convolution and dynamic_conv.

func.func @f(%a0: tensor<2xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{expects convolution arguments to have >= 2 dimensions. Got: 'tensor<2xf32>' and 'tensor<3xf32>'.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x4x6xf32>) {
  // expected-error@below {{expects convolution arguments to have same number of dimensions. Got: 'tensor<2x8x8x4xf32>' and 'tensor<3x4x6xf32>'.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xi32>) {
  // expected-error@below {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'i32'}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xi32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects the same size for input, kernel and output spatial-dimensions, but got 2, 1, and 2 resp.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects the same size for input, kernel and output spatial-dimensions, but got 2, 2, and 1 resp.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 4, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = -1, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 5]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input dimension-numbers to be unique, got {0, 0, 1, 2}.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects kernel dimension-numbers to be unique, got {2, 3, 0, 0}.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects output dimension-numbers to be unique, got {0, 1, 1, 2}.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects batch_group_count and feature_group_count not to be both greater than 1. Got 2 and 2 resp.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input batch dimension (2) to be divisible by batch_group_count. Got batch_group_count = 3.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input feature dimension (4) to be a multiple of feature_group_count. Got feature_group_count = 3.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects input feature dimension (4) / feature_group_count = kernel input feature dimension (4). Got feature_group_count = 2.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x7xf32>) {
  // expected-error@below {{expects output feature dimension size (7) to be a multiple of batch_group_count. Got batch_group_count = 2.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x7xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x2x7xf32>) {
  // expected-error@below {{expects kernel output feature dimension (7) to be divisible by feature_group_count. For feature_group_count = 2.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x2x7xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x4x4xf32>, %a1: tensor<3x4x6x6xf32>) {
  // expected-error@below {{expects convolution arguments to have 3 dimensions. Got: 4}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x4x4xf32>, tensor<3x4x6x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects the shape of padding-attribute to be {N, 2}, but got {4}.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<4xi64>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<0x3x4x6xf32>) {
  // expected-error@below {{expects window to have positive value for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<0x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects window to have positive stride for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 0>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<3x2xi64>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects base-dilation factors to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects window to have positive base dilation factor for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 0, 1>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects window-dilation factors to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 1>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects window to have positive window dilation factor for 0-th window dimension, but got -1.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: -1, 1>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{expects window-reversal to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true, false, true>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{inferred shape '[2, 6, 6, 6]' is incompatible with return type of operation 'tensor<2x6x6x5xf32>'}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{inferred shape '[1, 6, 6, 6]' is incompatible with return type of operation 'tensor<2x6x6x6xf32>'}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6x!quant.uniform<i8:f32:2, {0.5:0, 0.5:0, 0.5:0, 0.5:0}>>) {
  // expected-error@below {{quantization dimension of rhs should be same with kernel_output_feature_dimension}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6x!quant.uniform<i8:f32:2, {0.5:0, 0.5:0, 0.5:0, 0.5:0}>>) -> tensor<2x6x6x6x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6x!quant.uniform<i8:f32:3, {0.5:0, 0.5:0, 0.5:0, 0.5:0, 0.5:0, 0.5:0}>>) {
  // expected-error@below {{quantization dimension of result should be same with output_feature_dimension}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6x!quant.uniform<i8:f32:3, {0.5:0, 0.5:0, 0.5:0, 0.5:0, 0.5:0, 0.5:0}>>) -> tensor<2x6x6x6x!quant.uniform<i32:f32:0, {0.5:0, 0.5:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xbf16>, %a1: tensor<3x3x4x6x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xbf16>, tensor<3x3x4x6x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x6x6x6xbf16>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6x!quant.uniform<i4:f32, 1.0:0>>) {
  // expected-error@below {{mismatched lhs and rhs quantization storage types}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6x!quant.uniform<i4:f32, 1.0:0>>) -> tensor<2x6x6x6x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6x!quant.uniform<i8:f16, 1.0:0>>) {
  // expected-error@below {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6x!quant.uniform<i8:f16, 1.0:0>>) -> tensor<2x6x6x6x!quant.uniform<i32:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<3x3x4x6x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched rhs and result quantization granularity}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x3x4x6x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x6x6x6x!quant.uniform<i32:f32:3, {0.5:0, 0.5:0, 0.5:0, 0.5:0, 0.5:0, 0.5:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>, %a2: tensor<3x2xi32>) {
  // expected-error@below {{expects padding to be of shape [2, 2], but got [3, 2]}}
  %0 = "stablehlo.dynamic_conv"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<3x2xi32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>, %a2: tensor<2x3xi32>) {
  // expected-error@below {{expects padding to be of shape [2, 2], but got [2, 3]}}
  %0 = "stablehlo.dynamic_conv"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x3xi32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  %c2 = stablehlo.constant dense<0> : tensor<2x2xi32>
  // expected-error@below {{expects window to have positive stride for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.dynamic_conv"(%a0, %a1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 0, 1>} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xi32>) {
  %c2 = stablehlo.constant dense<0> : tensor<2x2xi32>
  // expected-error@below {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'i32'}}
  %0 = "stablehlo.dynamic_conv"(%a0, %a1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xi32>, tensor<2x2xi32>) -> tensor<2x6x6x6xf32>
  return
}
