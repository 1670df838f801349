// A positive definite matrix is decomposed, and used to solve.
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2xf32>) {
  %l = stablehlo.cholesky %a, lower = true : tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %j = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %d = stablehlo.compare EQ, %i, %j, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %db = stablehlo.broadcast_in_dim %d, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
  %one = stablehlo.constant dense<1.0> : tensor<2x4x4xf32>
  %diag = stablehlo.select %db, %l, %one : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %log = stablehlo.log %diag : tensor<2x4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%log init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2xf32>
  return %l, %x, %s : tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2xf32>
}
