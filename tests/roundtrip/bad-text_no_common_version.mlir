// RUN: verify --expect "no version contains both"
// EXIT: 3
%0 = "t.def"() : () -> tensor<i32>
%1 = "stablehlo.sub"(%0, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
%2 = "stablehlo.subtract"(%0, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
