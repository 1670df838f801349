// RUN: verify --expect "10:3: error: 'stablehlo.return' op has 2 operands, but enclosing function (@count) returns 1" --expect "error: 'stablehlo.return': type of return operand 0 ('tensor<4xf64>') doesn't match function result type ('tensor<5xf64>') in function @type"
// EXIT: 1
// RUN: verify --lenient --expect "'stablehlo.return' op has 2 operands"
// EXIT: 1
// RUN: convert --target=1.9.0 --expect "'stablehlo.return' op has 2 operands"
// EXIT: 1
// A function may end with stablehlo.return, which becomes the return of the function in an artifact: it returns what
// the function says.
func.func @count(%a: tensor<4xf64>) -> tensor<4xf64> {
  stablehlo.return %a, %a : tensor<4xf64>, tensor<4xf64>
}
func.func @type(%a: tensor<4xf64>) -> tensor<5xf64> {
  stablehlo.return %a : tensor<4xf64>
}
func.func @fits(%a: tensor<4xf64>) -> tensor<4xf64> {
  stablehlo.return %a : tensor<4xf64>
}
