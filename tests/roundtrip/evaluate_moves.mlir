// RUN: eval
// Ops that move elements: static and dynamic forms, clamped starts, negative padding. By hand.
func.func @main() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %t, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %r = stablehlo.reverse %a, dims = [1] : tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>
  %s = stablehlo.slice %a [1:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %s, dense<[[4, 6]]> : tensor<1x2xi32>
  %c = stablehlo.concatenate %a, %r, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  check.expect_eq_const %c, dense<[[1, 2, 3], [4, 5, 6], [3, 2, 1], [6, 5, 4]]> : tensor<4x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.pad %a, %zero, low = [0, 1], high = [2, -1], interior = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x5xi32>
  check.expect_eq_const %p, dense<[[0, 1, 0, 2, 0], [0, 4, 0, 5, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]> : tensor<4x5xi32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %d = stablehlo.dynamic_slice %a, %five, %five, sizes = [1, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
  check.expect_eq_const %d, dense<[[5, 6]]> : tensor<1x2xi32>
  %u = stablehlo.dynamic_update_slice %a, %s, %five, %zero : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %u, dense<[[1, 2, 3], [4, 6, 6]]> : tensor<2x3xi32>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %dr = stablehlo.dynamic_reshape %a, %shape : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<?x2xi32>
  %sr = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %cast = tensor.cast %dr : tensor<?x2xi32> to tensor<3x2xi32>
  check.expect_eq %cast, %sr : tensor<3x2xi32>
  %starts = stablehlo.constant dense<[[0, 9], [1, 0]]> : tensor<2x2xi64>
  %g = "stablehlo.gather"(%a, %starts) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false} : (tensor<2x3xi32>, tensor<2x2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %g, dense<[[2, 3], [4, 5]]> : tensor<2x2xi32>
  %bits = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %halves = stablehlo.bitcast_convert %bits : (tensor<f64>) -> tensor<4xi16>
  check.expect_eq_const %halves, dense<[-12817, -30293, 17767, 291]> : tensor<4xi16>
  %nibbles = stablehlo.constant dense<[[1, 2], [3, -1]]> : tensor<2x2xi4>
  %bytes = stablehlo.bitcast_convert %nibbles : (tensor<2x2xi4>) -> tensor<2xui8>
  check.expect_eq_const %bytes, dense<[33, 243]> : tensor<2xui8>
  return
}
