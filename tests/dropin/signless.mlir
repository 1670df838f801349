// RUN: opt --stablehlo-convert-to-signless
// Types of values, functions, arguments of regions, and constants lose their signs.

func.func private @declared(tensor<*xui4>, tensor<2xsi32>) -> tuple<tensor<ui8>>
func.func @main(%a: tensor<2x?xui8>, %i: tensor<ui64>, %s: tensor<2xui64>) -> (tensor<2x?xui8>, tensor<ui64>, tensor<2xi1>) {
  %0 = stablehlo.add %a, %a : tensor<2x?xui8>
  %1 = stablehlo.constant dense<[1, 18446744073709551615]> : tensor<2xui64>
  %2 = stablehlo.reduce(%s init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<2xui64>, tensor<ui64>) -> tensor<ui64>
  %3 = stablehlo.compare LT, %1, %s, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %0, %2, %3 : tensor<2x?xui8>, tensor<ui64>, tensor<2xi1>
}
