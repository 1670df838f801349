// RUN: roundtrip
// RUN: convert --locations
// Every kind of location that all versions have.
#where = loc("model.py":12:4)
func.func @main(%arg0: tensor<f32> loc("x")) -> tensor<f32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<f32> loc(#where)
  %1 = stablehlo.add %0, %arg0 : tensor<f32> loc("layer"("model.py":13:4))
  %2 = stablehlo.add %1, %arg0 : tensor<f32> loc(callsite("f"(#where) at "model.py":20:1))
  %3 = stablehlo.add %2, %arg0 : tensor<f32> loc(fused["a", "b"])
  %4 = stablehlo.add %3, %arg0 : tensor<f32> loc(unknown)
  return %4 : tensor<f32>
}
