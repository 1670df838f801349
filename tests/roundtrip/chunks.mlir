// RUN: convert --target=current
// RUN: roundtrip
// RUN: convert --emit=shlo -o %t.shlo --expect "an artifact holds 1 program"
// EXIT: 2
// Two programs in one file: text keeps them apart, an artifact holds one.
func.func @first(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}

// -----

func.func @second() {
  return
}
