// RUN: verify --expect "warning"
// EXIT: 0
// RUN: verify --strict --expect "error"
// RUN: convert --strict --expect "[constraint]"
// EXIT: 1
// Booleans are not subtracted today: a warning, and a finding only where that was asked for.
func.func @main(%arg0: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.subtract %arg0, %arg0 : tensor<2xi1>
  return %0 : tensor<2xi1>
}
