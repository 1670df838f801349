// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Texts that cannot be read.

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.complex' expected tensor with complex element type}}
  %0 = stablehlo.complex %a, %a : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.complex' expected tensor with complex element type}}
  %0 = stablehlo.complex %a, %a : i32
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.select' expected functional type or list of two types}}
  %0 = stablehlo.select %i, %a, %a : tensor<2xi1>, tensor<2xf32>, tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.select' expected functional type or list of two types}}
  %0 = stablehlo.select %i, %a, %a : tensor<2xi1>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.tuple' expected tuple type}}
  %0 = stablehlo.tuple %a : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw x5m10}}
  %0 = stablehlo.reduce_precision %a, format = x5m10 : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw e5}}
  %0 = stablehlo.reduce_precision %a, format = e5 : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw e5mx}}
  %0 = stablehlo.reduce_precision %a, format = e5mx : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw em5}}
  %0 = stablehlo.reduce_precision %a, format = em5 : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' unable to parse exponent '99999999999'}}
  %0 = stablehlo.reduce_precision %a, format = e99999999999m5 : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' unable to parse mantissa '99999999999'}}
  %0 = stablehlo.reduce_precision %a, format = e5m99999999999 : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' expected valid keyword}}
  %0 = stablehlo.reduce_precision %a, format = "e5" : tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '>' after an enum case}}
  %0 = stablehlo.dot %a, %a, precision = [#stablehlo<precision HIGH], #stablehlo<precision HIGH>] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '='}}
  %0 = stablehlo.dot %a, %a, precision [HIGH] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '['}}
  %0 = stablehlo.dot %a, %a, precision = HIGH : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected ']'}}
  %0 = stablehlo.dot %a, %a, precision = [HIGH : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '='}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.convolution' Unexpected keyword size}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[i, o]->[b, f], window = {size = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.convolution' Unexpected keyword stride}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [1], stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '='}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{Unexpected dimension -1}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, -1, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@below {{custom op 'tensor.from_elements' expected a tensor type}}
  %0 = tensor.from_elements %x : i32
  return
}

// -----

func.func @f(%x: i1, %y: i32) {
  // expected-error@below {{custom op 'arith.select' expected one or two types}}
  %0 = arith.select %x, %y, %y : i1, i32, i32
  return
}

// -----

func.func @f(%x: i1, %y: i32) {
  // expected-error@below {{custom op 'arith.addi' expected valid keyword or string}}
  // expected-error@below {{custom op 'arith.addi' failed to parse Arith_IntegerOverflowAttr parameter 'value' which is to be a `::mlir::arith::IntegerOverflowFlags`}}
  %0 = arith.addi %y, %y overflow<"a"> : i32
  return
}

// -----

func.func @f(%x: i1, %y: i32) {
  // expected-error@below {{custom op 'arith.addi' expected ::mlir::arith::IntegerOverflowFlags to be one of: none, nsw, nuw}}
  // expected-error@below {{custom op 'arith.addi' failed to parse Arith_IntegerOverflowAttr parameter 'value' which is to be a `::mlir::arith::IntegerOverflowFlags`}}
  %0 = arith.addi %y, %y overflow<wrap> : i32
  return
}

// -----

func.func @f(%y: f32) {
  // expected-error@below {{custom op 'arith.addf' expected ::mlir::arith::FastMathFlags to be one of: none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast}}
  // expected-error@below {{custom op 'arith.addf' failed to parse Arith_FastMathAttr parameter 'value' which is to be a `::mlir::arith::FastMathFlags`}}
  %0 = arith.addf %y, %y fastmath<slow> : f32
  return
}

// -----

func.func @f(%y: i32) {
  // expected-error@below {{expected '>'}}
  %0 = arith.addi %y, %y overflow<nsw : i32
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected a number}}
  check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32>, tolerance = x
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.select' expected single output}}
  %0 = stablehlo.select %i, %a, %a : (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.select' 3 operands present, but expected 2}}
  %0 = stablehlo.select %i, %a, %a : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.while' number of operands and types do not match: got 1 operands and 2 types}}
  %0 = stablehlo.while(%x = %a) : tensor<2xf32>, tensor<2xf32> cond {
  } do {
  }
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@below {{custom op 'scf.for' mismatch in number of loop-carried values and defined values}}
  %0 = scf.for %k = %x to %x step %x iter_args(%r = %x) -> (index, index) {
  }
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'chlo.scan' operand types must match the number of inputs and inits}}
  %0 = chlo.scan(%a) inits (%a) dimension=0 {
    "stablehlo.return"() : () -> ()
  } : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{custom op 'chlo.scan' not enough result types to cover the required carries}}
  chlo.scan(%a) inits (%a) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"() : () -> ()
  } : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// -----

