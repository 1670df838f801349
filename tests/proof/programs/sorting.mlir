// Sorting by key with a payload, the position of the maximum, and the largest numbers.
func.func @main(%k: tensor<2x9xf32>, %v: tensor<2x9xi32>) -> (tensor<2x9xf32>, tensor<2x9xi32>, tensor<2xi32>, tensor<2x3xf32>) {
  %s:2 = "stablehlo.sort"(%k, %v) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x9xf32>, tensor<2x9xi32>) -> (tensor<2x9xf32>, tensor<2x9xi32>)
  %i = stablehlo.iota dim = 1 : tensor<2x9xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %am:2 = stablehlo.reduce(%k init: %low), (%i init: %c0) across dimensions = [1] : (tensor<2x9xf32>, tensor<2x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = stablehlo.or %gt, %nan : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %eq, %lt : tensor<i1>
    %pick = stablehlo.or %first, %tie : tensor<i1>
    %m = stablehlo.select %first, %a, %b : tensor<i1>, tensor<f32>
    %n = stablehlo.select %pick, %c, %d : tensor<i1>, tensor<i32>
    stablehlo.return %m, %n : tensor<f32>, tensor<i32>
  }
  %t = stablehlo.slice %s#0 [0:2, 1:4] : (tensor<2x9xf32>) -> tensor<2x3xf32>
  return %s#0, %s#1, %am#1, %t : tensor<2x9xf32>, tensor<2x9xi32>, tensor<2xi32>, tensor<2x3xf32>
}
