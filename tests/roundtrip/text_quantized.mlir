// RUN: roundtrip
// Quantized types: whole, per axis, with bounds of their own, unsigned, with a scale of many digits.
func.func private @whole(tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>, tensor<!quant.uniform<u4:f32, 5.000000e-01>>)
func.func private @axis(tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e+00, 2.000000e+00:3, 0.33333333333333331:-4}>>)
func.func private @bounds(tensor<!quant.uniform<i8<-127:127>:f32, 0.0039215686274509803:-128>>)
