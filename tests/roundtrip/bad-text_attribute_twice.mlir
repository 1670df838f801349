// RUN: verify --expect "'a' is given twice"
// EXIT: 3
"t.op"() {a = 1 : i32, a = 2 : i32} : () -> ()
