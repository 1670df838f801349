// RUN: verify --expect "stablehlo.ad"
// EXIT: 3
%0 = "t.def"() : () -> tensor<f32>
%1 = "stablehlo.ad"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
