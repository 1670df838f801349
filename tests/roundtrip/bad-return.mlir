// RUN: verify --expect "return"
// What is returned is not what the function says.
func.func @main(%arg0: tensor<i32>) -> tensor<f32> {
  "func.return"(%arg0) : (tensor<i32>) -> ()
}
