// RUN: eval
// Quantized tensors: the specification's examples; NaN is stored as 0; what only moves elements keeps what is stored.
func.func @main() {
  %x = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %b = stablehlo.bitcast_convert %q : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %b, dense<10> : tensor<2xi8>
  %q2 = stablehlo.uniform_quantize %q : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>>
  %b2 = stablehlo.bitcast_convert %q2 : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>>) -> tensor<2xi8>
  check.expect_eq_const %b2, dense<[20, 45]> : tensor<2xi8>
  %d = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xf32>
  check.expect_almost_eq_const %d, dense<[4.0, 15.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<[0x7FC00000, 1000.0, -1000.0]> : tensor<3xf32>
  %qn = stablehlo.uniform_quantize %n : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %bn = stablehlo.bitcast_convert %qn : (tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3xi8>
  check.expect_eq_const %bn, dense<[0, 127, -128]> : tensor<3xi8>
  %r = stablehlo.reverse %qn, dims = [0] : tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %br = stablehlo.bitcast_convert %r : (tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3xi8>
  check.expect_eq_const %br, dense<[-128, 127, 0]> : tensor<3xi8>
  // 2 * 3 = 6, stored as 6 / 0.5 - 20.
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %q_two = stablehlo.uniform_quantize %two : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:-20>>
  %q_three = stablehlo.uniform_quantize %three : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:-20>>
  %p = stablehlo.multiply %q_two, %q_three : tensor<!quant.uniform<i8:f32, 0.5:-20>>
  %bp = stablehlo.bitcast_convert %p : (tensor<!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<i8>
  check.expect_eq_const %bp, dense<-8> : tensor<i8>
  return
}
