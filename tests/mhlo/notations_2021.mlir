// Notations of 2021 and 2022: functions of builtin, enums as strings and numbers, structs as dictionaries, quoted
// attributes, former names of ops, dialects and attributes.
module {
  func @compare(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
    %0 = "mhlo.compare"(%a, %b) {compare_type = "TOTALORDER", comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }
  func @dot(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
    %0 = "mhlo.dot_general"(%a, %b) {dot_dimension_numbers = {lhs_batching_dimensions = dense<0> : tensor<1xi64>, lhs_contracting_dimensions = dense<2> : tensor<1xi64>, rhs_batching_dimensions = dense<0> : tensor<1xi64>, rhs_contracting_dimensions = dense<1> : tensor<1xi64>}, precision_config = ["HIGHEST", "DEFAULT"]} : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
    return %0 : tensor<5x2x4xf32>
  }
  func @quoted(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
    %0 = "mhlo.dot"(%a, %b) {precision_config = [#mhlo<"precision HIGH">, #mhlo<precision DEFAULT>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
  func @conv(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x5xf32>) -> tensor<1x4x4x5xf32> {
    %0 = "mhlo.convolution"(%a, %b) {batch_group_count = 1 : i64, dimension_numbers = {input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = dense<[1, 2]> : tensor<2xi64>, kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = dense<[0, 1]> : tensor<2xi64>, output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = dense<[1, 2]> : tensor<2xi64>}, feature_group_count = 1 : i64, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, window_strides = dense<2> : tensor<2xi64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<1x4x4x5xf32>
    return %0 : tensor<1x4x4x5xf32>
  }
  func @gather(%a: tensor<5x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
    %0 = "mhlo.gather"(%a, %i) {dimension_numbers = {collapsed_slice_dims = dense<0> : tensor<1xi64>, index_vector_dim = 1 : i64, offset_dims = dense<1> : tensor<1xi64>, start_index_map = dense<0> : tensor<1xi64>}, slice_sizes = dense<[1, 4]> : tensor<2xi64>} : (tensor<5x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func @scatter(%a: tensor<5x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>) -> tensor<5x4xf32> {
    %0 = "mhlo.scatter"(%a, %i, %u) ( {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):  // no predecessors
      %1 = mhlo.add %x, %y : tensor<f32>
      "mhlo.return"(%1) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = {index_vector_dim = 1 : i64, inserted_window_dims = dense<0> : tensor<1xi64>, scatter_dims_to_operand_dims = dense<0> : tensor<1xi64>, update_window_dims = dense<1> : tensor<1xi64>}, unique_indices = false} : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    return %0 : tensor<5x4xf32>
  }
  func @channel(%a: tensor<4xf32>, %t: !mhlo.token) -> !mhlo.token {
    %0 = "mhlo.all_reduce"(%a) ( {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):  // no predecessors
      %2 = mhlo.maximum %x, %y : tensor<f32>
      "mhlo.return"(%2) : (tensor<f32>) -> ()
    }) {channel_id = {handle = 5 : i64, type = 2 : i64}, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "mhlo.send"(%0, %t) {channel_id = {handle = 5 : i64, type = 2 : i64}, is_host_transfer = true} : (tensor<4xf32>, !mhlo.token) -> !mhlo.token
    return %1 : !mhlo.token
  }
  func @random(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>, %k: tensor<2xui64>) -> tensor<4xf32> {
    %0 = "mhlo.rng_uniform"(%a, %b, %s) : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %1 = "mhlo.rng_normal"(%a, %b, %s) : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %2:2 = "mhlo.rng_bit_generator"(%k) {rng_algorithm = 1 : i32} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %3 = mhlo.add %0, %1 : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
  func @enums(%a: tensor<8xf32>, %m: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0 = "mhlo.fft"(%a) {fft_length = dense<8> : tensor<1xi64>, fft_type = "RFFT"} : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
    %1 = "mhlo.triangular_solve"(%m, %m) {left_side = true, lower = true, transpose_a = "NO_TRANSPOSE", unit_diagonal = false} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
  func @client(%a: tensor<4xf32>, %b: tensor<1xf32>) -> tensor<4xi1> {
    %0 = "hlo_client.broadcast_add"(%a, %b) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %1 = "chlo.broadcast_compare"(%0, %b) {comparison_direction = "GE"} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>
    %2 = chlo.broadcast_compare %0, %b {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>
    %3 = mhlo.and %1, %2 : tensor<4xi1>
    return %3 : tensor<4xi1>
  }
  func @xla(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "xla_hlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func @bounded(%a: tensor<?x3xf32, #mhlo.type_extensions<bounds = [4, -1]>>) -> tensor<?x3xf32, #mhlo.type_extensions<bounds = [4, ?]>> {
    %0 = mhlo.abs %a : tensor<?x3xf32, #mhlo.type_extensions<bounds = [4, ?]>>
    return %0 : tensor<?x3xf32, #mhlo.type_extensions<bounds = [4, ?]>>
  }
  func @custom(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "mhlo.custom_call"(%a) {api_version = 1 : i32, backend_config = "", call_target_name = "f", called_computations = [], custom_call_schedule = #mhlo<custom_call_schedule NONE>, has_side_effect = false, output_operand_aliases = []} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func @branches(%p: tensor<i1>, %i: tensor<i32>, %a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
    %0 = "mhlo.if"(%p, %a, %b) ( {
    ^bb0(%x: tensor<4xf32>):  // no predecessors
      %2 = mhlo.negate %x : tensor<4xf32>
      "mhlo.return"(%2) : (tensor<4xf32>) -> ()
    },  {
    ^bb0(%x: tensor<f32>):  // no predecessors
      %2 = "mhlo.broadcast"(%x) {broadcast_sizes = dense<4> : tensor<1xi64>} : (tensor<f32>) -> tensor<4xf32>
      "mhlo.return"(%2) : (tensor<4xf32>) -> ()
    }) : (tensor<i1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = "mhlo.case"(%i, %0, %a) ( {
    ^bb0(%x: tensor<4xf32>):  // no predecessors
      "mhlo.return"(%x) : (tensor<4xf32>) -> ()
    },  {
    ^bb0(%x: tensor<4xf32>):  // no predecessors
      "mhlo.return"(%x) : (tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  "builtin.func"() ( {
  ^bb0(%a: tensor<4xf32>):  // no predecessors
    %0 = "std.call"(%a) {callee = @xla} : (tensor<4xf32>) -> tensor<4xf32>
    "std.return"(%0) : (tensor<4xf32>) -> ()
  }) {sym_name = "generic", type = (tensor<4xf32>) -> tensor<4xf32>} : () -> ()
}
