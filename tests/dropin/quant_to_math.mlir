// RUN: opt --stablehlo-legalize-quant-to-math -split-input-file
// Quantized ops as math on stored integers. docs/quantization.md states what is exact.

// Unsigned and sub-byte storage, and a per-axis type for each dimension.
func.func @storage(%a: tensor<2x3x!quant.uniform<ui8:f32, 0.5:3>>,
    %b: tensor<2x3x!quant.uniform<i4<-7:7>:f32, 0.5:-3>>,
    %c: tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>,
    %d: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x3x!quant.uniform<ui8:f32, 0.5:3>>) -> tensor<2x3xf32>
  %1 = stablehlo.uniform_dequantize %b : (tensor<2x3x!quant.uniform<i4<-7:7>:f32, 0.5:-3>>) -> tensor<2x3xf32>
  %2 = stablehlo.uniform_dequantize %c : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>) -> tensor<2x3xf32>
  %3 = stablehlo.uniform_dequantize %d : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>) -> tensor<2x3xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Bounds of the storage type are those of the clamp.
func.func @quantize(%a: tensor<?xf32>) -> tensor<?x!quant.uniform<i4<-7:7>:f32, 0.5:-3>> {
  %0 = stablehlo.uniform_quantize %a : (tensor<?xf32>) -> tensor<?x!quant.uniform<i4<-7:7>:f32, 0.5:-3>>
  return %0 : tensor<?x!quant.uniform<i4<-7:7>:f32, 0.5:-3>>
}

// -----

// A conditional has no rows, but its regions may compute with quantized values.
func.func @regions(%p: tensor<i1>, %a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %2 = stablehlo.maximum %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %3 = stablehlo.tanh %2 : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %4 = stablehlo.uniform_dequantize %3 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
    stablehlo.return %4 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Types of functions and of block arguments change.
func.func private @declared(tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 2.0}>>
func.func @window(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %i: tensor<!quant.uniform<i8:f32, 0.5:3>>)
    -> tensor<3x!quant.uniform<i8:f32, 0.5:3>> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.minimum %x, %y : tensor<!quant.uniform<i8:f32, 0.5:3>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:3>>
  }) {window_dimensions = array<i64: 2>} : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>)
    -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return %0 : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
}

// -----

// Attributes of the op remain, and so do its location and its discardable attributes.
func.func @attributes(%a: tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<4x3x!quant.uniform<i8:f32, 0.5>>)
    -> tensor<2x3x!quant.uniform<i32:f32, 0.25>> {
  %0 = stablehlo.dot %a, %b, precision = [HIGH, HIGHEST] {note = "kept"} :
    (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i8:f32, 0.5>>)
    -> tensor<2x3x!quant.uniform<i32:f32, 0.25>>
  return %0 : tensor<2x3x!quant.uniform<i32:f32, 0.25>>
}

// -----

// Padding of four bits, in the storage type.
func.func @padding(%a: tensor<1x4x4x1x!quant.uniform<i4:f32, 2.0:-4>>, %b: tensor<3x3x1x1x!quant.uniform<i4:f32, 0.5>>)
    -> tensor<1x3x4x1x!quant.uniform<i32:f32, 1.0:5>> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[0, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
    (tensor<1x4x4x1x!quant.uniform<i4:f32, 2.0:-4>>, tensor<3x3x1x1x!quant.uniform<i4:f32, 0.5>>)
    -> tensor<1x3x4x1x!quant.uniform<i32:f32, 1.0:5>>
  return %0 : tensor<1x3x4x1x!quant.uniform<i32:f32, 1.0:5>>
}

// -----

// Nothing is quantized.
func.func @floats(%a: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = stablehlo.abs %a : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
