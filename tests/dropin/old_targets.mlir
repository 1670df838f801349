// RUN: opt --stablehlo-compatibility-expander=target=1.0.0 -mlir-print-debuginfo
// RUN: opt --stablehlo-compatibility-expander=target=1.9.0 -mlir-print-debuginfo
// RUN: translate --serialize --target=current -o %t %s
// RUN: translate --deserialize -mlir-print-debuginfo %t
// RUN: translate --deserialize -mlir-print-debuginfo -strip-debuginfo %t
// What the reference changes for an old target, and what it leaves: a gather whose indices have a dynamic shape.

module {
  func.func @static(%a: tensor<127x2xf32>, %i: tensor<127x1xi8>) -> tensor<127xf32> {
    %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<127x2xf32>, tensor<127x1xi8>) -> tensor<127xf32>
      loc(fused["a", callsite("b"("m.py":1:2 to 3:4) at "m.py":5:6 to :7)])
    return %0 : tensor<127xf32> loc("m.py":8:9)
  } loc("m.py":1:1 to :3)
  func.func @dynamic(%a: tensor<?x2xf32> loc("m.py":2:1 to :3), %i: tensor<?x1xi8>) -> tensor<?xf32> {
    %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<?x2xf32>, tensor<?x1xi8>) -> tensor<?xf32> loc("m.py":3:1)
    return %0 : tensor<?xf32> loc("m.py":3:1)
  } loc("m.py":3:1)
} loc("m.py":3:1)
