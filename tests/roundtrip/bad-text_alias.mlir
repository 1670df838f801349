// RUN: verify --expect "#nowhere"
// EXIT: 3
"t.op"() {a = #nowhere} : () -> ()
