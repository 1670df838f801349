// RUN: eval --args "dense<[0, 2, 1]> : tensor<3xi32>" "dense<0> : tensor<2xi32>" --expect "starts of rows are not in order and in range"
// EXIT: 3
// RUN: eval --args "dense<[0, 1, 3]> : tensor<3xi32>" "dense<0> : tensor<2xi32>" --expect "starts of rows are not in order and in range"
// EXIT: 3
// RUN: eval --args "dense<[0, 1, 2]> : tensor<3xi32>" "dense<[0, 3]> : tensor<2xi32>" --expect "column 3 is out of range, expected 0 to 2"
// EXIT: 3
// RUN: eval --args "dense<[0, 1, 2]> : tensor<3xi32>" "dense<[0, -1]> : tensor<2xi32>" --expect "column -1 is out of range, expected 0 to 2"
// EXIT: 3
// Rows and columns of a sparse matrix are values, which are checked.
func.func @main(%starts: tensor<3xi32>, %columns: tensor<2xi32>) -> tensor<2xf32> {
  %values = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %vector = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %starts, %columns, %vector) : (tensor<2xf32>, tensor<3xi32>, tensor<2xi32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
