// RUN: eval
// Singular values without vectors, whose shapes are operands; and matrices that are not finite, for which some routines of
// LAPACK never end: their results are NaN, and info is not 0.
func.func @main() {
  %m = stablehlo.constant dense<[[3.0, 0.0], [0.0, -4.0]]> : tensor<2x2xf32>
  %d = tensor.cast %m : tensor<2x2xf32> to tensor<?x?xf32>
  %two = stablehlo.constant dense<2> : tensor<2xi32>
  %one = stablehlo.constant dense<2> : tensor<1xi32>
  %none = stablehlo.constant dense<> : tensor<0xi32>
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%d, %two, %one, %two, %two, %none) {indices_of_shape_operands = dense<[1, 2, 3, 4, 5]> : tensor<5xi64>, mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<?x?xf32>, tensor<2xi32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<0xi32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<i32>)
  %values = tensor.cast %0#1 : tensor<?xf32> to tensor<2xf32>
  check.expect_almost_eq_const %values, dense<[4.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %0#4, dense<0> : tensor<i32>
  %inf = stablehlo.constant dense<[[1.0, 2.0], [0x7F800000, 3.0]]> : tensor<2x2xf32>
  %1:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%inf) {mhlo.backend_config = {mode = 65 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %1#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %1#4, dense<-4> : tensor<i32>
  %2:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%inf) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %2#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %2#4, dense<-4> : tensor<i32>
  %3:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%inf) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %3#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %3#4, dense<-4> : tensor<i32>
  %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%inf) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_eq_const %4#0, dense<0x7FC00000> : tensor<2x2xf32>
  check.expect_eq_const %4#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %4#2, dense<-4> : tensor<i32>
  %5:6 = stablehlo.custom_call @lapack_sgees_ffi(%inf) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %5#0, dense<0x7FC00000> : tensor<2x2xf32>
  check.expect_eq_const %5#5, dense<-4> : tensor<i32>
  %ninf = stablehlo.constant dense<[[0xFF800000, 2.0], [1.0, 3.0]]> : tensor<2x2xf32>
  %6:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%ninf) {mhlo.backend_config = {mode = 65 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %6#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %6#4, dense<-4> : tensor<i32>
  %7:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%ninf) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %7#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %7#4, dense<-4> : tensor<i32>
  %8:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%ninf) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %8#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %8#4, dense<-4> : tensor<i32>
  %9:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%ninf) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_eq_const %9#0, dense<0x7FC00000> : tensor<2x2xf32>
  check.expect_eq_const %9#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %9#2, dense<-4> : tensor<i32>
  %10:6 = stablehlo.custom_call @lapack_sgees_ffi(%ninf) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %10#0, dense<0x7FC00000> : tensor<2x2xf32>
  check.expect_eq_const %10#5, dense<-4> : tensor<i32>
  %nan = stablehlo.constant dense<[[1.0, 0x7FC00000], [1.0, 3.0]]> : tensor<2x2xf32>
  %11:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%nan) {mhlo.backend_config = {mode = 65 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %11#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %11#4, dense<-4> : tensor<i32>
  %12:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%nan) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %12#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %12#4, dense<-4> : tensor<i32>
  %13:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%nan) {mhlo.backend_config = {mode = 83 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %13#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %13#4, dense<-4> : tensor<i32>
  %14:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%nan) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_eq_const %14#0, dense<0x7FC00000> : tensor<2x2xf32>
  check.expect_eq_const %14#1, dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq_const %14#2, dense<-4> : tensor<i32>
  %15:6 = stablehlo.custom_call @lapack_sgees_ffi(%nan) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %15#0, dense<0x7FC00000> : tensor<2x2xf32>
  check.expect_eq_const %15#5, dense<-4> : tensor<i32>
  // Only the triangle that the routine reads counts: the lower one of [[2, inf], [1, 2]].
  %half = stablehlo.constant dense<[[2.0, 0x7F800000], [1.0, 2.0]]> : tensor<2x2xf32>
  %16:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%half) {mhlo.backend_config = {mode = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_almost_eq_const %16#1, dense<[1.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %16#2, dense<0> : tensor<i32>
  return
}
