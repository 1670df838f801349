// RUN: verify --expect "error: 'stablehlo.subtract' op operand #0 must be" --expect "hint: pass --lenient to accept it with a warning"
// EXIT: 1
// RUN: convert --expect "[constraint]"
// EXIT: 1
// RUN: convert --target=1.9.0 --expect "[constraint]"
// EXIT: 1
// RUN: verify --lenient --expect "warning: 'stablehlo.subtract' op operand #0 must be"
// EXIT: 0
// Neither the specification nor the reference implementation subtracts booleans.
func.func @main(%arg0: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.subtract %arg0, %arg0 : tensor<2xi1>
  return %0 : tensor<2xi1>
}
