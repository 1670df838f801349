// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Reductions over windows, select_and_scatter and sort.

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<4x5xf32>, %a2: tensor<f32>, %a3: tensor<f32>) {
  // expected-error@below {{expects all inputs to have compatible shapes. Shape at input-index 1 is not compatible with shape at input-index 0}}
  %0:2 = "stablehlo.reduce_window"(%a0, %a1, %a2, %a3) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, %r2: tensor<f32>, %r3: tensor<f32>):
    "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects the shape of padding-attribute to be {N, 2}, but got {2, 3}.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<2x3xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window-dimensions size == input rank, but got window-dimensions size: 1 and input: 'tensor<4x6xf32>' with rank = 2.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects base-dilation factors to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window-dilation factors to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, 1, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window to have positive value for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window to have positive stride for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window to have positive base dilation factor for 1-th window dimension, but got -1.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1, -1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{expects window to have positive window dilation factor for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{Reduction-region must take 2 parameters, but takes 3 parameter(s)}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, %r2: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op inferred type(s) 'tensor<3x5xf32>' are incompatible with return type(s) of operation 'tensor<2x5xf32>'}}
  // expected-error@below {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x3xf32>'}}
  // expected-error@below {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op inferred type(s) 'tensor<6x5xf32>' are incompatible with return type(s) of operation 'tensor<5x5xf32>'}}
  // expected-error@below {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 2, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op inferred type(s) 'tensor<1x5xf32>' are incompatible with return type(s) of operation 'tensor<2x5xf32>'}}
  // expected-error@below {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op inferred type(s) 'tensor<6x5xf32>' are incompatible with return type(s) of operation 'tensor<5x5xf32>'}}
  // expected-error@below {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op inferred type(s) 'tensor<0x5xf32>' are incompatible with return type(s) of operation 'tensor<1x5xf32>'}}
  // expected-error@below {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 5, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<1x5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{requires at least 1 input value}}
  %0 = "stablehlo.reduce_window"() ({
    "stablehlo.return"() : () -> ()
  }) {window_dimensions = array<i64>} : () -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects the select-region to take 2 parameters, but takes 1}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects the type of select-region's parameter at index 1 to be 'tensor<f32>', but got 'tensor<i32>'}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects the type of select-region's parameter at index 0 to be 'tensor<f32>', but got 'tensor<2xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<2xf32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects select-region to return single value, but got: 2}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0, %r0) : (tensor<i1>, tensor<f32>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects the return-type of select-region to be tensor<i1>, but got: 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<1xi1>) {
  // expected-error@below {{expects the return-type of select-region to be tensor<i1>, but got: 'tensor<1xi1>'}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<1xi1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects window-dimensions size == operand rank, but got window-dimensions size: 1 and operand-type: 'tensor<4x6xf32>' with rank = 2.}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects the shape of padding-attribute to be {N, 2}, but got {2, 1}.}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x1xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x2xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{expects source-type to be 'tensor<2x3xf32>', but got'tensor<2x2xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xi32>, %a2: tensor<i32>, %e0: tensor<i1>) {
  // expected-error@below {{expects source-type to be 'tensor<2x3xf32>', but got'tensor<2x3xi32>'}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<i32>, %r1: tensor<i32>):
    "stablehlo.return"(%r0) : (tensor<i32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xi32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<2x3xf32>, %a2: tensor<f32>, %e0: tensor<i1>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op inferred type(s) 'tensor<4x6xf32>' are incompatible with return type(s) of operation 'tensor<4x5xf32>'}}
  // expected-error@below {{'stablehlo.select_and_scatter' op failed to infer returned types}}
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{dimension attribute value must be in range [-2, 2), but found 2}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }) {dimension = 2 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{dimension attribute value must be in range [-2, 2), but found -3}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }) {dimension = -3 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{comparator block should have 2 arguments}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{comparator block argument #1 should be of type 'tensor<f32>' but got 'tensor<i32>'}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<i32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{comparator block argument #0 should be of type 'tensor<f32>' but got 'tensor<1xf32>'}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<1xf32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{comparator must return single output but got 2}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0, %e0) : (tensor<i1>, tensor<i1>) -> ()
  }) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<i1>) {
  // expected-error@below {{comparator must return tensor<i1> but got 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x6xf32>, %e0: tensor<2xi1>) {
  // expected-error@below {{comparator must return tensor<i1> but got 'tensor<2xi1>'}}
  %0 = "stablehlo.sort"(%a0) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%e0) : (tensor<2xi1>) -> ()
  }) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
