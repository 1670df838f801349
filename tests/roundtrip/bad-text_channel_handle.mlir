// RUN: verify --expect "field 'type' is missing"
// EXIT: 3
"t.op"() {a = #stablehlo.channel_handle<handle = 1>} : () -> ()
