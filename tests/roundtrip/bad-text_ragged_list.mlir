// RUN: verify --expect "bad-text_ragged_list.mlir:3:"
// EXIT: 3
"t.op"() {a = dense<[[1, 2], [3]]> : tensor<2x2xi32>} : () -> ()
