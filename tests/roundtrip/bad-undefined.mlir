// RUN: verify --expect "%missing"
// EXIT: 3
func.func @main() -> tensor<i32> {
  return %missing : tensor<i32>
}
