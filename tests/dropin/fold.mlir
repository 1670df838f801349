// RUN: opt --stablehlo-aggressive-folder
// RUN: opt --stablehlo-aggressive-folder=fold-op-element-limit=3
// RUN: opt --stablehlo-aggressive-folder=optimize-float=false
// Folds, among them what the reference folds wrongly: signs of zero, sums of booleans, total order, and
// reductions of nothing.

func.func @numbers() -> (tensor<f32>, tensor<i1>, tensor<i1>, tensor<2x2xf32>) {
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0 = stablehlo.sign %zero : tensor<f32>
  %1 = stablehlo.add %true, %true : tensor<i1>
  %2 = stablehlo.compare EQ, %nan, %nan, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %nan, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<i1>, tensor<i1>, tensor<2x2xf32>
}

func.func @limited() -> (tensor<4xi32>, tensor<4xf32>) {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %3 = stablehlo.constant dense<5> : tensor<4xi32>
  %4 = stablehlo.convert %3 : (tensor<4xi32>) -> tensor<4xf32>
  return %2, %4 : tensor<4xi32>, tensor<4xf32>
}

func.func @reductions(%x: tensor<2x0xi32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi32>) {
  %empty = stablehlo.constant dense<> : tensor<2x0xi1>
  %all = stablehlo.constant dense<true> : tensor<2x3xi1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.reduce(%empty init: %false) applies stablehlo.or across dimensions = [1] : (tensor<2x0xi1>, tensor<i1>) -> tensor<2xi1>
  %1 = stablehlo.reduce(%all init: %false) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  %2 = stablehlo.reduce(%x init: %one) across dimensions = [1] : (tensor<2x0xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      stablehlo.return %two : tensor<i32>
    }
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi1>, tensor<2xi32>
}

func.func @branches(%x: tensor<f32>) -> (tensor<f32>, !stablehlo.token) {
  %index = stablehlo.constant dense<7> : tensor<i32>
  %token = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.case"(%index) ({
    %1 = stablehlo.custom_call @effect(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1, %token : tensor<f32>, !stablehlo.token
  }, {
    %1 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %1, %token : tensor<f32>, !stablehlo.token
  }) : (tensor<i32>) -> (tensor<f32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<f32>, !stablehlo.token
}
