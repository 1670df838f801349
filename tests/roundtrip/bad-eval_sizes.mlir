// RUN: eval --entry reshape --args "dense<-1> : tensor<1xi64>" --expect "result 0 has a negative size -1"
// EXIT: 3
// RUN: eval --entry iota --args "dense<-2> : tensor<1xi64>" --expect "result 0 has a negative size -2"
// EXIT: 3
// RUN: eval --entry broadcast --args "dense<-3> : tensor<1xi64>" --expect "result 0 has a negative size -3"
// EXIT: 3
// RUN: eval --entry rng --args "dense<-4> : tensor<1xi64>" --expect "result 0 has a negative size -4"
// EXIT: 3
// RUN: eval --entry bits --args "dense<-6> : tensor<1xi64>" --expect "result 1 has a negative size -6"
// EXIT: 3
// RUN: eval --entry empty --args "dense<-7> : tensor<1xi64>" --expect "result 0 has a negative size -7"
// EXIT: 3
// RUN: eval --entry iota --args "dense<4611686018427387904> : tensor<1xi64>" --expect "shape of result 0 is too large"
// EXIT: 3
// Sizes that are values.
func.func @reshape(%s: tensor<1xi64>) -> tensor<?xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @iota(%s: tensor<1xi64>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @broadcast(%s: tensor<1xi64>) -> tensor<?xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @rng(%s: tensor<1xi64>) -> tensor<?xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.rng %x, %x, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @bits(%s: tensor<1xi64>) -> tensor<?xui32> {
  %state = stablehlo.constant dense<1> : tensor<2xui64>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %s) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi64>) -> (tensor<2xui64>, tensor<?xui32>)
  return %0#1 : tensor<?xui32>
}
func.func @empty(%s: tensor<1xi64>) -> tensor<?xf32> {
  %zero = "arith.constant"() {value = 0 : index} : () -> index
  %word = "tensor.extract"(%s, %zero) : (tensor<1xi64>, index) -> i64
  %size = "arith.index_cast"(%word) : (i64) -> index
  %0 = "tensor.empty"(%size) : (index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
