// RUN: simplify --only=AddOp_RemoveNop --expect "unknown rewrite 'AddOp_RemoveNop'" --expect "AddOp_RemoveNoop"
// EXIT: 2

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
