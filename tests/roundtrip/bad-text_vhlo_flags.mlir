// RUN: verify --expect "expected 0 or 1: whether the storage type is signed" --expect ":4:70:"
// EXIT: 3
// MLIR has one flag of quantized types; text of StableHLO has no place for others.
"t.op"() {a = !vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 5.0:16, 0:255, 8>} : () -> ()
