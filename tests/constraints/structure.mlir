// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Numbers of operands, results and regions, classes of attributes, and relations.

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.add' op requires one result}}
  "stablehlo.add"(%a) : (tensor<f32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.add' op expected 2 operands, but found 1}}
  %0 = "stablehlo.add"(%a) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.abs' op requires a single operand}}
  %0 = "stablehlo.abs"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.create_token' op requires zero operands}}
  %0 = "stablehlo.create_token"(%a) : (tensor<f32>) -> !stablehlo.token
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op expected 1 or more operands, but found 0}}
  %0 = "stablehlo.dynamic_slice"() {slice_sizes = array<i64>} : () -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'interpreter.print' op requires zero results}}
  %0 = "interpreter.print"(%a) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op expected 3 results}}
  %0:2 = "stablehlo.batch_norm_training"(%a, %a, %a) {epsilon = 1.0 : f32, feature_index = 0 : i64} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'ml_program.global_load_graph' op expected 2 results}}
  "ml_program.global_load_graph"() {global = @m} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.abs' op requires zero regions}}
  %0 = "stablehlo.abs"(%a) ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.sort' op requires one region}}
  %0 = "stablehlo.sort"(%a) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<i1>) {
  // expected-error@below {{'stablehlo.if' op expected 2 regions}}
  %0 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%a) : (tensor<i1>) -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'stablehlo.abs' op requires 0 successors but found 1}}
  // expected-error@below {{block with no terminator, has 'stablehlo.abs'}}
  %0 = "stablehlo.abs"(%a)[^next] : (tensor<f32>) -> tensor<f32>
