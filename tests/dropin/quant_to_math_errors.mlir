// RUN: opt --stablehlo-legalize-quant-to-math -split-input-file -verify-diagnostics -allow-unregistered-dialect
// What has no math on stored integers: one error per function, for its first such op.

// Only f32 can be quantized.
func.func @quantize_f16(%a: tensor<2xf16>) -> tensor<2x!quant.uniform<i8:f16, 0.5>> {
  // expected-error@+2 {{Unsupported input element type.}}
  // expected-error@+1 {{failed to legalize operation 'stablehlo.uniform_quantize' that was explicitly marked illegal}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf16>) -> tensor<2x!quant.uniform<i8:f16, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f16, 0.5>>
}

// -----

func.func @dequantize_bf16(%a: tensor<2x!quant.uniform<i8:bf16, 0.5>>) -> tensor<2xbf16> {
  // expected-error@+1 {{failed to legalize unresolved materialization from ('tensor<2xf32>') to ('tensor<2xbf16>') that remained live after conversion}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:bf16, 0.5>>) -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// -----

func.func @abs_f64(%a: tensor<2x!quant.uniform<i8:f64, 0.5>>) -> tensor<2x!quant.uniform<i8:f64, 0.5>> {
  // expected-error@+1 {{failed to legalize unresolved materialization from ('tensor<2xf32>') to ('tensor<2xf64>')}}
  %0 = stablehlo.abs %a : tensor<2x!quant.uniform<i8:f64, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f64, 0.5>>
}

// -----

// Integers of one quantization are added without floats, whatever they represent.
func.func @add_f64(%a: tensor<2x!quant.uniform<i8:f64, 0.5>>) -> tensor<2x!quant.uniform<i8:f64, 0.5>> {
  %0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f64, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f64, 0.5>>
}

// -----

func.func private @callee(tensor<2x!quant.uniform<i8:f32, 0.5>>)
func.func @call(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{failed to legalize operation 'func.call' that was explicitly marked illegal}}
  func.call @callee(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  return
}

// -----

func.func @other_dialect(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{failed to legalize unresolved materialization from ('tensor<2xi8>') to ('tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>')}}
  "foo.bar"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  return
}

// -----

func.func @made_elsewhere() -> tensor<2xf32> {
  %0 = "foo.bar"() : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  // expected-error@+1 {{failed to legalize unresolved materialization}}
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @one(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.reverse'}}
  %0 = stablehlo.reverse %a, dims = [0] : tensor<2x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.reverse %a, dims = [0] : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
func.func @another(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.reverse'}}
  %0 = stablehlo.reverse %a, dims = [0] : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// A dynamic dimension cannot have three scales and two.
func.func @scales(%a: tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.3, 0.1}>>) -> tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.3}>> {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.uniform_quantize'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.3, 0.1}>>) -> tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.3}>>
  return %0 : tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.3}>>
}

// -----

func.func @axes(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.3}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.3}>> {
  // expected-error@+2 {{Cannot requantize while changing quantization_axis}}
  // expected-error@+1 {{failed to legalize operation 'stablehlo.uniform_quantize'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.3}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.3}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.3}>>
}
