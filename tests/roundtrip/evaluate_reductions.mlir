// RUN: eval
// Bodies applied to elements. Values are the specification's examples, or sums small enough to do by hand.
func.func @main() {
  %m = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %sum = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %sum, dense<15> : tensor<1xi64>

  // Two results, a body of several ops: the largest value and where it is.
  %v = stablehlo.constant dense<[3.0, 9.0, -1.0, 9.0]> : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%v, %i, %low, %first) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %keep, %a, %b : tensor<i1>, tensor<f32>
    %index = stablehlo.select %keep, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %value, %index : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<9.0> : tensor<f32>
  check.expect_eq_const %r#1, dense<1> : tensor<i32>

  %w = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %window = "stablehlo.reduce_window"(%w, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>,
      window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %window, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>

  %o = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %src = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %ss = "stablehlo.select_and_scatter"(%o, %src, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>,
      padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %ss, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>

  // Updates out of bounds are left out, equal indices add up in order.
  %in = stablehlo.constant dense<[1, 1, 1, 1]> : tensor<4xi64>
  %at = stablehlo.constant dense<[[1], [7], [1], [-1], [3]]> : tensor<5x1xi64>
  %up = stablehlo.constant dense<[10, 20, 30, 40, 50]> : tensor<5xi64>
  %sc = "stablehlo.scatter"(%in, %at, %up) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xi64>, tensor<5x1xi64>, tensor<5xi64>) -> tensor<4xi64>
  check.expect_eq_const %sc, dense<[1, 41, 1, 51]> : tensor<4xi64>

  // By a key, and by a comparator that is no single comparison; equal keys stay in order.
  %keys = stablehlo.constant dense<[3, 1, 2, 1]> : tensor<4xi32>
  %by:2 = "stablehlo.sort"(%keys, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %by#1, dense<[0, 2, 1, 3]> : tensor<4xi32>
  %by2:2 = "stablehlo.sort"(%keys, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %na = stablehlo.negate %a : tensor<i32>
    %nb = stablehlo.negate %b : tensor<i32>
    %p = stablehlo.compare LT, %na, %nb : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %by2#1, dense<[0, 2, 1, 3]> : tensor<4xi32>
  return
}
