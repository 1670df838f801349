// Inputs that matter are constants of the program.
func.func @main(%x: tensor<i32>, %y: tensor<f32>, %z: tensor<4xi64>) -> (tensor<i32>, tensor<f32>, tensor<4xi64>, tensor<i1>) {
  %magic = stablehlo.constant dense<123456789> : tensor<i32>
  %eq = stablehlo.compare EQ, %x, %magic, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %r = stablehlo.select %eq, %seven, %x : tensor<i1>, tensor<i32>
  %low = stablehlo.constant dense<-1.5e+02> : tensor<f32>
  %high = stablehlo.constant dense<1.0e+03> : tensor<f32>
  %c = stablehlo.clamp %low, %y, %high : tensor<f32>
  %bound = stablehlo.constant dense<65536> : tensor<4xi64>
  %m = stablehlo.minimum %z, %bound : tensor<4xi64>
  %q = stablehlo.remainder %m, %bound : tensor<4xi64>
  %t = stablehlo.compare GE, %y, %high, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r, %c, %q, %t : tensor<i32>, tensor<f32>, tensor<4xi64>, tensor<i1>
}
