// RUN: convert --target=39 --allow-outside-window -o %t.mlir
// RUN: convert --target=current %t.mlir
// RUN: prove %s %t.mlir
func.func @main(%arg0: tensor<3xi8>, %arg1: tensor<3xi8>) -> tensor<3xi8> {
  %0 = stablehlo.subtract %arg0, %arg1 : tensor<3xi8>
  return %0 : tensor<3xi8>
}
