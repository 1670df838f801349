// RUN: verify --expect "SIDEWAYS"
// EXIT: 3
"t.op"() {a = #stablehlo<comparison_direction SIDEWAYS>} : () -> ()
