// RUN: verify --expect "10:8: error: 'stablehlo.slice' op failed to verify that all of {start_indices, limit_indices, strides} have same size" --expect "hint: C2 of slice: size(start_indices) = size(limit_indices) = size(strides) = rank(operand)" --expect "11:8: error: 'stablehlo.concatenate': dimension 2 is out-of-bounds for input rank 1" --expect "11:8: error: 'stablehlo.concatenate' op failed to infer returned types" --expect "12:8: error: 'stablehlo.iota' op attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative" --expect "13:8: error: 'stablehlo.abs' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit signless integer" --expect "19:8: error: 'stablehlo.while': expect operands to be compatible with body block return types but got 'tensor<i32>' vs 'tensor<i1>'"
// EXIT: 1
// RUN: verify --lenient --expect "warning"
// EXIT: 0
// Every constraint that is missed is named, each at its op, in one run. With --lenient they are
// warnings.

func.func @shapes(%arg0: tensor<8xf32>, %arg1: tensor<2xui8>) -> tensor<8xf32> {
  // The first of an op decides: what follows from it is not repeated.
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 4>, strides = array<i64: 1>} : (tensor<8xf32>) -> tensor<3xf32>
  %1 = "stablehlo.concatenate"(%arg0, %arg0) {dimension = 2 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %2 = "stablehlo.iota"() {iota_dimension = -1 : i64} : () -> tensor<8xf32>
  %3 = "stablehlo.abs"(%arg1) : (tensor<2xui8>) -> tensor<2xui8>
  func.return %arg0 : tensor<8xf32>
}

func.func @loops(%arg0: tensor<i32>) -> tensor<i32> {
  // The body returns what the loop does not carry.
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%arg1: tensor<i32>):
    %1 = "stablehlo.compare"(%arg1, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg1: tensor<i32>):
    %1 = "stablehlo.compare"(%arg1, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}
