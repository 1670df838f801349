// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Normalization, decompositions and transforms.

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error@below {{expects featureIndex to be smaller than the rank of multi-dimensional operands; got featureIndex 2, and rank 2.}}
  // expected-error@below {{'stablehlo.batch_norm_inference' op failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<4xf32>) {
  // expected-error@below {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@below {{'stablehlo.batch_norm_inference' op failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<4xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error@below {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@below {{'stablehlo.batch_norm_inference' op failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error@below {{expects the size of single-dimensional operands to be compatible with feature count, but the size of single-dimensional operands is 3 and the feature count is 2.}}
  // expected-error@below {{'stablehlo.batch_norm_inference' op failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>'}}
  // expected-error@below {{'stablehlo.batch_norm_inference' op failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<4xf32>) {
  // expected-error@below {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@below {{'stablehlo.batch_norm_training' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op inferred type(s) 'tensor<2x3xf32>', 'tensor<3xf32>', 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>', 'tensor<3xf32>', 'tensor<2xf32>'}}
  // expected-error@below {{'stablehlo.batch_norm_training' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<2x4xf32>) {
  // expected-error@below {{expects multi-dimensional operands to have compatible shapes.}}
  // expected-error@below {{'stablehlo.batch_norm_grad' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<2xf32>, %a4: tensor<2x3xf32>) {
  // expected-error@below {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@below {{'stablehlo.batch_norm_grad' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<2xf32>, %a4: tensor<2x3xf32>) {
  // expected-error@below {{expects the size of single-dimensional operands to be compatible with feature count, but the size of single-dimensional operands is 2 and the feature count is 3.}}
  // expected-error@below {{'stablehlo.batch_norm_grad' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{argument 'a' must have rank >= 2, got shape 2.}}
  // expected-error@below {{'stablehlo.cholesky' op failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%a0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{minor dimensions of 'a' must have equal size, got shape 2, 3.}}
  // expected-error@below {{'stablehlo.cholesky' op failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%a0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x2xf32>) {
  // expected-error@below {{'stablehlo.cholesky' op inferred type(s) 'tensor<2x2xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'}}
  // expected-error@below {{'stablehlo.cholesky' op failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%a0) : (tensor<2x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{operand 'a' must have rank >= 2, but got 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<3x2xf32>) {
  // expected-error@below {{two minor dimensions of operand 'a' must be compatible, but got 'tensor<3x4xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<3x3x2xf32>) {
  // expected-error@below {{operands must have equal rank, but got 'tensor<3x3xf32>' and 'tensor<3x3x2xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x3x2xf32>) -> tensor<3x3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<4x3xf32>) {
  // expected-error@below {{shared dimension of operands 'a' and 'b' must be compatible, but got 'tensor<3x3xf32>' and 'tensor<4x3xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@below {{shared dimension of operands 'a' and 'b' must be compatible, but got 'tensor<3x3xf32>' and 'tensor<3x4xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x3xf32>, %a1: tensor<4x3x2xf32>) {
  // expected-error@below {{batch dimensions of the operands must be compatible, but got 'tensor<2x3x3xf32>' and 'tensor<4x3x2xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<3x2xf32>) {
  // expected-error@below {{Invalid transpose option value for triangular solve}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<3x2xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<3x3xf32>'}}
  // expected-error@below {{'stablehlo.triangular_solve' op failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{rank must be between 1 and 3, but got 0.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<1x1x1x1xcomplex<f32>>) {
  // expected-error@below {{rank must be between 1 and 3, but got 4.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 1, 1, 1>} : (tensor<1x1x1x1xcomplex<f32>>) -> tensor<1x1x1x1xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{RFFT requires f32 or f64 input type, but is given 'complex<f32>'.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<4xf32>'.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{operand rank must not be less than fft rank of 2 for operand of type 'tensor<4xcomplex<f32>>'.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4, 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{RFFT requires innermost dimensions to be compatible with fft_length. Got: 4 but wanted 5.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 5>} : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<3x3xcomplex<f32>>) {
  // expected-error@below {{IRFFT requires non-final dimensions to be compatible with fft_length. Got: 3, 3 but wanted 4, 4, and 3 != 4.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4, 4>} : (tensor<3x3xcomplex<f32>>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: 4 but fft_length is 4.}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.fft' op inferred type(s) 'tensor<3xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<4xcomplex<f32>>'}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<3xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4>} : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op inferred type(s) 'tensor<4xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<3xcomplex<f32>>'}}
  // expected-error@below {{'stablehlo.fft' op failed to infer returned types}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}

// -----

// The bound of the features is that of their dimension.
func.func @f(%a0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>, %a1: tensor<?xf32, #stablehlo.bounds<5>>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op inferred type(s) 'tensor<2x?xf32, #stablehlo.bounds<?, 5>>', 'tensor<?xf32, #stablehlo.bounds<5>>', 'tensor<?xf32, #stablehlo.bounds<5>>' are incompatible with return type(s) of operation 'tensor<2x?xf32, #stablehlo.bounds<?, 5>>', 'tensor<?xf32, #stablehlo.bounds<5>>', 'tensor<6xf32>'}}
  // expected-error@below {{'stablehlo.batch_norm_training' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a1) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>, tensor<?xf32, #stablehlo.bounds<5>>, tensor<?xf32, #stablehlo.bounds<5>>) -> (tensor<2x?xf32, #stablehlo.bounds<?, 5>>, tensor<?xf32, #stablehlo.bounds<5>>, tensor<6xf32>)
  return
}

// -----

func.func @f(%a0: tensor<?x3xf32, #stablehlo.bounds<5, ?>>, %a1: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op inferred type(s) 'tensor<?x3xf32, #stablehlo.bounds<5, ?>>', 'tensor<3xf32>', 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<?x3xf32, #stablehlo.bounds<5, ?>>', 'tensor<3xf32>', 'tensor<6xf32>'}}
  // expected-error@below {{'stablehlo.batch_norm_training' op failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a1) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<3xf32>, tensor<6xf32>)
  return
}
