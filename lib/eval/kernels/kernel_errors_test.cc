// The words for mistakes that the verifier would find, too, beyond those of one op in naive/words_test.cc:
// evaluation does not depend on it.
#include "eval/test_errors.h"

namespace shlo {
namespace {

TEST(KernelErrors, Words) {
  const ErrorRow rows[] = {
      // Element-wise ops.
      {"%x: tensor<2xf32>", R"(%0 = "stablehlo.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.add: expected 2 operands and 1 result"},
      {"%x: tensor<2xf32>", R"("stablehlo.negate"(%x) : (tensor<2xf32>) -> ())",
       "stablehlo.negate: expected 1 operand and 1 result"},
      {"%x: tensor<2xf32>",
       R"(%0 = "stablehlo.select"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.select: expected 3 operands and 1 result"},
      {"%x: tensor<2xf32>", R"(%0 = "chlo.broadcast_add"(%x) : (tensor<2xf32>) -> tensor<2xf32>)",
       "chlo.broadcast_add: expected 2 operands and 1 result"},
      {"%x: tensor<2xf32>, %y: tensor<2xf64>",
       R"(%0 = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>)",
       "stablehlo.add: operand types differ: tensor<2xf32> and tensor<2xf64>"},
      {"%x: tensor<2xf32>, %y: tensor<2xf64>",
       R"(%0 = "chlo.broadcast_add"(%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>)",
       "chlo.broadcast_add: operand types differ: tensor<2xf32> and tensor<2xf64>"},
      {"%x: tensor<2xf32>, %y: tensor<2xf64>",
       R"(%0 = "stablehlo.clamp"(%x, %x, %y) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>)",
       "stablehlo.clamp: operand types differ: tensor<2xf32> and tensor<2xf64>"},
      {"%p: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf64>",
       R"(%0 = "stablehlo.select"(%p, %x, %y) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>)",
       "stablehlo.select: operand types differ: tensor<2xf32> and tensor<2xf64>"},
      {"%p: tensor<2xi8>, %x: tensor<2xf32>",
       R"(%0 = "stablehlo.select"(%p, %x, %x) : (tensor<2xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.select: elements of type i8 are not supported"},
      // Attributes and index tensors.
      {"%x: tensor<2x3xf32>",
       R"(%0 = "stablehlo.transpose"(%x) {permutation = array<f32: 1.0, 0.0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>)",
       "stablehlo.transpose: attribute 'permutation' is not a list of integers"},
      {"%x: tensor<2x3xf32>, %v: tensor<3xf32>",
       R"(%0 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) {epsilon = 1.0 : f80, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>)",
       "stablehlo.batch_norm_inference: attribute 'epsilon' has an unsupported float type"},
      {"%x: tensor<2xf32>",
       R"("check.expect_almost_eq"(%x, %x) {tolerance = 1.0 : f80} : (tensor<2xf32>, tensor<2xf32>) -> ())",
       "check.expect_almost_eq: attribute 'tolerance' has an unsupported float type"},
      {"%x: tensor<2xf32>",
       R"(%s = "stablehlo.constant"() {value = dense<1> : tensor<134217729xi64>} : () -> tensor<134217729xi64>
          %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<2xf32>, tensor<134217729xi64>) -> tensor<?xf32>)",
       "stablehlo.dynamic_reshape: index tensor exceeds the limit of 134217728 elements"},
      // Loops over scalars, whose first or second argument differs from the operand.
      {"%x: tensor<i32>",
       R"(%0 = "stablehlo.while"(%x) ({
          ^bb0(%a: tensor<i64>):
            %p = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
            "stablehlo.return"(%p) : (tensor<i1>) -> ()
          }, {
          ^bb0(%a: tensor<i64>):
            %c = "stablehlo.convert"(%a) : (tensor<i64>) -> tensor<i32>
            "stablehlo.return"(%c) : (tensor<i32>) -> ()
          }) : (tensor<i32>) -> tensor<i32>)",
       "stablehlo.while: region argument 0 has type tensor<i64>, but the value has type tensor<i32>"},
      {"%x: tensor<i64>, %y: tensor<i32>",
       R"(%0:2 = "stablehlo.while"(%x, %y) ({
          ^bb0(%a: tensor<i64>, %b: tensor<f32>):
            %p = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
            "stablehlo.return"(%p) : (tensor<i1>) -> ()
          }, {
          ^bb0(%a: tensor<i64>, %b: tensor<f32>):
            %c = "stablehlo.convert"(%b) : (tensor<f32>) -> tensor<i32>
            "stablehlo.return"(%a, %c) : (tensor<i64>, tensor<i32>) -> ()
          }) : (tensor<i64>, tensor<i32>) -> (tensor<i64>, tensor<i32>))",
       "stablehlo.while: region argument 1 has type tensor<f32>, but the value has type tensor<i32>"},
      // Contractions, convolutions and transforms.
      {"%l: tensor<3x4xf32>, %r: tensor<2x4x5xf32>, %s: tensor<2xi64>",
       R"(%0 = "chlo.ragged_dot"(%l, %r, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [], rhs_group_dimensions = [0]>} : (tensor<3x4xf32>, tensor<2x4x5xf32>, tensor<2xi64>) -> tensor<3x5xf32>)",
       "chlo.ragged_dot: expected 1 ragged dimension and at most 1 group dimension"},
      {"%l: tensor<3x4xf32>, %r: tensor<2x4x5xf32>, %s: tensor<2xi64>",
       R"(%0 = "chlo.ragged_dot"(%l, %r, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<3x4xf32>, tensor<2x4x5xf32>, tensor<2xi64>) -> tensor<3x5xf32>)",
       "chlo.ragged_dot: rhs has no group dimension"},
      // A ragged contracting dimension is divided in both operands, so they must agree on it.
      {"%l: tensor<3x4xf32>, %r: tensor<2x5xf32>, %s: tensor<2xi64>",
       R"(%0 = "chlo.ragged_dot"(%l, %r, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<3x4xf32>, tensor<2x5xf32>, tensor<2xi64>) -> tensor<2x3x5xf32>)",
       "chlo.ragged_dot: sizes of contracting dimensions differ"},
      {"%l: tensor<3x4xf32>, %r: tensor<2x5xf32>, %s: tensor<2xi64>",
       R"(%0 = "chlo.ragged_dot"(%l, %r, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [9], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<3x4xf32>, tensor<2x5xf32>, tensor<2xi64>) -> tensor<2x3x5xf32>)",
       "chlo.ragged_dot: rhs dimensions: dimension 9 is out of range for rank 2"},
      {"%l: tensor<3x4xf32>, %r: tensor<2x5xf32>, %s: tensor<2xi64>",
       R"(%0 = "chlo.ragged_dot"(%l, %r, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<3x4xf32>, tensor<2x5xf32>, tensor<2xi64>) -> tensor<2x3x5xf32>)",
       "chlo.ragged_dot: numbers of batching or contracting dimensions differ"},
      {"%l: tensor<1x5x2xf32>, %r: tensor<2x2x3xf32>",
       R"(%0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x5x2xf32>, tensor<2x2x3xf32>) -> tensor<1x4x3xf32>)",
       "stablehlo.convolution: dimension_numbers does not match the operand rank"},
      // Windows of 2^42 elements, of which there are none: no output feature.
      {"%l: tensor<1x2x2x1xf32>, %r: tensor<2097152x2097152x1x0xf32>",
       R"(%0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<2097152x2097152x1x0xf32>) -> tensor<1x1x1x0xf32>)",
       "stablehlo.convolution: window is too large"},
      {"",
       R"(%x = "stablehlo.constant"() {value = dense<1.0> : tensor<67108865xf32>} : () -> tensor<67108865xf32>
              %0 = "stablehlo.fft"(%x) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 67108865>} : (tensor<67108865xf32>) -> tensor<33554433xcomplex<f32>>)",
       "stablehlo.fft: operand exceeds the limit of 67108864 elements"},
      {"%x: tensor<1xcomplex<f32>>",
       R"(%0 = "stablehlo.fft"(%x) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: -1>} : (tensor<1xcomplex<f32>>) -> tensor<1xf32>)",
       "stablehlo.fft: fft_length does not match the operand shape"},
      // Shapes.
      {"%x: tensor<2xf32>, %y: tensor<3xf32>, %i: tensor<1x1xi32>, %u: tensor<1xf32>",
       R"(%0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
            "stablehlo.return"(%a, %b) : (tensor<f32>, tensor<f32>) -> ()
          }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<2xf32>, tensor<3xf32>, tensor<1x1xi32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<2xf32>, tensor<3xf32>))",
       "stablehlo.scatter: operand shapes do not match"},
      {"%x: tensor<35184372088832x0xi8>",
       R"(%0 = "stablehlo.concatenate"(%x, %x, %x) {dimension = 0 : i64} : (tensor<35184372088832x0xi8>, tensor<35184372088832x0xi8>, tensor<35184372088832x0xi8>) -> tensor<?x0xi8>)",
       "stablehlo.concatenate: shape of result 0 is too large"},
      {"%x: tensor<2xf32>, %y: tensor<3xf32>, %z: tensor<f32>",
       R"(%0:2 = "stablehlo.reduce"(%x, %y, %z, %z) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
            "stablehlo.return"(%a, %b) : (tensor<f32>, tensor<f32>) -> ()
          }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>))",
       "stablehlo.reduce: input shapes differ"},
      {"%x: tensor<2xf32>, %z: tensor<f32>",
       R"(%0 = "stablehlo.reduce"(%x, %z) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            "cf.br"(%a)[^bb1] : (tensor<f32>) -> ()
          ^bb1(%c: tensor<f32>):
            "stablehlo.return"(%c) : (tensor<f32>) -> ()
          }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>)",
       "stablehlo.reduce: regions with more than one block are not supported"},
      {"%x: tensor<2xf32>, %z: tensor<f32>",
       R"(%0 = "stablehlo.reduce"(%x, %z) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %c = func.call @wide(%a) : (tensor<f32>) -> tensor<f64>
            "stablehlo.return"(%a, %c) : (tensor<f32>, tensor<f64>) -> ()
          }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>)",
       "stablehlo.reduce: region returns 2 values, expected 1",
       R"(func.func @wide(%a: tensor<f32>) -> tensor<f64> {
            %0 = "stablehlo.convert"(%a) : (tensor<f32>) -> tensor<f64>
            return %0 : tensor<f64>
          })"},
      // The region calls a function, so that its results are known only when it runs.
      {"%x: tensor<2xf32>, %z: tensor<f32>",
       R"(%0 = "stablehlo.reduce"(%x, %z) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %c = func.call @wide(%a) : (tensor<f32>) -> tensor<f64>
            "stablehlo.return"(%c) : (tensor<f64>) -> ()
          }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>)",
       "stablehlo.reduce: region returns tensor<f64>, expected tensor<f32>",
       R"(func.func @wide(%a: tensor<f32>) -> tensor<f64> {
            %0 = "stablehlo.convert"(%a) : (tensor<f32>) -> tensor<f64>
            return %0 : tensor<f64>
          })"},
      // Structure.
      {"", R"(%0 = "stablehlo.constant"() {value = 1.0 : f80} : () -> tensor<f32>)",
       "stablehlo.constant: value has type f80, which cannot be evaluated"},
      {"", R"(%0 = "stablehlo.constant"() {value = dense<1> : tensor<2xi3>} : () -> tensor<2xi32>)",
       "stablehlo.constant: type of the constant cannot be evaluated"},
      {"", R"("stablehlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> ())",
       "stablehlo.constant: expected 0 operands and 1 result"},
      {"%x: tensor<2xf32>", R"("stablehlo.tuple"(%x) : (tensor<2xf32>) -> ())",
       "stablehlo.tuple: expected 1 operand and 1 result"},
      {"", R"("stablehlo.create_token"() : () -> ())",
       "stablehlo.create_token: expected 0 operands and 1 result"},
      {"%x: tensor<2xf32>",
       R"(%0 = "stablehlo.async_start"(%x) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>)",
       "stablehlo.async_start: expected 1 region"},
      {"", R"(%0 = "stablehlo.async_done"() : () -> tensor<2xf32>)",
       "stablehlo.async_done: expected 1 operand and 1 result"},
      {"%p: tensor<i1>",
       R"(%0 = "stablehlo.if"(%p) ({
            "cf.br"()[^bb1] : () -> ()
          ^bb1:
            "stablehlo.return"(%p) : (tensor<i1>) -> ()
          }, {
            "cf.br"()[^bb1] : () -> ()
          ^bb1:
            "stablehlo.return"(%p) : (tensor<i1>) -> ()
          }) : (tensor<i1>) -> tensor<i1>)",
       "stablehlo.if: regions with more than one block are not supported"},
      // Custom calls and probes.
      {"", R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              %0 = "stablehlo.custom_call"(%t) {call_target_name = "Sharding"} : (!stablehlo.token) -> !stablehlo.token)",
       "stablehlo.custom_call: @Sharding takes tensors, got !stablehlo.token"},
      {"%x: tensor<2xf32>", R"("check.expect_serialized_eq"(%x) {probe_id = "p"} : (tensor<2xf32>) -> ())",
       "check.expect_serialized_eq: Failed to find serialized data for probe p."},
  };
  ExpectErrors(rows);
}

