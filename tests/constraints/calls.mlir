// RUN: opt -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Calls of functions and of custom targets.

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op attribute 'api_version' failed to satisfy constraint: Custom call API version}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", api_version = 9 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Layout attributes should be specified for either both operands and results or none.}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Number of operands must match the number of operand layouts, 1 != 2}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Number of results must match the number of result layouts, 1 != 0}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = []} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tuple<tensor<2x3xf32>>) {
  // expected-error@below {{'stablehlo.custom_call' op Tuple types are not fully supported with layout constraints yet}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tuple<tensor<2x3xf32>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: !stablehlo.token) {
  // expected-error@below {{'stablehlo.custom_call' op Only tensor types can have non-empty layout: operand #0 of type '!stablehlo.token' has layout dense<[0, 1]> : tensor<2xindex>}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (!stablehlo.token) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op incorrect layout dense<[0, 2]> : tensor<2xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op incorrect layout dense<0> : tensor<2xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op incorrect layout dense<0> : tensor<1xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0]> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op expects operandIndex in the output_operand_alias attribute to be in range [0, 1); got: 1.}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op operand_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op output_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op output_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tuple<tensor<2x3xf32>>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op shapes mismatch in the output_operand_alias attribute: operand part has type 'tensor<2x3xf32>' and output part has type 'tensor<3x2xf32>'}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op shapes mismatch in the output_operand_alias attribute: operand part has type 'tensor<2x3xf32>' and output part has type 'tensor<i32>'}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1, 1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tuple<tensor<f32>, tensor<i32>>)
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op backend_config for api_version API_VERSION_TYPED_FFI must be a dictionary attribute.}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", api_version = 4 : i32, backend_config = "a"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op backend_config for api_version API_VERSION_ORIGINAL must be a string attribute.}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", api_version = 1 : i32, backend_config = {a = 1 : i32}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op CreateBuffer custom_call shouldn't have any inputs}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "CreateBuffer"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op CreateBuffer custom_call should have one result}}
  %0:2 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer"} : () -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @f() {
  // expected-error@below {{'stablehlo.custom_call' op CreateBuffer custom_call should have a memref result}}
  %0 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer"} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Pin custom_call should have one input}}
  %0 = "stablehlo.custom_call"(%a0, %a1) {call_target_name = "Pin"} : (tensor<2xf32>, tensor<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a0: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Pin custom_call should have a tensor input}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Pin"} : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Pin custom_call should have one output}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "Pin"} : (tensor<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Pin custom_call should have a memref output}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Pin"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Pin custom_call should have compatible input and output types}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Pin"} : (tensor<3xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Unpin custom_call should have a memref input}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Unpin"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op Unpin custom_call should have a tensor output}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Unpin"} : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a0: memref<2xi32>) {
  // expected-error@below {{'stablehlo.custom_call' op Unpin custom_call should have compatible input and output types}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Unpin"} : (memref<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op buffer output [] is not used in output_operand_alias}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "foo"} : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a0: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op buffer output [1] is not used in output_operand_alias}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "foo"} : (memref<2xf32>) -> (tensor<f32>, memref<2xf32>)
  return
}

// -----

func.func @f(%a0: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op buffer output [1, 0] is not used in output_operand_alias}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "foo"} : (memref<2xf32>) -> (tensor<f32>, tuple<memref<2xf32>>)
  return
}

// -----

func.func @f(%a0: memref<2xf32>, %a1: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op buffer output [] is used in output_operand_alias more than once}}
  %0 = "stablehlo.custom_call"(%a0, %a1) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a0: memref<2xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op buffer operand 0[] is used in output_operand_alias more than once}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "plain", decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "a..b", decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "1a.b", decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "a.b-c", decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'none' does not reference a valid function}}
  %0 = "stablehlo.composite"(%a) {name = "a.b", decomposition = @none} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{has 0 operand(s), but decomposition has 1}}
  %0 = "stablehlo.composite"() {name = "a.b", decomposition = @g} : () -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{operand at index 0 has type 'tensor<3xf32>', but decomposition has type 'tensor<2xf32>'}}
  %0 = "stablehlo.composite"(%b) {name = "a.b", decomposition = @g} : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{has 2 result(s), but decomposition has 1}}
  %0:2 = "stablehlo.composite"(%a) {name = "a.b", decomposition = @g} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{result at index 0 has type 'tensor<3xf32>', but decomposition has type 'tensor<2xf32>'}}
  %0 = "stablehlo.composite"(%a) {name = "a.b", decomposition = @g} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'func.call' op 'none' does not reference a valid function}}
  %0 = func.call @none(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'func.call' op incorrect number of operands for callee}}
  %0 = func.call @g() : () -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'func.call' op operand type mismatch: expected operand type 'tensor<2xf32>', but provided 'tensor<3xf32>' for operand number 0}}
  %0 = func.call @g(%b) : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'func.call' op incorrect number of results for callee}}
  func.call @g(%a) : (tensor<2xf32>) -> ()
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'func.call' op result type mismatch at index 0}}
  %0 = func.call @g(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{`programs` attribute cannot be empty}}
  %0 = "interpreter.run_parallel"(%a) {programs = []} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{`programs` attribute cannot be empty}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{Sizes of second dimension of `programs` should all match 1 but got 2}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@g], [@g, @g]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{Function "h" not found}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@h]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{Number of inputs (0) should match the sum of the number of inputs of all programs (1)}}
  %0 = "interpreter.run_parallel"() {programs = [[@g]]} : () -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{Number of results (0) should match the sum of the number of results of all programs (1)}}
  "interpreter.run_parallel"(%a) {programs = [[@g]]} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{infeed attribute is optional or should not be empty}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@g]], infeed = []} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{Function "h" not found}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@g]], infeed = [@h]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{Function "f" should return 1 tensor but returns 0}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@g]], infeed = [@f]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @t() -> !stablehlo.token
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@below {{Function "t" should return a tensor type, but instead returns '!stablehlo.token'}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@g]], infeed = [@t]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
