// RUN: verify --expect "bad-text_unclosed_string.mlir:3:"
// EXIT: 3
"t.op"() {a = "never closed} : () -> ()
