// RUN: eval --args "dense<3> : tensor<i32>"
// RUN: eval --args "dense<-1> : tensor<i32>" --expect "result 0 has a negative size -1"
// EXIT: 3
// RUN: eval --args "dense<5> : tensor<i32>" --expect "size 5 of dimension 0 exceeds its bound 4"
// EXIT: 3
// A dimension with a bound can shrink and grow, also from one iteration of a loop to the next.
func.func @main(%n: tensor<i32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %buffer = stablehlo.constant dense<[[7, 7], [8, 8], [9, 9], [9, 9]]> : tensor<4x2xi32>
  %b = stablehlo.set_dimension_size %buffer, %n, dim = 0 : (tensor<4x2xi32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  %size = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  check.expect_eq %size, %n : tensor<i32>
  %none = stablehlo.set_dimension_size %buffer, %c0, dim = 0 : (tensor<4x2xi32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  %loop = stablehlo.while(%it = %none) : tensor<?x2xi32, #stablehlo.bounds<4, ?>>
   cond {
    %m = stablehlo.get_dimension_size %it, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
    %lt = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  } do {
    %m = stablehlo.get_dimension_size %it, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
    %more = stablehlo.add %m, %c1 : tensor<i32>
    %grown = stablehlo.set_dimension_size %it, %more, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
    %row = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %set = stablehlo.dynamic_update_slice %grown, %row, %m, %c0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
    stablehlo.return %set : tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  }
  %full = tensor.cast %loop : tensor<?x2xi32, #stablehlo.bounds<4, ?>> to tensor<3x2xi32>
  check.expect_eq_const %full, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi32>
  %taken = "stablehlo.case"(%c1) ({
    %0 = stablehlo.set_dimension_size %b, %c0, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
    stablehlo.return %0 : tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  }, {
    %0 = stablehlo.set_dimension_size %b, %c1, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
    stablehlo.return %0 : tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  }) : (tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  %one = tensor.cast %taken : tensor<?x2xi32, #stablehlo.bounds<4, ?>> to tensor<1x2xi32>
  check.expect_eq_const %one, dense<7> : tensor<1x2xi32>
  // Ops whose result type leaves a size open have that of the operand.
  %sums = stablehlo.reduce(%b init: %c0) applies stablehlo.add across dimensions = [1] : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %wide = stablehlo.broadcast_in_dim %sums, dims = [1] : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<2x?xi32, #stablehlo.bounds<?, 4>>
  %wides = tensor.cast %wide : tensor<2x?xi32, #stablehlo.bounds<?, 4>> to tensor<2x3xi32>
  check.expect_eq_const %wides, dense<[[14, 16, 18], [14, 16, 18]]> : tensor<2x3xi32>
  %flat = stablehlo.reshape %b : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<?xi32, #stablehlo.bounds<8>>
  %flats = tensor.cast %flat : tensor<?xi32, #stablehlo.bounds<8>> to tensor<6xi32>
  check.expect_eq_const %flats, dense<[7, 7, 8, 8, 9, 9]> : tensor<6xi32>
  return
}
