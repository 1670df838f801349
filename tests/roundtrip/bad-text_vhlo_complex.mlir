// RUN: verify --expect "invalid element type for complex"
// EXIT: 3
"t.op"() {a = !vhlo.complex_v1<!other.f32>} : () -> ()
