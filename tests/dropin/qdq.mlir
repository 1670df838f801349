// RUN: opt --stablehlo-legalize-quantized-op-to-qdq
// RUN: opt --stablehlo-legalize-qdq-to-quantized-op
// RUN: opt --stablehlo-legalize-quantized-op-to-qdq --stablehlo-legalize-qdq-to-quantized-op
// Quantized ops and ops between dequantize and quantize: one pass undoes the other.

func.func @axis(%a: tensor<?x2x!quant.uniform<u8:bf16:1, {0.5:1, 0.25}>>)
    -> (tensor<?x2x!quant.uniform<u8:bf16:1, {0.5:1, 0.25}>>, tensor<?x2xi1>) {
  %0 = stablehlo.add %a, %a {note = "kept"} : tensor<?x2x!quant.uniform<u8:bf16:1, {0.5:1, 0.25}>>
  %1 = stablehlo.constant dense<true> : tensor<1x2xi1>
  %2 = stablehlo.convert %1 : (tensor<1x2xi1>) -> tensor<?x2xi1>
  return %0, %2 : tensor<?x2x!quant.uniform<u8:bf16:1, {0.5:1, 0.25}>>, tensor<?x2xi1>
}

// The result of the op keeps its other uses.
func.func @used_twice(%a: tensor<2x!quant.uniform<i8:f32, 0.5:-3>>)
    -> (tensor<2x!quant.uniform<i8:f32, 0.25>>, tensor<2xf32>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<2xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return %2, %1 : tensor<2x!quant.uniform<i8:f32, 0.25>>, tensor<2xf32>
}

// In a region, and with an operand from outside of it.
func.func @region(%p: tensor<i1>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %a : tensor<2x!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %1 : tensor<2x!quant.uniform<i8:f32, 0.5>>
  }, {
    stablehlo.return %a : tensor<2x!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
