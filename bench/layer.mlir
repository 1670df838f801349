// What models are made of, in sizes that take some million instructions: products, softmax, a normalization, a
// transposition, a convolution and a loop.
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x128xf32>, %image: tensor<1x32x32x8xf32>, %k: tensor<3x3x8x8xf32>) -> (tensor<64x64xf32>, tensor<1x32x32x8xf32>, tensor<64x128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x96xf32>, tensor<96x128xf32>) -> tensor<64x128xf32>
  %squares = stablehlo.multiply %h, %h : tensor<64x128xf32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %one = stablehlo.constant dense<1.0> : tensor<64xf32>
  %shifted = stablehlo.add %sum, %one : tensor<64xf32>
  %scale = stablehlo.rsqrt %shifted : tensor<64xf32>
  %wide = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %n = stablehlo.multiply %h, %wide : tensor<64x128xf32>
  %t = stablehlo.transpose %n, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %s = stablehlo.dot_general %n, %t, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  %max = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %maxb = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %c = stablehlo.subtract %s, %maxb : tensor<64x64xf32>
  %e = stablehlo.exponential %c : tensor<64x64xf32>
  %total = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %totalb = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %p = stablehlo.divide %e, %totalb : tensor<64x64xf32>
  %conv = stablehlo.convolution(%image, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x32x32x8xf32>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %loop:2 = stablehlo.while(%i = %start, %v = %n) : tensor<i32>, tensor<64x128xf32>
    cond {
      %limit = stablehlo.constant dense<100> : tensor<i32>
      %go = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %step = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %step : tensor<i32>
      %y = stablehlo.multiply %v, %wide : tensor<64x128xf32>
      %z = stablehlo.add %y, %n : tensor<64x128xf32>
      stablehlo.return %next, %z : tensor<i32>, tensor<64x128xf32>
    }
  return %p, %conv, %loop#1 : tensor<64x64xf32>, tensor<1x32x32x8xf32>, tensor<64x128xf32>
}
