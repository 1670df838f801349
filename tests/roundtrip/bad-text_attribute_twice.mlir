// RUN: verify --expect "duplicate key 'a' in dictionary attribute"
// EXIT: 3
"t.op"() {a = 1 : i32, a = 2 : i32} : () -> ()
