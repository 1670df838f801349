// RUN: verify --expect "bad-text_unknown_type.mlir:3:"
// EXIT: 3
"t.op"() {a = tensor<2xquark>} : () -> ()
