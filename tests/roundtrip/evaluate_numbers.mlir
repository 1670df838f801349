// RUN: eval
// Numbers of arith and index. MLIR's own folding gave the values of arith, except those of comparisons of floats, which are
// the definitions, and of inexact conversions, which are NumPy's.
func.func @main() {
  %c0_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c0_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r0 = "arith.addi"(%c0_0, %c0_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r0, dense<[9, -5, 127, -126, 5, -4]> : tensor<6xi8>
  %c1_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c1_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r1 = "arith.subi"(%c1_0, %c1_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r1, dense<[5, -9, -127, 124, -5, 2]> : tensor<6xi8>
  %c2_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c2_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r2 = "arith.muli"(%c2_0, %c2_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r2, dense<[14, -14, -128, 125, 0, 3]> : tensor<6xi8>
  %c3_0 = "arith.constant"() {value = dense<[7, -7, -127, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c3_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r3 = "arith.divsi"(%c3_0, %c3_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r3, dense<[3, -3, 127, 42, 0, 0]> : tensor<6xi8>
  %c4_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c4_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r4 = "arith.divui"(%c4_0, %c4_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r4, dense<[3, 124, 0, 42, 0, 1]> : tensor<6xi8>
  %c5_0 = "arith.constant"() {value = dense<[7, -7, -127, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c5_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r5 = "arith.ceildivsi"(%c5_0, %c5_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r5, dense<[4, -3, 127, 43, 0, 1]> : tensor<6xi8>
  %c6_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c6_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r6 = "arith.ceildivui"(%c6_0, %c6_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r6, dense<[4, 125, 1, 43, 0, 2]> : tensor<6xi8>
  %c7_0 = "arith.constant"() {value = dense<[7, -7, -127, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c7_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r7 = "arith.floordivsi"(%c7_0, %c7_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r7, dense<[3, -4, 127, 42, 0, 0]> : tensor<6xi8>
  %c8_0 = "arith.constant"() {value = dense<[7, -7, -127, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c8_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r8 = "arith.remsi"(%c8_0, %c8_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r8, dense<[1, -1, 0, 1, 0, -1]> : tensor<6xi8>
  %c9_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c9_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r9 = "arith.remui"(%c9_0, %c9_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r9, dense<[1, 1, -128, 1, 0, 2]> : tensor<6xi8>
  %c10_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c10_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r10 = "arith.maxsi"(%c10_0, %c10_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r10, dense<[7, 2, -1, 127, 5, -1]> : tensor<6xi8>
  %c11_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c11_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r11 = "arith.maxui"(%c11_0, %c11_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r11, dense<[7, -7, -1, 127, 5, -1]> : tensor<6xi8>
  %c12_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c12_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r12 = "arith.minsi"(%c12_0, %c12_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r12, dense<[2, -7, -128, 3, 0, -3]> : tensor<6xi8>
  %c13_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c13_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r13 = "arith.minui"(%c13_0, %c13_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r13, dense<[2, 2, -128, 3, 0, -3]> : tensor<6xi8>
  %c14_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c14_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r14 = "arith.andi"(%c14_0, %c14_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r14, dense<[2, 0, -128, 3, 0, -3]> : tensor<6xi8>
  %c15_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c15_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r15 = "arith.ori"(%c15_0, %c15_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r15, dense<[7, -5, -1, 127, 5, -1]> : tensor<6xi8>
  %c16_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c16_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r16 = "arith.xori"(%c16_0, %c16_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r16, dense<[5, -5, 127, 124, 5, 2]> : tensor<6xi8>
  %c17_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c17_1 = "arith.constant"() {value = dense<[1, 2, 3, 7, 0, 4]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r17 = "arith.shli"(%c17_0, %c17_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r17, dense<[14, -28, 0, -128, 0, -16]> : tensor<6xi8>
  %c18_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c18_1 = "arith.constant"() {value = dense<[1, 2, 3, 7, 0, 4]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r18 = "arith.shrsi"(%c18_0, %c18_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r18, dense<[3, -2, -16, 0, 0, -1]> : tensor<6xi8>
  %c19_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c19_1 = "arith.constant"() {value = dense<[1, 2, 3, 7, 0, 4]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r19 = "arith.shrui"(%c19_0, %c19_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>)
  check.expect_eq_const %r19, dense<[3, 62, 16, 0, 0, 15]> : tensor<6xi8>
  %c20_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c20_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r20:2 = "arith.addui_extended"(%c20_0, %c20_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi1>)
  check.expect_eq_const %r20#0, dense<[9, -5, 127, -126, 5, -4]> : tensor<6xi8>
  check.expect_eq_const %r20#1, dense<[false, false, true, false, false, true]> : tensor<6xi1>
  %c21_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c21_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r21:2 = "arith.subui_extended"(%c21_0, %c21_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi1>)
  check.expect_eq_const %r21#0, dense<[5, -9, -127, 124, -5, 2]> : tensor<6xi8>
  check.expect_eq_const %r21#1, dense<[false, false, true, false, true, false]> : tensor<6xi1>
  %c22_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c22_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r22:2 = "arith.mulsi_extended"(%c22_0, %c22_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi8>)
  check.expect_eq_const %r22#0, dense<[14, -14, -128, 125, 0, 3]> : tensor<6xi8>
  check.expect_eq_const %r22#1, dense<[0, -1, 0, 1, 0, 0]> : tensor<6xi8>
  %c23_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c23_1 = "arith.constant"() {value = dense<[2, 2, -1, 3, 5, -3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r23:2 = "arith.mului_extended"(%c23_0, %c23_1) : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi8>)
  check.expect_eq_const %r23#0, dense<[14, -14, -128, 125, 0, 3]> : tensor<6xi8>
  check.expect_eq_const %r23#1, dense<[0, 1, 127, 1, 0, -4]> : tensor<6xi8>
  %c24_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c24_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r24 = "arith.addi"(%c24_0, %c24_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r24, dense<[false, true, true, false]> : tensor<4xi1>
  %c25_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c25_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r25 = "arith.subi"(%c25_0, %c25_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r25, dense<[false, true, true, false]> : tensor<4xi1>
  %c26_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c26_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r26 = "arith.muli"(%c26_0, %c26_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r26, dense<[false, false, false, true]> : tensor<4xi1>
  %c27_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c27_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r27 = "arith.maxsi"(%c27_0, %c27_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r27, dense<[false, false, false, true]> : tensor<4xi1>
  %c28_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c28_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r28 = "arith.maxui"(%c28_0, %c28_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r28, dense<[false, true, true, true]> : tensor<4xi1>
  %c29_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c29_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r29 = "arith.minsi"(%c29_0, %c29_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r29, dense<[false, true, true, true]> : tensor<4xi1>
  %c30_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %c30_1 = "arith.constant"() {value = dense<[false, true, false, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r30 = "arith.minui"(%c30_0, %c30_1) : (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %r30, dense<[false, false, false, true]> : tensor<4xi1>
  %c31_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c31_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r31 = "arith.cmpi"(%c31_0, %c31_1) {predicate = 0 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r31, dense<[true, false, false, false, true, false]> : tensor<6xi1>
  %c32_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c32_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r32 = "arith.cmpi"(%c32_0, %c32_1) {predicate = 1 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r32, dense<[false, true, true, true, false, true]> : tensor<6xi1>
  %c33_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c33_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r33 = "arith.cmpi"(%c33_0, %c33_1) {predicate = 2 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r33, dense<[false, false, true, true, false, false]> : tensor<6xi1>
  %c34_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c34_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r34 = "arith.cmpi"(%c34_0, %c34_1) {predicate = 3 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r34, dense<[true, false, true, true, true, false]> : tensor<6xi1>
  %c35_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c35_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r35 = "arith.cmpi"(%c35_0, %c35_1) {predicate = 4 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r35, dense<[false, true, false, false, false, true]> : tensor<6xi1>
  %c36_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c36_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r36 = "arith.cmpi"(%c36_0, %c36_1) {predicate = 5 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r36, dense<[true, true, false, false, true, true]> : tensor<6xi1>
  %c37_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c37_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r37 = "arith.cmpi"(%c37_0, %c37_1) {predicate = 6 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r37, dense<[false, true, false, true, false, true]> : tensor<6xi1>
  %c38_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c38_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r38 = "arith.cmpi"(%c38_0, %c38_1) {predicate = 7 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r38, dense<[true, true, false, true, true, true]> : tensor<6xi1>
  %c39_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c39_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r39 = "arith.cmpi"(%c39_0, %c39_1) {predicate = 8 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r39, dense<[false, false, true, false, false, false]> : tensor<6xi1>
  %c40_0 = "arith.constant"() {value = dense<[1, 1, -1, 2, -2, 127]> : tensor<6xi8>} : () -> tensor<6xi8>
  %c40_1 = "arith.constant"() {value = dense<[1, -1, 1, 3, -2, -128]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r40 = "arith.cmpi"(%c40_0, %c40_1) {predicate = 9 : i64} : (tensor<6xi8>, tensor<6xi8>) -> (tensor<6xi1>)
  check.expect_eq_const %r40, dense<[true, false, true, false, true, false]> : tensor<6xi1>
  %c41_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c41_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r41 = "arith.addf"(%c41_0, %c41_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r41, dense<[4.000000e+00, 0.000000e+00, 0x7FC00000, 5.500000e+00, 0x7F800000, -4.000000e+00]> : tensor<6xf32>
  %c42_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c42_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r42 = "arith.subf"(%c42_0, %c42_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r42, dense<[-1.000000e+00, -0.000000e+00, 0x7FC00000, 9.500000e+00, 0x7F800000, -1.000000e+01]> : tensor<6xf32>
  %c43_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c43_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r43 = "arith.mulf"(%c43_0, %c43_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r43, dense<[3.750000e+00, -0.000000e+00, 0x7FC00000, -1.500000e+01, 0x7F800000, -2.100000e+01]> : tensor<6xf32>
  %c44_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c44_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r44 = "arith.divf"(%c44_0, %c44_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r44, dense<[6.000000e-01, 0x7FC00000, 0x7FC00000, -3.750000e+00, 0x7F800000, -2.33333325]> : tensor<6xf32>
  %c45_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c45_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r45 = "arith.remf"(%c45_0, %c45_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r45, dense<[1.500000e+00, 0x7FC00000, 0x7FC00000, 1.500000e+00, 0x7FC00000, -1.000000e+00]> : tensor<6xf32>
  %c46_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c46_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r46 = "arith.maximumf"(%c46_0, %c46_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r46, dense<[2.500000e+00, 0.000000e+00, 0x7FC00000, 7.500000e+00, 0x7F800000, 3.000000e+00]> : tensor<6xf32>
  %c47_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c47_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r47 = "arith.minimumf"(%c47_0, %c47_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r47, dense<[1.500000e+00, -0.000000e+00, 0x7FC00000, -2.000000e+00, 1.000000e+00, -7.000000e+00]> : tensor<6xf32>
  %c48_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c48_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r48 = "arith.maxnumf"(%c48_0, %c48_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r48, dense<[2.500000e+00, 0.000000e+00, 1.000000e+00, 7.500000e+00, 0x7F800000, 3.000000e+00]> : tensor<6xf32>
  %c49_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0x7FC00000, 7.5, 0x7F800000, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c49_1 = "arith.constant"() {value = dense<[2.5, 0.0, 1.0, -2.0, 1.0, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r49 = "arith.minnumf"(%c49_0, %c49_1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r49, dense<[1.500000e+00, -0.000000e+00, 1.000000e+00, -2.000000e+00, 1.000000e+00, -7.000000e+00]> : tensor<6xf32>
  %c50_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0.0, -7.5, 0x7F800000, 2.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r50 = "arith.negf"(%c50_0) : (tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_eq_const %r50, dense<[-1.500000e+00, 0.000000e+00, -0.000000e+00, 7.500000e+00, 0xFF800000, -2.000000e+00]> : tensor<6xf32>
  %c51_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c51_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r51 = "arith.cmpf"(%c51_0, %c51_1) {predicate = 0 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r51, dense<[false, false, false, false, false, false]> : tensor<6xi1>
  %c52_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c52_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r52 = "arith.cmpf"(%c52_0, %c52_1) {predicate = 1 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r52, dense<[true, false, false, false, true, false]> : tensor<6xi1>
  %c53_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c53_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r53 = "arith.cmpf"(%c53_0, %c53_1) {predicate = 2 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r53, dense<[false, false, true, false, false, false]> : tensor<6xi1>
  %c54_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c54_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r54 = "arith.cmpf"(%c54_0, %c54_1) {predicate = 3 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r54, dense<[true, false, true, false, true, false]> : tensor<6xi1>
  %c55_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c55_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r55 = "arith.cmpf"(%c55_0, %c55_1) {predicate = 4 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r55, dense<[false, true, false, false, false, false]> : tensor<6xi1>
  %c56_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c56_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r56 = "arith.cmpf"(%c56_0, %c56_1) {predicate = 5 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r56, dense<[true, true, false, false, true, false]> : tensor<6xi1>
  %c57_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c57_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r57 = "arith.cmpf"(%c57_0, %c57_1) {predicate = 6 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r57, dense<[false, true, true, false, false, false]> : tensor<6xi1>
  %c58_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c58_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r58 = "arith.cmpf"(%c58_0, %c58_1) {predicate = 7 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r58, dense<[true, true, true, false, true, false]> : tensor<6xi1>
  %c59_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c59_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r59 = "arith.cmpf"(%c59_0, %c59_1) {predicate = 8 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r59, dense<[true, false, false, true, true, true]> : tensor<6xi1>
  %c60_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c60_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r60 = "arith.cmpf"(%c60_0, %c60_1) {predicate = 9 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r60, dense<[false, false, true, true, false, true]> : tensor<6xi1>
  %c61_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c61_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r61 = "arith.cmpf"(%c61_0, %c61_1) {predicate = 10 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r61, dense<[true, false, true, true, true, true]> : tensor<6xi1>
  %c62_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c62_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r62 = "arith.cmpf"(%c62_0, %c62_1) {predicate = 11 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r62, dense<[false, true, false, true, false, true]> : tensor<6xi1>
  %c63_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c63_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r63 = "arith.cmpf"(%c63_0, %c63_1) {predicate = 12 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r63, dense<[true, true, false, true, true, true]> : tensor<6xi1>
  %c64_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c64_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r64 = "arith.cmpf"(%c64_0, %c64_1) {predicate = 13 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r64, dense<[false, true, true, true, false, true]> : tensor<6xi1>
  %c65_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c65_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r65 = "arith.cmpf"(%c65_0, %c65_1) {predicate = 14 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r65, dense<[false, false, false, true, false, true]> : tensor<6xi1>
  %c66_0 = "arith.constant"() {value = dense<[1.0, 1.0, 2.0, 0x7FC00000, 0.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %c66_1 = "arith.constant"() {value = dense<[1.0, 2.0, 1.0, 1.0, -0.0, 0x7FC00000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r66 = "arith.cmpf"(%c66_0, %c66_1) {predicate = 15 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xi1>)
  check.expect_eq_const %r66, dense<[true, true, true, true, true, true]> : tensor<6xi1>
  %c67_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r67 = "arith.extsi"(%c67_0) : (tensor<4xi1>) -> (tensor<4xi32>)
  check.expect_eq_const %r67, dense<[0, 0, -1, -1]> : tensor<4xi32>
  %c68_0 = "arith.constant"() {value = dense<[false, false, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %r68 = "arith.extui"(%c68_0) : (tensor<4xi1>) -> (tensor<4xi32>)
  check.expect_eq_const %r68, dense<[0, 0, 1, 1]> : tensor<4xi32>
  %c69_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r69 = "arith.extsi"(%c69_0) : (tensor<6xi8>) -> (tensor<6xi32>)
  check.expect_eq_const %r69, dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi32>
  %c70_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r70 = "arith.extui"(%c70_0) : (tensor<6xi8>) -> (tensor<6xi32>)
  check.expect_eq_const %r70, dense<[7, 249, 128, 127, 0, 255]> : tensor<6xi32>
  %c71_0 = "arith.constant"() {value = dense<[255, 256, -1, 128, 3, -257]> : tensor<6xi32>} : () -> tensor<6xi32>
  %r71 = "arith.trunci"(%c71_0) : (tensor<6xi32>) -> (tensor<6xi8>)
  check.expect_eq_const %r71, dense<[-1, 0, -1, -128, 3, -1]> : tensor<6xi8>
  %c72_0 = "arith.constant"() {value = dense<[255, 256, -1, 128, 3, -257]> : tensor<6xi32>} : () -> tensor<6xi32>
  %r72 = "arith.trunci"(%c72_0) : (tensor<6xi32>) -> (tensor<6xi1>)
  check.expect_eq_const %r72, dense<[true, false, true, false, true, true]> : tensor<6xi1>
  %c73_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r73 = "arith.index_cast"(%c73_0) : (tensor<6xi8>) -> (tensor<6xindex>)
  %x7 = "arith.index_cast"(%r73) : (tensor<6xindex>) -> tensor<6xi64>
  check.expect_eq_const %x7, dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi64>
  %c74_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r74 = "arith.index_castui"(%c74_0) : (tensor<6xi8>) -> (tensor<6xindex>)
  %x8 = "arith.index_cast"(%r74) : (tensor<6xindex>) -> tensor<6xi64>
  check.expect_eq_const %x8, dense<[7, 249, 128, 127, 0, 255]> : tensor<6xi64>
  %c75_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r75 = "arith.sitofp"(%c75_0) : (tensor<6xi8>) -> (tensor<6xf32>)
  check.expect_eq_const %r75, dense<[7.000000e+00, -7.000000e+00, -1.280000e+02, 1.270000e+02, 0.000000e+00, -1.000000e+00]> : tensor<6xf32>
  %c76_0 = "arith.constant"() {value = dense<[7, -7, -128, 127, 0, -1]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r76 = "arith.uitofp"(%c76_0) : (tensor<6xi8>) -> (tensor<6xf32>)
  check.expect_eq_const %r76, dense<[7.000000e+00, 2.490000e+02, 1.280000e+02, 1.270000e+02, 0.000000e+00, 2.550000e+02]> : tensor<6xf32>
  %c77_0 = "arith.constant"() {value = dense<[9007199254740993, -9007199254740993, 144115196665790481]> : tensor<3xi64>} : () -> tensor<3xi64>
  %r77 = "arith.sitofp"(%c77_0) : (tensor<3xi64>) -> (tensor<3xf32>)
  check.expect_eq_const %r77, dense<[9.00719925E+15, -9.00719925E+15, 1.44115205E+17]> : tensor<3xf32>
  %c78_0 = "arith.constant"() {value = dense<[-1, 9223372036854775807, -9223371487098961919]> : tensor<3xi64>} : () -> tensor<3xi64>
  %r78 = "arith.uitofp"(%c78_0) : (tensor<3xi64>) -> (tensor<3xf32>)
  check.expect_eq_const %r78, dense<[1.84467441E+19, 9.22337203E+18, 9.22337313E+18]> : tensor<3xf32>
  %c79_0 = "arith.constant"() {value = dense<[-1, 9007199254740993]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r79 = "arith.uitofp"(%c79_0) : (tensor<2xi64>) -> (tensor<2xf64>)
  check.expect_eq_const %r79, dense<[1.8446744073709552E+19, 0x4340000000000000]> : tensor<2xf64>
  %c80_0 = "arith.constant"() {value = dense<[1.5, -0.0, -1.9, 7.5, 100.0, -7.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r80 = "arith.fptosi"(%c80_0) : (tensor<6xf32>) -> (tensor<6xi8>)
  check.expect_eq_const %r80, dense<[1, 0, -1, 7, 100, -7]> : tensor<6xi8>
  %c81_0 = "arith.constant"() {value = dense<[1.5, 0.0, 200.9, 7.5, 255.0, 0.9]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r81 = "arith.fptoui"(%c81_0) : (tensor<6xf32>) -> (tensor<6xi8>)
  check.expect_eq_const %r81, dense<[1, 0, -56, 7, -1, 0]> : tensor<6xi8>
  %c82_0 = "arith.constant"() {value = dense<[1.5, -0.0, 0.1, 7.5, 0x7F800000, 1.0e-40]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r82 = "arith.extf"(%c82_0) : (tensor<6xf32>) -> (tensor<6xf64>)
  check.expect_eq_const %r82, dense<[1.500000e+00, -0.000000e+00, 0.10000000149011612, 7.500000e+00, 0x7FF0000000000000, 9.9999461011147596E-41]> : tensor<6xf64>
  %c83_0 = "arith.constant"() {value = dense<[0.1, 1.0e300, -1.0e-46, 2.5]> : tensor<4xf64>} : () -> tensor<4xf64>
  %r83 = "arith.truncf"(%c83_0) : (tensor<4xf64>) -> (tensor<4xf32>)
  check.expect_eq_const %r83, dense<[1.000000e-01, 0x7F800000, -0.000000e+00, 2.500000e+00]> : tensor<4xf32>
  %c84_0 = "arith.constant"() {value = dense<[1.0, 1.00390625, 1.01171875, 3.0e38, -0.0, 5.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r84 = "arith.truncf"(%c84_0) : (tensor<6xf32>) -> (tensor<6xbf16>)
  check.expect_eq_const %r84, dense<[0x3F80, 0x3F80, 0x3F82, 0x7F62, 0x8000, 0x40A0]> : tensor<6xbf16>
  %c85_0 = "arith.constant"() {value = dense<[1.0, -2.0, 0.0, -0.0, 0.5, 3.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r85 = "arith.bitcast"(%c85_0) : (tensor<6xf32>) -> (tensor<6xi32>)
  check.expect_eq_const %r85, dense<[1065353216, -1073741824, 0, -2147483648, 1056964608, 1077936128]> : tensor<6xi32>
  // index, whose 64 bits are enough for every size.
  %i0a = "index.constant"() {value = -3 : index} : () -> index
  %i0b = "index.constant"() {value = 5 : index} : () -> index
  %i0 = "index.add"(%i0a, %i0b) : (index, index) -> index
  %i1a = "index.constant"() {value = -3 : index} : () -> index
  %i1b = "index.constant"() {value = 5 : index} : () -> index
  %i1 = "index.sub"(%i1a, %i1b) : (index, index) -> index
  %i2a = "index.constant"() {value = -3 : index} : () -> index
  %i2b = "index.constant"() {value = 5 : index} : () -> index
  %i2 = "index.mul"(%i2a, %i2b) : (index, index) -> index
  %i3a = "index.constant"() {value = -7 : index} : () -> index
  %i3b = "index.constant"() {value = 2 : index} : () -> index
  %i3 = "index.divs"(%i3a, %i3b) : (index, index) -> index
  %i4a = "index.constant"() {value = -7 : index} : () -> index
  %i4b = "index.constant"() {value = 2 : index} : () -> index
  %i4 = "index.divu"(%i4a, %i4b) : (index, index) -> index
  %i5a = "index.constant"() {value = -7 : index} : () -> index
  %i5b = "index.constant"() {value = 2 : index} : () -> index
  %i5 = "index.ceildivs"(%i5a, %i5b) : (index, index) -> index
  %i6a = "index.constant"() {value = 7 : index} : () -> index
  %i6b = "index.constant"() {value = 2 : index} : () -> index
  %i6 = "index.ceildivs"(%i6a, %i6b) : (index, index) -> index
  %i7a = "index.constant"() {value = -7 : index} : () -> index
  %i7b = "index.constant"() {value = 2 : index} : () -> index
  %i7 = "index.ceildivu"(%i7a, %i7b) : (index, index) -> index
  %i8a = "index.constant"() {value = -7 : index} : () -> index
  %i8b = "index.constant"() {value = 2 : index} : () -> index
  %i8 = "index.floordivs"(%i8a, %i8b) : (index, index) -> index
  %i9a = "index.constant"() {value = 7 : index} : () -> index
  %i9b = "index.constant"() {value = -2 : index} : () -> index
  %i9 = "index.floordivs"(%i9a, %i9b) : (index, index) -> index
  %i10a = "index.constant"() {value = -7 : index} : () -> index
  %i10b = "index.constant"() {value = 2 : index} : () -> index
  %i10 = "index.rems"(%i10a, %i10b) : (index, index) -> index
  %i11a = "index.constant"() {value = -7 : index} : () -> index
  %i11b = "index.constant"() {value = 2 : index} : () -> index
  %i11 = "index.remu"(%i11a, %i11b) : (index, index) -> index
  %i12a = "index.constant"() {value = -7 : index} : () -> index
  %i12b = "index.constant"() {value = 2 : index} : () -> index
  %i12 = "index.maxs"(%i12a, %i12b) : (index, index) -> index
  %i13a = "index.constant"() {value = -7 : index} : () -> index
  %i13b = "index.constant"() {value = 2 : index} : () -> index
  %i13 = "index.maxu"(%i13a, %i13b) : (index, index) -> index
  %i14a = "index.constant"() {value = -7 : index} : () -> index
  %i14b = "index.constant"() {value = 2 : index} : () -> index
  %i14 = "index.mins"(%i14a, %i14b) : (index, index) -> index
  %i15a = "index.constant"() {value = -7 : index} : () -> index
  %i15b = "index.constant"() {value = 2 : index} : () -> index
  %i15 = "index.minu"(%i15a, %i15b) : (index, index) -> index
  %i16a = "index.constant"() {value = 3 : index} : () -> index
  %i16b = "index.constant"() {value = 62 : index} : () -> index
  %i16 = "index.shl"(%i16a, %i16b) : (index, index) -> index
  %i17a = "index.constant"() {value = -8 : index} : () -> index
  %i17b = "index.constant"() {value = 1 : index} : () -> index
  %i17 = "index.shrs"(%i17a, %i17b) : (index, index) -> index
  %i18a = "index.constant"() {value = -8 : index} : () -> index
  %i18b = "index.constant"() {value = 1 : index} : () -> index
  %i18 = "index.shru"(%i18a, %i18b) : (index, index) -> index
  %i19a = "index.constant"() {value = 12 : index} : () -> index
  %i19b = "index.constant"() {value = 10 : index} : () -> index
  %i19 = "index.and"(%i19a, %i19b) : (index, index) -> index
  %i20a = "index.constant"() {value = 12 : index} : () -> index
  %i20b = "index.constant"() {value = 10 : index} : () -> index
  %i20 = "index.or"(%i20a, %i20b) : (index, index) -> index
  %i21a = "index.constant"() {value = 12 : index} : () -> index
  %i21b = "index.constant"() {value = 10 : index} : () -> index
  %i21 = "index.xor"(%i21a, %i21b) : (index, index) -> index
  %bits = "index.sizeof"() : () -> index
  %narrow = arith.constant -1 : i32
  %signed = "index.casts"(%narrow) : (i32) -> index
  %unsigned = "index.castu"(%narrow) : (i32) -> index
  %indices = tensor.from_elements %i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7, %i8, %i9, %i10, %i11, %i12, %i13, %i14, %i15, %i16, %i17, %i18, %i19, %i20, %i21, %bits, %signed, %unsigned : tensor<25xindex>
  %x9 = "arith.index_cast"(%indices) : (tensor<25xindex>) -> tensor<25xi64>
  check.expect_eq_const %x9, dense<[2, -8, -15, -3, 9223372036854775804, -3, 4, 9223372036854775805, -4, -4, -1, 1, 2, -7, -7, 2, -4611686018427387904, -4, 9223372036854775804, 8, 14, 6, 64, -1, 4294967295]> : tensor<25xi64>
  %one = "index.constant"() {value = 1 : index} : () -> index
  %minus = "index.constant"() {value = -1 : index} : () -> index
  %cmp_eq = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate eq>} : (index, index) -> i1
  %cmp_ne = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate ne>} : (index, index) -> i1
  %cmp_slt = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate slt>} : (index, index) -> i1
  %cmp_sle = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate sle>} : (index, index) -> i1
  %cmp_sgt = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate sgt>} : (index, index) -> i1
  %cmp_sge = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate sge>} : (index, index) -> i1
  %cmp_ult = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate ult>} : (index, index) -> i1
  %cmp_ule = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate ule>} : (index, index) -> i1
  %cmp_ugt = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate ugt>} : (index, index) -> i1
  %cmp_uge = "index.cmp"(%one, %minus) {pred = #index<cmp_predicate uge>} : (index, index) -> i1
  %true = "index.bool.constant"() {value = true} : () -> i1
  %orders = tensor.from_elements %cmp_eq, %cmp_ne, %cmp_slt, %cmp_sle, %cmp_sgt, %cmp_sge, %cmp_ult, %cmp_ule, %cmp_ugt, %cmp_uge, %true : tensor<11xi1>
  check.expect_eq_const %orders, dense<[false, true, false, false, true, true, true, true, false, false, true]> : tensor<11xi1>
  // Floats of other formats, and zeros for denormal numbers.
  %f4 = arith.constant dense<[1.5, -6.0]> : tensor<2xf4E2M1FN>
  %scale = arith.constant dense<[4.0, 0.5]> : tensor<2xf8E8M0FNU>
  %wide = "arith.scaling_extf"(%f4, %scale) : (tensor<2xf4E2M1FN>, tensor<2xf8E8M0FNU>) -> tensor<2xf32>
  check.expect_eq_const %wide, dense<[6.0, -3.0]> : tensor<2xf32>
  %narrowed = "arith.scaling_truncf"(%wide, %scale) : (tensor<2xf32>, tensor<2xf8E8M0FNU>) -> tensor<2xf4E2M1FN>
  check.expect_eq_const %narrowed, dense<[1.5, -6.0]> : tensor<2xf4E2M1FN>
  %halves = arith.constant dense<[1.5, 0x7C00]> : tensor<2xf16>
  %converted = "arith.convertf"(%halves) : (tensor<2xf16>) -> tensor<2xbf16>
  check.expect_eq_const %converted, dense<[1.5, 0x7F80]> : tensor<2xbf16>
  %small = arith.constant dense<[1.0e-40, -1.0e-40, 1.0, 0x7F800000]> : tensor<4xf32>
  %flushed = "arith.flush_denormals"(%small) : (tensor<4xf32>) -> tensor<4xf32>
  %flushed_bits = "arith.bitcast"(%flushed) : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %flushed_bits, dense<[0, 0x80000000, 0x3F800000, 0x7F800000]> : tensor<4xi32>
  // Undefined in MLIR; here as in StableHLO.
  %zero = arith.constant dense<0> : tensor<2xi8>
  %least = arith.constant dense<-128> : tensor<2xi8>
  %by_zero = "arith.divsi"(%least, %zero) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %by_zero, dense<-1> : tensor<2xi8>
  %rest = "arith.remui"(%least, %zero) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %rest, dense<-128> : tensor<2xi8>
  %ones = arith.constant dense<-1> : tensor<2xi8>
  %overflow = "arith.divsi"(%least, %ones) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %overflow, dense<-128> : tensor<2xi8>
  %eight = arith.constant dense<8> : tensor<2xi8>
  %gone = "arith.shli"(%ones, %eight) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %gone, dense<0> : tensor<2xi8>
  %sign = "arith.shrsi"(%least, %eight) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %sign, dense<-1> : tensor<2xi8>
  return
}
