// RUN: roundtrip
// RUN: verify
// RUN: convert --target=1.20.0 --expect "algorithm computes several products per operand pair of 8-bit floats" --expect "target 1.21.0 (74) or newer" --expect "target for this program: 1.21.0 (74)"
// EXIT: 1
// Dot algorithms of f8E4M3FN in 3 and 4 products, which 1.21.0 added. With one product such an algorithm is older:
// tests/roundtrip/ has it.
module attributes {stablehlo.compat_version = 74 : i64} {
  func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0],
      algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = f32,
                   lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3,
                   allow_imprecise_accumulation = false>
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.dot_general %0, %arg0, contracting_dims = [1] x [0],
      algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = f32,
                   lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 4,
                   allow_imprecise_accumulation = false>
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %1 : tensor<4x4xf32>
  }
}
