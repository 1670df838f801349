// Bits, shifts, division and conversion of integers.
func.func @main(%a: tensor<6xi32>, %b: tensor<6xi32>, %c: tensor<6xui8>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi8>, tensor<6xf32>, tensor<2x3xi32>) {
  %s = stablehlo.shift_right_arithmetic %a, %b : tensor<6xi32>
  %x = stablehlo.xor %s, %b : tensor<6xi32>
  %d = stablehlo.divide %a, %b : tensor<6xi32>
  %p = stablehlo.popcnt %d : tensor<6xi32>
  %q = stablehlo.add %d, %p : tensor<6xi32>
  %n = stablehlo.convert %c : (tensor<6xui8>) -> tensor<6xi8>
  %f = stablehlo.convert %a : (tensor<6xi32>) -> tensor<6xf32>
  %r = stablehlo.reverse %x, dims = [0] : tensor<6xi32>
  %e = stablehlo.reshape %r : (tensor<6xi32>) -> tensor<2x3xi32>
  return %x, %q, %n, %f, %e : tensor<6xi32>, tensor<6xi32>, tensor<6xi8>, tensor<6xf32>, tensor<2x3xi32>
}
