// Transforms of real numbers, and complex arithmetic.
func.func @main(%x: tensor<3x8xf32>, %c: tensor<5xcomplex<f32>>) -> (tensor<3x8xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>) {
  %f = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  %cb = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  %p = stablehlo.multiply %f, %cb : tensor<3x5xcomplex<f32>>
  %b = stablehlo.fft %p, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
  %r = stablehlo.real %c : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %i = stablehlo.imag %c : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %a = stablehlo.atan2 %i, %r : tensor<5xf32>
  %s = stablehlo.sqrt %c : tensor<5xcomplex<f32>>
  %m = stablehlo.complex %a, %r : tensor<5xcomplex<f32>>
  %d = stablehlo.subtract %s, %m : tensor<5xcomplex<f32>>
  return %b, %a, %d : tensor<3x8xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>
}
