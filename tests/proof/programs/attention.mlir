// Softmax attention in bf16 with a causal mask.
func.func @main(%q: tensor<2x4x8xbf16>, %k: tensor<2x4x8xbf16>, %v: tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x8xbf16>, tensor<2x4x8xbf16>) -> tensor<2x4x4xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xi32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xi32>
  %m = stablehlo.compare GE, %i, %j, SIGNED : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %low = stablehlo.constant dense<-1.0e30> : tensor<2x4x4xf32>
  %masked = stablehlo.select %m, %s, %low : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%masked init: %ninf) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %maxb = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x4xf32>
  %sub = stablehlo.subtract %masked, %maxb : tensor<2x4x4xf32>
  %e = stablehlo.exponential %sub : tensor<2x4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x4xf32>
  %p = stablehlo.divide %e, %sumb : tensor<2x4x4xf32>
  %pb = stablehlo.convert %p : (tensor<2x4x4xf32>) -> tensor<2x4x4xbf16>
  %o = stablehlo.dot_general %pb, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xbf16>, tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16>
  %of = stablehlo.convert %o : (tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
  %n = stablehlo.multiply %of, %of : tensor<2x4x8xf32>
  %nb = stablehlo.convert %n : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
  return %nb : tensor<2x4x8xbf16>
}
