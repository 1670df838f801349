// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Violations that only few ops can have.

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x4xf32>) {
  // expected-error@below {{'stablehlo.scatter' op attribute 'scatter_dimension_numbers' failed to satisfy constraint: Attribute that models the dimension information for scatter}}
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    "stablehlo.return"(%r0) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = 1 : i32} : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

// expected-error@below {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
// expected-error@below {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
"func.func"() ({
}) {sym_name = "f", function_type = () -> (), sym_visibility = "private", arg_attrs = [1 : i32]} : () -> ()

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.compare' op requires compatible element types for all operands}}
  %0 = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%e0: tensor<f32>) {
  // expected-error@below {{'stablehlo.map' op expected 1 or more operands, but found 0}}
  %0 = "stablehlo.map"() ({
    "stablehlo.return"(%e0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.concatenate' op expected 1 or more operands, but found 0}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<i32>) {
  // expected-error@below {{last operand of collective_broadcast with has_dynamic_root=true must be a rank-1 i32 tensor, but got 'tensor<i32>'}}
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root = true} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<1xi64>) {
  // expected-error@below {{last operand of collective_broadcast with has_dynamic_root=true must be a rank-1 i32 tensor, but got 'tensor<1xi64>'}}
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root = true} : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<2xi32>) {
  // expected-error@below {{last operand of collective_broadcast with has_dynamic_root=true must have the same number of elements as data operands (1), but got 2}}
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root = true} : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<1xi32>) {
  // expected-error@below {{collective_broadcast with has_dynamic_root=true requires at least two operands (data + root)}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root = true} : (tensor<1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{collective_broadcast requires at least one data operand}}
  "stablehlo.collective_broadcast"() {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : () -> ()
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.get_dimension_size' op attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_dimension_size"(%a0) {dimension = -1 : i64} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a0: tensor<2xi1, 1 : i32>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  // expected-error@below {{'arith.select' op expected condition type to have the same shape as the result type, expected 'tensor<2xi1>', but got 'tensor<2xi1, 1 : i32>'}}
  %0 = "arith.select"(%a0, %a1, %a2) : (tensor<2xi1, 1 : i32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: i32, %a1: i32) {
  // expected-error@below {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a0, %a1) : (i32, i32) -> tensor<2xi32>
  return
}

// -----

module attributes {stablehlo.compat_version = 55 : i32} {
  func.func @f(%a: tensor<f32>) {
    // expected-error@below {{'stablehlo.custom_call' op version 1.2.0 (55) requires that backend_config is a string and api_version is not API_VERSION_TYPED_FFI}}
    %0 = stablehlo.custom_call @x(%a) {api_version = 4 : i32, backend_config = {}} : (tensor<f32>) -> tensor<f32>
    return
  }
}

// -----

func.func @f(%a: tensor<i1>) {
  "foo.outer"() ({
  ^a:
    "foo.branch"()[^b] : () -> ()
  ^b:
    "foo.end"() : () -> ()
  }, {
    "foo.end"() : () -> ()
  }) : () -> ()
  // expected-error@below {{'stablehlo.abs' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit signless integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<i1>'}}
  %0 = stablehlo.abs %a : tensor<i1>
  return
}

// -----

// expected-error@below {{expected ']' after a scalable dimension}}
func.func private @f(vector<[2xf32>)

// -----

// expected-error@below {{a memref has at most one layout and one memory space}}
func.func private @f(memref<2xf32, 1 : i32, 2 : i32, 3 : i32>)

// -----

// expected-error@below {{nested lists of scales have different lengths}}
func.func private @f(tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{1.0, 2.0}, {3.0}}>>)

// -----

// expected-error@below {{expected '{' before the scales}}
func.func private @f(tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:1}, 1.0>>)

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected ',' or ']' in the elements}}
  "foo.bar"() {a = dense<[1, 2> : tensor<2xi32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{the brackets of the elements do not match}}
  "foo.bar"() {a = sparse<[[0], [1] : tensor<2xi32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '>' at the end of an attribute}}
  "foo.bar"() {a = #vhlo<bool_v1<true>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{Unexpected dimension q, expecting f}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, q]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{Expected dimensions f not specified}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected 'x' between dimension numbers}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f] [i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@below {{illegal quantized dimension: -1}}
func.func @f(%a: tensor<4x!quant.uniform<i8:f32:-1, {1.0}>>) {
  return
}
