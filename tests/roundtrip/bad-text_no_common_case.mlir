// RUN: verify --expect "no version contains both 'stablehlo.sub' (removed after 39) and comparison_type 'WEAKORDER'"
// EXIT: 3
%0 = "t.def"() : () -> tensor<f32>
%1 = "stablehlo.sub"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
%2 = "stablehlo.compare"(%0, %0) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type WEAKORDER>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