module {
}
{-#
  dialect_resources: {
    builtin: {
      a: "0x0400000001020304",
      // expected-error@below {{duplicate resource 'a'}}
      a: "0x0400000001020304"
    }
  }
#-}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected integer literal}}
  "foo.bar"() {a = array<i32: 1.5>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected unsigned integer elements, but parsed negative value}}
  "foo.bar"() {a = dense<-1> : tensor<2xui8>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{negative integer literal not valid for unsigned integer type}}
  "foo.bar"() {a = -1 : ui8} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{integer constant out of range}}
  "foo.bar"() {a = array<i8: 256>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{integer constant out of range for attribute}}
  "foo.bar"() {a = 256 : i8} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{integer constant out of range for type}}
  "foo.bar"() {a = dense<300> : tensor<2xi8>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{floating point value not valid for specified type}}
  "foo.bar"() {a = 1.5 : i32} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected integer elements, but parsed floating-point}}
  "foo.bar"() {a = dense<1.5> : tensor<2xi32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{a hexadecimal bit pattern has no sign}}
  "foo.bar"() {a = dense<-0x1> : tensor<2xf32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{the bit pattern does not fit in its type}}
  "foo.bar"() {a = dense<0x1FFFFFFFF> : tensor<2xf32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{unexpected decimal integer literal for a floating point value}}
  "foo.bar"() {a = array<f32: 1>} : () -> ()
  return
}

// -----

