// RUN: verify --expect "iota_dimension"
// A required attribute is missing.
func.func @main() -> tensor<4xi32> {
  %0 = "stablehlo.iota"() : () -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