TEST(KernelErrors, Scan) {
  // One step for each element of the inputs; the carry is the operand %n, or counts the steps.
  const ErrorRow rows[] = {
      {"%x: tensor<2xf32>, %y: tensor<3xf32>",
       R"(%0 = "chlo.scan"(%x, %y) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            "stablehlo.return"(%a) : (tensor<f32>) -> ()
          }) {dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 2, 0>, resultSegmentSizes = array<i32: 1, 0>} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>)",
       "chlo.scan: sizes of the scanned dimension differ"},
      {"%n: tensor<i32>",
       R"(%0 = "chlo.scan"(%n) ({
          ^bb0(%c: tensor<i32>):
            "stablehlo.return"(%c) : (tensor<i32>) -> ()
          }) {dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>} : (tensor<i32>) -> tensor<i32>)",
       "chlo.scan: missing attribute 'scan_dim_size'"},
      {"%x: tensor<2x3xf32>, %n: tensor<i32>",
       R"(%0:2 = "chlo.scan"(%x, %n) ({
          ^bb0(%a: tensor<2xf32>, %c: tensor<i32>):
            "stablehlo.return"(%c, %c) : (tensor<i32>, tensor<i32>) -> ()
          }) {dimension = 1 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<2x3xf32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>))",
       "chlo.scan: dimension is out of range for an output"},
      {"%x: tensor<2xf32>, %n: tensor<1xi32>",
       R"(%0:2 = "chlo.scan"(%x, %n) ({
          ^bb0(%a: tensor<f32>, %c: tensor<1xi32>):
            %o = "stablehlo.dynamic_iota"(%c) {iota_dimension = 0 : i64} : (tensor<1xi32>) -> tensor<?xi32>
            %one = "stablehlo.constant"() {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
            %next = "stablehlo.add"(%c, %one) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
            "stablehlo.return"(%o, %next) : (tensor<?xi32>, tensor<1xi32>) -> ()
          }) {dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<2xf32>, tensor<1xi32>) -> (tensor<?x?xi32>, tensor<1xi32>))",
       "chlo.scan: slice shapes differ"},
  };
  ExpectErrors(rows);
}

