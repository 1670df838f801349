// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Reductions.

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<4x5xf32>, %a2: tensor<f32>, %a3: tensor<f32>) {
  // expected-error@below {{expects all inputs to have compatible shapes. Shape at input-index 1 is not compatible with shape at input-index 0}}
  %0:2 = "stablehlo.reduce"(%a0, %a1, %a2, %a3) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, %r2: tensor<f32>, %r3: tensor<f32>):
    "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Out-of-bounds dimension 2, expected to be in range [0, 2)}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Out-of-bounds dimension -1, expected to be in range [0, 2)}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: -1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Duplicate reduction dimension: 1}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"() : () -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>, %e0: !stablehlo.token) {
  // expected-error@below {{Reduction-region here must produce tensor-typed result(s), but produces '!stablehlo.token' instead}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (!stablehlo.token) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{The type of reduction-region's parameter at index 0 is different than the corresponding result type: 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<i32>, %r1: tensor<f32>):
    "stablehlo.return"(%r1) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{The type of reduction-region's parameter at index 1 is different than the corresponding result type: 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type: 'tensor<4xf32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<4xf32>, %r1: tensor<4xf32>):
    "stablehlo.return"(%r0) : (tensor<4xf32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<i32>) {
  // expected-error@below {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xi32>, %a1: tensor<f32>) {
  // expected-error@below {{The element-type of reduction-region's argument at index 1 is expected to be promotable from 'i32', but got 'f32'}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xi32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xi32>, %a1: tensor<i16>) {
  // expected-error@below {{The element-type of reduction-region's argument at index 1 is expected to be promotable from 'i32', but got 'i16'}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<i16>, %r1: tensor<i16>):
    "stablehlo.return"(%r0) : (tensor<i16>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xi32>, tensor<i16>) -> tensor<4xi16>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x2xf32>) {
  // expected-error@below {{The rank of reduction-region's argument at index 1 is expected to be <= 1, got 2}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<2x2xf32>, %r1: tensor<2x2xf32>):
    "stablehlo.return"(%r0) : (tensor<2x2xf32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<5xf32>) {
  // expected-error@below {{The shape of reduction-region's argument at index 1 is not compatible with that of reduce-op's input-parameter at index 0}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<5xf32>, %r1: tensor<5xf32>):
    "stablehlo.return"(%r0) : (tensor<5xf32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<6xf32>'}}
  // expected-error@below {{'stablehlo.reduce' op failed to infer returned types}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f64>) {
  // expected-error@below {{'stablehlo.reduce' op inferred type(s) 'tensor<4xf64>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@below {{'stablehlo.reduce' op failed to infer returned types}}
  %0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%r0: tensor<f64>, %r1: tensor<f64>):
    "stablehlo.return"(%r0) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error@below {{The reduction-region expected to have a terminator}}
  // expected-error@below {{empty block: expect at least a terminator}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
