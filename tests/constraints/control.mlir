// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Control flow, tokens, tuples and asynchronous ops.

func.func @f(%a0: tensor<1xi1>, %e0: tensor<f32>, %e1: tensor<i32>) {
  // expected-error@below {{operand should be rank 0 tensor but got rank 1}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }) : (tensor<1xi1>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %e0: tensor<f32>, %e1: tensor<i32>) {
  // expected-error@below {{branch 1 must have 0 arguments, but found 1}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %e0: tensor<f32>, %e1: tensor<i32>) {
  // expected-error@below {{branch 0 and branch 1 have mismatched return types: 'tensor<f32>' vs 'tensor<i32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%e1) : (tensor<i32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %e0: tensor<f32>, %e1: tensor<i32>) {
  // expected-error@below {{branch 0 and branch 1 have mismatched return types: 'tensor<f32>' vs 'tensor<f32>', 'tensor<f32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%e0, %e0) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %e0: tensor<f32>, %e1: tensor<i32>) {
  // expected-error@below {{'stablehlo.if' op inferred type(s) 'tensor<f32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %e0: tensor<2xf32>, %e1: tensor<3xf32>) {
  // expected-error@below {{branch 0 and branch 1 have mismatched return types: 'tensor<2xf32>' vs 'tensor<3xf32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<2xf32>) -> ()
  }, {
    "stablehlo.return"(%e1) : (tensor<3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %e0: tensor<2xf32>, %e1: tensor<?xf32>) {
  // expected-error@below {{'stablehlo.if' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<2xf32>) -> ()
  }, {
    "stablehlo.return"(%e1) : (tensor<?xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<i32>) {
  // expected-error@below {{expect at least one branch}}
  // expected-error@below {{'stablehlo.case' op failed to infer returned types}}
  %0 = "stablehlo.case"(%a0) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<1xi32>, %e0: tensor<f32>) {
  // expected-error@below {{operand should be rank 0 tensor but got rank 1}}
  // expected-error@below {{'stablehlo.case' op failed to infer returned types}}
  %0 = "stablehlo.case"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }) : (tensor<1xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i32>) {
  // expected-error@below {{branch 0 must have 0 arguments, but found 1}}
  // expected-error@below {{'stablehlo.case' op failed to infer returned types}}
  %0 = "stablehlo.case"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<f32>, %e1: tensor<i32>) {
  // expected-error@below {{branch 0 and branch 2 have mismatched return types: 'tensor<f32>' vs 'tensor<i32>'}}
  // expected-error@below {{'stablehlo.case' op failed to infer returned types}}
  %0 = "stablehlo.case"(%a0) ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%e1) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect operands to be compatible with condition block arguments but got 'tensor<i32>' vs 'tensor<i64>'}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i64>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect operands to be compatible with condition block arguments but got 'tensor<i32>' vs 'tensor<i32>', 'tensor<i32>'}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>, %r1: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect operands to be compatible with body block arguments but got 'tensor<i32>' vs 'tensor<2xi32>'}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<2xi32>):
    "stablehlo.return"(%r0) : (tensor<2xi32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect operands to be compatible with body block return types but got 'tensor<i32>' vs 'tensor<i1>'}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect operands to be compatible with body block return types but got 'tensor<i32>' vs }}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"() : () -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect condition body returns a single value but got 2}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%e0, %e0) : (tensor<i1>, tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<i32>'}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<i32>, %e0: tensor<1xi1>) {
  // expected-error@below {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<1xi1>'}}
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<1xi1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.infeed"(%a0) {infeed_config = ""} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{all elements of result types, except the last element, are expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = []} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{last element of result types is expected to be of token type, but got 'tensor<2xf32>'}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{layout-attribute size must be 1 (which is the number of op-results - 1 (for token result)), but got 2}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = [[0], [0]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{layout-attribute expected to have elements of type array, but got 0 : i64}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = [0]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{layout-attribute's leaf elements are expected to be of type integer, but got "a"}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = [["a"]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: !stablehlo.token) {
  // expected-error@below {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  // expected-error@below {{'stablehlo.send' op failed to infer returned types}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: !stablehlo.token) {
  // expected-error@below {{channel_type should be DEVICE_TO_HOST when is_host_transfer is true}}
  // expected-error@below {{'stablehlo.send' op failed to infer returned types}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{channel_type should be HOST_TO_DEVICE when is_host_transfer is true}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{everything but the last element of result types is expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{last element of result types is expected to be of token type, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<i32>) {
  // expected-error@below {{'stablehlo.tuple' op inferred type(s) 'tuple<tensor<f32>, tensor<i32>>' are incompatible with return type(s) of operation 'tuple<tensor<i32>, tensor<f32>>'}}
  // expected-error@below {{'stablehlo.tuple' op failed to infer returned types}}
  %0 = "stablehlo.tuple"(%a0, %a1) : (tensor<f32>, tensor<i32>) -> tuple<tensor<i32>, tensor<f32>>
  return
}

// -----

