// RUN: verify --expect "flag of a quantized type is not 0 or 1" --expect ":4:"
// EXIT: 3
// MLIR has one flag of quantized types; text of StableHLO has no place for others.
"t.op"() {a = !vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 5.0:16, 0:255, 8>} : () -> ()
