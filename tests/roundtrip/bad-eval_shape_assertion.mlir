// RUN: eval --args "dense<[1.0, 2.0]> : tensor<2xf32>"
// RUN: eval --args "dense<[1.0, 2.0, 3.0]> : tensor<3xf32>" --expect "expected an even size, got 3 of {anything} (see {0})"
// EXIT: 3
// An assertion that fails is an error with its own message, in which {i} is the value of operand 1 + i.
func.func @main(%x: tensor<?xf32>) -> tensor<i32> {
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %rest = stablehlo.remainder %size, %two : tensor<i32>
  %even = stablehlo.compare EQ, %rest, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%even, %size) {api_version = 2 : i32, error_message = "expected an even size, got {0} of {anything} (see {{0}})", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %size : tensor<i32>
}
