// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Symbols, functions, blocks, dominance and types.

func.func @f() {
  return
}
// expected-error@below {{redefinition of symbol named 'f'}}
func.func @f() {
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{operand #0 does not dominate this use}}
  %1 = stablehlo.abs %0 : tensor<f32>
  %0 = stablehlo.abs %a : tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  "func.func"() ({
    // expected-error@below {{use of undeclared SSA value name}}
    "foo.use"(%a) : (tensor<f32>) -> ()
    "func.return"() : () -> ()
  }) {function_type = () -> (), sym_name = ""} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<i1>) {
  // expected-error@below {{'stablehlo.if' op expects regions to end with 'stablehlo.return', found 'func.return'}}
  %0 = "stablehlo.if"(%a) ({
    // expected-error@below {{'func.return' op expects parent op 'func.func'}}
    "func.return"(%a) : (tensor<i1>) -> ()
  }, {
    "stablehlo.return"(%a) : (tensor<i1>) -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{block with no terminator, has 'stablehlo.abs'}}
  %0 = stablehlo.abs %a : tensor<f32>
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'func.return' op must be the last operation in the parent block}}
  return
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'foo.branch' op operation with block successors must terminate its parent block}}
  "foo.branch"()[^next] : () -> ()
  return
^next:
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  "foo.graph"() ({
  ^first:
    // expected-error@below {{'foo.branch' op operation with block successors must terminate its parent block}}
    "foo.branch"()[^first] : () -> ()
    "foo.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// expected-error@below {{empty block: expect at least a terminator}}
func.func @f(%a: tensor<f32>) {
}

// -----

// expected-error@below {{'builtin.module' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
// expected-error@below {{'builtin.module' op expects one block in its region}}
"builtin.module"() ({
^a:
  func.func private @f()
^b:
  func.func private @g()
}) : () -> ()

// -----

"func.func"() ({
  // expected-error@below {{'func.func' op symbol's parent must have the SymbolTable trait}}
  "func.func"() ({
    "func.return"() : () -> ()
  }) {sym_name = "g", function_type = () -> ()} : () -> ()
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = () -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
"func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = () -> (), sym_visibility = "hidden"} : () -> ()

// -----

// expected-error@below {{'func.func' op symbol declaration cannot have public visibility}}
func.func @f()

// -----

// expected-error@below {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = i32} : () -> ()

// -----

// expected-error@below {{'func.func' op requires attribute 'sym_name'}}
"func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "", function_type = () -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
"func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = () -> (), arg_attrs = [{}]} : () -> ()

// -----

// expected-error@below {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 2, but expected 0}}
"func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = () -> (), res_attrs = [{}, {}]} : () -> ()

// -----

// expected-error@below {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = (i32) -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() ({
^bb0(%a: i64):
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = (i32) -> ()} : () -> ()

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error@below {{'func.return' op has 1 operands, but enclosing function (@f) returns 0}}
  return %a : tensor<f32>
}

// -----

func.func @f(%a: tensor<f32>) -> tensor<i32> {
  // expected-error@below {{type of return operand 0 ('tensor<f32>') doesn't match function result type ('tensor<i32>') in function @f}}
  return %a : tensor<f32>
}

// -----

ml_program.subgraph @f(%a: tensor<f32>) -> tensor<i32> {
  // expected-error@below {{type of output operand 0 ('tensor<f32>') doesn't match function result type ('tensor<i32>') in function @f}}
  ml_program.output %a : tensor<f32>
}

// -----

ml_program.func @f(%a: tensor<f32>) {
  // expected-error@below {{'ml_program.return' op has 1 operands, but enclosing function (@f) returns 0}}
  ml_program.return %a : tensor<f32>
}

// -----

func.func @f() {
  // expected-error@below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  "scf.yield"() : () -> ()
}

// -----

// expected-error@below {{Bounds length is 2, expected to be equal to rank(1) of the tensor 'tensor<2xf32>'}}
func.func private @f(tensor<2xf32, #stablehlo.bounds<?, ?>>)

// -----

// expected-error@below {{Static dimension 1 cannot have a bound, use ShapedType::kDynamic to indicate a missing bound in tensor 'tensor<?x2xf32>'}}
func.func private @f(tensor<?x2xf32, #stablehlo.bounds<3, 4>>)

// -----

// expected-error@below {{invalid tensor element type: 'tensor<2xf32>'}}
func.func private @f(tensor<2xtensor<2xf32>>)

// -----

// expected-error@below {{invalid tensor element type: '!stablehlo.token'}}
func.func private @f(tensor<*x!stablehlo.token>)

// -----

// expected-error@below {{future element type must be a ranked tensor, but got 'i32'}}
func.func private @f(!stablehlo.future<i32>)

// -----

// expected-error@below {{scale 1.000000e+10 out of expressed type range [5.960464e-08, 6.550400e+04]}}
func.func private @f(tensor<2x!quant.uniform<i8:f16, 1.0e+10>>)

// -----

// expected-error@below {{scale 0.000000e+00 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func private @f(tensor<2x!quant.uniform<i8:f32, 0.0>>)

// -----

// expected-error@below {{scale -1.000000e+00 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func private @f(tensor<2x!quant.uniform<i8:f32, -1.0>>)
