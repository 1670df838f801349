// Mistakes in each op that takes more than element-wise operands, by the hundred.
#include "eval/naive/damage.h"

namespace shlo::naive {
namespace {

// A valid program of each op.
std::vector<OneOp> ValidOps() {
  const Values matrix = Of("f32", {3, 4}), vector = Of("i64", {2}, {1, 2}), scalar = Of("f32", {}),
               index = Of("i32", {});
  const std::string m = TypeText(matrix), add = Body("stablehlo.add", "f32");
  const std::string conv =
      "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, "
      "batch_group_count = 1 : i64, window_strides = array<i64: 1>, lhs_dilation = array<i64: 1>, "
      "rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>";
  const std::string gather =
      "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
      "start_index_map = [0], index_vector_dim = 1>";
  const std::string batched =
      "dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], "
      "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>";
  const std::string dot =
      "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = "
      "[0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>";
  const std::string ragged =
      "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], "
      "rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = "
      "[1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>";
  const std::string norm = "epsilon = 1.0e-01 : f32, feature_index = 1 : i64";
  const Values four = Of("f32", {4}, {0x3F800000});
  const std::string f = TypeText(four);
  return {
      {"stablehlo.add", {matrix, matrix}, {m}, "", ""},
      {"stablehlo.select", {Of("i1", {3, 4}), matrix, matrix}, {m}, "", ""},
      {"stablehlo.clamp", {scalar, matrix, scalar}, {m}, "", ""},
      {"stablehlo.convert", {matrix}, {"tensor<3x4xi32>"}, "", ""},
      {"stablehlo.complex", {matrix, matrix}, {"tensor<3x4xcomplex<f32>>"}, "", ""},
      {"stablehlo.compare",
       {matrix, matrix},
       {"tensor<3x4xi1>"},
       "comparison_direction = #stablehlo<comparison_direction LT>",
       ""},
      {"stablehlo.reduce_precision", {matrix}, {m}, "exponent_bits = 4 : i32, mantissa_bits = 3 : i32", ""},
      {"chlo.broadcast_add", {matrix, four}, {m}, "broadcast_dimensions = array<i64: 1>", ""},
      {"stablehlo.reshape", {matrix}, {"tensor<12xf32>"}, "", ""},
      {"stablehlo.dynamic_reshape", {matrix, Of("i32", {2}, {4, 3})}, {"tensor<?x?xf32>"}, "", ""},
      {"stablehlo.transpose", {matrix}, {"tensor<4x3xf32>"}, "permutation = array<i64: 1, 0>", ""},
      {"stablehlo.broadcast_in_dim",
       {matrix},
       {"tensor<2x3x4xf32>"},
       "broadcast_dimensions = array<i64: 1, 2>",
       ""},
      {"stablehlo.dynamic_broadcast_in_dim",
       {four, Of("i64", {2}, {2, 4})},
       {"tensor<?x?xf32>"},
       "broadcast_dimensions = array<i64: 1>",
       ""},
      {"stablehlo.broadcast", {matrix}, {"tensor<2x3x4xf32>"}, "broadcast_sizes = array<i64: 2>", ""},
      {"stablehlo.slice",
       {matrix},
       {"tensor<2x2xf32>"},
       "start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 2>",
       ""},
      {"stablehlo.real_dynamic_slice",
       {matrix, Of("i64", {2}, {0, 1}), Of("i64", {2}, {2, 4}), Of("i64", {2}, {1, 2})},
       {"tensor<?x?xf32>"},
       "",
       ""},
      {"stablehlo.dynamic_slice",
       {matrix, index, index},
       {"tensor<2x2xf32>"},
       "slice_sizes = array<i64: 2, 2>",
       ""},
      {"stablehlo.dynamic_update_slice", {matrix, Of("f32", {2, 2}), index, index}, {m}, "", ""},
      {"stablehlo.pad",
       {matrix, scalar},
       {"tensor<5x7xf32>"},
       "edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = "
       "array<i64: 0, 1>",
       ""},
      {"stablehlo.dynamic_pad", {matrix, scalar, vector, vector, vector}, {"tensor<?x?xf32>"}, "", ""},
      {"stablehlo.concatenate", {matrix, matrix}, {"tensor<6x4xf32>"}, "dimension = 0 : i64", ""},
      {"stablehlo.reverse", {matrix}, {m}, "dimensions = array<i64: 1>", ""},
      {"stablehlo.iota", {}, {m}, "iota_dimension = 1 : i64", ""},
      {"stablehlo.dynamic_iota", {vector}, {"tensor<?x?xf32>"}, "iota_dimension = 1 : i64", ""},
      {"stablehlo.get_dimension_size", {matrix}, {"tensor<i32>"}, "dimension = 1 : i64", ""},
      {"stablehlo.set_dimension_size",
       {matrix, index},
       {"tensor<?x4xf32, #stablehlo.bounds<3, ?>>"},
       "dimension = 0 : i64",
       ""},
      {"stablehlo.bitcast_convert", {Of("i32", {2})}, {"tensor<2x4xi8>"}, "", ""},
      {"stablehlo.bitcast_convert", {Of("i8", {2, 4})}, {"tensor<2xi32>"}, "", ""},
      {"stablehlo.gather",
       {matrix, Of("i32", {2, 1})},
       {"tensor<2x4xf32>"},
       gather + ", slice_sizes = array<i64: 1, 4>",
       ""},
      {"stablehlo.gather",
       {matrix, Of("i32", {3, 1})},
       {"tensor<3x2xf32>"},
       batched + ", slice_sizes = array<i64: 1, 2>",
       ""},
      {"stablehlo.dynamic_gather",
       {matrix, Of("i32", {2, 1}), Of("i64", {2}, {1, 4})},
       {"tensor<?x?xf32>"},
       gather,
       ""},
      {"stablehlo.torch_index_select",
       {matrix, Of("i32", {3, 2})},
       {"tensor<3x2xf32>"},
       "dim = 1 : i64, batch_dims = 1 : i64",
       ""},
      {"stablehlo.scatter",
       {matrix, Of("i32", {2, 1}), Of("f32", {2, 4})},
       {m},
       "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
       "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>",
       add},
      {"stablehlo.scatter",
       {matrix, Of("i32", {3, 1}), Of("f32", {3, 2})},
       {m},
       "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], "
       "scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>",
       add},
      {"stablehlo.reduce", {matrix, scalar}, {"tensor<4xf32>"}, "dimensions = array<i64: 0>", add},
      {"stablehlo.reduce_window",
       {matrix, scalar},
       {"tensor<2x4xf32>"},
       "window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: "
       "1, 1>, "
       "window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>",
       add},
      {"stablehlo.select_and_scatter",
       {matrix, Of("f32", {2, 4}), scalar},
       {m},
       "window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], "
       "[0, 0]]> : "
       "tensor<2x2xi64>",
       Body("stablehlo.compare", "f32", "i1") + ", " + add},
      {"stablehlo.map", {matrix, matrix}, {m}, "dimensions = array<i64: 0, 1>", add},
      {"stablehlo.sort",
       {matrix},
       {m},
       "dimension = 1 : i64, is_stable = true",
       Body("stablehlo.compare", "f32", "i1")},
      {"chlo.top_k", {matrix}, {"tensor<3x2xf32>", "tensor<3x2xi32>"}, "k = 2 : i64", ""},
      {"chlo.scan",
       {Of("f32", {3}), scalar},
       {"tensor<3xf32>", "tensor<f32>"},
       "dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes "
       "= array<i32: 1, 1>",
       "{\n^bb0(%x: tensor<f32>, %c: tensor<f32>):\n  \"stablehlo.return\"(%x, %c) : (tensor<f32>, "
       "tensor<f32>) -> ()\n}"},
      {"stablehlo.if",
       {Of("i1", {})},
       {"tensor<i1>"},
       "",
       "{\n  \"stablehlo.return\"(%a0) : (tensor<i1>) -> ()\n}, {\n  \"stablehlo.return\"(%a0) : "
       "(tensor<i1>) -> ()\n}"},
      {"stablehlo.case",
       {index},
       {"tensor<i32>"},
       "",
       "{\n  \"stablehlo.return\"(%a0) : (tensor<i32>) -> ()\n}"},
      {"stablehlo.while",
       {Of("i1", {})},
       {"tensor<i1>"},
       "",
       "{\n^bb0(%x: tensor<i1>):\n  \"stablehlo.return\"(%x) : (tensor<i1>) -> ()\n}, {\n^bb0(%x: "
       "tensor<i1>):\n  %n = "
       "\"stablehlo.not\"(%x) : (tensor<i1>) -> tensor<i1>\n  \"stablehlo.return\"(%n) : (tensor<i1>) -> "
       "()\n}"},
      {"stablehlo.while",
       {Of("i1", {1})},
       {"tensor<1xi1>"},
       "",
       "{\n^bb0(%x: tensor<1xi1>):\n  %r = \"stablehlo.reshape\"(%x) : (tensor<1xi1>) -> tensor<i1>\n  "
       "\"stablehlo.return\"(%r) : (tensor<i1>) -> ()\n}, {\n^bb0(%x: tensor<1xi1>):\n  %n = "
       "\"stablehlo.not\"(%x) : "
       "(tensor<1xi1>) -> tensor<1xi1>\n  \"stablehlo.return\"(%n) : (tensor<1xi1>) -> ()\n}"},
      {"stablehlo.dot_general", {Of("f32", {2, 3, 4}), Of("f32", {2, 4, 5})}, {"tensor<2x3x5xf32>"}, dot, ""},
      {"stablehlo.dot", {matrix, Of("f32", {4, 2})}, {"tensor<3x2xf32>"}, "", ""},
      {"stablehlo.einsum",
       {matrix, Of("f32", {4, 2})},
       {"tensor<3x2xf32>"},
       "einsum_config = \"ij,jk->ik\"",
       ""},
      {"stablehlo.unary_einsum", {matrix}, {"tensor<3xf32>"}, "einsum_config = \"ij->i\"", ""},
      {"chlo.ragged_dot", {matrix, Of("f32", {2, 4, 5}), vector}, {"tensor<3x5xf32>"}, ragged, ""},
      {"stablehlo.convolution",
       {Of("f32", {1, 5, 2}), Of("f32", {2, 2, 3})},
       {"tensor<1x4x3xf32>"},
       conv + ", padding = dense<[[0, 0]]> : tensor<1x2xi64>",
       ""},
      {"stablehlo.dynamic_conv",
       {Of("f32", {1, 5, 2}), Of("f32", {2, 2, 3}), Of("i64", {1, 2}, {0, 0})},
       {"tensor<?x?x?xf32>"},
       conv,
       ""},
      {"stablehlo.cholesky", {Of("f32", {2, 2}, {0x3F800000, 0})}, {"tensor<2x2xf32>"}, "lower = true", ""},
      {"stablehlo.triangular_solve",
       {Of("f32", {2, 2}, {0x3F800000}), Of("f32", {2, 3})},
       {"tensor<2x3xf32>"},
       "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>",
       ""},
      {"stablehlo.fft",
       {Of("complex<f32>", {2, 4})},
       {"tensor<2x4xcomplex<f32>>"},
       "fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>",
       ""},
      {"stablehlo.fft",
       {Of("f32", {2, 4})},
       {"tensor<2x3xcomplex<f32>>"},
       "fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>",
       ""},
      {"stablehlo.fft",
       {Of("complex<f32>", {2, 3})},
       {"tensor<2x4xf32>"},
       "fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4>",
       ""},
      {"stablehlo.batch_norm_inference", {matrix, four, four, four, four}, {m}, norm, ""},
      {"stablehlo.batch_norm_training", {matrix, four, four}, {m, f, f}, norm, ""},
      {"stablehlo.batch_norm_grad", {matrix, four, four, four, matrix}, {m, f, f}, norm, ""},
      {"stablehlo.rng_bit_generator",
       {Of("ui64", {2})},
       {"tensor<2xui64>", "tensor<3xui32>"},
       "rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>",
       ""},
      {"stablehlo.rng_bit_generator",
       {Of("ui64", {3})},
       {"tensor<3xui64>", "tensor<3xui32>"},
       "rng_algorithm = #stablehlo<rng_algorithm PHILOX>",
       ""},
      {"stablehlo.rng",
       {scalar, scalar, vector},
       {"tensor<1x2xf32>"},
       "rng_distribution = #stablehlo<rng_distribution UNIFORM>",
       ""},
      {"stablehlo.tuple", {matrix}, {"tuple<" + m + ">"}, "", ""},
      {"stablehlo.optimization_barrier", {matrix}, {m}, "", ""},
      {"chlo.constant_like", {matrix}, {m}, "value = 1.0 : f32", ""},
      {"stablehlo.constant", {}, {m}, "value = dense<1.0> : " + m, ""},
      {"mhlo.topk", {matrix}, {"tensor<3x2xf32>", "tensor<3x2xi32>"}, "k = 2 : i64, largest = true", ""},
      {"mhlo.erf", {matrix}, {m}, "", ""},
      {"stablehlo.uniform_quantize",
       {matrix},
       {"tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>"},
       "",
       ""},
      {"check.expect_eq", {matrix, matrix}, {}, "", ""},
      {"check.expect_eq_const", {matrix}, {}, "value = dense<1.0> : " + m, ""},
      {"check.expect_almost_eq", {matrix, matrix}, {}, "tolerance = 1.0e-3 : f64", ""},
      {"check.expect_almost_eq_const", {matrix}, {}, "value = dense<1.0> : " + m, ""},
      {"check.expect_close",
       {matrix, matrix},
       {},
       "max_ulp_difference = 3 : i64, min_ulp_difference = 0 : i64",
       ""},
      {"stablehlo.custom_call", {matrix}, {m}, "call_target_name = \"Sharding\"", ""},
      {"stablehlo.custom_call", {matrix}, {m}, "call_target_name = \"mhlo.erf\"", ""},
      {"stablehlo.custom_call", {matrix, matrix}, {}, "call_target_name = \"check.expect_eq\"", ""},
      {"stablehlo.custom_call",
       {Of("i1", {}, {1})},
       {},
       "call_target_name = \"shape_assertion\", error_message = \"no\"",
       ""},
      {"stablehlo.custom_call",
       {matrix, Of("i32", {}, {2})},
       {"tensor<?x?xf32>", "tensor<?x?xi32>"},
       "call_target_name = \"stablehlo.dynamic_top_k\"",
       ""},
      {"stablehlo.custom_call",
       {Of("ui64", {2}), vector},
       {"tensor<2xui64>", "tensor<?x?xui32>"},
       "call_target_name = \"stablehlo.dynamic_rng_bit_generator\", rng_algorithm = #stablehlo<rng_algorithm "
       "DEFAULT>",
       ""},
  };
}

TEST(NaiveDamage, IsRefusedOrHarmless) {
  int refused = 0;
  for (const OneOp& op : ValidOps()) {
    std::vector<Tensor> args;
    for (const Values& operand : op.operands) args.push_back(ToTensor(operand));
    const auto whole = RunText(op.Text(), args);
    EXPECT_TRUE(whole) << op.Text() << Message(whole.error());
    const int of_this = ExpectDamageIsRefusedOrHarmless(op);
    EXPECT_GT(of_this, 0) << op.name;
    refused += of_this;
  }
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace shlo::naive
