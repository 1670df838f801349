// RUN: verify --expect "error: 'arith.andi' op operand #0 must be signless-non-zero-bitwidth-integer-like, but got 'tensor<8x16xf32>'" --expect "error: 'arith.cmpf' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15" --expect "error: 'arith.negf' op requires the same type for all operands and results" --expect "error: 'tensor.rank' op result #0 must be index, but got 'i32'" --expect "error: 'tensor.empty' op result #0 must be ranked tensor of any non-token type values, but got 'f32'" --expect "error: 'scf.while' op expected 2 regions" --expect "error: 'shape.add' op operand #0 must be size or index, but got 'tensor<8x16xf32>'" --expect "error: 'func.return' op expects parent op 'func.func'"
// EXIT: 1
// Ops that schema/other_ops.inc describes. The messages are those of MLIR.
func.func @f(%a: tensor<8x16xf32>) {
  %0 = arith.andi %a, %a : tensor<8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  %0 = "arith.cmpf"(%a, %a) {predicate = 16 : i64} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  %0 = "arith.negf"(%a) : (tensor<8x16xf32>) -> tensor<8x16xf64>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  %0 = "tensor.rank"(%a) : (tensor<8x16xf32>) -> i32
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  %0 = "tensor.empty"() : () -> f32
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  %0 = "scf.while"(%a) ({
  ^bb0(%b: tensor<8x16xf32>):
    %c = arith.constant true
    scf.condition(%c) %b : tensor<8x16xf32>
  }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  %0 = "shape.add"(%a, %a) : (tensor<8x16xf32>, tensor<8x16xf32>) -> index
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  "tensor.generate"() ({
    %c = arith.constant 1.0 : f32
    func.return %c : f32
  }) : () -> tensor<4xf32>
  return
}