#l = 1 : i32
// expected-error@below {{the alias is not a location}}
func.func private @f() loc(#l)

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{dense elements must have a tensor or vector type}}
  "foo.bar"() {a = dense<1> : i32} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '>' after the elements}}
  "foo.bar"() {a = dense<"a", "b"> : tensor<2x!foo.str>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{the brackets of the elements do not match}}
  "foo.bar"() {a = dense<["a", "b"> : tensor<2x!foo.str>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected the key of a resource}}
  "foo.bar"() {a = dense_resource<> : tensor<2xf32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '<' after 'sparse'}}
  "foo.bar"() {a = sparse : tensor<2xf32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{sparse elements must have a tensor type with numeric elements}}
  "foo.bar"() {a = sparse<0, 1> : i32} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected 1 coordinate per index, got 2}}
  "foo.bar"() {a = sparse<[[0, 0]], [1]> : tensor<2xi32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '>' after the elements}}
  "foo.bar"() {a = sparse<[[0], [1]], [1, 2] x> : tensor<2xi32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected one index per value, with one coordinate per dimension of the type}}
  "foo.bar"() {a = sparse<[[0], [1]], [1, 2, 3]> : tensor<2xi32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '>' after an enum case}}
  "foo.bar"() {a = #vhlo.precision_v1<HIGH} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{'#vhlo.string_v1' cannot contain this kind of attribute}}
  "foo.bar"() {a = #vhlo.string_v1<1 : i32>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected 'true' or 'false'}}
  "foo.bar"() {a = #vhlo.bool_v1<1>} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{unknown attribute '#stablehlo.comparison_directon'}}
  "foo.bar"() {a = #stablehlo<comparison_directon LT>} : () -> ()
  return
}

// -----

// expected-error@below {{the arguments of a function with a body need names}}
func.func @f(tensor<2xf32>) {
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected '>' after the properties}}
  %0 = stablehlo.constant() <{value = dense<1> : tensor<i32>} : () -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected ':' before the type of the constant}}
  %0 = stablehlo.constant() {value = dense<1> : tensor<i32>} -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single result}}
  %0 = stablehlo.reduce(%a init: %a) applies across dimensions = [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{expected the name of an op}}
  %0 = stablehlo.reduce(%a init: %a) applies "x" across dimensions = [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error@below {{the inputs of the reduction must be tensors}}
  %0 = stablehlo.reduce(%t init: %t) applies stablehlo.add across dimensions = [0] : (!stablehlo.token, !stablehlo.token) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // expected-error@below {{duplicate key 'iota_dimension' in dictionary attribute}}
  %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> {iota_dimension = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

// expected-error@below {{invalid element type for complex}}
func.func private @f(complex<tensor<f32>>)

// -----

// expected-error@below {{illegal storage type size: 64}}
func.func private @f(tensor<2x!quant.uniform<i64:f32, 1.0>>)

// -----

// expected-error@below {{illegal storage min and storage max: (-128:127)}}
func.func private @f(tensor<2x!quant.uniform<u8<-128:127>:f32, 1.0>>)

// -----

// expected-error@below {{illegal storage min and storage max: (5:5)}}
func.func private @f(tensor<2x!quant.uniform<i8<5:5>:f32:0, {1.0, 2.0}>>)

// -----

// expected-error@below {{expected ':' after a quantized dimension}}
func.func private @f(tensor<2x!quant.uniform<i8:f32:{0 1}, {1.0}>>)

// -----

// expected-error@below {{the storage type of a quantized type must be an integer type}}
func.func private @f(tensor<2x!quant.uniform<bf16:f32, 1.0>>)

// -----

// expected-error@below {{expected non-function type}}
func.func private @f(tensor<2xf31>)

// -----

// expected-error@below {{unknown stablehlo type: tokn}}
func.func private @f(!stablehlo.tokn)

// -----

// expected-error@below {{attribute kind 'stablehlo.result_accuracy_mode' in attribute 'a' does not exist in version 40, only in 1.9.0 (62) to 1.22.0 (75)}}
func.func private @f() attributes {stablehlo.compat_version = 40 : i32, a = #stablehlo<result_accuracy_mode DEFAULT>}

// -----

module attributes {stablehlo.compat_version = 40 : i32} {
  "vhlo.func_v1"() ({
    // expected-error@below {{'vhlo.tanh_v2' does not exist in 40, only in versions 63 to 75}}
    %0 = "vhlo.tanh_v2"() : () -> !vhlo.i32_v1
  }) : () -> ()
}

// -----

// expected-error@below {{expected '>' at the end of an attribute}}
func.func @f() attributes {a = #stablehlo<channel_handle<handle = 1, type = 1> x>} {
  return
}

// -----

// expected-error@below {{expected VHLO key attribute, such as #vhlo.string_v1<"name">}}
func.func @f() attributes {a = #vhlo.dict_v1<{"a" = #vhlo.string_v1<"b">}>} {
  return
}

// -----

// expected-error@below {{duplicate key 'a'}}
func.func @f() attributes {a = #vhlo.dict_v1<{#vhlo.string_v1<"a"> = #vhlo.string_v1<"b">, #vhlo.string_v1<"a"> = #vhlo.string_v1<"b">}>} {
  return
}

// -----

// expected-error@below {{expected VHLO result accuracy mode, such as #vhlo<result_accuracy_mode_v1 DEFAULT>}}
func.func @f() attributes {a = #vhlo.result_accuracy_v1<atol = 0.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} {
  return
}

// -----

// expected-error@below {{expected a list}}
func.func @f() attributes {a = #stablehlo.mesh<axes = 1>} {
  return
}

// -----

// expected-error@below {{expected an axis of a mesh}}
func.func @f() attributes {a = #stablehlo.mesh<axes = [1]>} {
  return
}

// -----

#axes = [1]
// expected-error@below {{expected an axis of a mesh}}
func.func @f() attributes {a = #stablehlo.mesh<axes = #axes>} {
  return
}

// -----

// expected-error@below {{Unexpected keyword x}}
func.func @f() attributes {a = #stablehlo.conv<[b, 0, f, x]x[0, i, o]->[b, 0, f]>} {
  return
}

// -----

// expected-error@below {{expected ']' after the elements}}
func.func @f() attributes {a = dense<["a" "b"]> : tensor<2x!foo.s>} {
  return
}

// -----

// expected-error@below {{expected 2 elements, got 3}}
func.func @f() attributes {a = dense<["a", "b", "c"]> : tensor<2x!foo.s>} {
  return
}

// -----

// expected-error@below {{scales are nested deeper than the limit of 64}}
func.func @f() attributes {a = !quant.uniform<i8:f32:{0:1}, {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{1.0}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}>} {
  return
}

// -----

// expected-error@below {{expected as many zero points as scales}}
func.func @f() attributes {a = !vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0, [1.0, 2.0], [0], -128:127, 1>} {
  return
}

// -----

// expected-error@below {{nesting is deeper than the limit of 500}}
func.func @f() attributes {a = dense<[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]> : tensor<0xf32>} {
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>) {
  // expected-error@below {{expected '>' after a precision}}
  %0 = stablehlo.dot %a, %a, precision = [<DEFAULT, HIGH] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{number of results exceeds the limit of 65536}}
  %0:65537 = stablehlo.all_gather %a : tensor<f32>
  return
}
