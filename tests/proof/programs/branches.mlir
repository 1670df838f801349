// Branches by an index and by a condition on the data.
func.func @main(%i: tensor<i32>, %x: tensor<3xf32>, %p: tensor<i1>) -> (tensor<3xf32>, tensor<f32>) {
  %r = "stablehlo.case"(%i) ({
    %a = stablehlo.negate %x : tensor<3xf32>
    stablehlo.return %a : tensor<3xf32>
  }, {
    %a = stablehlo.sine %x : tensor<3xf32>
    stablehlo.return %a : tensor<3xf32>
  }, {
    %a = stablehlo.multiply %x, %x : tensor<3xf32>
    stablehlo.return %a : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.constant dense<2.5> : tensor<f32>
  %c = stablehlo.compare GT, %sum, %t, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %b = stablehlo.and %c, %p : tensor<i1>
  %s = "stablehlo.if"(%b) ({
    %u = stablehlo.log %sum : tensor<f32>
    stablehlo.return %u : tensor<f32>
  }, {
    %u = stablehlo.subtract %sum, %t : tensor<f32>
    stablehlo.return %u : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r, %s : tensor<3xf32>, tensor<f32>
}
