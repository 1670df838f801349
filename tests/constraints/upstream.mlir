// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Ops of MLIR's dialects.

func.func @f(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
  // expected-error@below {{'arith.addi' op requires the same encoding for all operands and results}}
  %0 = "arith.addi"(%a0, %a1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32, 1 : i32>
  return
}

// -----

func.func @f(%a0: tensor<?xi32>, %a1: tensor<?xi32>) {
  // expected-error@below {{'arith.addi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<2xi32>'}}
  // expected-error@below {{'arith.addi' op failed to infer returned types}}
  %0 = "arith.addi"(%a0, %a1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: i32, %a1: i32) {
  // expected-error@below {{'arith.cmpi' op result #0 must be bool-like, but got 'i32'}}
  %0 = "arith.cmpi"(%a0, %a1) {predicate = 0 : i64} : (i32, i32) -> i32
  return
}

// -----

func.func @f(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
  // expected-error@below {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%a0, %a1) {predicate = 0 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%a0: tensor<2xi32>, %a1: tensor<2xi64>) {
  // expected-error@below {{'arith.cmpi' op requires all operands to have the same type}}
  %0 = "arith.cmpi"(%a0, %a1) {predicate = 0 : i64} : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%a0: i32, %a1: i32) {
  // expected-error@below {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%a0, %a1) {predicate = 10 : i64} : (i32, i32) -> i1
  return
}

// -----

func.func @f(%a0: i32, %a1: i32) {
  // expected-error@below {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%a0, %a1) {predicate = -1 : i64} : (i32, i32) -> i1
  return
}

// -----

func.func @f() {
  // expected-error@below {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() {value = 1 : i64} : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@below {{'arith.constant' op integer return type must be signless}}
  %0 = "arith.constant"() {value = 1 : ui32} : () -> ui32
  return
}

// -----

func.func @f() {
  // expected-error@below {{'arith.constant' op value must be an integer, float, or elements attribute}}
  %0 = "arith.constant"() {value = "a" : i32} : () -> i32
  return
}

// -----

func.func @f(%a0: tensor<2xi32>) {
  // expected-error@below {{'arith.extsi' op failed to verify that input and output have the same tensor dimensions}}
  %0 = "arith.extsi"(%a0) : (tensor<2xi32>) -> tensor<3xi64>
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error@below {{'arith.extsi' op operand type 'i32' and result type 'i32' are cast incompatible}}
  %0 = "arith.extsi"(%a0) : (i32) -> i32
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error@below {{'arith.extsi' op operand type 'i32' and result type 'i16' are cast incompatible}}
  %0 = "arith.extsi"(%a0) : (i32) -> i16
  return
}

// -----

func.func @f(%a0: vector<2xi16>) {
  // expected-error@below {{'arith.extsi' op requires the same shape for all operands and results}}
  %0 = "arith.extsi"(%a0) : (vector<2xi16>) -> i32
  return
}

// -----

func.func @f(%a0: vector<[2]xi16>) {
  // expected-error@below {{'arith.extsi' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "arith.extsi"(%a0) : (vector<[2]xi16>) -> vector<2xi32>
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error@below {{'arith.trunci' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = "arith.trunci"(%a0) : (i32) -> i64
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error@below {{'arith.trunci' op operand type 'i32' and result type 'i32' are cast incompatible}}
  %0 = "arith.trunci"(%a0) : (i32) -> i32
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error@below {{'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = "arith.index_cast"(%a0) : (i32) -> i64
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error@below {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = "arith.index_cast"(%a0) : (index) -> index
  return
}

// -----

func.func @f(%a0: i1, %a1: i32, %a2: i64) {
  // expected-error@below {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%a0, %a1, %a2) : (i1, i32, i64) -> i32
  return
}

// -----

func.func @f(%a0: tensor<3xi1>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  // expected-error@below {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = "arith.select"(%a0, %a1, %a2) : (tensor<3xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: vector<2xi1>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  // expected-error@below {{'arith.select' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "arith.select"(%a0, %a1, %a2) : (vector<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: i32, %a1: tensor<2xi32>) {
  // expected-error@below {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a0, %a1) : (i32, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: tensor<2xi1>, %a1: i32, %a2: i32) {
  // expected-error@below {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = "arith.select"(%a0, %a1, %a2) : (tensor<2xi1>, i32, i32) -> i32
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'tensor.cast' op operand type 'tensor<2xf32>' and result type 'tensor<2xi32>' are cast incompatible}}
  %0 = "tensor.cast"(%a0) : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'tensor.cast' op operand type 'tensor<2xf32>' and result type 'tensor<3xf32>' are cast incompatible}}
  %0 = "tensor.cast"(%a0) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a0: i32, %a1: i32) {
  // expected-error@below {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%a0, %a1) : (i32, i32) -> tensor<3xi32>
  return
}

// -----

func.func @f(%a0: i32, %a1: i64) {
  // expected-error@below {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%a0, %a1) : (i32, i64) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: i32, %a1: tensor<2xi32>, %a2: index) {
  // expected-error@below {{'tensor.insert' op failed to verify that result type matches type of dest}}
  %0 = "tensor.insert"(%a0, %a1, %a2) : (i32, tensor<2xi32>, index) -> tensor<3xi32>
  return
}

// -----

func.func @f(%a0: i64, %a1: tensor<2xi32>, %a2: index) {
  // expected-error@below {{'tensor.insert' op failed to verify that scalar type matches element type of dest}}
  %0 = "tensor.insert"(%a0, %a1, %a2) : (i64, tensor<2xi32>, index) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: i32, %a1: tensor<2xi32>, %a2: index, %a3: index) {
  // expected-error@below {{'tensor.insert' op incorrect number of indices}}
  %0 = "tensor.insert"(%a0, %a1, %a2, %a3) : (i32, tensor<2xi32>, index, index) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a0: !shape.shape, %a1: !shape.shape) {
  // expected-error@below {{'shape.broadcast' op if at least one of the operands can hold error values then the result must be of type `shape` to propagate them}}
  %0 = "shape.broadcast"(%a0, %a1) : (!shape.shape, !shape.shape) -> tensor<?xindex>
  return
}

// -----

func.func @f(%a0: !shape.shape) {
  // expected-error@below {{'shape.num_elements' op if at least one of the operands can hold error values then the result must be of type `size` to propagate them}}
  %0 = "shape.num_elements"(%a0) : (!shape.shape) -> index
  return
}

// -----

func.func @f(%a0: tensor<2xindex>, %a1: !shape.size) {
  // expected-error@below {{'shape.get_extent' op if at least one of the operands can hold error values then the result must be of type `size` to propagate them}}
  %0 = "shape.get_extent"(%a0, %a1) : (tensor<2xindex>, !shape.size) -> index
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'shape.shape_of' op inferred type(s) 'tensor<2xindex>' are incompatible with return type(s) of operation 'tensor<3xindex>'}}
  // expected-error@below {{'shape.shape_of' op failed to infer returned types}}
  %0 = "shape.shape_of"(%a0) : (tensor<2x3xf32>) -> tensor<3xindex>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'shape.const_shape' op inferred type(s) 'tensor<2xindex>' are incompatible with return type(s) of operation 'tensor<3xindex>'}}
  // expected-error@below {{'shape.const_shape' op failed to infer returned types}}
  %0 = "shape.const_shape"() {shape = dense<[1, 2]> : tensor<2xindex>} : () -> tensor<3xindex>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'shape.const_shape' op inferred type(s) 'tensor<2xindex>' are incompatible with return type(s) of operation 'tensor<?xindex>'}}
  // expected-error@below {{'shape.const_shape' op failed to infer returned types}}
  %0 = "shape.const_shape"() {shape = dense<[1, 2]> : tensor<2xindex>} : () -> tensor<?xindex>
  return
}

