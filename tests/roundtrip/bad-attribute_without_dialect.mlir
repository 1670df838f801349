// RUN: verify --expect "error: 'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'foo'" --expect "error: 'func.func' op arguments may only have dialect attributes" --expect "error: 'func.func' op results may only have dialect attributes"
// EXIT: 1
// RUN: verify --lenient --expect "found: 'foo'"
// EXIT: 1
// Functions and other ops may have attributes without a dialect; modules, arguments and results may not.
module attributes {foo = 1 : i64, mhlo.num_replicas = 1 : i32} {
  func.func @argument(%a: tensor<2xf32> {jax.buffer_donor = true}, %b: tensor<2xf32> {bar}) attributes {baz} {
    return {foo}
  }
  func.func @result(%a: tensor<2xf32>) -> (tensor<2xf32> {bar = 1 : i32}) {
    return %a : tensor<2xf32>
  }
}
