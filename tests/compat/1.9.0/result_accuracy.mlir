// RUN: roundtrip
// RUN: convert --target=current
// RUN: convert --target=1.8.0 --expect "attribute 'result_accuracy' must have its default value" --expect "1.9.0 (62)"
// EXIT: 1
// exponential was the first op to promise an accuracy. Older consumers cannot be told of the promise, so
// the program goes up, but not down.
module attributes {stablehlo.compat_version = 62 : i64} {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.exponential"(%arg0) {
      result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
    } : (tensor<4xf32>) -> tensor<4xf32>
    func.return %0 : tensor<4xf32>
  }
}
