// RUN: convert --emit=mlirbc -o %t --expect "discardable attribute 'start_index_map' of 'stablehlo.gather' has the name of an attribute of 'vhlo.gather_v2'" --expect "rename or remove it" --expect ":12:" %s
// EXIT: 1
// RUN: convert --emit=vhlo --expect "[blocked]" %s
// EXIT: 1
// RUN: convert --emit=generic %s
// RUN: roundtrip %s
// In StableHLO the fields of a struct attribute are names like any other; in VHLO they are attributes of the op.
func.func @main(%arg0: tensor<5x4xi32>, %arg1: tensor<3x1xi32>) -> tensor<3x4xi32> {
  %0 = "stablehlo.gather"(%arg0, %arg1) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>,
    start_index_map = true
  } : (tensor<5x4xi32>, tensor<3x1xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}
