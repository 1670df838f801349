// RUN: verify --expect "bad-text_dense_shape.mlir:3:"
// EXIT: 3
"t.op"() {a = dense<[1, 2, 3]> : tensor<2xi32>} : () -> ()
