// RUN: opt --stablehlo-legalize-composite-to-call
// RUN: opt --stablehlo-legalize-composite-to-call=except=my.op
// RUN: opt --stablehlo-wrap-in-composite='op-names=stablehlo.add,stablehlo.reduce,stablehlo.cholesky,stablehlo.if,stablehlo.nothing version=2'
// RUN: opt --stablehlo-wrap-in-composite=op-names=stablehlo.if --expect "'stablehlo.if' is not wrapped: it depends on what is around it"
// RUN: opt --stablehlo-wrap-in-composite=op-names=stablehlo.nothing --expect "Unknown op name in opNamesOption: 'stablehlo.nothing' is not a registered operation."
// RUN: opt --stablehlo-wrap-in-composite=version=x --expect "expected a number for 'version'"
// EXIT: 1
// Composites as calls, and ops as composites: functions have names that are free, and an op that uses values around it
// stays.

func.func private @stablehlo.add.impl(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @main(%a: tensor<2xf32>, %m: tensor<2x2xf32>, %p: tensor<i1>) -> (tensor<2xf32>, tensor<f32>, tensor<2x2xf32>, tensor<2xf32>) {
  %0 = stablehlo.composite "my.op" %a {decomposition = @stablehlo.add.impl, composite_attributes = {k = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %a {note = "kept"} : tensor<2xf32>
  %2 = stablehlo.add %1, %1 : tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.cholesky %m, lower = true : tensor<2x2xf32>
  %5 = "stablehlo.if"(%p) ({
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %6 = stablehlo.composite "other.op" %a {decomposition = @stablehlo.add.impl} : (tensor<2xf32>) -> tensor<2xf32>
  return %2, %3, %4, %5 : tensor<2xf32>, tensor<f32>, tensor<2x2xf32>, tensor<2xf32>
}