TEST(KernelErrors, FunctionsOfTheCaller) {
  EvalOptions options;
  options.custom_calls["nothing"] = [](const Module&, const Op&, std::span<const Tensor>) {
    return Result<std::vector<Tensor>>(std::vector<Tensor>());
  };
  options.probed = [](std::string_view, int64_t, const ValueTypePtr&) {
    return Result<Tensor>(naive::ToTensor(naive::Values(*naive::TypeOf("i8"), {2})));
  };
  const ErrorRow rows[] = {
      {"%x: tensor<2xf32>",
       R"(%0 = "stablehlo.custom_call"(%x) {call_target_name = "nothing"} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.custom_call: custom call returns 0 results, expected 1"},
  };
  ExpectErrors(rows, options);
  const auto probed = naive::RunText(R"(func.func @main(%x: tensor<2xf32>) {
  "check.expect_serialized_eq"(%x) {probe_id = "p"} : (tensor<2xf32>) -> ()
  return
})",
                                     {naive::ToTensor(naive::Values(*naive::TypeOf("f32"), {2}))}, options);
  ASSERT_TRUE(probed) << Words(probed.error());
  ASSERT_EQ(probed->failed_checks.size(), 1u);
  EXPECT_EQ(
      Words(probed->failed_checks),
      "check.expect_serialized_eq: Serialized types don't match: tensor<2xf32> (actual) vs tensor<2xi8> "
      "(expected) for probe p.");
}

