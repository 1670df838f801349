// RUN: opt
// RUN: opt --mlir-print-op-generic
// RUN: opt -mlir-print-debuginfo
// RUN: opt -mlir-print-debuginfo -mlir-print-local-scope
// RUN: opt -mlir-print-debuginfo=true -strip-debuginfo
// RUN: opt -mlir-print-debuginfo -mlir-strip-debuginfo
// RUN: opt -mlir-print-debuginfo=false -mlir-elide-elementsattrs-if-larger=2
// RUN: opt -mlir-elide-elementsattrs-if-larger 3
// RUN: opt -stablehlo-complex-math-expander
// RUN: opt -o %t %s
// RUN: opt %t
// How a program is printed: forms, locations, and constants that are long.

#here = loc("model.py":3:5)
func.func @main(%a: tensor<3xf32> loc("a")) -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> loc(#here)
  %1 = stablehlo.add %a, %0 : tensor<3xf32> loc("add"("model.py":4:1))
  return %1 : tensor<3xf32>
}
