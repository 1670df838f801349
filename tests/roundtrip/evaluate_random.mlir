// RUN: eval
// Bits of rng_bit_generator; expected values are what XLA on a CPU gives for the same state.
func.func @main() {
  %state = stablehlo.constant dense<[8589934593, 17179869187]> : tensor<2xui64>
  %s0, %o0 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s0, dense<[8589934593, 17179869189]> : tensor<2xui64>
  check.expect_eq_const %o0, dense<[0x1e8fe864, 0x4d5e0bd7, 0x4b87c9be, 0x2d689201, 0x5273487b]> : tensor<5xui32>
  %s1, %o1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  check.expect_eq_const %s1, dense<[8589934593, 17179869193]> : tensor<2xui64>
  check.expect_eq_const %o1, dense<[[0x5df433ec, 0x2c24a8a8, 0x91386643], [0x8617198e, 0x9094fa5e, 0x59491919], [0x4f97fb5b, 0xed54bb55, 0xe339716a]]> : tensor<3x3xui32>
  %s2, %o2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>)
  check.expect_eq_const %o2, dense<[0x8617198e5df433ec, 0x9094fa5e2c24a8a8]> : tensor<2xui64>
  %s3, %o3 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui8>)
  check.expect_eq_const %s3, dense<[8589934593, 17179869189]> : tensor<2xui64>
  check.expect_eq_const %o3, dense<[0x64, 0xd7, 0xbe, 0x01, 0x7b, 0x96]> : tensor<6xui8>
  return
}
