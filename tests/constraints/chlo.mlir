// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// CHLO.

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{'chlo.broadcast_add' op requires compatible element types for all operands and results}}
  %0 = "chlo.broadcast_add"(%a0, %a1) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{incompatible shapes for broadcasting 2 and 3}}
  %0 = "chlo.broadcast_add"(%a0, %a1) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<?xf32, #stablehlo.bounds<3>>, %a1: tensor<3xf32>) {
  // expected-error@below {{cannot mix bounded and static dimensions in broadcast}}
  %0 = "chlo.broadcast_add"(%a0, %a1) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x1xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{'chlo.broadcast_add' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@below {{'chlo.broadcast_add' op failed to infer returned types}}
  %0 = "chlo.broadcast_add"(%a0, %a1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<?x1xf32>, %a1: tensor<3xf32>) {
  // expected-error@below {{'chlo.broadcast_add' op inferred type(s) 'tensor<?x3xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@below {{'chlo.broadcast_add' op failed to infer returned types}}
  %0 = "chlo.broadcast_add"(%a0, %a1) : (tensor<?x1xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.broadcast_add' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>'}}
  // expected-error@below {{'chlo.broadcast_add' op failed to infer returned types}}
  %0 = "chlo.broadcast_add"(%a0, %a1) {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.broadcast_compare' op inferred type(s) 'tensor<2xi1>' are incompatible with return type(s) of operation 'tensor<3xi1>'}}
  // expected-error@below {{'chlo.broadcast_compare' op failed to infer returned types}}
  %0 = "chlo.broadcast_compare"(%a0, %a1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<1xf32>) {
  // expected-error@below {{'chlo.broadcast_complex' op inferred type(s) 'tensor<2xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<3xcomplex<f32>>'}}
  // expected-error@below {{'chlo.broadcast_complex' op failed to infer returned types}}
  %0 = "chlo.broadcast_complex"(%a0, %a1) : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %a1: tensor<2xf32>, %a2: tensor<2xi32>) {
  // expected-error@below {{mismatched operand types}}
  // expected-error@below {{'chlo.broadcast_select' op failed to infer returned types}}
  %0 = "chlo.broadcast_select"(%a0, %a1, %a2) : (tensor<i1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<i1>, %a1: tensor<2xf32>, %a2: tensor<1xf32>) {
  // expected-error@below {{'chlo.broadcast_select' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'chlo.broadcast_select' op failed to infer returned types}}
  %0 = "chlo.broadcast_select"(%a0, %a1, %a2) : (tensor<i1>, tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'chlo.constant' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{'chlo.constant' op failed to infer returned types}}
  %0 = "chlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'chlo.constant_like' op value's type doesn't match element return type}}
  %0 = "chlo.constant_like"(%a0) {value = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xi1>) {
  // expected-error@below {{'chlo.constant_like' op requires the same shape for all operands and results}}
  %0 = "chlo.constant_like"(%a0) {value = 1.0 : f32} : (tensor<2xi1>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>) {
  // expected-error@below {{operand's rank must be at least 1}}
  // expected-error@below {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = "chlo.top_k"(%a0) {k = 2 : i64} : (tensor<f32>) -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @f(%a0: tensor<3xf32>) {
  // expected-error@below {{operand's last dimension must be at least 4}}
  // expected-error@below {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = "chlo.top_k"(%a0) {k = 4 : i64} : (tensor<3xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'chlo.top_k' op inferred type(s) 'tensor<2x2xf32>', 'tensor<2x2xi32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>', 'tensor<2x3xi32>'}}
  // expected-error@below {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = "chlo.top_k"(%a0) {k = 2 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'chlo.is_inf' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "chlo.is_inf"(%a0) : (tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op scan dimension of operand 0 is out of bounds}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op invalid scan dimension size of operand 0}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 5 : i64} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op expects 2 arguments in the body, but got 1}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>):
    "stablehlo.return"(%r0, %r0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op operand and body argument 0 are incompatible}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<3xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<3xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op operand and body argument 1 are incompatible}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xi32>):
    "stablehlo.return"(%r0, %r0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{ScanOp body must return at least 1 values (carries)}}
  // expected-error@below {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"() : () -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op inferred type(s) 'tensor<4x2xf32>', 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<4x3xf32>', 'tensor<2xf32>'}}
  // expected-error@below {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x3xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<*xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op operand 0 is not ranked}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<*xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op result count (2) does not match with the total size (1) specified in attribute 'resultSegmentSizes'}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 0>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 3, -1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op for `operandSegmentSizes`: size mismatch in attribute conversion: 3 vs 2}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op for `operand_segment_sizes`: size mismatch in attribute conversion: 1 vs 2}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operand_segment_sizes = array<i32: 2>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{terminator operand 0 is not ranked}}
  // expected-error@below {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<*xf32>):
    // expected-error@below {{'stablehlo.return' op operand #0 must be variadic of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or ranked tensor of per-axis integer quantized values or token or memref of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<*xf32>'}}
    "stablehlo.return"(%r1, %r1) : (tensor<*xf32>, tensor<*xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x2xf32>, %a1: tensor<*xf32>) {
  // expected-error@below {{'chlo.scan' op operand 1 is not ranked}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x2xf32>, tensor<*xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<*xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'chlo.scan' op operand 0 is not ranked}}
  %0:2 = "chlo.scan"(%a0, %a1) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<2xf32>):
    "stablehlo.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<*xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}
