// Dynamic dimensions that must be equal, checked by an assertion.
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %eq = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%eq) {error_message = "dimension 0 of x and y differ", has_side_effect = true} : (tensor<i1>) -> ()
  %s = stablehlo.add %x, %y : tensor<?x4xf32>
  %n = stablehlo.get_dimension_size %z, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %one = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %dot = stablehlo.dot_general %s, %c, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>
  %sum = stablehlo.reduce(%dot init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %w = stablehlo.dynamic_broadcast_in_dim %sum, %one, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %r = stablehlo.multiply %w, %z : tensor<?xf32>
  return %s, %r : tensor<?x4xf32>, tensor<?xf32>
}