^next:
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op expected lists of operands of the same size, but found 3 operands}}
  %0 = "stablehlo.reduce"(%a, %i, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.sort' op attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) {dimension = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = "stablehlo.transpose"(%a0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op requires attribute 'dimension_numbers'}}
  %0 = "stablehlo.gather"(%a0, %a1) {slice_sizes = array<i64: 3, 1>} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op attribute 'dimension_numbers' failed to satisfy constraint: Attribute that models the dimension information for gather}}
  %0 = "stablehlo.gather"(%a0, %a1) {slice_sizes = array<i64: 3, 1>, dimension_numbers = 1 : i32} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>) {
  // expected-error@below {{'stablehlo.scatter' op requires one region}}
  %0 = "stablehlo.scatter"(%a0, %a1) {scatter_dimension_numbers = 1 : i32} : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op attribute 'dot_dimension_numbers' failed to satisfy constraint: Attribute that models the dimension information for dot.}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = 1 : i32} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op attribute 'algorithm' failed to satisfy constraint: Attribute that models the algorithm constraints to use for computing dot.}}
  %0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, algorithm = 1 : i32} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{'stablehlo.convolution' op attribute 'dimension_numbers' failed to satisfy constraint: Structure of dimension information for conv op}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = 1 : i32, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x11x5xf32>, %a1: tensor<3x2x5x7xf32>, %a2: tensor<3xi64>) {
  // expected-error@below {{'chlo.ragged_dot' op attribute 'ragged_dot_dimension_numbers' failed to satisfy constraint: Attribute that models the dimension information for ragged dot.}}
  %0 = "chlo.ragged_dot"(%a0, %a1, %a2) {ragged_dot_dimension_numbers = 1 : i32} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: !stablehlo.token) {
  // expected-error@below {{'stablehlo.send' op attribute 'channel_handle' failed to satisfy constraint: two 64-bit integers 'handle' and 'type'}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = 1 : i32} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.compare' op attribute 'comparison_direction' failed to satisfy constraint: Which comparison operation to perform.}}
  %0 = "stablehlo.compare"(%a0, %a1) {comparison_direction = 1 : i32} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.compare' op attribute 'compare_type' failed to satisfy constraint: Which comparison type to use.}}
  %0 = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = 1 : i32} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op attribute 'fft_type' failed to satisfy constraint: XLA fast fourier transform type.}}
  %0 = "stablehlo.fft"(%a0) {fft_type = 1 : i32, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op attribute 'fft_length' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = [4]} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<0xi64>) {
  // expected-error@below {{'stablehlo.rng' op attribute 'rng_distribution' failed to satisfy constraint: XLA PRNG distribution to be used.}}
  %0 = "stablehlo.rng"(%a0, %a1, %a2) {rng_distribution = 1 : i32} : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2xui64>) {
  // expected-error@below {{'stablehlo.rng_bit_generator' op attribute 'rng_algorithm' failed to satisfy constraint: XLA PRNG algorithm to be used.}}
  %0:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = 1 : i32} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<3x2xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op attribute 'transpose_a' failed to satisfy constraint: Transpose options}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = 1 : i32} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<3x2xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op attribute 'left_side' failed to satisfy constraint: bool attribute}}
  %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = 1 : i32, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op attribute 'epsilon' failed to satisfy constraint: 32-bit float attribute}}
  %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0 : f64, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op attribute 'replica_groups' failed to satisfy constraint: 64-bit signless integer elements attribute or mesh and axes based replica groups representation.}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi32>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op attribute 'use_global_device_ids' failed to satisfy constraint: unit attribute}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids = 1 : i32} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op attribute 'all_gather_dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = -1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op attribute 'split_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op attribute 'source_target_pairs' failed to satisfy constraint: 64-bit signless integer elements attribute}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<0> : tensor<1x2xi32>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.constant' op attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
  %0 = "stablehlo.constant"() {value = 1 : i32} : () -> tensor<f32>
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op attribute 'infeed_config' failed to satisfy constraint: string attribute}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = 1 : i32} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op attribute 'layout' failed to satisfy constraint: array attribute}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = 1 : i32} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'has_side_effect' failed to satisfy constraint: bool attribute}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", has_side_effect = 1 : i32} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'backend_config' failed to satisfy constraint: string attribute or dictionary of named attribute values}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", backend_config = 1 : i32} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'api_version' failed to satisfy constraint: Custom call API version}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", api_version = 1 : i64} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'called_computations' failed to satisfy constraint: flat symbol ref array attribute}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", called_computations = [1 : i32]} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'operand_layouts' failed to satisfy constraint: Array of layout (1D tensor of index type) attributes}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", operand_layouts = [dense<0> : tensor<1xi64>]} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'result_tilings' failed to satisfy constraint: Array of tiling attributes}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", result_tilings = [dense<0> : tensor<1xindex>]} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'output_operand_aliases' failed to satisfy constraint: Aliasing attribute for outputs and operands of CustomCall}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f", output_operand_aliases = [1 : i32]} : () -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.dot' op attribute 'precision_config' failed to satisfy constraint: Precision Config attribute}}
  %0 = "stablehlo.dot"(%a0, %a1) {precision_config = [1 : i32]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.tanh' op attribute 'result_accuracy' failed to satisfy constraint: The requested accuracy for transcendental unary ops.}}
  %0 = "stablehlo.tanh"(%a0) {result_accuracy = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'func.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute}}
  "func.call"() {callee = 1 : i32} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.composite' op attribute 'composite_attributes' failed to satisfy constraint: dictionary of named attribute values}}
  %0 = "stablehlo.composite"() {name = "a.b", decomposition = @g, composite_attributes = 1 : i32} : () -> tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.composite' op attribute 'version' failed to satisfy constraint: 32-bit signless integer attribute}}
  %0 = "stablehlo.composite"() {name = "a.b", decomposition = @g, version = 1 : i64} : () -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2x8x8x4xf32>, %a1: tensor<3x3x4x6xf32>) {
  // expected-error@below {{'stablehlo.convolution' op attribute 'window_reversal' failed to satisfy constraint: i1 dense array attribute}}
  %0 = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = [true]} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f(%a0: i32, %a1: i32) {
  // expected-error@below {{'arith.addi' op attribute 'overflowFlags' failed to satisfy constraint: Integer overflow arith flags}}
  %0 = "arith.addi"(%a0, %a1) {overflowFlags = 1 : i32} : (i32, i32) -> i32
  return
}

// -----

func.func @f(%a0: f32, %a1: f32) {
  // expected-error@below {{'arith.addf' op attribute 'fastmath' failed to satisfy constraint: Floating point fast math flags}}
  %0 = "arith.addf"(%a0, %a1) {fastmath = 1 : i32} : (f32, f32) -> f32
  return
}

// -----

func.func @f() {
  // expected-error@below {{'arith.constant' op attribute 'value' failed to satisfy constraint: TypedAttr instance}}
  %0 = "arith.constant"() {value = @a} : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@below {{'shape.const_shape' op attribute 'shape' failed to satisfy constraint: index elements attribute}}
  %0 = "shape.const_shape"() {shape = dense<1> : tensor<1xi64>} : () -> tensor<1xindex>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>) {
  // expected-error@below {{'check.expect_close' op attribute 'max_ulp_difference' failed to satisfy constraint: 64-bit unsigned integer attribute}}
  "check.expect_close"(%a0, %a1) {max_ulp_difference = 1 : i64} : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>) {
  // expected-error@below {{'check.expect_almost_eq' op attribute 'tolerance' failed to satisfy constraint: 64-bit float attribute}}
  "check.expect_almost_eq"(%a0, %a1) {tolerance = 1.0 : f32} : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @f(%a0: tensor<f32>) {
  // expected-error@below {{'check.expect_serialized_eq' op attribute 'iteration' failed to satisfy constraint: 32-bit unsigned integer attribute}}
  "check.expect_serialized_eq"(%a0) {probe_id = "a", iteration = 1 : i32} : (tensor<f32>) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@below {{'ml_program.global' op attribute 'type' failed to satisfy constraint: any type attribute}}
  // expected-error@below {{'ml_program.global' op symbol's parent must have the SymbolTable trait}}
  "ml_program.global"() {sym_name = "a", type = 1 : i32} : () -> ()
  return
}

// -----

func.func @f(%a0: tensor<2xi1>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.broadcast_and' op operand #1 must be tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<2xf32>'}}
  %0 = "chlo.broadcast_and"(%a0, %a1) : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xi32>, %a2: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.clamp' op requires compatible element types for all operands and results}}
  %0 = "stablehlo.clamp"(%a0, %a1, %a2) : (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.power' op requires compatible types for all operands and results}}
  %0 = "stablehlo.power"(%a0, %a1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'interpreter.probe' op requires the same type for all operands and results}}
  %0 = "interpreter.probe"(%a0) {probe_id = "a"} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xi32>, %a1: i32) {
  // expected-error@below {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a0, %a1) : (tensor<2xi32>, i32) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op requires the same element type for operand and result at index 0}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op requires the same number of operands and results}}
  %0 = "stablehlo.all_to_all"(%a0, %a1) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
