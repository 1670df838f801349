// Mean of squares over a long row in f16, which overflows unless inputs are small.
func.func @main(%x: tensor<2x3000xf16>, %g: tensor<3000xf16>) -> tensor<2x3000xf16> {
  %sq = stablehlo.multiply %x, %x : tensor<2x3000xf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3000xf16>, tensor<f16>) -> tensor<2xf16>
  %n = stablehlo.constant dense<3.0e+03> : tensor<2xf16>
  %mean = stablehlo.divide %sum, %n : tensor<2xf16>
  %eps = stablehlo.constant dense<1.0e-03> : tensor<2xf16>
  %a = stablehlo.add %mean, %eps : tensor<2xf16>
  %r = stablehlo.rsqrt %a : tensor<2xf16>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<2xf16>) -> tensor<2x3000xf16>
  %y = stablehlo.multiply %x, %rb : tensor<2x3000xf16>
  %gb = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<3000xf16>) -> tensor<2x3000xf16>
  %z = stablehlo.multiply %y, %gb : tensor<2x3000xf16>
  return %z : tensor<2x3000xf16>
}
