// RUN: convert --expect "5:8: error: 'arith.constant' op failed to verify that all of {value, result} have same type"
// EXIT: 1
// A constant whose value has another type is not converted.
func.func @main() -> tensor<2xf32> {
  %0 = "arith.constant"() <{value = 1 : i64}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
