// RUN: verify --expect "-1"
// EXIT: 3
"t.op"() {a = -1 : ui8} : () -> ()
