// RUN: opt --hlo-test-broadcast -allow-unregistered-dialect -split-input-file -verify-diagnostics
// Broadcasting as the reference's own tests ask for it.

func.func @bounded(%x: tensor<?x1xf32, #stablehlo.bounds<4, ?>>, %y: tensor<3xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%x, %y) : (tensor<?x1xf32, #stablehlo.bounds<4, ?>>, tensor<3xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @empty() -> !stablehlo.token {
  // expected-error @+1 {{requires at least one operand to broadcast}}
  %0 = "hlo_test_broadcast.numpy_broadcast"() : () -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @token(%x: tensor<2xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  // expected-error @+1 {{expected ranked tensor type for broadcast inputs}}
  %0 = "hlo_test_broadcast.numpy_broadcast"(%x, %t) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
