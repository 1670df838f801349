// RUN: specialize --dim b=2 --dim s=5 --prove
// RUN: specialize --arg x=3x4xf32 --inputs=10 --prove
// RUN: specialize --arg 0=2x1
// RUN: specialize --dim b=1 --dim s=5
// EXIT: 1
// RUN: specialize --dim b=2
// EXIT: 2
// RUN: specialize --dim b=2 --dim t=5
// EXIT: 2
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %ok = stablehlo.compare GE, %b, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %b) {api_version = 2 : i32, error_message = "b >= 2, but b is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %flat = call @flat(%b, %s, %x) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> tensor<?xf32>
  %both = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %twice = stablehlo.composite "test.twice" %both {decomposition = @twice} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %loop = stablehlo.while(%a = %twice) : tensor<?x?xf32>
    cond {
      %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
      %stop = stablehlo.compare LT, %n, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %stop : tensor<i1>
    } do {
      %next = stablehlo.abs %a : tensor<?x?xf32>
      stablehlo.return %next : tensor<?x?xf32>
    }
  return %flat, %loop : tensor<?xf32>, tensor<?x?xf32>
}
func.func private @flat(%b: tensor<i32> {jax.global_constant = "b"}, %s: tensor<i32> {jax.global_constant = "s"}, %x: tensor<?x?xf32>) -> tensor<?xf32> {
  %n = stablehlo.multiply %b, %s : tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