func.func @f(%a0: tuple<tensor<f32>, tensor<i32>>) {
  // expected-error@below {{index 2 is out of bounds of operand with size 2}}
  // expected-error@below {{'stablehlo.get_tuple_element' op failed to infer returned types}}
  %0 = "stablehlo.get_tuple_element"(%a0) {index = 2 : i32} : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tuple<tensor<f32>, tensor<i32>>) {
  // expected-error@below {{'stablehlo.get_tuple_element' op inferred type(s) 'tensor<i32>' are incompatible with return type(s) of operation 'tensor<f32>'}}
  // expected-error@below {{'stablehlo.get_tuple_element' op failed to infer returned types}}
  %0 = "stablehlo.get_tuple_element"(%a0) {index = 1 : i32} : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: !stablehlo.future<tensor<f32>, tensor<i32>>) {
  // expected-error@below {{'stablehlo.async_done' op future must have exactly one type parameter, but got 2}}
  // expected-error@below {{'stablehlo.async_done' op failed to infer returned types}}
  %0 = "stablehlo.async_done"(%a0) : (!stablehlo.future<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: !stablehlo.future<tensor<f32>>) {
  // expected-error@below {{'stablehlo.async_done' op inferred type(s) 'tensor<f32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{'stablehlo.async_done' op failed to infer returned types}}
  %0 = "stablehlo.async_done"(%a0) : (!stablehlo.future<tensor<f32>>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.async_start' op region must contain exactly one operation and a return}}
  // expected-error@below {{'stablehlo.async_start' op failed to infer returned types}}
  %0 = "stablehlo.async_start"(%a0) ({
  ^bb0(%r0: tensor<4xf32>):
    "stablehlo.return"(%r0) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.async_start' op region must contain a collective or slice operation}}
  // expected-error@below {{'stablehlo.async_start' op failed to infer returned types}}
  %0 = "stablehlo.async_start"(%a0) ({
  ^bb0(%r0: tensor<2xf32>):
    %s = "stablehlo.abs"(%r0) : (tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%s) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.async_start' op number of operands (1) must match number of region arguments (2)}}
  // expected-error@below {{'stablehlo.async_start' op failed to infer returned types}}
  %0 = "stablehlo.async_start"(%a0) ({
  ^bb0(%r0: tensor<4xf32>, %r1: tensor<4xf32>):
    %s = "stablehlo.slice"(%r0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
    "stablehlo.return"(%s) : (tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @f(%a0: tensor<5xf32>) {
  // expected-error@below {{'stablehlo.async_start' op operand type 'tensor<5xf32>' at index 0 must match region argument type 'tensor<4xf32>'}}
  // expected-error@below {{'stablehlo.async_start' op failed to infer returned types}}
  %0 = "stablehlo.async_start"(%a0) ({
  ^bb0(%r0: tensor<4xf32>):
    %s = "stablehlo.slice"(%r0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
    "stablehlo.return"(%s) : (tensor<2xf32>) -> ()
  }) : (tensor<5xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.async_start' op region must return exactly one value, but got 2}}
  // expected-error@below {{'stablehlo.async_start' op failed to infer returned types}}
  %0 = "stablehlo.async_start"(%a0) ({
  ^bb0(%r0: tensor<4xf32>):
    %s = "stablehlo.slice"(%r0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
    "stablehlo.return"(%s, %s) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.async_start' op inferred type(s) '!stablehlo.future<tensor<2xf32>>' are incompatible with return type(s) of operation '!stablehlo.future<tensor<3xf32>>'}}
  // expected-error@below {{'stablehlo.async_start' op failed to infer returned types}}
  %0 = "stablehlo.async_start"(%a0) ({
  ^bb0(%r0: tensor<4xf32>):
    %s = "stablehlo.slice"(%r0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
    "stablehlo.return"(%s) : (tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}

// -----

// Sizes and bounds of all branches are merged. Only a first branch with bounds gives the result bounds.
func.func @f(%p: tensor<i1>, %a0: tensor<2xf32>, %a1: tensor<?xf32, #stablehlo.bounds<3>>) {
  // expected-error@below {{'stablehlo.if' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<5x1xf32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a0 : tensor<2xf32>
  }, {
    stablehlo.return %a1 : tensor<?xf32, #stablehlo.bounds<3>>
  }) : (tensor<i1>) -> tensor<5x1xf32>
  return
}

// -----

func.func @f(%p: tensor<i1>, %a0: tensor<2xf32>, %a1: tensor<?xf32, #stablehlo.bounds<3>>) {
  // expected-error@below {{'stablehlo.if' op inferred type(s) 'tensor<?xf32, #stablehlo.bounds<3>>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a1 : tensor<?xf32, #stablehlo.bounds<3>>
  }, {
    stablehlo.return %a0 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%p: tensor<i1>, %a0: tensor<?xf32, #stablehlo.bounds<7>>, %a1: tensor<?xf32, #stablehlo.bounds<3>>) {
  // expected-error@below {{'stablehlo.if' op inferred type(s) 'tensor<?xf32, #stablehlo.bounds<7>>' are incompatible with return type(s) of operation 'tensor<9xf32>'}}
  // expected-error@below {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a1 : tensor<?xf32, #stablehlo.bounds<3>>
  }, {
    stablehlo.return %a0 : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<i1>) -> tensor<9xf32>
  return
}
