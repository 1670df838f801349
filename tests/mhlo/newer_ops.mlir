// Ops of MHLO after 2023.
func.func @acos(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.acos"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @acosh(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.acosh"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @asin(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.asin"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @asinh(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.asinh"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @atanh(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.atanh"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @collective_broadcast(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.collective_broadcast"(%a0)  {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func private @sq(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mhlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @composite(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.composite"(%a0) {name = "my.sq", composite_attributes = {n = 1 : i64}, decomposition = @sq, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @cosh(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.cosh"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @erf(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.erf"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @mulhi(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> tensor<4xi32> {
  %r = "mhlo.mulhi"(%a0, %a1)  : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @sinh(%a0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "mhlo.sinh"(%a0)  : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
