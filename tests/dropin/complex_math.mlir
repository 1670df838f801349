// RUN: opt -stablehlo-complex-math-expander
// Only log_plus_one of complex numbers is expanded; constants are at the start of the function, once each.

func.func @two(%x: tensor<complex<f64>>, %y: tensor<2xcomplex<f32>>) -> (tensor<complex<f64>>, tensor<complex<f64>>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.log_plus_one %x : tensor<complex<f64>>
  %1 = stablehlo.log_plus_one %0 : tensor<complex<f64>>
  %2 = stablehlo.tan %y : tensor<2xcomplex<f32>>
  return %0, %1, %2 : tensor<complex<f64>>, tensor<complex<f64>>, tensor<2xcomplex<f32>>
}
func.func @kept(%x: tensor<f32>, %z: tensor<complex<f32>>) -> (tensor<f32>, tensor<complex<f32>>) {
  %0 = stablehlo.log_plus_one %x : tensor<f32>
  %1 = stablehlo.log_plus_one %z {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<complex<f32>>
  return %0, %1 : tensor<f32>, tensor<complex<f32>>
}
func.func @dynamic(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = stablehlo.log_plus_one %z : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}
