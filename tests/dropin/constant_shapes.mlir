// RUN: opt --canonicalize
// Constant shapes move behind the others.

func.func @broadcastable(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> !shape.witness {
  %one = shape.const_shape [1] : tensor<1xindex>
  %a = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %two = shape.const_shape [2, 8] : tensor<2xindex>
  %b = shape.shape_of %y : tensor<?x?xf32> -> tensor<2xindex>
  %0 = shape.cstr_broadcastable %one, %a, %two, %b : tensor<1xindex>, tensor<1xindex>, tensor<2xindex>, tensor<2xindex>
  return %0 : !shape.witness
}
