// RUN: verify --expect "256"
// EXIT: 3
"t.op"() {a = 256 : i8} : () -> ()
