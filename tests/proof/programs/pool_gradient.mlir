// The gradient of pooling, and random bits.
func.func @main(%x: tensor<1x6x6x1xf32>, %g: tensor<1x3x3x1xf32>, %s: tensor<2xui64>) -> (tensor<1x6x6x1xf32>, tensor<2xui64>, tensor<4xui32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1x6x6x1xf32>, tensor<1x3x3x1xf32>, tensor<f32>) -> tensor<1x6x6x1xf32>
  %n, %bits = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %d, %n, %bits : tensor<1x6x6x1xf32>, tensor<2xui64>, tensor<4xui32>
}
