// RUN: opt -split-input-file
// RUN: translate --interpret --split-input-file
// RUN: opt -split-input-file -mlir-print-debuginfo
// Programs that are divided are read one by one.

func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  return %0 : tensor<i32>
}
