// RUN: verify --from=current --expect "stablehlo.sub"
// `sub` does not exist any more at the version that the program claims.
func.func @main(%arg0: tensor<i32>) -> tensor<i32> attributes {stablehlo.compat_version = 75 : i32} {
  %0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
