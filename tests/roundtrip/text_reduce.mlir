// RUN: roundtrip
// Reductions by one op, by more than one, over two inputs, with operands in another order.
func.func @one(%arg0: tensor<4x3xf32>, %arg1: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] {a = 1 : i32} : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @swapped(%arg0: tensor<4x3xf32>, %arg1: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
   reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
    %1 = stablehlo.add %arg3, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<3xf32>
}
func.func @two(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {
    %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
    %2 = stablehlo.multiply %arg5, %arg7 : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
