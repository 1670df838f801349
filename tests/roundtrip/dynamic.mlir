// RUN: roundtrip
// Unknown dimensions, bounds, tokens, tuples, quantized elements.
func.func @shapes(%arg0: tensor<?x4xf32>, %arg1: tensor<?xf32, #stablehlo.bounds<8>>, %arg2: tensor<*xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func @types(%arg0: !stablehlo.token, %arg1: tuple<tensor<f32>, tuple<tensor<i32>>>) -> !stablehlo.token {
  %0 = "stablehlo.after_all"(%arg0) : (!stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
func.func @quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:1, {0.5:3, 0.25}>>) {
  return
}
