// RUN: roundtrip
// Every kind of location, on ops, arguments and functions, and by alias.
#loc = loc("file.py":1:2)
func.func @f(%arg0: tensor<f32> loc("x"), %arg1: tensor<f32> loc(unknown)) -> tensor<f32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<f32> loc(#loc)
  %1 = stablehlo.add %0, %arg1 : tensor<f32> loc("name"("file.py":3:4))
  %2 = stablehlo.add %1, %arg1 : tensor<f32> loc(callsite("f" at callsite("g" at "file.py":5:6)))
  %3 = stablehlo.add %2, %arg1 : tensor<f32> loc(fused["a", "file.py":7:8])
  %4 = stablehlo.add %3, %arg1 : tensor<f32> loc(fused<"meta">["a", unknown])
  %5 = stablehlo.add %4, %arg1 : tensor<f32> loc("file.py":9:1 to :5)
  %6 = stablehlo.add %5, %arg1 : tensor<f32> loc("file.py":9:1 to 10:5)
  return %6 : tensor<f32> loc(unknown)
} loc("file.py":0:0)
