// RUN: roundtrip
// Types and attributes of the portable spelling.
"t.types"() {a = !vhlo.tuple_v1<!vhlo.tensor_v1<2x?x!vhlo.i8_v1>, !vhlo.token_v1>, b = !vhlo.complex_v1<!vhlo.f64_v1>, c = !vhlo.unranked_tensor_v1<!vhlo.bf16_v1>, d = !vhlo.index_v1, e = !vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 3.400000e+01:16, -128:127, 1>, f = !vhlo.tensor_v1<?x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [16]>>} : () -> ()
"t.attributes"() {a = #vhlo.bool_v1<true>, b = #vhlo.integer_v1<-5 : i64>, c = #vhlo.float_v1<1.000000e-03 : !vhlo.f32_v1>, d = #vhlo.string_v1<"\22">, e = #vhlo.array_v1<[#vhlo.type_v1<!vhlo.f32_v1>]>, f = #vhlo<precision_v1 HIGH>, g = #vhlo.result_accuracy_v1<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 0, mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>} : () -> ()
