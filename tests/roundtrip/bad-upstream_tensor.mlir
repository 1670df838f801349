// RUN: verify --expect "5:8: error: 'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'i32'" --expect "6:8: error: 'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<i32>'" --expect "7:8: error: 'tensor.dim' op operand #1 must be index, but got 'i32'" --expect "8:8: error: 'tensor.cast' op operand type 'tensor<2xi32>' and result type 'tensor<3xi32>' are cast incompatible" --expect "9:8: error: 'tensor.cast' op operand type 'tensor<*xi32>' and result type 'tensor<2xf32>' are cast incompatible" --expect "10:8: error: 'tensor.from_elements' op failed to verify that operand types match result element type" --expect "11:8: error: 'tensor.from_elements' op result #0 must be statically shaped tensor of any non-token type values, but got 'tensor<?xi32>'" --expect "12:8: error: 'tensor.insert' op incorrect number of indices" --expect "13:8: error: 'tensor.insert' op failed to verify that scalar type matches element type of dest" --expect "14:8: error: 'shape.broadcast' op if at least one of the operands can hold error values then the result must be of type `shape` to propagate them" --expect "15:9: error: 'shape.concat' op operand #0 must be shape or extent tensor, but got 'tensor<2xi32>'" --expect "16:9: error: 'shape.const_shape' op inferred type(s) 'tensor<2xindex>' are incompatible with return type(s) of operation 'tensor<3xindex>'" --expect "17:9: error: 'shape.const_shape' op attribute 'shape' failed to satisfy constraint: index elements attribute" --expect "18:9: error: 'shape.cstr_broadcastable' op required at least 2 input shapes" --expect "19:9: error: 'shape.dim' op operand #1 must be size or index, but got 'i32'" --expect "20:9: error: 'shape.get_extent' op if at least one of the operands can hold error values then the result must be of type `size` to propagate them" --expect "21:9: error: 'shape.num_elements' op operand #0 must be shape or extent tensor, but got 'tensor<2xi32>'" --expect "22:9: error: 'shape.shape_of' op inferred type(s) 'tensor<1xindex>' are incompatible with return type(s) of operation 'tensor<2xindex>'" --expect "23:9: error: 'shape.shape_of' op if at least one of the operands can hold error values then the result must be of type `shape` to propagate them" --expect "24:9: error: 'shape.to_extent_tensor' op result #0 must be tensor of index values, but got 'tensor<2xi32>'" --expect "25:11: error: 'shape.split_at' op operand #1 must be size or index, but got 'i32'" --expect "26:3: error: 'builtin.unrealized_conversion_cast' op expected at least one result for cast operation"
// EXIT: 1
// Ops of the dialects tensor and shape have the constraints of MLIR.
func.func @main(%i: i32, %l: i64, %x: index, %t: tensor<2xi32>, %s: tensor<i32>, %u: tensor<*xi32>, %a: !shape.shape, %n: !shape.size, %e: tensor<2xindex>, %y: !shape.value_shape) {
  %0 = "tensor.dim"(%i, %i) : (i32, i32) -> i32
  %1 = "tensor.dim"(%s, %x) : (tensor<i32>, index) -> index
  %2 = "tensor.dim"(%t, %i) : (tensor<2xi32>, i32) -> index
  %3 = "tensor.cast"(%t) : (tensor<2xi32>) -> tensor<3xi32>
  %4 = "tensor.cast"(%u) : (tensor<*xi32>) -> tensor<2xf32>
  %5 = "tensor.from_elements"(%i, %i) : (i32, i32) -> tensor<3xi32>
  %6 = "tensor.from_elements"(%i) : (i32) -> tensor<?xi32>
  %7 = "tensor.insert"(%i, %t) : (i32, tensor<2xi32>) -> tensor<2xi32>
  %8 = "tensor.insert"(%l, %t, %x) : (i64, tensor<2xi32>, index) -> tensor<2xi32>
  %9 = "shape.broadcast"(%a, %e) : (!shape.shape, tensor<2xindex>) -> tensor<2xindex>
  %10 = "shape.concat"(%t, %e) : (tensor<2xi32>, tensor<2xindex>) -> tensor<4xindex>
  %11 = "shape.const_shape"() {shape = dense<[1, 2]> : tensor<2xindex>} : () -> tensor<3xindex>
  %12 = "shape.const_shape"() {shape = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<2xindex>
  %13 = "shape.cstr_broadcastable"(%a) : (!shape.shape) -> !shape.witness
  %14 = "shape.dim"(%t, %i) : (tensor<2xi32>, i32) -> index
  %15 = "shape.get_extent"(%e, %n) : (tensor<2xindex>, !shape.size) -> index
  %16 = "shape.num_elements"(%t) : (tensor<2xi32>) -> index
  %17 = "shape.shape_of"(%t) : (tensor<2xi32>) -> tensor<2xindex>
  %18 = "shape.shape_of"(%y) : (!shape.value_shape) -> tensor<?xindex>
  %19 = "shape.to_extent_tensor"(%a) : (!shape.shape) -> tensor<2xi32>
  %20:2 = "shape.split_at"(%e, %i) : (tensor<2xindex>, i32) -> (tensor<?xindex>, tensor<?xindex>)
  "builtin.unrealized_conversion_cast"(%i) : (i32) -> ()
  return
}
