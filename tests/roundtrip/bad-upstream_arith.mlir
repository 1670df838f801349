// RUN: verify --expect "5:8: error: 'arith.addi' op operand #0 must be signless-non-zero-bitwidth-integer-like, but got 'f32'" --expect "6:8: error: 'arith.addi' op requires the same type for all operands and results" --expect "7:8: error: 'arith.subi' op inferred type(s) 'tensor<2xi32>' are incompatible with return type(s) of operation 'tensor<?xi32>'" --expect "8:8: error: 'arith.muli' op attribute 'overflowFlags' failed to satisfy constraint: Integer overflow arith flags" --expect "9:8: error: 'arith.addf' op operand #0 must be floating-point-like, but got 'i32'" --expect "10:8: error: 'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9" --expect "11:8: error: 'arith.cmpi' op requires all operands to have the same type" --expect "12:8: error: 'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands" --expect "13:8: error: 'arith.extsi' op operand type 'i64' and result type 'i32' are cast incompatible" --expect "14:8: error: 'arith.extsi' op operand #0 must be signless-fixed-width-integer-like, but got 'index'" --expect "15:9: error: 'arith.trunci' op operand type 'i32' and result type 'i32' are cast incompatible" --expect "16:9: error: 'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible" --expect "17:9: error: 'arith.index_cast' op failed to verify that input and output have the same tensor dimensions" --expect "18:9: error: 'arith.select' op failed to verify that all of {true_value, false_value, result} have same type" --expect "19:9: error: 'arith.select' op failed to verify that condition is signless i1 or has matching shape" --expect "20:9: error: 'arith.constant' op failed to verify that all of {value, result} have same type" --expect "21:9: error: 'arith.constant' op integer return type must be signless" --expect "22:9: error: 'arith.constant' op attribute 'value' failed to satisfy constraint: TypedAttr instance" --expect "23:9: error: 'arith.constant' op value must be an integer, float, or elements attribute"
// EXIT: 1
// Ops of the dialect arith have the constraints of MLIR, which are errors in every version.
func.func @main(%f: f32, %i: i32, %l: i64, %x: index, %b: i1, %t: tensor<2xi32>, %d: tensor<?xi32>, %v: tensor<3xi1>, %u: ui8) {
  %0 = "arith.addi"(%f, %f) : (f32, f32) -> f32
  %1 = "arith.addi"(%i, %i) : (i32, i32) -> i64
  %2 = "arith.subi"(%t, %t) : (tensor<2xi32>, tensor<2xi32>) -> tensor<?xi32>
  %3 = "arith.muli"(%i, %i) {overflowFlags = 3 : i32} : (i32, i32) -> i32
  %4 = "arith.addf"(%i, %i) : (i32, i32) -> i32
  %5 = "arith.cmpi"(%i, %i) {predicate = 99 : i64} : (i32, i32) -> i1
  %6 = "arith.cmpi"(%i, %l) {predicate = 1 : i64} : (i32, i64) -> i1
  %7 = "arith.cmpi"(%t, %t) {predicate = 1 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<3xi1>
  %8 = "arith.extsi"(%l) : (i64) -> i32
  %9 = "arith.extsi"(%x) : (index) -> i32
  %10 = "arith.trunci"(%i) : (i32) -> i32
  %11 = "arith.index_cast"(%i) : (i32) -> i64
  %12 = "arith.index_cast"(%d) : (tensor<?xi32>) -> tensor<2xindex>
  %13 = "arith.select"(%b, %i, %l) : (i1, i32, i64) -> i32
  %14 = "arith.select"(%v, %t, %t) : (tensor<3xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %15 = "arith.constant"() {value = 1 : i64} : () -> tensor<2xf32>
  %16 = "arith.constant"() {value = 1 : ui8} : () -> ui8
  %17 = "arith.constant"() {value = @main} : () -> i32
  %18 = "arith.constant"() {value = "one" : i32} : () -> i32
  return
}
