// Ops of MHLO that no dialect has that converts.
func.func @add_dependency(%a0: tensor<4xf32>, %a1: !mhlo.token) -> tensor<4xf32> {
  %r = "mhlo.add_dependency"(%a0, %a1)  : (tensor<4xf32>, !mhlo.token) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func private @sq2(%x: tensor<4xf32>) -> tensor<4xf32> attributes {execution_thread = "t"} {
  %0 = mhlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @async(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.async_start"(%a) {called_computation = @sq2, execution_thread = "t"} : (tensor<4xf32>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>
  %1 = "mhlo.async_update"(%0) : (!mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>
  %2 = "mhlo.async_done"(%1) : (!mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

func.func @bitcast(%a0: tensor<4xf32>) -> tensor<4xi32> {
  %r = "mhlo.bitcast"(%a0)  : (tensor<4xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @copy(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.copy"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @domain(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.domain"(%a0)  {kind = #mhlo<kind sharding>, entry_metadata = "{}", exit_metadata = "{}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @fusion(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.fusion"(%a0) ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "mhlo.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "mhlo.return"(%0) : (tensor<4xf32>) -> ()
  }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @minimum_broadcast_shapes(%a0: tensor<2xindex>, %a1: tensor<2xindex>) -> (tensor<?xindex>, tensor<?xindex>) {
  %r:2 = "mhlo.minimum_broadcast_shapes"(%a0, %a1)  : (tensor<2xindex>, tensor<2xindex>) -> (tensor<?xindex>, tensor<?xindex>)
  return %r#0, %r#1 : tensor<?xindex>, tensor<?xindex>
}

func.func @ragged_dot(%a0: tensor<11x5xf32>, %a1: tensor<3x5x7xf32>, %a2: tensor<3xi64>) -> tensor<11x7xf32> {
  %r = "mhlo.ragged_dot"(%a0, %a1, %a2)  {ragged_dot_dimension_numbers = #mhlo.ragged_dot<dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %r : tensor<11x7xf32>
}

func.func @stochastic_convert(%a0: tensor<4xf32>, %a1: tensor<4xui32>) -> tensor<4xi8> {
  %r = "mhlo.stochastic_convert"(%a0, %a1)  : (tensor<4xf32>, tensor<4xui32>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

func.func @trace(%a0: tensor<4xf32>) {
  "mhlo.trace"(%a0)  {tag = "t"} : (tensor<4xf32>) -> ()
  return
}

func.func @xla_rng_get_and_update_state() -> tensor<2xui64> {
  %r = "mhlo.xla.rng_get_and_update_state"()  {delta = 1 : i64} : () -> tensor<2xui64>
  return %r : tensor<2xui64>
}
