// RUN: eval --max-work 100 --expect "evaluation takes more work than the limit of 100 ms"
// EXIT: 3
// Routines of LAPACK cannot be interrupted: their work is counted before they begin.
func.func @main() -> tensor<600xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<600x600xf32>
  %1 = stablehlo.sine %0 : tensor<600x600xf32>
  %2:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%1) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<600x600xf32>) -> (tensor<600x600xf32>, tensor<600xf32>, tensor<600x600xf32>, tensor<600x600xf32>, tensor<i32>)
  return %2#1 : tensor<600xf32>
}
