// Every op of MHLO that StableHLO had in 2023, in generic form.
func.func @abs(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.abs"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @add(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.add"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @after_all(%a0: !mhlo.token, %a1: !mhlo.token) -> !mhlo.token {
  %r = "mhlo.after_all"(%a0, %a1)  : (!mhlo.token, !mhlo.token) -> !mhlo.token
  return %r : !mhlo.token
}

func.func @all_gather(%a0: tensor<4xf32>) -> tensor<8xf32> {
  %r = "mhlo.all_gather"(%a0)  {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #mhlo.channel_handle<handle = 5, type = 0>} : (tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @all_reduce(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #mhlo.channel_handle<handle = 5, type = 2>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @all_to_all(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.all_to_all"(%a0)  {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @and(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.and"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @atan2(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.atan2"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @batch_norm_grad(%a0: tensor<2x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<2xf32>, %a4: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %r:3 = "mhlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4)  {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @batch_norm_inference(%a0: tensor<2x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<2xf32>, %a4: tensor<2xf32>) -> tensor<2x2xf32> {
  %r = "mhlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4)  {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @batch_norm_training(%a0: tensor<2x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %r:3 = "mhlo.batch_norm_training"(%a0, %a1, %a2)  {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @bitcast_convert(%a0: tensor<4xf32>) -> tensor<4xi32> {
  %r = "mhlo.bitcast_convert"(%a0)  : (tensor<4xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @broadcast(%a0: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %r = "mhlo.broadcast"(%a0)  {broadcast_sizes = dense<[2, 3]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

func.func @broadcast_in_dim(%a0: tensor<4xf32>) -> tensor<3x4xf32> {
  %r = "mhlo.broadcast_in_dim"(%a0)  {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @case(%a0: tensor<i32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.case"(%a0) ({
    "mhlo.return"(%a1) : (tensor<4xf32>) -> ()
  }, {
    "mhlo.return"(%a2) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @cbrt(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.cbrt"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @ceil(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.ceil"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @cholesky(%a0: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %r = "mhlo.cholesky"(%a0)  {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

func.func @clamp(%a0: tensor<f32>, %a1: tensor<4xf32>, %a2: tensor<f32>) -> tensor<4xf32> {
  %r = "mhlo.clamp"(%a0, %a1, %a2)  : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @collective_permute(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.collective_permute"(%a0)  {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #mhlo.channel_handle<handle = 1, type = 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @compare(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xi1> {
  %r = "mhlo.compare"(%a0, %a1)  {compare_type = #mhlo<comparison_type TOTALORDER>, comparison_direction = #mhlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

func.func @complex(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  %r = "mhlo.complex"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

func.func @concatenate(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<8xf32> {
  %r = "mhlo.concatenate"(%a0, %a1)  {dimension = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @constant() -> tensor<4xf32> {
  %r = "mhlo.constant"()  {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @convert(%a0: tensor<4xf32>) -> tensor<4xi32> {
  %r = "mhlo.convert"(%a0)  : (tensor<4xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @convolution(%a0: tensor<1x8x8x3xf32>, %a1: tensor<3x3x3x5xf32>) -> tensor<1x4x4x5xf32> {
  %r = "mhlo.convolution"(%a0, %a1)  {batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, lhs_dilation = dense<1> : tensor<2xi64>, rhs_dilation = dense<1> : tensor<2xi64>, window_strides = dense<2> : tensor<2xi64>, window_reversal = dense<false> : tensor<2xi1>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<1x4x4x5xf32>
  return %r : tensor<1x4x4x5xf32>
}

func.func @convolution2(%a0: tensor<1x8x8x3xf32>, %a1: tensor<3x3x3x5xf32>) -> tensor<1x6x6x5xf32> {
  %r = "mhlo.convolution"(%a0, %a1)  {batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<1x6x6x5xf32>
  return %r : tensor<1x6x6x5xf32>
}

func.func @cosine(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.cosine"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @count_leading_zeros(%a0: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.count_leading_zeros"(%a0)  : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @create_token() -> !mhlo.token {
  %r = "mhlo.create_token"()  : () -> !mhlo.token
  return %r : !mhlo.token
}

func.func @cross_replica_sum(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.cross-replica-sum"(%a0)  {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @custom_call(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.custom_call"(%a0)  {call_target_name = "f", has_side_effect = true, backend_config = "b", api_version = 2 : i32, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @custom_call2(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.custom_call"(%a0)  {call_target_name = "f", custom_call_schedule = #mhlo<custom_call_schedule NONE>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @divide(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.divide"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @dot(%a0: tensor<2x3xf32>, %a1: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %r = "mhlo.dot"(%a0, %a1)  {precision_config = [#mhlo<precision HIGHEST>, #mhlo<precision DEFAULT>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @dot_general(%a0: tensor<5x2x3xf32>, %a1: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %r = "mhlo.dot_general"(%a0, %a1)  {dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %r : tensor<5x2x4xf32>
}

func.func @dynamic_broadcast_in_dim(%a0: tensor<4xf32>, %a1: tensor<2xi64>) -> tensor<?x4xf32> {
  %r = "mhlo.dynamic_broadcast_in_dim"(%a0, %a1)  {broadcast_dimensions = dense<1> : tensor<1xi64>, known_expanding_dimensions = dense<> : tensor<0xi64>, known_nonexpanding_dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

func.func @dynamic_conv(%a0: tensor<1x8x8x3xf32>, %a1: tensor<3x3x3x5xf32>, %a2: tensor<2x2xi32>) -> tensor<1x?x?x5xf32> {
  %r = "mhlo.dynamic_conv"(%a0, %a1, %a2)  {batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>, tensor<2x2xi32>) -> tensor<1x?x?x5xf32>
  return %r : tensor<1x?x?x5xf32>
}

func.func @dynamic_gather(%a0: tensor<5x4xf32>, %a1: tensor<3x1xi32>, %a2: tensor<2xi32>) -> tensor<3x4xf32> {
  %r = "mhlo.dynamic_gather"(%a0, %a1, %a2)  {dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @dynamic_iota(%a0: tensor<2xi64>) -> tensor<?x3xi32> {
  %r = "mhlo.dynamic_iota"(%a0)  {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<?x3xi32>
  return %r : tensor<?x3xi32>
}

func.func @dynamic_pad(%a0: tensor<4xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>, %a4: tensor<1xi32>) -> tensor<?xf32> {
  %r = "mhlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4)  : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @dynamic_reshape(%a0: tensor<2x3xf32>, %a1: tensor<1xi64>) -> tensor<?xf32> {
  %r = "mhlo.dynamic_reshape"(%a0, %a1)  : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @dynamic_slice(%a0: tensor<2x3xf32>, %a1: tensor<i32>, %a2: tensor<i32>) -> tensor<1x2xf32> {
  %r = "mhlo.dynamic_slice"(%a0, %a1, %a2)  {slice_sizes = dense<[1, 2]> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

func.func @dynamic_update_slice(%a0: tensor<4xf32>, %a1: tensor<2xf32>, %a2: tensor<i32>) -> tensor<4xf32> {
  %r = "mhlo.dynamic_update_slice"(%a0, %a1, %a2)  : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @einsum(%a0: tensor<2x3xf32>, %a1: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %r = "mhlo.einsum"(%a0, %a1)  {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @exponential(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.exponential"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @exponential_minus_one(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.exponential_minus_one"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @fft(%a0: tensor<8xf32>) -> tensor<5xcomplex<f32>> {
  %r = "mhlo.fft"(%a0)  {fft_type = #mhlo<fft_type RFFT>, fft_length = dense<8> : tensor<1xi64>} : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}

func.func @floor(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.floor"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @gather(%a0: tensor<5x4xf32>, %a1: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %r = "mhlo.gather"(%a0, %a1)  {dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = dense<[1, 4]> : tensor<2xi64>, indices_are_sorted = true} : (tensor<5x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @get_dimension_size(%a0: tensor<2x3xf32>) -> tensor<i32> {
  %r = "mhlo.get_dimension_size"(%a0)  {dimension = 1 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  return %r : tensor<i32>
}

func.func @get_tuple_element(%a0: tuple<tensor<4xf32>, tensor<4xi32>>) -> tensor<4xi32> {
  %r = "mhlo.get_tuple_element"(%a0)  {index = 1 : i32} : (tuple<tensor<4xf32>, tensor<4xi32>>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @if(%a0: tensor<i1>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.if"(%a0) ({
    "mhlo.return"(%a1) : (tensor<4xf32>) -> ()
  }, {
    "mhlo.return"(%a2) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @imag(%a0: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %r = "mhlo.imag"(%a0)  : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @infeed(%a0: !mhlo.token) -> (tensor<4xf32>, !mhlo.token) {
  %r:2 = "mhlo.infeed"(%a0)  {infeed_config = "c", layout = [[0]]} : (!mhlo.token) -> (tensor<4xf32>, !mhlo.token)
  return %r#0, %r#1 : tensor<4xf32>, !mhlo.token
}

func.func @iota() -> tensor<2x3xi32> {
  %r = "mhlo.iota"()  {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

func.func @is_finite(%a0: tensor<4xf32>) -> tensor<4xi1> {
  %r = "mhlo.is_finite"(%a0)  : (tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

func.func @log(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.log"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @log_plus_one(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.log_plus_one"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @logistic(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.logistic"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @map(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.map"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @maximum(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.maximum"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @minimum(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.minimum"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @multiply(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.multiply"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @negate(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.negate"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @not(%a0: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.not"(%a0)  : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @optimization_barrier(%a0: tensor<4xf32>, %a1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r:2 = "mhlo.optimization_barrier"(%a0, %a1)  : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

func.func @or(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.or"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @outfeed(%a0: tensor<4xf32>, %a1: !mhlo.token) -> !mhlo.token {
  %r = "mhlo.outfeed"(%a0, %a1)  {outfeed_config = "c"} : (tensor<4xf32>, !mhlo.token) -> !mhlo.token
  return %r : !mhlo.token
}

func.func @pad(%a0: tensor<2x3xf32>, %a1: tensor<f32>) -> tensor<4x7xf32> {
  %r = "mhlo.pad"(%a0, %a1)  {edge_padding_low = dense<[1, 0]> : tensor<2xi64>, edge_padding_high = dense<[1, 2]> : tensor<2xi64>, interior_padding = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x7xf32>
  return %r : tensor<4x7xf32>
}

func.func @partition_id() -> tensor<ui32> {
  %r = "mhlo.partition_id"()  : () -> tensor<ui32>
  return %r : tensor<ui32>
}

func.func @popcnt(%a0: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.popcnt"(%a0)  : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @power(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.power"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @real(%a0: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %r = "mhlo.real"(%a0)  : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @real_dynamic_slice(%a0: tensor<4xf32>, %a1: tensor<1xi32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>) -> tensor<?xf32> {
  %r = "mhlo.real_dynamic_slice"(%a0, %a1, %a2, %a3)  : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @recv(%a0: !mhlo.token) -> (tensor<4xf32>, !mhlo.token) {
  %r:2 = "mhlo.recv"(%a0)  {channel_handle = #mhlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!mhlo.token) -> (tensor<4xf32>, !mhlo.token)
  return %r#0, %r#1 : tensor<4xf32>, !mhlo.token
}

func.func @reduce(%a0: tensor<2x3xf32>, %a1: tensor<f32>) -> tensor<2xf32> {
  %r = "mhlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @reduce2(%a0: tensor<2x3xf32>, %a1: tensor<f32>) -> tensor<2xf32> {
  %r = "mhlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %t = "mhlo.abs"(%s) : (tensor<f32>) -> tensor<f32>
    "mhlo.return"(%t) : (tensor<f32>) -> ()
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @reduce_precision(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.reduce_precision"(%a0)  {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @reduce_scatter(%a0: tensor<4xf32>) -> tensor<2xf32> {
  %r = "mhlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, channel_handle = #mhlo.channel_handle<handle = 5, type = 0>} : (tensor<4xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @reduce_window(%a0: tensor<4x6xf32>, %a1: tensor<f32>) -> tensor<2x3xf32> {
  %r = "mhlo.reduce_window"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {window_dimensions = dense<2> : tensor<2xi64>, window_strides = dense<2> : tensor<2xi64>, base_dilations = dense<1> : tensor<2xi64>, window_dilations = dense<1> : tensor<2xi64>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

func.func @remainder(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.remainder"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @replica_id() -> tensor<ui32> {
  %r = "mhlo.replica_id"()  : () -> tensor<ui32>
  return %r : tensor<ui32>
}

func.func @reshape(%a0: tensor<2x3xf32>) -> tensor<6xf32> {
  %r = "mhlo.reshape"(%a0)  : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

func.func @reverse(%a0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "mhlo.reverse"(%a0)  {dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

func.func @rng(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<1xi64>) -> tensor<4xf32> {
  %r = "mhlo.rng"(%a0, %a1, %a2)  {rng_distribution = #mhlo.rng_distribution<UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @rng_bit_generator(%a0: tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>) {
  %r:2 = "mhlo.rng_bit_generator"(%a0)  {rng_algorithm = #mhlo.rng_algorithm<PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %r#0, %r#1 : tensor<2xui64>, tensor<4xui32>
}

func.func @round_nearest_afz(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.round_nearest_afz"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @round_nearest_even(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.round_nearest_even"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @rsqrt(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.rsqrt"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @scatter(%a0: tensor<5x4xf32>, %a1: tensor<3x1xi32>, %a2: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %r = "mhlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = true} : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @select(%a0: tensor<4xi1>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.select"(%a0, %a1, %a2)  : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @select_and_scatter(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>) -> tensor<4x6xf32> {
  %r = "mhlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.compare"(%x, %y) {comparison_direction = #mhlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "mhlo.return"(%s) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {window_dimensions = dense<2> : tensor<2xi64>, window_strides = dense<2> : tensor<2xi64>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

func.func @send(%a0: tensor<4xf32>, %a1: !mhlo.token) -> !mhlo.token {
  %r = "mhlo.send"(%a0, %a1)  {channel_handle = #mhlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<4xf32>, !mhlo.token) -> !mhlo.token
  return %r : !mhlo.token
}

func.func @set_dimension_size(%a0: tensor<4xf32>, %a1: tensor<i32>) -> tensor<?xf32, #mhlo.type_extensions<bounds = [4]>> {
  %r = "mhlo.set_dimension_size"(%a0, %a1)  {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #mhlo.type_extensions<bounds = [4]>>
  return %r : tensor<?xf32, #mhlo.type_extensions<bounds = [4]>>
}

func.func @shift_left(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.shift_left"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @shift_right_arithmetic(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.shift_right_arithmetic"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @shift_right_logical(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.shift_right_logical"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @sign(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.sign"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @sine(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.sine"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @slice(%a0: tensor<2x3xf32>) -> tensor<1x2xf32> {
  %r = "mhlo.slice"(%a0)  {start_indices = dense<[1, 0]> : tensor<2xi64>, limit_indices = dense<[2, 3]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

func.func @sort(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.sort"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "mhlo.compare"(%x, %y) {comparison_direction = #mhlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "mhlo.return"(%s) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @sqrt(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.sqrt"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @subtract(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.subtract"(%a0, %a1)  : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @tan(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.tan"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @tanh(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.tanh"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @torch_index_select(%a0: tensor<5x1x5xi32>, %a1: tensor<2xi32>) -> tensor<2x1x5xi32> {
  %r = "mhlo.torch_index_select"(%a0, %a1)  {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x1x5xi32>, tensor<2xi32>) -> tensor<2x1x5xi32>
  return %r : tensor<2x1x5xi32>
}

func.func @transpose(%a0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = "mhlo.transpose"(%a0)  {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

func.func @triangular_solve(%a0: tensor<3x3xf32>, %a1: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %r = "mhlo.triangular_solve"(%a0, %a1)  {left_side = true, lower = true, transpose_a = #mhlo<transpose NO_TRANSPOSE>, unit_diagonal = false} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

func.func @tuple(%a0: tensor<4xf32>, %a1: tensor<4xi32>) -> tuple<tensor<4xf32>, tensor<4xi32>> {
  %r = "mhlo.tuple"(%a0, %a1)  : (tensor<4xf32>, tensor<4xi32>) -> tuple<tensor<4xf32>, tensor<4xi32>>
  return %r : tuple<tensor<4xf32>, tensor<4xi32>>
}

func.func @while(%a0: tensor<i32>, %a1: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %r:2 = "mhlo.while"(%a0, %a1) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %c = "mhlo.constant"() {value = dense<5> : tensor<i32>} : () -> tensor<i32>
    %p = "mhlo.compare"(%i, %c) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "mhlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %c = "mhlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %n = "mhlo.add"(%i, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "mhlo.return"(%n, %x) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

func.func @xor(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.xor"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
