// RUN: verify --expect "stablehlo.if"
func.func @f(%arg0: tensor<i1>) {
  "stablehlo.if"(%arg0) ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<i1>) -> ()
  return
}
