// RUN: translate --serialize --target=1.0.0 -o %t %s
// RUN: opt %t
// RUN: opt -stablehlo-deserialize %t
// RUN: opt -pass-pipeline=builtin.module(stablehlo-deserialize) %t
// RUN: translate --deserialize %t
// RUN: translate --deserialize --print-stablehlo-version %t
// RUN: translate -serialize -target current -strip-debuginfo -o %t %s
// RUN: translate --deserialize --print-stablehlo-version=1 %t
// RUN: translate --serialize --target=1.9.0 --as-written-by=1.9.0 -o %t %s
// RUN: translate --deserialize %t
// RUN: translate --deserialize -o %t %s
// RUN: opt %t
// RUN: translate --deserialize --print-stablehlo-version %s
// RUN: translate --compat --target=40
// RUN: translate --compat
// A portable artifact, written and read.

func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
