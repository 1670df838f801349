// RUN: convert --fold
// Constants of shape computations are those of arith, because StableHLO's are tensors, and not of index. Elements that are all
// equal take no memory, so that --fold-limit does not count them.
func.func @main(%x: tensor<1000x1000xf32>, %i: index) -> (tensor<1000x1000xf32>, tensor<?xf32>, index, i1, f32, tensor<300x300xi32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %d = stablehlo.multiply %b, %b : tensor<1000x1000xf32>
  %f = stablehlo.transpose %d, dims = [1, 0] : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %g = stablehlo.add %x, %f : tensor<1000x1000xf32>
  %three = arith.constant 3 : index
  %minus = arith.constant -4 : index
  %m = "arith.muli"(%three, %minus) : (index, index) -> index
  %l = "arith.cmpi"(%m, %three) {predicate = 2 : i64} : (index, index) -> i1
  %n = "index.sub"(%three, %m) : (index, index) -> index
  %shape = tensor.from_elements %n : tensor<1xindex>
  %v = stablehlo.dynamic_broadcast_in_dim %c, %shape, dims = [] : (tensor<f32>, tensor<1xindex>) -> tensor<?xf32>
  %half = arith.constant 0.5 : f32
  %quarter = "arith.mulf"(%half, %half) : (f32, f32) -> f32
  %r = "arith.addi"(%i, %n) : (index, index) -> index
  %large = stablehlo.iota dim = 0 : tensor<300x300xi32>
  return %g, %v, %r, %l, %quarter, %large : tensor<1000x1000xf32>, tensor<?xf32>, index, i1, f32, tensor<300x300xi32>
}
