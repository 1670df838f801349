// RUN: convert --emit=mlirbc --target=1.0.0 --allow-outside-window -o %t --expect "attribute kind 'stablehlo.type_extensions' in attribute 'a.b' does not exist in portable artifacts of version 1.0.0" %s
// EXIT: 1
// Bounds alone, outside of a tensor type.
func.func @main(%arg0: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = stablehlo.negate %arg0 {a.b = #stablehlo.bounds<4>} : tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
