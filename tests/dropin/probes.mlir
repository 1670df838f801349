// RUN: opt --interpreter-instrument-with-probe
// RUN: opt --interpreter-instrument-with-probe=useDebugInfo
// RUN: opt --interpreter-instrument-with-probe=useDebugInfo=maybe --expect "expected true or false for 'useDebugInfo'"
// EXIT: 1
// A probe after each op with a static tensor of numbers: ops in regions first.

func.func @main(%a: tensor<2xf32>, %d: tensor<?xf32>, %q: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<2xf32>, tensor<?xf32>, tensor<2xf32>) {
  %0 = stablehlo.abs %a : tensor<2xf32> loc("model.py@12")
  %1:2 = "stablehlo.while"(%0, %a) ({
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
    %n = stablehlo.add %x, %y : tensor<2xf32> loc("sum")
    stablehlo.return %n, %y : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %2 = stablehlo.abs %d : tensor<?xf32>
  %3 = stablehlo.negate %q : tensor<2x!quant.uniform<i8:f32, 0.5>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  %5 = call @callee(%4) : (tensor<2xf32>) -> tensor<2xf32>
  return %1#1, %2, %5 : tensor<2xf32>, tensor<?xf32>, tensor<2xf32>
}
func.func private @callee(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
