// RUN: eval %s --args "dense<[1, 2]> : tensor<2xi32>" --custom-call twice=%s:add_to_itself
// RUN: eval %s --args "dense<[1, 2]> : tensor<2xi32>" --expect "Unsupported custom call: @twice" --expect "pass --custom-call twice=FILE"
// EXIT: 3
// RUN: eval %s --args "dense<[1, 2]> : tensor<2xi32>" --custom-call twice=%s:of_floats --expect "operand 0 of @twice has type tensor<2xi32>, but @of_floats has tensor<2xf32>"
// EXIT: 2
// RUN: eval %s --args "dense<[1, 2]> : tensor<2xi32>" --custom-call twice=%s:nothing --expect "there is no function @nothing"
// EXIT: 2
// RUN: eval %s --args "dense<[1, 2]> : tensor<2xi32>" --custom-call thrice=%s:add_to_itself --expect "the program has no custom call @thrice"
// EXIT: 2
// RUN: eval %s --args "dense<[1, 2]> : tensor<2xi32>" --custom-call twice --expect "expected TARGET=FILE"
// EXIT: 2
// The user gives the meaning of a custom call as a function of a program.
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.custom_call @twice(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @add_to_itself(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @of_floats(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
