// RUN: convert
// RUN: roundtrip
// Every op of tensor in its assembly form; the expected text is MLIR's.
module {
func.func @t(%t: tensor<?x4xf32>, %u: tensor<*xf32>, %i: index, %f: f32, %s: tensor<2xindex>, %ix: tensor<3x1xindex>, %v4: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<?x4xf32> to tensor<2x4xf32>
  %1 = tensor.dim %t, %i : tensor<?x4xf32>
  %2 = tensor.empty() : tensor<2x4xf32>
  %3 = tensor.empty(%i) : tensor<?x4xf32>
  %4 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %5 = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : tensor<?x4xf32> to tensor<2x2xf32>
  %6 = tensor.extract_slice %t[%i, 1] [%i, 1] [1, %i] {a = 1 : i32} : tensor<?x4xf32> to tensor<?xf32>
  %7 = tensor.from_elements %f, %f : tensor<2xf32>
  %8 = tensor.from_elements %f : tensor<f32>
  %9 = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  %10 = tensor.insert_slice %0 into %t[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x4xf32>
  %11 = tensor.insert_slice %t into %t[%i, 0] [%i, 4] [%i, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  %12 = tensor.rank %u : tensor<*xf32>
  %13 = tensor.reshape %t(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %14 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %15 = tensor.expand_shape %v4 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %16 = tensor.expand_shape %t [[0, 1], [2]] output_shape [%i, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>
  %17 = tensor.splat %f : tensor<2x3xf32>
  %18 = tensor.splat %f[%i] : tensor<?x3xf32>
  %19 = tensor.concat dim(0) %t, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %20 = tensor.bitcast %v4 : tensor<4xf32> to tensor<4xi32>
  %21 = tensor.generate %i {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32>
  %22 = tensor.pad %t low[1, %i] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  %23 = tensor.pad %t nofold low[0, 0] high[%i, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  %24 = tensor.gather %v4[%ix] gather_dims([0]) : (tensor<4xf32>, tensor<3x1xindex>) -> tensor<3xf32>
  %25 = tensor.gather %v4[%ix] gather_dims([0]) unique : (tensor<4xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
  %26 = tensor.scatter %24 into %v4[%ix] scatter_dims([0]) unique : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xindex>) -> tensor<4xf32>
  return
}
}

// -----

module {
func.func @z(%a: tensor<1x1xf32>, %b: tensor<f32>) {
  %0 = tensor.collapse_shape %a [] : tensor<1x1xf32> into tensor<f32>
  %1 = tensor.expand_shape %b [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %2 = tensor.extract %b[] : tensor<f32>
  %3 = tensor.insert %2 into %b[] : tensor<f32>
  %4 = tensor.generate  {
    tensor.yield %2 : f32
  } : tensor<f32>
  return
}
}
