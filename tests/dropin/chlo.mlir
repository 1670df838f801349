// RUN: opt -chlo-legalize-to-stablehlo -split-input-file
// CHLO as the reference rewrites it: its ops, in its order.

// Floats of 16 bits are converted where the reference does it.
func.func @float16(%x: tensor<2xf16>, %y: tensor<2xbf16>, %z: tensor<2xf8E5M2>) -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xf8E5M2>) {
  %0 = chlo.acosh %x : tensor<2xf16> -> tensor<2xf16>
  %1 = chlo.cosh %y : tensor<2xbf16> -> tensor<2xbf16>
  %2 = chlo.asin %z : tensor<2xf8E5M2> -> tensor<2xf8E5M2>
  return %0, %1, %2 : tensor<2xf16>, tensor<2xbf16>, tensor<2xf8E5M2>
}

// -----

func.func @complex(%x: tensor<complex<f64>>) -> (tensor<complex<f64>>, tensor<complex<f64>>, tensor<complex<f64>>) {
  %0 = chlo.sinh %x : tensor<complex<f64>> -> tensor<complex<f64>>
  %1 = chlo.conj %x : tensor<complex<f64>> -> tensor<complex<f64>>
  %2 = chlo.square %x : tensor<complex<f64>> -> tensor<complex<f64>>
  return %0, %1, %2 : tensor<complex<f64>>, tensor<complex<f64>>, tensor<complex<f64>>
}

// -----

// Shapes that are known at run time only: each number has its own shape.
func.func @dynamic(%x: tensor<?x2xf64>, %y: tensor<?xf64, #stablehlo.bounds<4>>) -> (tensor<?x2xf64>, tensor<?xf64, #stablehlo.bounds<4>>) {
  %0 = chlo.sinh %x : tensor<?x2xf64> -> tensor<?x2xf64>
  %1 = chlo.cosh %y : tensor<?xf64, #stablehlo.bounds<4>> -> tensor<?xf64, #stablehlo.bounds<4>>
  return %0, %1 : tensor<?x2xf64>, tensor<?xf64, #stablehlo.bounds<4>>
}

// -----

func.func @integers(%a: tensor<2xi8>, %b: tensor<2xui32>, %c: tensor<2xi64>) -> (tensor<2xi8>, tensor<2xui32>, tensor<2xi64>) {
  %0 = chlo.mulhi %a, %a : tensor<2xi8>, tensor<2xi8> -> tensor<2xi8>
  %1 = chlo.mulhi %b, %b : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  %2 = chlo.mulhi %c, %c : tensor<2xi64>, tensor<2xi64> -> tensor<2xi64>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xui32>, tensor<2xi64>
}

// -----

// Unknown sizes are broadcast inside of an assumption, bounded ones to their bounds.
func.func @broadcast(%x: tensor<?xf32>, %y: tensor<3x1xf32>, %s: tensor<f32>, %p: tensor<i1>, %b: tensor<?x2xf32, #stablehlo.bounds<5, ?>>) -> (tensor<3x?xf32>, tensor<?xi1>, tensor<?xf32>, tensor<?x2xf32, #stablehlo.bounds<5, ?>>) {
  %0 = chlo.broadcast_multiply %x, %y : (tensor<?xf32>, tensor<3x1xf32>) -> tensor<3x?xf32>
  %1 = chlo.broadcast_compare %x, %s {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
  %2 = chlo.broadcast_select %p, %x, %s : (tensor<i1>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = chlo.broadcast_power %b, %s : (tensor<?x2xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<?x2xf32, #stablehlo.bounds<5, ?>>
  return %0, %1, %2, %3 : tensor<3x?xf32>, tensor<?xi1>, tensor<?xf32>, tensor<?x2xf32, #stablehlo.bounds<5, ?>>
}

// -----

func.func @top_k(%x: tensor<4x?xf32>, %y: tensor<8xi32>) -> (tensor<4x3xf32>, tensor<4x3xi32>, tensor<2xi32>, tensor<2xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<4x?xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %1:2 = chlo.top_k(%y, k = 2) : tensor<8xi32> -> (tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<4x3xf32>, tensor<4x3xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----

// Groups of 32-bit sizes, one of them empty.
func.func @ragged_dot(%lhs: tensor<4x3xf32>, %rhs: tensor<2x3x5xf32>, %sizes: tensor<2xi32>) -> tensor<4x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]
    >
  } : (tensor<4x3xf32>, tensor<2x3x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
