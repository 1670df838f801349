// Cross entropy of probabilities and labels, with an update of weights.
func.func @main(%w: tensor<5x3xf32>, %x: tensor<4x5xf32>, %label: tensor<4xi32>, %p: tensor<4x3xf32>, %rate: tensor<f32>) -> (tensor<5x3xf32>, tensor<f32>) {
  %i = stablehlo.iota dim = 1 : tensor<4x3xi32>
  %lb = stablehlo.broadcast_in_dim %label, dims = [0] : (tensor<4xi32>) -> tensor<4x3xi32>
  %hot = stablehlo.compare EQ, %lb, %i, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
  %h = stablehlo.convert %hot : (tensor<4x3xi1>) -> tensor<4x3xf32>
  %log = stablehlo.log %p : tensor<4x3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x3xf32>
  %rest = stablehlo.subtract %one, %p : tensor<4x3xf32>
  %other = stablehlo.log %rest : tensor<4x3xf32>
  %l = stablehlo.multiply %h, %log : tensor<4x3xf32>
  %k = stablehlo.subtract %l, %other : tensor<4x3xf32>
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %loss = stablehlo.reduce(%k init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.subtract %p, %h : tensor<4x3xf32>
  %dw = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  %rb = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
  %step = stablehlo.multiply %rb, %dw : tensor<5x3xf32>
  %new = stablehlo.subtract %w, %step : tensor<5x3xf32>
  return %new, %loss : tensor<5x3xf32>, tensor<f32>
}
