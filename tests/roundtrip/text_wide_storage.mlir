// RUN: roundtrip
// Storage of 63 bits and more is an error of the verifier in the reference's tools; portable artifacts may have it.
"t.a"() {a = !quant.uniform<i64<-2147483648:2147483647>:f32, 5.000000e-01>, b = !quant.uniform<u64:f32, 5.000000e-01>, c = !quant.uniform<i63:f32, 5.000000e-01>, d = !quant.uniform<i128:f32, 5.000000e-01>, e = !quant.uniform<i62:f32, 5.000000e-01>} : () -> ()
