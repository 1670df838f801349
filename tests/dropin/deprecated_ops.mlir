// RUN: opt --stablehlo-legalize-deprecated-ops=fail-on-unused=false
// Ops that StableHLO was to drop. Those without a replacement may stay.

func.func @all(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2x3xcomplex<f32>>, %p: tensor<2x3xi1>)
    -> (tensor<2xf32>, tensor<4x2x3xf32>, tensor<2xcomplex<f32>>, tensor<2xi1>, tensor<2x3xf32>, !stablehlo.token) {
  %0 = "stablehlo.dot"(%a, %b) {precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} :
    (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = stablehlo.broadcast %a, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.unary_einsum %c, config = "ab->a" : (tensor<2x3xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %3 = stablehlo.unary_einsum %p, config = "ab->a" : (tensor<2x3xi1>) -> tensor<2xi1>
  %4 = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.create_token : !stablehlo.token
  %6 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    %7 = "stablehlo.dot"(%b, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<4x2x3xf32>, tensor<2xcomplex<f32>>, tensor<2xi1>, tensor<2x3xf32>,
    !stablehlo.token
}
