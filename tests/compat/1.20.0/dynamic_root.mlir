// RUN: roundtrip
// RUN: convert --target=1.19.0 --expect "has 2 operands, but the target allows 1" --expect "attribute 'has_dynamic_root' is true" --expect "lowest possible target for this program: 1.20.0 (73)"
// EXIT: 1
// A broadcast whose root is an operand. The shape before had one operand and no such attribute: both are
// named when it is refused.
module attributes {stablehlo.compat_version = 73 : i64} {
  func.func @main(%arg0: tensor<16x8xf32>, %arg1: tensor<1xi32>) -> tensor<16x8xf32> {
    %0 = "stablehlo.collective_broadcast"(%arg0, %arg1) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      has_dynamic_root
    } : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16x8xf32>
    func.return %0 : tensor<16x8xf32>
  }
}
