// RUN: verify --expect "start index 3 is larger than limit index 2 in dimension 0" --expect "limit index 5 is larger than dimension size 4 in dimension 0"
// EXIT: 1
// Limits are inclusive: one more is an error.
func.func @start(%x: tensor<4xf32>) -> tensor<0xf32> {
  %0 = "stablehlo.slice"(%x) {start_indices = array<i64: 3>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func @limit(%x: tensor<4xf32>) -> tensor<5xf32> {
  %0 = "stablehlo.slice"(%x) {start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
