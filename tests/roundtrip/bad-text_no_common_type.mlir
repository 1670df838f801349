// RUN: verify --expect "no version contains both 'stablehlo.sub' (removed after 39) and type 'f8E3M4'"
// EXIT: 3
%0 = "t.def"() : () -> tensor<f32>
%1 = "stablehlo.sub"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
%2 = "stablehlo.constant"() {value = dense<1.0> : tensor<f8E3M4>} : () -> tensor<f8E3M4>
