// RUN: verify --expect "bad-text_hex_size.mlir:3:"
// EXIT: 3
"t.op"() {a = dense<"0x010203"> : tensor<2xi32>} : () -> ()
