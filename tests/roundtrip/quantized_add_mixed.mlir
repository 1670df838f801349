// RUN: verify --expect "note: 'stablehlo.add' op releases up to 1.22.0 refuse an lhs that is quantized per tensor where rhs is quantized per axis" --expect "hint: swap the operands"
// EXIT: 0
// C5 of add: an operand that is quantized per axis, on either side, makes the result one.
func.func @main(%a: tensor<1x2x!quant.uniform<i8:f32, 1.0:17>>, %b: tensor<1x2x!quant.uniform<i8:f32:1, {1.0:17, 2.0}>>) -> (tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<1x2x!quant.uniform<i8:f32, 1.0:17>>, tensor<1x2x!quant.uniform<i8:f32:1, {1.0:17, 2.0}>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %1 = "stablehlo.add"(%b, %a) : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0:17, 2.0}>>, tensor<1x2x!quant.uniform<i8:f32, 1.0:17>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %2 = "stablehlo.add"(%b, %b) : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0:17, 2.0}>>, tensor<1x2x!quant.uniform<i8:f32:1, {1.0:17, 2.0}>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return %0, %1, %2 : tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
}
