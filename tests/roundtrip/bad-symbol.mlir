// RUN: verify --expect "nowhere"
func.func @main(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = func.call @nowhere(%arg0) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