// --- Processes ----------------------------------------------------------------------------------------

constexpr std::string_view kX = "%x: tensor<2xf32>";

TEST(KernelErrors, OneProcess) {
  const ErrorRow rows[] = {
      {kX, R"(%0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_gather: missing attribute 'replica_groups'"},
      {kX,
       R"(%0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_gather: 'replica_groups' is not a list of groups"},
      {kX,
       R"(%0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<-2> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_gather: process id is out of range"},
      {kX,
       R"(%0 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_gather: dimension is out of range"},
      {kX,
       R"(%0:2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>))",
       "stablehlo.all_gather: numbers of operands and results differ"},
      // A process that is in its group twice waits for itself.
      {kX,
       R"(%0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>)",
       "stablehlo.all_gather: process (0, 0) timed out on channel 0 (deadlock?)"},
      {kX,
       R"(%0 = "stablehlo.all_reduce"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_reduce: expected 1 region"},
      {kX, R"(%0 = "stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<f32>):
            "stablehlo.return"(%a) : (tensor<f32>) -> ()
          }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_reduce: region must have 2 arguments"},
      {kX, R"(%0 = "stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<f64>, %b: tensor<f64>):
            "stablehlo.return"(%a) : (tensor<f64>) -> ()
          }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.all_reduce: region arguments do not match the operands"},
      {kX, R"("stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            "stablehlo.return"(%a) : (tensor<f32>) -> ()
          }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> ())",
       "stablehlo.all_reduce: numbers of operands and results differ"},
      {kX,
       R"(%0 = "stablehlo.reduce_scatter"(%x) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.reduce_scatter: expected 1 region"},
      {kX,
       R"("stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> ())",
       "stablehlo.all_to_all: numbers of operands and results differ"},
      {kX,
       R"("stablehlo.collective_broadcast"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> ())",
       "stablehlo.collective_broadcast: numbers of operands and results differ"},
      {kX,
       R"(%0 = "stablehlo.collective_reduce"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.collective_reduce: expected 1 region"},
      {kX, R"("stablehlo.collective_reduce"(%x) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            "stablehlo.return"(%a) : (tensor<f32>) -> ()
          }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> ())",
       "stablehlo.collective_reduce: numbers of operands and results differ"},
      {kX,
       R"(%0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>)",
       "stablehlo.collective_permute: 'source_target_pairs' is not a list of pairs"},
      // Channels and feeds.
      {"",
       R"(%0 = "stablehlo.send"() {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : () -> !stablehlo.token)",
       "stablehlo.send: missing token"},
      {"", R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> ())",
       "stablehlo.recv: missing token"},
      {"", R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              %0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> !stablehlo.token)",
       "stablehlo.recv: process (0, 0) timed out waiting for a value on channel 1 (deadlock?)"},
      {kX, R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              %u = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
              %0:3 = "stablehlo.recv"(%u) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (tensor<2xf32>, tensor<2xf32>, !stablehlo.token))",
       "stablehlo.recv: received 1 value, expected 2"},
      {"", R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> ())",
       "stablehlo.infeed: missing token"},
      {"", R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              %0 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> !stablehlo.token)",
       "stablehlo.infeed: infeed is empty"},
      {"", R"(%t = "stablehlo.create_token"() : () -> !stablehlo.token
              "stablehlo.outfeed"(%t) {outfeed_config = ""} : (!stablehlo.token) -> ())",
       "stablehlo.outfeed: missing token"},
      {"", R"("interpreter.run_parallel"() {programs = [[@one]]} : () -> ())",
       "interpreter.run_parallel: nested run_parallel is not supported", "func.func @one() { return }"},
  };
  ExpectErrors(rows, {}, 1);
}

