// RUN: opt --stablehlo-aggressive-simplification
// RUN: opt --stablehlo-target-independent-optimization
// RUN: opt --cse --canonicalize
// Rewrites of the reference, its inexact ones too, and where it puts constants.

func.func @arithmetic(%x: tensor<2xf32>, %n: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.add %zero, %x : tensor<2xf32>
  %ones = stablehlo.constant dense<-1> : tensor<2xi32>
  %1 = stablehlo.and %ones, %n : tensor<2xi32>
  %2 = stablehlo.subtract %n, %n : tensor<2xi32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xi32>, tensor<2xi32>
}

func.func @constants(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.sine %x : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %1 = stablehlo.multiply %three, %0 : tensor<f32>
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %2 = stablehlo.multiply %1, %five : tensor<f32>
  %again = stablehlo.constant dense<3.0> : tensor<f32>
  %3 = stablehlo.divide %again, %2 : tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}

func.func @attributes(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.reshape %x {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.reshape %0 {mhlo.frontend_attributes = {a = "1"}} : (tensor<1x4xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

func.func @branches(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%zero) ({
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    stablehlo.return %y : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

func.func @sizes(%x: tensor<?x3xf32>, %shape: tensor<2xi64>) -> (tensor<i32>, tensor<5x3xf32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<5x3xf32>
  return %0, %1 : tensor<i32>, tensor<5x3xf32>
}
