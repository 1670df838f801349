// RUN: eval
// Products of a matrix in compressed rows: [[1, 0, 2], [0, 0, 0], [3, 0, 4]], where 4 is stored as 5 and -1.
func.func @main() {
  %values = stablehlo.constant dense<[1.0, 2.0, 3.0, 5.0, -1.0]> : tensor<5xf32>
  %starts = stablehlo.constant dense<[0, 2, 2, 5]> : tensor<4xi32>
  %columns = stablehlo.constant dense<[0, 2, 0, 2, 2]> : tensor<5xi32>
  %vector = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %matrix = stablehlo.constant dense<[[10.0, 1.0], [20.0, 2.0], [30.0, 3.0]]> : tensor<3x2xf32>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %starts, %columns, %vector) {mhlo.backend_config = {}} : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[70.0, 0.0, 150.0]> : tensor<3xf32>
  %1 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %starts, %columns, %matrix) {mhlo.backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %1, dense<[[70.0, 7.0], [0.0, 0.0], [150.0, 15.0]]> : tensor<3x2xf32>
  // Integers wrap; indices may be of 64 bits. Complex numbers are not conjugated.
  %most = stablehlo.constant dense<[2147483647, 1]> : tensor<2xi32>
  %start = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %column = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %2 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%most, %start, %column, %ones) : (tensor<2xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi32>) -> tensor<1xi32>
  check.expect_eq_const %2, dense<-2147483648> : tensor<1xi32>
  %z = stablehlo.constant dense<[(0.0, 1.0), (1.0, 1.0)]> : tensor<2xcomplex<f64>>
  %3 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%z, %start, %column, %z) : (tensor<2xcomplex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %3, dense<(-2.0, 2.0)> : tensor<1xcomplex<f64>>
  // A matrix without rows.
  %none = stablehlo.constant dense<0> : tensor<1xi32>
  %4 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %none, %columns, %matrix) : (tensor<5xf32>, tensor<1xi32>, tensor<5xi32>, tensor<3x2xf32>) -> tensor<0x2xf32>
  // Values past the end of the last row are padding, whose columns may be anything.
  %fewer = stablehlo.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %padded = stablehlo.constant dense<[0, 2, 0, 3, -7]> : tensor<5xi32>
  %5 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %fewer, %padded, %vector) : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %5, dense<[70.0, 0.0, 30.0]> : tensor<3xf32>
  return
}
