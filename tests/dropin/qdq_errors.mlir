// RUN: opt --stablehlo-legalize-qdq-to-quantized-op -verify-diagnostics
// An op that has no quantized form becomes one that does not verify.

func.func @convert(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>> {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %1 = stablehlo.convert %0 : tensor<2xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return %2 : tensor<2x!quant.uniform<i8:f32, 0.25>>
}
