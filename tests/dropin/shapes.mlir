// RUN: opt %s -stablehlo-refine-arguments=types=tensor<3x4xf32> -stablehlo-refine-shapes -stablehlo-check-shape-assertions -stablehlo-canonicalize-dynamism
// RUN: opt %s -stablehlo-refine-arguments=types=tensor<1x4xf32> -stablehlo-refine-shapes -stablehlo-check-shape-assertions=enable-shape-assertions=false
// RUN: opt %s -stablehlo-refine-arguments=types=tensor<1x4xf32> -stablehlo-refine-shapes -stablehlo-check-shape-assertions
// EXIT: 1
// RUN: opt %s -stablehlo-refine-arguments=types=tensor<3x5xf32>
// EXIT: 1
// RUN: opt %s -stablehlo-refine-arguments=types=3x4
// EXIT: 1
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x?xf32>, tensor<?xi32>) {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %enough = stablehlo.compare GE, %rows, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%enough, %rows) {api_version = 2 : i32, error_message = "needs 2 rows, but has {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %twice:2 = call @twice(%rows, %x) : (tensor<i32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<i32>)
  %total = stablehlo.reshape %twice#1 : (tensor<i32>) -> tensor<1xi32>
  %numbers = stablehlo.dynamic_iota %total, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %four = stablehlo.constant dense<[4]> : tensor<1xi32>
  %shape = stablehlo.concatenate %four, %total, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %turned = stablehlo.dynamic_reshape %twice#0, %shape : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %turned, %numbers : tensor<?x?xf32>, tensor<?xi32>
}
func.func private @twice(%rows: tensor<i32>, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<i32>) {
  %both = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %total = stablehlo.add %rows, %rows : tensor<i32>
  return %both, %total : tensor<?x4xf32>, tensor<i32>
}
