// RUN: convert --fold %s
// RUN: convert --fold --fold-limit 3 %s
// RUN: convert --fold -o %t.mlir %s
// RUN: prove %s %t.mlir

// What follows from constants is computed, loops included; values from arguments, effects and ops that give
// other values at each run stay; so does what is larger than the limit.
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<2x2xi1>) {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  %2 = stablehlo.multiply %arg0, %1 : tensor<4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %sum:2 = stablehlo.while(%i = %zero, %a = %zero) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %b = stablehlo.add %a, %j : tensor<i32>
      stablehlo.return %j, %b : tensor<i32>, tensor<i32>
    }
  // Known inside of a loop that is not.
  %x:2 = stablehlo.while(%i = %zero, %a = %arg0) : tensor<i32>, tensor<4xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.add %one, %one : tensor<i32>
      %j = stablehlo.add %i, %two : tensor<i32>
      %b = stablehlo.add %a, %1 : tensor<4xf32>
      stablehlo.return %j, %b : tensor<i32>, tensor<4xf32>
    }
  %big = stablehlo.iota dim = 0 : tensor<70000xi32>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.reduce(%big init: %start) applies stablehlo.maximum across dimensions = [0] : (tensor<70000xi32>, tensor<i32>) -> tensor<i32>
  %both = stablehlo.add %last, %sum#1 : tensor<i32>
  %t = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %nt = stablehlo.not %t : tensor<2x2xi1>
  %l = stablehlo.add %x#1, %2 : tensor<4xf32>
  %barrier = stablehlo.optimization_barrier %zero : tensor<i32>
  %r = stablehlo.add %both, %barrier : tensor<i32>
  return %l, %r, %nt : tensor<4xf32>, tensor<i32>, tensor<2x2xi1>
}