TEST(KernelErrors, RunParallel) {
  const std::string_view two = "func.func @one() { return }";
  const ErrorRow rows[] = {
      {"", R"("interpreter.run_parallel"() {programs = [[@one], [@one, @one]]} : () -> ())",
       "interpreter.run_parallel: programs do not form a grid of replicas and partitions", two},
      {"", R"("interpreter.run_parallel"() {programs = [[1 : i64]]} : () -> ())",
       "interpreter.run_parallel: program is not a symbol", two},
      {"", R"("interpreter.run_parallel"() {infeed = [1 : i64], programs = [[@one]]} : () -> ())",
       "interpreter.run_parallel: infeed is not a symbol", two},
      {"", R"(%0 = "interpreter.run_parallel"() {programs = [[@one]]} : () -> tensor<2xf32>)",
       "interpreter.run_parallel: programs return 0 values, expected 1", two},
  };
  ExpectErrors(rows);
}

// Two processes that run the same op on different operands.
TEST(KernelErrors, ProcessesThatDisagree) {
  const struct {
    std::string_view op, attributes, left, right, result;
    std::string_view words;
  } rows[] = {
      {"all_gather", "all_gather_dim = 0 : i64, ", "tensor<2xf32>", "tensor<2xf64>", "tensor<4xf32>",
       "stablehlo.all_gather: processes pass different types"},
      {"all_gather", "all_gather_dim = 0 : i64, ", "tensor<2xf32>", "tensor<2x1xf32>", "tensor<4xf32>",
       "stablehlo.all_gather: processes pass different types"},
      {"all_gather", "all_gather_dim = 0 : i64, ", "tensor<2x2xf32>", "tensor<2x3xf32>", "tensor<4x2xf32>",
       "stablehlo.all_gather: processes pass different shapes"},
      {"all_to_all", "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, ",
       "tensor<2xf32>", "tensor<2xf32>", "tensor<2xf32>",
       "stablehlo.all_to_all: split_count is 1, but the group has 2 members"},
      {"cross-replica-sum", "", "tensor<2xf32>", "tensor<3xf32>", "tensor<?xf32>",
       "stablehlo.cross-replica-sum: operand shapes do not match"},
  };
  for (const auto& row : rows) {
    const auto function = [&](std::string_view name, std::string_view type) {
      return "func.func @" + std::string(name) + "(%x: " + std::string(type) + ") {\n  %0 = \"stablehlo." +
             std::string(row.op) + "\"(%x) {" + std::string(row.attributes) +
             "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (" + std::string(type) + ") -> " +
             std::string(row.result) + "\n  return\n}\n";
    };
    const std::string text = function("left", row.left) + function("right", row.right);
    SCOPED_TRACE(text);
    const auto module = naive::Read(text);
    ASSERT_TRUE(module) << Words(module.error());
    std::vector<Tensor> args = ZeroArguments(*module, "left");
    args.push_back(ZeroArguments(*module, "right")[0]);
    const std::string functions[] = {"left", "right"};
    const auto result = EvaluateParallel(*module, functions, 1, args);
    EXPECT_EQ(result ? "evaluates" : Words(result.error()), row.words);
  }
  const auto module = naive::Read(R"(func.func @one(%x: tensor<2xf32>) {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return
}
func.func @two(%x: tensor<2xf32>) {
  %0:2 = "stablehlo.all_gather"(%x, %x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
})");
  ASSERT_TRUE(module) << Words(module.error());
  const Tensor x = ZeroArguments(*module, "one")[0], args[] = {x, x};
  const std::string functions[] = {"one", "two"};
  const auto result = EvaluateParallel(*module, functions, 1, args);
  EXPECT_EQ(result ? "evaluates" : Words(result.error()),
            "stablehlo.all_gather: processes pass different numbers of operands");
}

