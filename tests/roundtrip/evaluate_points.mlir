// RUN: eval
// Windows of one position: the operand is the matrix of windows as it lies. With a stride it is not, nor when a batch
// lies between its positions.
func.func @main() {
  %x = stablehlo.constant dense<[[[[0, 1], [2, 3]], [[4, 5], [6, 7]]], [[[8, 9], [10, 11]], [[12, 13], [14, 15]]]]> : tensor<2x2x2x2xi32>
  %k = stablehlo.constant dense<[[[[1, 2, 3], [4, 5, 6]]]]> : tensor<1x1x2x3xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x2x2xi32>, tensor<1x1x2x3xi32>) -> tensor<2x2x2x3xi32>
  check.expect_eq_const %0, dense<[[[[4, 5, 6], [14, 19, 24]], [[24, 33, 42], [34, 47, 60]]], [[[44, 61, 78], [54, 75, 96]], [[64, 89, 114], [74, 103, 132]]]]> : tensor<2x2x2x3xi32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x2x2xi32>, tensor<1x1x2x3xi32>) -> tensor<2x2x1x3xi32>
  check.expect_eq_const %1, dense<[[[[4, 5, 6]], [[24, 33, 42]]], [[[44, 61, 78]], [[64, 89, 114]]]]> : tensor<2x2x1x3xi32>
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [0, b, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x2x2xi32>, tensor<1x1x2x3xi32>) -> tensor<2x2x2x3xi32>
  check.expect_eq_const %2, dense<[[[[4, 5, 6], [14, 19, 24]], [[44, 61, 78], [54, 75, 96]]], [[[24, 33, 42], [34, 47, 60]], [[64, 89, 114], [74, 103, 132]]]]> : tensor<2x2x2x3xi32>
  return
}
