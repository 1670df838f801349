// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Collective ops.

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{replica groups should be a rank 2 tensor}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{replica id #1 seen more than once}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{replica id #1 not seen in replica groups}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{Invalid replica id -1}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{if `use_global_device_ids` is set, the replica groups cannot be empty}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{channel_id cannot be negative when useGlobalDeviceIds is set}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = -1, type = 1>, use_global_device_ids} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{all_gather_dim must be a valid index of operand}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<0x6xf32>) {
  // expected-error@below {{dimension size of operand at 'all_gather_dim' cannot be zero}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<0x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{operand and result must have the same rank}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{operand and result should have the same shape except for the dimension size at 'all_gather_dim'}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{result gather dimension has size 9, expected to be a multiple of operand gather dimension size 4}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<9x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{replica id #0 seen more than once}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{replica id #0 not seen in replica groups}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[1, 2]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{channel_id must be positive when useGlobalDeviceIds is set but got: 0}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@below {{'stablehlo.all_reduce' op failed to infer returned types}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op inferred type(s) 'tensor<4xf64>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@below {{'stablehlo.all_reduce' op failed to infer returned types}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f64>, %r1: tensor<f64>):
    "stablehlo.return"(%r0) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x6xf32>) {
  // expected-error@below {{group size of replica_groups must be 3}}
  // expected-error@below {{'stablehlo.all_to_all' op failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{AllToAll split_dimension 2 is out-of-bounds for input rank 2}}
  // expected-error@below {{'stablehlo.all_to_all' op failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 2 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{AllToAll concat_dimension 3 is out-of-bounds for input rank 2}}
  // expected-error@below {{'stablehlo.all_to_all' op failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 3 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @f(%a0: tensor<5x6xf32>) {
  // expected-error@below {{split dimension has size 5, expected to be a multiple of split_count 2}}
  // expected-error@below {{'stablehlo.all_to_all' op failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<5x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op inferred type(s) 'tensor<2x12xf32>' are incompatible with return type(s) of operation 'tensor<2x6xf32>'}}
  // expected-error@below {{'stablehlo.all_to_all' op failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op inferred type(s) 'tensor<4x6xf32>' are incompatible with return type(s) of operation 'tensor<2x12xf32>'}}
  // expected-error@below {{'stablehlo.all_to_all' op failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{operand and result should have same rank}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{scatter dim should be less than operand/result rank}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{channel_id must be positive when useGlobalDeviceIds is set but got: 0}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, use_global_device_ids} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{result dimension size at scatter_dimension cannot be zero}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x0xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x0xf32>) {
  // expected-error@below {{operand dimension size at scatter_dimension cannot be zero}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x0xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{operand scatter dimension has size 6, expected to be a multiple of result scatter dimension size 4}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{non scatter dimensions should be same for operand (4) and result (5)}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{result element-type is expected to be 'f32', but got 'f64'}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf64>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{replica groups should be a rank 2 tensor,but instead it is of rank 1}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{replica_groups values must be positive, but was given -1}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{replica id #3 seen more than once}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[3, 3]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_broadcast' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@below {{'stablehlo.collective_broadcast' op failed to infer returned types}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{expect source_target_pairs attribute to be of rank 2, but got rank 1}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[0, 1]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{expect source_target_pairs attribute of shape (N, 2), but got (1, 3)}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{replica ids in source_target_pairs must be >= 0.}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{duplicate sources not allowed.}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{duplicate targets not allowed.}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@below {{'stablehlo.collective_permute' op failed to infer returned types}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{axis 'z' not found in mesh definition}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "z">]>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{expected AxisRefAttr in axes list}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [4 : i64]>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>) {
  // expected-error@below {{mesh must be a FlatSymbolRefAttr or MeshAttr}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = 4 : i64, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op replica_groups: mesh symbol 'none' not found}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @none, axes = [#stablehlo.axis_ref<name = "z">]>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
