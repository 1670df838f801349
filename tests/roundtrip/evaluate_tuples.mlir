// RUN: eval
// Custom calls of XLA that return a tuple, as TensorFlow has them.
func.func @main() {
  %a = stablehlo.constant dense<[[3.0, 1.0], [4.0, 2.0]]> : tensor<2x2xf64>
  // Householder: beta = -norm([3, 4]) = -5, tau = (beta - 3) / beta = 1.6.
  %0 = stablehlo.custom_call @Qr(%a) {backend_config = ""} : (tensor<2x2xf64>) -> tuple<tensor<2x2xf64>, tensor<2xf64>>
  %qr = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2x2xf64>, tensor<2xf64>>) -> tensor<2x2xf64>
  %tau = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2x2xf64>, tensor<2xf64>>) -> tensor<2xf64>
  check.expect_almost_eq_const %qr, dense<[[-5.0, -2.2], [0.5, 0.4]]> : tensor<2x2xf64>
  check.expect_almost_eq_const %tau, dense<[1.6, 0.0]> : tensor<2xf64>
  // The lower triangle of [[2, *], [1, 2]] has the eigenvalues 1 and 3; so does the upper one of [[2, 1], [*, 2]].
  %s = stablehlo.constant dense<[[2.0, 9.0], [1.0, 2.0]]> : tensor<2x2xf64>
  %1 = stablehlo.custom_call @Eigh(%s) {backend_config = "1,1,100,1e-6"} : (tensor<2x2xf64>) -> tuple<tensor<2x2xf64>, tensor<2xf64>>
  %w = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2x2xf64>, tensor<2xf64>>) -> tensor<2xf64>
  check.expect_almost_eq_const %w, dense<[1.0, 3.0]> : tensor<2xf64>
  %v = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2x2xf64>, tensor<2xf64>>) -> tensor<2x2xf64>
  %square = stablehlo.multiply %v, %v : tensor<2x2xf64>
  check.expect_almost_eq_const %square, dense<0.5> : tensor<2x2xf64>
  %u = stablehlo.constant dense<[[2.0, 1.0], [9.0, 2.0]]> : tensor<2x2xf64>
  %2:2 = stablehlo.custom_call @Eigh(%u) {backend_config = "0,1,100,1e-6"} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %2#1, dense<[1.0, 3.0]> : tensor<2xf64>
  %inf = stablehlo.constant dense<[[2.0, 0x7FF0000000000000], [0x7FF0000000000000, 2.0]]> : tensor<2x2xf64>
  %3:2 = stablehlo.custom_call @Eigh(%inf) {backend_config = "1,1,100,1e-6"} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  %nan = stablehlo.compare NE, %3#1, %3#1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
  check.expect_eq_const %nan, dense<true> : tensor<2xi1>
  // [[3, 1], [4, 2]]: row 1 is the first pivot, and 1 - 0.75 * 2 = -0.5 the second.
  %4 = stablehlo.custom_call @LuDecomposition(%a) : (tensor<2x2xf64>) -> tuple<tensor<2x2xf64>, tensor<2xi32>, tensor<2xi32>>
  %lu = stablehlo.get_tuple_element %4[0] : (tuple<tensor<2x2xf64>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2x2xf64>
  %pivots = stablehlo.get_tuple_element %4[1] : (tuple<tensor<2x2xf64>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  %rows = stablehlo.get_tuple_element %4[2] : (tuple<tensor<2x2xf64>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq_const %lu, dense<[[4.0, 2.0], [0.75, -0.5]]> : tensor<2x2xf64>
  check.expect_eq_const %pivots, dense<1> : tensor<2xi32>
  check.expect_eq_const %rows, dense<[1, 0]> : tensor<2xi32>
  return
}
