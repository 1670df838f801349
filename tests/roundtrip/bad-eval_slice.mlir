// RUN: eval --expect "slice 0:5:1 of dimension 0 is out of bounds for size 4"
// EXIT: 3
// Only the values of the operands show that the slice ends one element after the operand.
func.func @main() -> tensor<?xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %start = stablehlo.constant dense<0> : tensor<1xi64>
  %limit = stablehlo.constant dense<5> : tensor<1xi64>
  %stride = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