// -----

func.func @f(%a0: !shape.shape) {
  // expected-error@below {{'shape.cstr_broadcastable' op required at least 2 input shapes}}
  %0 = "shape.cstr_broadcastable"(%a0) : (!shape.shape) -> !shape.witness
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error@below {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"(%a0) : (i32) -> ()
  return
}

// -----

func.func @f(%a0: index, %a1: index, %a2: index) {
  // expected-error@below {{'scf.for' op expected body to have at least 1 argument(s) for the induction variable, but got 0}}
  "scf.for"(%a0, %a1, %a2) ({
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a0: index, %a1: index, %a2: index, %a3: i32) {
  // expected-error@below {{'scf.for' op along control flow edge from parent to parent: successor operand type #0 'i32' should match successor input type #0 'i64'}}
  %0 = "scf.for"(%a0, %a1, %a2, %a3) ({
  ^bb0(%r0: index, %r1: i32):
    "scf.yield"(%r1) : (i32) -> ()
  }) : (index, index, index, i32) -> i64
  return
}

// -----

func.func @f(%a0: index, %a1: index, %a2: index, %a3: i32) {
  // expected-error@below {{'scf.for' op along control flow edge from parent to Region #0: successor operand type #0 'i32' should match successor input type #0 'i64'}}
  %0 = "scf.for"(%a0, %a1, %a2, %a3) ({
  ^bb0(%r0: index, %r1: i64):
    "scf.yield"(%r1) : (i64) -> ()
  }) : (index, index, index, i32) -> i32
  return
}

// -----

func.func @f(%a0: index, %a1: index, %a2: index) {
  // expected-error@below {{'scf.for' op expects regions to end with 'scf.yield', found 'stablehlo.return'}}
  "scf.for"(%a0, %a1, %a2) ({
  ^bb0(%i: index):
    "stablehlo.return"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@below {{'ml_program.global_load' op undefined global: @none}}
  %0 = "ml_program.global_load"() {global = @none} : () -> i32
  return
}

// -----

"ml_program.global"() {sym_name = "c", type = tensor<2xi32>, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
"ml_program.global"() {sym_name = "m", type = tensor<2xi32>, is_mutable, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) {
  // expected-error@below {{'ml_program.global_load' op cannot load from global typed 'tensor<2xi32>' as 'tensor<3xi32>'}}
  %0 = "ml_program.global_load"() {global = @m} : () -> tensor<3xi32>
  return
}

// -----

"ml_program.global"() {sym_name = "c", type = tensor<2xi32>, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
"ml_program.global"() {sym_name = "m", type = tensor<2xi32>, is_mutable, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) {
  // expected-error@below {{'ml_program.global_load_const' op cannot load as const from mutable global @m}}
  %0 = "ml_program.global_load_const"() {global = @m} : () -> tensor<2xi32>
  return
}

// -----

"ml_program.global"() {sym_name = "c", type = tensor<2xi32>, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
"ml_program.global"() {sym_name = "m", type = tensor<2xi32>, is_mutable, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) {
  // expected-error@below {{'ml_program.global_load_const' op undefined global: @f}}
  %0 = "ml_program.global_load_const"() {global = @f} : () -> tensor<2xi32>
  return
}

// -----

"ml_program.global"() {sym_name = "c", type = tensor<2xi32>, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
"ml_program.global"() {sym_name = "m", type = tensor<2xi32>, is_mutable, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) {
  // expected-error@below {{'ml_program.global_store' op cannot store to an immutable global @c}}
  "ml_program.global_store"(%a) {global = @c} : (tensor<2xi32>) -> ()
  return
}

// -----

"ml_program.global"() {sym_name = "c", type = tensor<2xi32>, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
"ml_program.global"() {sym_name = "m", type = tensor<2xi32>, is_mutable, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) {
  // expected-error@below {{'ml_program.global_store' op cannot store to a global typed 'tensor<2xi32>' from 'tensor<3xi32>'}}
  "ml_program.global_store"(%b) {global = @m} : (tensor<3xi32>) -> ()
  return
}

// -----

"ml_program.global"() {sym_name = "c", type = tensor<2xi32>, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
"ml_program.global"() {sym_name = "m", type = tensor<2xi32>, is_mutable, value = dense<1> : tensor<2xi32>, sym_visibility = "private"} : () -> ()
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) {
  // expected-error@below {{'ml_program.global_store' op undefined global: @z}}
  "ml_program.global_store"(%b) {global = @z} : (tensor<3xi32>) -> ()
  return
}

// -----

// expected-error@below {{'ml_program.global' op immutable global must have an initial value}}
"ml_program.global"() {sym_name = "c", type = tensor<2xi32>} : () -> ()

// -----

func.func @f(%a: index) {
  // expected-error@below {{'scf.for' op expects a non-empty block}}
  // expected-error@below {{empty block: expect at least a terminator}}
  "scf.for"(%a, %a, %a) ({
  ^bb0(%x: index):
  }) : (index, index, index) -> ()
  return
}

// -----

// An invalid condition is not reported for values of different types.
func.func @f(%a0: tensor<2xi1>, %a1: i32, %a2: i64) {
  // expected-error@below {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%a0, %a1, %a2) : (tensor<2xi1>, i32, i64) -> i32
  return
}
