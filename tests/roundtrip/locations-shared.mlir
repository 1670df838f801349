// RUN: convert --locations
// Locations that contain each other are printed once, under the names that jaxlib gives them: those of arguments before
// the program, the others after it.
func.func @main(%arg0: tensor<f32> loc("x"("model.py":1:2))) -> tensor<f32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<f32> loc("a"(callsite("model.py":3:4 at "model.py":1:2)))
  %1 = stablehlo.add %0, %arg0 : tensor<f32> loc("b"(callsite("model.py":3:4 at "model.py":1:2)))
  return %1 : tensor<f32> loc(callsite("model.py":3:4 at "model.py":1:2))
} loc("main")
