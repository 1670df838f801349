// RUN: opt --hlo-test-infer -allow-unregistered-dialect
// Types and shapes of results, as the reference's own tests ask for them. Questions without an answer stay.

func.func @types(%p: tensor<i1>, %x: tensor<2x?xf32>, %y: tensor<2x4xf32>, %t: !stablehlo.token) -> tensor<1xi32> {
  %0 = stablehlo.add %x, %y : (tensor<2x?xf32>, tensor<2x4xf32>) -> tensor<?x?xf32>
  %1 = "chlo.broadcast_select"(%p, %y, %y) : (tensor<i1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.after_all %t : !stablehlo.token
  %s = "test.source"() : () -> tensor<2x?xf32, #stablehlo.bounds<?, ?>>
  %3 = "stablehlo.concatenate"(%s, %s) {dimension = 0 : i64} : (tensor<2x?xf32, #stablehlo.bounds<?, ?>>, tensor<2x?xf32, #stablehlo.bounds<?, ?>>) -> tensor<?x?xf32>
  %4 = stablehlo.custom_call @f(%x) : (tensor<2x?xf32>) -> tensor<2xf32>
  %q0 = "hlo_test_infer.get_return_types"(%0) {kept} : (tensor<?x?xf32>) -> tensor<1xi32>
  %q1 = "hlo_test_infer.get_return_types"(%1) : (tensor<?x?xf32>) -> tensor<1xi32>
  %q2 = "hlo_test_infer.get_return_types"(%2) : (!stablehlo.token) -> tensor<1xi32>
  %q3 = "hlo_test_infer.get_return_types"(%3) : (tensor<?x?xf32>) -> tensor<1xi32>
  %q4 = "hlo_test_infer.get_return_types"(%4) : (tensor<2xf32>) -> tensor<1xi32>
  %q5 = "hlo_test_infer.get_return_types"(%x) : (tensor<2x?xf32>) -> tensor<1xi32>
  return %q0 : tensor<1xi32>
}
func.func @like(%x: tensor<?x4xi8>, %u: tensor<*xf32>, %p: tensor<i1>) -> (tensor<2xindex>, tensor<?xindex>, tensor<2xindex>) {
  %0 = stablehlo.convert %x : (tensor<?x4xi8>) -> tensor<?x4xf32>
  %1 = chlo.erf %u : tensor<*xf32> -> tensor<*xf32>
  %2 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<?x4xi8>
  %s0 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4xf32>) -> tensor<2xindex>
  %s1 = "hlo_test_infer.reify_return_type_shapes"(%1) : (tensor<*xf32>) -> tensor<?xindex>
  %s2 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<?x4xi8>) -> tensor<2xindex>
  return %s0, %s1, %s2 : tensor<2xindex>, tensor<?xindex>, tensor<2xindex>
}
func.func @stated(%x: tensor<?xf32>, %d: tensor<2xi64>, %u: tensor<*xi64>) -> (tensor<2xindex>, tensor<2xindex>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [1] : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_iota %d, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  %s0 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  %s1 = "hlo_test_infer.reify_return_type_shapes"(%1) : (tensor<?x?xi32>) -> tensor<2xindex>
  return %s0, %s1 : tensor<2xindex>, tensor<2xindex>
}
func.func @sizes(%x: tensor<3x?xf32>, %z: tensor<f32>, %i: tensor<2xi32>) -> (tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) {
  %0 = stablehlo.pad %x, %z, low = [-1, 2], high = [0, 3], interior = [2, 1] : (tensor<3x?xf32>, tensor<f32>) -> tensor<6x?xf32>
  %1 = stablehlo.real_dynamic_slice %x, %i, %i, %i : (tensor<3x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<3x?xf32>, tensor<3x?xf32>) -> tensor<6x?xf32>
  %s0 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<6x?xf32>) -> tensor<2xindex>
  %s1 = "hlo_test_infer.reify_return_type_shapes"(%1) : (tensor<?x?xf32>) -> tensor<2xindex>
  %s2 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<6x?xf32>) -> tensor<2xindex>
  return %s0, %s1, %s2 : tensor<2xindex>, tensor<2xindex>, tensor<2xindex>
}
func.func @unknown(%x: tensor<?x2xf32>, %y: tensor<?xf32>) -> (tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<?x2xf32>, tensor<?xf32>) -> tensor<?x2xf32>
  %1 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<?x2xf32>, tensor<?xf32>) -> tensor<?x2xf32>
  %2 = stablehlo.custom_call @f(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %s0 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x2xf32>) -> tensor<2xindex>
  %s1 = "hlo_test_infer.reify_return_type_shapes"(%1) : (tensor<?x2xf32>) -> tensor<2xindex>
  %s2 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<?x2xf32>) -> tensor<2xindex>
  return %s0, %s1, %s2 : tensor<2xindex>, tensor<2xindex>, tensor<2xindex>
}
func.func @components(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %y: tensor<4x?xf32>) -> tensor<2xindex> {
  %0 = stablehlo.dot %x, %y : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>, tensor<4x?xf32>) -> tensor<?x?xf64>
  %1 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}
