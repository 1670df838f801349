// RUN: eval
// RUN: convert --target=1.22.0
// RUN: convert --target=1.22.0 --emit=vhlo
// RUN: roundtrip
// WEAKORDER came with 1.22.0: all NaNs are equal and greater than anything else, zeros are equal.
func.func @main() {
  %a = stablehlo.constant dense<[0x7FC00000, 0xFFC00000, 0x7FC00000, 0x7F800000, -0.0, 1.0, 2.0]> : tensor<7xf32>
  %b = stablehlo.constant dense<[0xFFC00001, 1.0, 0x7F800000, 0x7FC00000, 0.0, 2.0, 1.0]> : tensor<7xf32>
  %lt = stablehlo.compare LT, %a, %b, WEAKORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[false, false, false, true, false, true, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %a, %b, WEAKORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, false, false, true, true, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %a, %b, WEAKORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, true, true, false, false, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %a, %b, WEAKORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[true, true, true, false, true, false, true]> : tensor<7xi1>
  %eq = stablehlo.compare EQ, %a, %b, WEAKORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[true, false, false, false, true, false, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %a, %b, WEAKORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[false, true, true, true, false, true, true]> : tensor<7xi1>
  %c = stablehlo.convert %a : (tensor<7xf32>) -> tensor<7xbf16>
  %d = stablehlo.convert %b : (tensor<7xf32>) -> tensor<7xbf16>
  %small = stablehlo.compare LT, %c, %d, WEAKORDER : (tensor<7xbf16>, tensor<7xbf16>) -> tensor<7xi1>
  check.expect_eq_const %small, dense<[false, false, false, true, false, true, false]> : tensor<7xi1>
  %e = stablehlo.convert %a : (tensor<7xf32>) -> tensor<7xf64>
  %f = stablehlo.convert %b : (tensor<7xf32>) -> tensor<7xf64>
  %large = stablehlo.compare LT, %e, %f, WEAKORDER : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %large, dense<[false, false, false, true, false, true, false]> : tensor<7xi1>
  // The sort is stable: equal elements keep their order.
  %i = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %x = stablehlo.constant dense<[0xFFC00000, 0.0, 0x7F800000, -0.0, 0x7FC00000, -1.0]> : tensor<6xf32>
  %up:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>):
    %0 = stablehlo.compare LT, %arg0, %arg1, WEAKORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>)
  check.expect_eq_const %up#1, dense<[5, 1, 3, 2, 0, 4]> : tensor<6xi32>
  %down:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>):
    %0 = stablehlo.compare GT, %arg0, %arg1, WEAKORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>)
  check.expect_eq_const %down#1, dense<[0, 4, 2, 1, 3, 5]> : tensor<6xi32>
  return
}
