// RUN: roundtrip
// Every builtin and StableHLO type that text can say, in the signature of a declaration.
func.func private @integers(i1, i2, i4, i8, i16, i32, i64, ui2, ui4, ui8, ui16, ui32, ui64, index, none)
func.func private @odd_integers(i3, si8, si17, ui3, i128, i1000)
func.func private @floats(f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E3M4, f8E4M3, f8E4M3FN, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E5M2, f8E5M2FNUZ, f8E8M0FNU)
func.func private @wide_floats(bf16, f16, tf32, f32, f64, f80, f128, complex<f32>, complex<f64>)
func.func private @tensors(tensor<f32>, tensor<0xf32>, tensor<2x?x3xf32>, tensor<*xf32>, tensor<4xcomplex<f64>>, tensor<?xf32, #stablehlo.bounds<8>>)
func.func private @vectors(vector<4xf32>, vector<2x[4]xi1>, vector<i32>)
func.func private @memory(memref<2x3xf32>, memref<?xi8, 1>, memref<*xf64>)
func.func private @others(tuple<>, tuple<i32, tuple<tensor<f32>>>, !stablehlo.token, () -> (), (i32) -> (i32, i64))
func.func private @nested(() -> (() -> i32))
func.func private @futures(!stablehlo.future<tensor<2xf32>, tensor<i1>>)
