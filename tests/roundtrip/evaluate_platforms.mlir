// RUN: eval --args "dense<5> : tensor<i32>"
// RUN: eval --args "dense<5> : tensor<i32>" --platform-index 1
// RUN: eval --args "dense<1> : tensor<i32>" "dense<5> : tensor<i32>"
// jax exports a program for several platforms with the position of the platform as an argument that callers
// do not pass: 5 on the first platform, -5 on the second.
func.func @main(%platform: tensor<i32> {jax.global_constant = "_platform_index"}, %x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%platform) ({
    stablehlo.return %x : tensor<i32>
  }, {
    %n = stablehlo.negate %x : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
