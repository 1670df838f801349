// RUN: convert --target=38
// Still the older name at 38; everything is generic, as consumers of that time expect.
func.func private @test_sub(%arg0: tensor<2xi1>) -> () attributes {stablehlo.compat_version = 37 : i32} {
  %0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  func.return
}
