// RUN: eval --entry extents --args "dense<0.0> : tensor<2x3xf32>" "dense<1.0> : tensor<1x3xf32>"
// RUN: eval --entry shapes
// RUN: eval --entry elements
// RUN: eval --entry slices
// RUN: eval --entry control
// RUN: eval --entry broadcast --args "dense<[2, 3]> : tensor<2xindex>" "dense<[2, 1]> : tensor<2xindex>"
// RUN: eval --entry broadcast --args "dense<[2, 3]> : tensor<2xindex>" "dense<[2, 2]> : tensor<2xindex>" --expect "shapes differ"
// EXIT: 3
// RUN: roundtrip
// Shape computations in MLIR's dialects, as torch-mlir, TensorFlow and IREE emit them.
func.func @extents(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %s = tensor.from_elements %d0, %d1 : tensor<2xindex>
  %x1 = "arith.index_cast"(%s) : (tensor<2xindex>) -> tensor<2xi64>
  check.expect_eq_const %x1, dense<[2, 3]> : tensor<2xi64>
  %w = "stablehlo.dynamic_broadcast_in_dim"(%b, %s) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %sum = stablehlo.add %a, %w : tensor<?x?xf32>
  %whole = tensor.cast %sum : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %whole, dense<1.0> : tensor<2x3xf32>
  %rank = "tensor.rank"(%a) : (tensor<?x?xf32>) -> index
  %both = "arith.muli"(%d0, %d1) : (index, index) -> index
  %size = "index.add"(%both, %rank) : (index, index) -> index
  %i = "arith.index_cast"(%size) : (index) -> i64
  %t = tensor.from_elements %i : tensor<1xi64>
  check.expect_eq_const %t, dense<8> : tensor<1xi64>
  return
}
func.func @shapes() {
  %a = "shape.const_shape"() {shape = dense<[2, 1, 4]> : tensor<3xindex>} : () -> !shape.shape
  %b = "shape.const_shape"() {shape = dense<[3, 1]> : tensor<2xindex>} : () -> !shape.shape
  %c = "shape.broadcast"(%a, %b) : (!shape.shape, !shape.shape) -> !shape.shape
  %d = "shape.concat"(%c, %b) : (!shape.shape, !shape.shape) -> !shape.shape
  %m1 = "shape.const_size"() {value = -2 : index} : () -> !shape.size
  %e:2 = "shape.split_at"(%d, %m1) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
  %same = "shape.shape_eq"(%e#1, %b) : (!shape.shape, !shape.shape) -> i1
  %fits = "shape.is_broadcastable"(%e#0, %b) : (!shape.shape, !shape.shape) -> i1
  %differs = "shape.is_broadcastable"(%e#0, %d) : (!shape.shape, !shape.shape) -> i1
  %truths = tensor.from_elements %same, %fits, %differs : tensor<3xi1>
  check.expect_eq_const %truths, dense<[true, true, false]> : tensor<3xi1>
  %x = "shape.to_extent_tensor"(%c) : (!shape.shape) -> tensor<3xindex>
  %x2 = "arith.index_cast"(%x) : (tensor<3xindex>) -> tensor<3xi64>
  check.expect_eq_const %x2, dense<[2, 3, 4]> : tensor<3xi64>
  %n = "shape.num_elements"(%c) : (!shape.shape) -> !shape.size
  %r = "shape.rank"(%c) : (!shape.shape) -> !shape.size
  %p = "shape.mul"(%n, %r) : (!shape.size, !shape.size) -> !shape.size
  %q = "shape.add"(%p, %m1) : (!shape.size, !shape.size) -> !shape.size
  %three = "shape.const_size"() {value = 3 : index} : () -> !shape.size
  %v = "shape.div"(%m1, %three) : (!shape.size, !shape.size) -> !shape.size
  %lo = "shape.min"(%q, %v) : (!shape.size, !shape.size) -> !shape.size
  %hi = "shape.max"(%q, %v) : (!shape.size, !shape.size) -> !shape.size
  %i0 = "shape.size_to_index"(%lo) : (!shape.size) -> index
  %i1 = "shape.size_to_index"(%hi) : (!shape.size) -> index
  %i0h = arith.constant 2 : index
  %k = "shape.get_extent"(%x, %i0h) : (tensor<3xindex>, index) -> index
  %sizes = tensor.from_elements %i0, %i1, %k : tensor<3xindex>
  %x3 = "arith.index_cast"(%sizes) : (tensor<3xindex>) -> tensor<3xi64>
  check.expect_eq_const %x3, dense<[-1, 70, 4]> : tensor<3xi64>
  %f = "shape.from_extents"(%i1, %k) : (index, index) -> !shape.shape
  %g = "shape.any"(%f, %f) : (!shape.shape, !shape.shape) -> !shape.shape
  %h = "shape.meet"(%f, %g) : (!shape.shape, !shape.shape) -> !shape.shape
  %one = "shape.index_to_size"(%k) : (index) -> !shape.size
  %acc = "shape.reduce"(%h, %one) ({
  ^bb0(%index: index, %extent: !shape.size, %so: !shape.size):
    %t = "shape.add"(%so, %extent) : (!shape.size, !shape.size) -> !shape.size
    "shape.yield"(%t) : (!shape.size) -> ()
  }) : (!shape.shape, !shape.size) -> !shape.size
  %l = "shape.size_to_index"(%acc) : (!shape.size) -> index
  %value = stablehlo.constant dense<1.0> : tensor<5x6xf32>
  %of = "shape.shape_of"(%value) : (tensor<5x6xf32>) -> tensor<2xindex>
  %vs = "shape.with_shape"(%value, %h) : (tensor<5x6xf32>, !shape.shape) -> !shape.value_shape
  %other = "shape.shape_of"(%vs) : (!shape.value_shape) -> !shape.shape
  %others = "shape.to_extent_tensor"(%other) : (!shape.shape) -> tensor<2xindex>
  %x4 = "arith.index_cast"(%others) : (tensor<2xindex>) -> tensor<2xi64>
  check.expect_eq_const %x4, dense<[70, 4]> : tensor<2xi64>
  %again = "shape.value_of"(%vs) : (!shape.value_shape) -> tensor<5x6xf32>
  check.expect_eq %again, %value : tensor<5x6xf32>
  %i0z = arith.constant 0 : index
  %five = "shape.dim"(%value, %i0z) : (tensor<5x6xf32>, index) -> index
  %back = "shape.from_extent_tensor"(%of) : (tensor<2xindex>) -> !shape.shape
  %as = "shape.value_as_shape"(%of) : (tensor<2xindex>) -> !shape.shape
  %equal = "shape.shape_eq"(%back, %as) : (!shape.shape, !shape.shape) -> i1
  %w0 = "shape.cstr_require"(%equal) {msg = "not equal"} : (i1) -> !shape.witness
  %w1 = "shape.cstr_eq"(%back, %as) : (!shape.shape, !shape.shape) -> !shape.witness
  %w2 = "shape.const_witness"() {passing = true} : () -> !shape.witness
  %w = "shape.assuming_all"(%w0, %w1, %w2) : (!shape.witness, !shape.witness, !shape.witness) -> !shape.witness
  %got = "shape.assuming"(%w) ({
    "shape.assuming_yield"(%five) : (index) -> ()
  }) : (!shape.witness) -> index
  %last = tensor.from_elements %l, %got : tensor<2xindex>
  %x5 = "arith.index_cast"(%last) : (tensor<2xindex>) -> tensor<2xi64>
  check.expect_eq_const %x5, dense<[78, 5]> : tensor<2xi64>
  return
}
func.func @broadcast(%a: tensor<2xindex>, %b: tensor<2xindex>) -> tensor<2xindex> {
  %fits = "shape.is_broadcastable"(%a, %b) : (tensor<2xindex>, tensor<2xindex>) -> i1
  %w = "shape.cstr_require"(%fits) {msg = "shapes differ"} : (i1) -> !shape.witness
  %0 = "shape.assuming"(%w) ({
    %1 = "shape.broadcast"(%a, %b) : (tensor<2xindex>, tensor<2xindex>) -> tensor<2xindex>
    "shape.assuming_yield"(%1) : (tensor<2xindex>) -> ()
  }) : (!shape.witness) -> tensor<2xindex>
  %never = "shape.cstr_broadcastable"(%a, %b) : (tensor<2xindex>, tensor<2xindex>) -> !shape.witness
  "cf.assert"(%fits) {msg = "shapes differ"} : (i1) -> ()
  return %0 : tensor<2xindex>
}
func.func @elements() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %six = "tensor.extract"(%m, %c1, %c2) : (tensor<2x3xi32>, index, index) -> i32
  %n = "tensor.insert"(%six, %m, %c0, %c1) : (i32, tensor<2x3xi32>, index, index) -> tensor<2x3xi32>
  check.expect_eq_const %n, dense<[[1, 6, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = "tensor.splat"(%six, %c2) : (i32, index) -> tensor<2x?xi32>
  %ss = tensor.cast %s : tensor<2x?xi32> to tensor<2x2xi32>
  check.expect_eq_const %ss, dense<6> : tensor<2x2xi32>
  %g = "tensor.generate"(%c2) ({
  ^bb0(%i: index, %j: index):
    %p = "arith.muli"(%i, %c2) : (index, index) -> index
    %q = "arith.addi"(%p, %j) : (index, index) -> index
    %k = "arith.index_cast"(%q) : (index) -> i32
    "tensor.yield"(%k) : (i32) -> ()
  }) : (index) -> tensor<?x2xi32>
  %gs = tensor.cast %g : tensor<?x2xi32> to tensor<2x2xi32>
  check.expect_eq_const %gs, dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
  %e = "tensor.empty"(%c1) : (index) -> tensor<?xi32>
  %es = tensor.cast %e : tensor<?xi32> to tensor<1xi32>
  check.expect_eq_const %es, dense<0> : tensor<1xi32>
  %f = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %bits = "tensor.bitcast"(%f) : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %bits, dense<[0x3F800000, 0xC0000000]> : tensor<2xi32>
  return
}
func.func @slices() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %shape = stablehlo.constant dense<[4, 2]> : tensor<2xi64>
  %r = "tensor.reshape"(%m, %shape) : (tensor<2x4xi32>, tensor<2xi64>) -> tensor<4x2xi32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %flat = "tensor.collapse_shape"(%m) {reassociation = [[0, 1]]} : (tensor<2x4xi32>) -> tensor<8xi32>
  check.expect_eq_const %flat, dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32>
  %cube = "tensor.expand_shape"(%m) {reassociation = [[0], [1, 2]], static_output_shape = array<i64: 2, 2, 2>} : (tensor<2x4xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %cube, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %x = "tensor.extract_slice"(%m, %c1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 1, -9223372036854775808>, static_sizes = array<i64: 1, 2>, static_strides = array<i64: 1, 2>} : (tensor<2x4xi32>, index) -> tensor<2xi32>
  check.expect_eq_const %x, dense<[6, 8]> : tensor<2xi32>
  %y = "tensor.insert_slice"(%x, %m, %c0) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 1>, static_sizes = array<i64: 1, 2>, static_strides = array<i64: 1, 2>} : (tensor<2xi32>, tensor<2x4xi32>, index) -> tensor<2x4xi32>
  check.expect_eq_const %y, dense<[[1, 6, 3, 8], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %nine = arith.constant 9 : i32
  %p = "tensor.pad"(%x, %c1) ({
  ^bb0(%i: index):
    "tensor.yield"(%nine) : (i32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, static_high = array<i64: 2>, static_low = array<i64: -9223372036854775808>} : (tensor<2xi32>, index) -> tensor<5xi32>
  check.expect_eq_const %p, dense<[9, 6, 8, 9, 9]> : tensor<5xi32>
  %q = "tensor.pad"(%x) ({
  ^bb0(%i: index):
    %k = "arith.index_cast"(%i) : (index) -> i32
    "tensor.yield"(%k) : (i32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 2>, static_low = array<i64: 1>} : (tensor<2xi32>) -> tensor<5xi32>
  check.expect_eq_const %q, dense<[0, 6, 8, 3, 4]> : tensor<5xi32>
  %c = "tensor.concat"(%m, %m) {dim = 0 : i64} : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<4x4xi32>
  %at = arith.constant dense<[[3], [0]]> : tensor<2x1xindex>
  %rows = "tensor.gather"(%c, %at) {gather_dims = array<i64: 0>} : (tensor<4x4xi32>, tensor<2x1xindex>) -> tensor<2x1x4xi32>
  check.expect_eq_const %rows, dense<[[[5, 6, 7, 8]], [[1, 2, 3, 4]]]> : tensor<2x1x4xi32>
  %columns = "tensor.gather"(%c, %at) {gather_dims = array<i64: 1>} : (tensor<4x4xi32>, tensor<2x1xindex>) -> tensor<2x4xi32>
  check.expect_eq_const %columns, dense<[[4, 8, 4, 8], [1, 5, 1, 5]]> : tensor<2x4xi32>
  %zeros = arith.constant dense<0> : tensor<4x2xi32>
  %pair = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>
  %in = arith.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %s = "tensor.scatter"(%in, %zeros, %pair) {scatter_dims = array<i64: 0>, unique} : (tensor<2x1x2xi32>, tensor<4x2xi32>, tensor<2x1xindex>) -> tensor<4x2xi32>
  check.expect_eq_const %s, dense<[[3, 4], [0, 0], [1, 2], [0, 0]]> : tensor<4x2xi32>
  return
}
func.func @control() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %sum = scf.for %i = %c0 to %c7 step %c1 iter_args(%s = %c0) -> (index) {
    %t = "index.add"(%s, %i) : (index, index) -> index
    scf.yield %t : index
  }
  %less = "index.cmp"(%sum, %c7) {pred = #index<cmp_predicate slt>} : (index, index) -> i1
  %if = "scf.if"(%less) ({
    "scf.yield"(%c0) : (index) -> ()
  }, {
    "scf.yield"(%sum) : (index) -> ()
  }) : (i1) -> index
  // Halves until at most 2, and counts: 21, 10, 5, 2.
  %w:2 = "scf.while"(%if, %c0) ({
  ^bb0(%a: index, %n: index):
    %two = arith.constant 2 : index
    %go = "arith.cmpi"(%a, %two) {predicate = 4 : i64} : (index, index) -> i1
    "scf.condition"(%go, %a, %n) : (i1, index, index) -> ()
  }, {
  ^bb0(%a: index, %n: index):
    %half = "arith.shrui"(%a, %c1) : (index, index) -> index
    %more = "arith.addi"(%n, %c1) : (index, index) -> index
    "scf.yield"(%half, %more) : (index, index) -> ()
  }) : (index, index) -> (index, index)
  %x = "scf.execute_region"() ({
    "scf.yield"(%c7) : (index) -> ()
  }) : () -> index
  %y = "scf.index_switch"(%c7) ({
    "scf.yield"(%c0) : (index) -> ()
  }, {
    "scf.yield"(%c1) : (index) -> ()
  }) {cases = array<i64: 7>} : (index) -> index
  %all = tensor.from_elements %sum, %if, %w#0, %w#1, %x, %y : tensor<6xindex>
  %x6 = "arith.index_cast"(%all) : (tensor<6xindex>) -> tensor<6xi64>
  check.expect_eq_const %x6, dense<[21, 21, 2, 3, 7, 1]> : tensor<6xi64>
  return
}
