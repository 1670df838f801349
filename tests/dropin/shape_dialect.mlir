// RUN: opt %s -shape-legalize-to-stablehlo
func.func @size(%x: tensor<?x3xf32>, %y: tensor<2xindex>) -> (index, tensor<2xindex>) {
  %shape = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  %both = shape.broadcast %shape, %y : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %size = shape.num_elements %both : tensor<2xindex> -> index
  return %size, %both : index, tensor<2xindex>
}
