// RUN: roundtrip
// RUN: verify
// RUN: convert --target=1.21.0 --expect "WEAKORDER" --expect "1.22.0 (75)"
// EXIT: 1
// The comparison type that 1.22.0 added. weak_order.mlirbc is its artifact, byte for byte the one of jaxlib 0.12.0:
// for that, every location is stated.
#loc = loc(unknown)
module attributes {stablehlo.compat_version = 75 : i64} {
  func.func @main(%arg0: tensor<4xf32> loc(unknown), %arg1: tensor<4xf32> loc(unknown)) -> tensor<4xi1> {
    %0 = stablehlo.compare LT, %arg0, %arg1, WEAKORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1> loc(#loc)
    return %0 : tensor<4xi1> loc(#loc)
  } loc(#loc)
} loc(#loc)