// --- sdy.manual_computation ------------------------------------------------------------------------------

// A manual computation on 2 devices along x, of one operand and one result.
std::string Manual(std::string_view in, std::string_view out, std::string_view body,
                   std::string_view result = "tensor<4xf32>",
                   std::string_view axes = "#sdy<manual_axes{\"x\"}>") {
  return "%0 = \"sdy.manual_computation\"(%x) " + (body.empty() ? "" : "(" + std::string(body) + ")") +
         " {in_shardings = #sdy.sharding_per_value<[" + std::string(in) +
         "]>, manual_axes = " + std::string(axes) + ", out_shardings = #sdy.sharding_per_value<[" +
         std::string(out) + "]>} : (tensor<4xf32>) -> " + std::string(result);
}

TEST(KernelErrors, ManualComputations) {
  const std::string_view x = "%x: tensor<4xf32>";
  const std::string_view top =
      R"("sdy.mesh"() {mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"} : () -> ()
         "sdy.mesh"() {mesh = #sdy.mesh<["x"=3]>, sym_name = "three"} : () -> ())";
  const std::string_view part = "<@mesh, [{\"x\"}]>", whole = "<@mesh, [{}]>";
  const std::string same = R"({
  ^bb0(%p: tensor<2xf32>):
    "sdy.return"(%p) : (tensor<2xf32>) -> ()
  })";
  const std::string_view nothing = R"({
  ^bb0(%p: tensor<2xf32>):
    "sdy.return"() : () -> ()
  })";
  const std::string_view scalar = R"({
  ^bb0(%p: tensor<2xf32>):
    %c = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    "sdy.return"(%c) : (tensor<f32>) -> ()
  })";
  const std::string_view sizes = R"({
  ^bb0(%p: tensor<2xf32>):
    %id = "stablehlo.partition_id"() : () -> tensor<ui32>
    %n = "stablehlo.reshape"(%id) : (tensor<ui32>) -> tensor<1xui32>
    %r = "stablehlo.dynamic_iota"(%n) {iota_dimension = 0 : i64} : (tensor<1xui32>) -> tensor<?xf32>
    "sdy.return"(%r) : (tensor<?xf32>) -> ()
  })";
  const std::string texts[] = {
      Manual("", part, same),
      Manual("<@mesh, [{\"x\"}], unreduced={\"x\"}>", part, same),
      Manual("<@mesh, [{\"x\"}, {}]>", part, same),
      Manual(part, part, nothing),
      Manual(part, part, scalar),
      Manual(part, part, sizes, "tensor<?xf32>"),
      Manual(part, part, ""),
      Manual(part, "<@three, [{}]>", same),
      Manual(part, part, same, "tensor<4xf32>", "\"x\""),
      Manual("<@three, [{\"x\"}]>", "<@three, [{\"x\"}]>", same),
  };
  const std::string_view words[] = {
      "'in_shardings' has 0 shardings, expected 1",
      "unreduced axes are not supported",
      "sharding of operand 0 does not match its rank",
      "body returns a wrong number of values",
      "sharding of result 0 does not match its rank",
      "devices return different types",
      "expected 1 region",
      "shardings have different meshes",
      "attribute 'manual_axes' is not a list of axes",
      "dimension 0 of operand 0 cannot be split into 3 parts",
  };
  std::vector<std::string> all;
  std::vector<ErrorRow> rows;
  for (std::string_view text : words) all.push_back("sdy.manual_computation: " + std::string(text));
  for (size_t i = 0; i < all.size(); ++i) rows.push_back({x, texts[i], all[i], top});
  ExpectErrors(rows);

  EvalOptions options;
  options.max_processes = 1;
  const std::string valid = Manual(part, part, same);
  const ErrorRow limit[] = {
      {x, valid, "sdy.manual_computation: number of processes exceeds the limit of 1", top}};
  ExpectErrors(limit, options);

  // The same on a grid, in which each process is a device.
  const std::string_view one = R"("sdy.mesh"() {mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"} : () -> ())";
  const std::string_view empty = R"({
  ^bb0(%p: tensor<4xf32>):
    "sdy.return"() : () -> ()
  })";
  const std::string returns_nothing = Manual(whole, whole, empty);
  const ErrorRow grid[] = {
      {x, returns_nothing, "sdy.manual_computation: body returns a wrong number of values", one}};
  ExpectErrors(grid, {}, 1);
}

}  // namespace
}  // namespace shlo
