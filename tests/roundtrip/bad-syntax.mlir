// RUN: verify --expect "bad-syntax.mlir:5:" --expect "^"
// EXIT: 3
// The bracket is never closed: the message has the line and a caret.
func.func @main() {
  %0 = stablehlo.constant dense<[1, 2> : tensor<2xi32>
  return
}
