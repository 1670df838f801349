// RUN: opt -inline
// RUN: opt --stablehlo-aggressive-folder
// RUN: opt -inline --stablehlo-aggressive-folder
// RUN: opt -stablehlo-legalize-to-vhlo
// RUN: opt -vhlo-to-version=target=0.15.0
// RUN: opt -vhlo-to-version=target=1.22.0
// RUN: opt -stablehlo-legalize-to-vhlo=false
// RUN: opt -emit-bytecode -o %t %s
// RUN: opt %t
// RUN: opt -emit-bytecode -emit-bytecode-version=4 -as-written-by=1.0.0 -o %t %s
// RUN: opt -stablehlo-deserialize %t
// Passes of the reference.

func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[3, -4]> : tensor<2xi32>
  %1 = call @twice(%0) : (tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
