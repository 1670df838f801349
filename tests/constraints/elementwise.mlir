// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Elementwise ops.

func.func @f(%a0: tensor<2xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.abs' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xf64>'}}
  // expected-error@below {{'stablehlo.abs' op failed to infer returned types}}
  %0 = "stablehlo.abs"(%a0) : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%a0: tensor<2xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.real' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.real"(%a0) : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{op requires the same element type for all operands and results}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2xf32>) {
  // expected-error@below {{expects  all operands and results to be either quantized or non-quantized}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched operands and result quantization storage types}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x!quant.uniform<i4:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i4:f32, 1.0:0>>, %a1: tensor<2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched operands and result quantization storage types}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x!quant.uniform<i4:f32, 1.0:0>>, tensor<2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched operands and result quantization expressed types}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x!quant.uniform<i8:f16, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f16, 1.0:0>>, %a1: tensor<2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{mismatched operands and result quantization expressed types}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x!quant.uniform<i8:f16, 1.0:0>>, tensor<2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{result per_axis quantized but none from rhs and lhs are per_axis quantized}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{result is not per_axis quantized but lhs or rhs are}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>, tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x2x!quant.uniform<i8:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.5:0}>>, %a1: tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>) {
  // expected-error@below {{quantization_dimension of lhs and result are not same '!quant.uniform<i8:f32:1, {5.000000e-01,5.000000e-01}>' vs '!quant.uniform<i8:f32:0, {5.000000e-01,5.000000e-01}>'}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.5:0}>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>, %a1: tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.5:0}>>) {
  // expected-error@below {{quantization_dimension of rhs and result are not same '!quant.uniform<i8:f32:1, {5.000000e-01,5.000000e-01}>' vs '!quant.uniform<i8:f32:0, {5.000000e-01,5.000000e-01}>'}}
  %0 = "stablehlo.add"(%a0, %a1) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.5:0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:0, 0.5:0}>>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Negative tolerance}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = #stablehlo.result_accuracy<atol = -1.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Negative tolerance}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = -0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Negative tolerance}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Invalid tolerances for ResultAccuracyAttr with mode DEFAULT, must be all zero.}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 1.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Invalid tolerances for ResultAccuracyAttr with mode DEFAULT, must be all zero.}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.is_finite' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.is_finite"(%a0) : (tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.complex' op inferred type(s) 'tensor<2xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<2xcomplex<f64>>'}}
  // expected-error@below {{'stablehlo.complex' op failed to infer returned types}}
  %0 = "stablehlo.complex"(%a0, %a1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.compare' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<3xf32>, %a2: tensor<f32>) {
  // expected-error@below {{min shape [2] is not scalar and is not compatible to operand shape [3]}}
  // expected-error@below {{'stablehlo.clamp' op failed to infer returned types}}
  %0 = "stablehlo.clamp"(%a0, %a1, %a2) : (tensor<2xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<3xf32>, %a2: tensor<2xf32>) {
  // expected-error@below {{max shape [2] is not scalar and is not compatible to operand shape [3]}}
  // expected-error@below {{'stablehlo.clamp' op failed to infer returned types}}
  %0 = "stablehlo.clamp"(%a0, %a1, %a2) : (tensor<f32>, tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.clamp' op inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{'stablehlo.clamp' op failed to infer returned types}}
  %0 = "stablehlo.clamp"(%a0, %a1, %a2) : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xi1>, %a1: tensor<2xf32>, %a2: tensor<3xf32>) {
  // expected-error@below {{requires compatible types for non-predicate operands}}
  // expected-error@below {{'stablehlo.select' op failed to infer returned types}}
  %0 = "stablehlo.select"(%a0, %a1, %a2) : (tensor<2xi1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xi1>, %a1: tensor<2xf32>, %a2: tensor<2xi32>) {
  // expected-error@below {{requires compatible types for non-predicate operands}}
  // expected-error@below {{'stablehlo.select' op failed to infer returned types}}
  %0 = "stablehlo.select"(%a0, %a1, %a2) : (tensor<2xi1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xi1>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) {
  // expected-error@below {{requires the same shape for all operands}}
  // expected-error@below {{'stablehlo.select' op failed to infer returned types}}
  %0 = "stablehlo.select"(%a0, %a1, %a2) : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %a1: tensor<?xf32>, %a2: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.select' op inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@below {{'stablehlo.select' op failed to infer returned types}}
  %0 = "stablehlo.select"(%a0, %a1, %a2) : (tensor<i1>, tensor<?xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{cannot convert between real and complex types, but got: 'tensor<2xf32>' and 'tensor<2xcomplex<f32>>'}}
  %0 = "stablehlo.bitcast_convert"(%a0) : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{rank of smaller element type (1) should be 1 more than rank of larger element type (1), but 1 != 1 + 1.}}
  %0 = "stablehlo.bitcast_convert"(%a0) : (tensor<2xf32>) -> tensor<2xi16>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{requires compatible bit widths. Got: 'tensor<2xf32>' and 'tensor<2x4xi16>', but 16 * 4 != 32.}}
  %0 = "stablehlo.bitcast_convert"(%a0) : (tensor<2xf32>) -> tensor<2x4xi16>
  return
}

// -----

func.func @f(%a0: tensor<2x4xi8>) {
  // expected-error@below {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<2x4xi8>' and 'tensor<3xi32>'.}}
  %0 = "stablehlo.bitcast_convert"(%a0) : (tensor<2x4xi8>) -> tensor<3xi32>
  return
}

// -----

func.func @f(%a0: tensor<2xi32>) {
  // expected-error@below {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<2xi32>' and 'tensor<3xf32>'.}}
  %0 = "stablehlo.bitcast_convert"(%a0) : (tensor<2xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{Expressed type of result expected to be 'f32', but got 'f16'}}
  %0 = "stablehlo.uniform_quantize"(%a0) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f16, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f16, 1.0:0>>) {
  // expected-error@below {{Expressed type of result expected to be 'f16', but got 'f32'}}
  %0 = "stablehlo.uniform_quantize"(%a0) : (tensor<2x!quant.uniform<i8:f16, 1.0:0>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:0>>
  return
}

// -----

func.func @f(%a0: tensor<2x!quant.uniform<i8:f32, 1.0:0>>) {
  // expected-error@below {{'stablehlo.uniform_dequantize' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xf64>'}}
  // expected-error@below {{'stablehlo.uniform_dequantize' op failed to infer returned types}}
  %0 = "stablehlo.uniform_dequantize"(%a0) : (tensor<2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{expects number of operands to match the arity of map computation, but got: 1 and 2}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %e0: tensor<f32>) {
  // expected-error@below {{computation arguments must be 0-rank tensor, but got: arg #0 of type 'tensor<1xf32>'}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<1xf32>):
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{element type of operands and computation arguments must match, but got: 'f32' and 'i32'}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{computation must return single output, but got: 2}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0, %r0) : (tensor<f32>, tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %e0: tensor<1xf32>) {
  // expected-error@below {{computation must return 0-rank tensor, but got: 'tensor<1xf32>'}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<1xf32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x4xf32>) {
  // expected-error@below {{requires monotonically increasing dimension numbers, but got: 1, 0}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x4xf32>) {
  // expected-error@below {{applied to a subset of dimensions currently not supported: operand dimensions = 2, requested map dimensions size = 1}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.map' op requires the same shape for all operands and results}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %e0: tensor<i32>) {
  // expected-error@below {{'stablehlo.map' op inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@below {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.maximum' op requires compatible types for all operands and results}}
  %0 = "stablehlo.maximum"(%a0, %a1) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<?xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.maximum' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.maximum' op failed to infer returned types}}
  %0 = "stablehlo.maximum"(%a0, %a1) : (tensor<?xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.convert' op requires the same shape for all operands and results}}
  %0 = "stablehlo.convert"(%a0) : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.after_all' op operand #0 must be variadic of token, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.after_all"(%a0) : (tensor<2xf32>) -> !stablehlo.token
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.optimization_barrier' op requires the same number of operands and results}}
  %0 = "stablehlo.optimization_barrier"(%a0, %a1) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.optimization_barrier' op requires the same type for operand and result at index 1}}
  %0:2 = "stablehlo.optimization_barrier"(%a0, %a1) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.reduce_precision' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.reduce_precision"(%a0) {exponent_bits = 5 : i32, mantissa_bits = 2 : i32} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.reduce_precision' op attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.reduce_precision"(%a0) {exponent_bits = 0 : i32, mantissa_bits = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.reduce_precision' op attribute 'mantissa_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.reduce_precision"(%a0) {exponent_bits = 5 : i32, mantissa_bits = -1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>, %b: tensor<f64>) {
  // expected-error@below {{'stablehlo.complex' op requires the same element type for all operands}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<f32>, tensor<f64>) -> tensor<complex<f32>>
  return
}
