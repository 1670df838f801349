// RUN: eval
// Contractions, linear algebra, normalization: the specification's examples, and residues that must vanish.
func.func @main() {
  %l = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %r = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %d = stablehlo.dot_general %l, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %d, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  // Sums are rounded to the result type step by step: 2048 + 1 = 2048 in f16.
  %h = stablehlo.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %one = stablehlo.constant dense<1.0> : tensor<3xf16>
  %hs = "stablehlo.dot"(%h, %one) : (tensor<3xf16>, tensor<3xf16>) -> tensor<f16>
  check.expect_eq_const %hs, dense<2048.0> : tensor<f16>
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %c = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %c, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 48.0, 0.0], [0.0, 0.0, 168.0]]> : tensor<3x3xf32>
  %t = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [6.0, 8.0, 12.0]]> : tensor<3x3xf32>
  %x = "stablehlo.triangular_solve"(%t, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %x, dense<[[2.0, 0.0, 0.0], [-1.0, 12.0, 0.0], [-0.333333343, -8.0, 14.0]]> : tensor<3x3xf32>
  %y = "stablehlo.triangular_solve"(%t, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %back = stablehlo.dot_general %y, %t, contracting_dims = [1] x [1] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq %back, %b : tensor<3x3xf32>
  %f = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %ft = stablehlo.fft %f, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %ft, dense<[(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)]> : tensor<4xcomplex<f32>>
  %real = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %half = stablehlo.fft %real, type = RFFT, length = [6] : (tensor<6xf64>) -> tensor<4xcomplex<f64>>
  %again = stablehlo.fft %half, type = IRFFT, length = [6] : (tensor<4xcomplex<f64>>) -> tensor<6xf64>
  check.expect_close %again, %real, max_ulp_difference = 1 : tensor<6xf64>, tensor<6xf64>
  %o = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %ones = stablehlo.constant dense<1.0> : tensor<2xf64>
  %n:3 = "stablehlo.batch_norm_training"(%o, %ones, %ones) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_eq_const %n#0, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  check.expect_eq_const %n#1, dense<[2.0, 3.0]> : tensor<2xf64>
  %e = "stablehlo.einsum"(%l, %r) {einsum_config = "bij,bjk->bki"} : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %e, dense<[[[1, 3], [2, 4]], [[5, 7], [6, 8]]]> : tensor<2x2x2xi64>
  return
}
