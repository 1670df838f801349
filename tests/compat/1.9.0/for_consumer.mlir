// RUN: convert --for=jaxlib==0.5.3
// RUN: convert --for=jaxlib==0.6.2 --for=jaxlib==0.5.3 --today=2026-08-01
// RUN: convert --for=jaxlib==0.5.0 --expect "jaxlib 0.5.0 has StableHLO 1.8.9, target 1.8.0" --expect "1.9.0 (62)"
// EXIT: 1
// RUN: convert --for=jaxlib --expect "write jaxlib==VERSION"
// EXIT: 2
// RUN: convert --for=jaxlib==0.5.3 --target=1.9.0 --expect "pass one of them"
// EXIT: 2
// A consumer stands for the release that it embeds.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %a {
    result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
