// Loops: a counted one over a tensor, one bounded by an argument, and one that ends by its data.
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>, %start: tensor<i64>) -> (tensor<4xf32>, tensor<i32>, tensor<i64>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<5> : tensor<i32>
  %half = stablehlo.constant dense<5.0e-01> : tensor<4xf32>
  %a:2 = stablehlo.while(%i = %zero, %acc = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %h = stablehlo.multiply %acc, %half : tensor<4xf32>
    %s = stablehlo.add %h, %x : tensor<4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, tensor<4xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %acc = %one) : tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %m = stablehlo.multiply %acc, %three : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %m : tensor<i32>, tensor<i32>
  }
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %d = stablehlo.while(%v = %start) : tensor<i64>
  cond {
    %c = stablehlo.compare GT, %v, %ten, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %q = stablehlo.divide %v, %two : tensor<i64>
    stablehlo.return %q : tensor<i64>
  }
  return %a#1, %b#1, %d : tensor<4xf32>, tensor<i32>, tensor<i64>
}
