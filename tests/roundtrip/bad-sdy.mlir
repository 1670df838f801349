// RUN: verify --expect "error: 'sdy.sharding_constraint' op unknown mesh: @n" --expect "error: 'sdy.sharding_constraint' op sharding doesn't match tensor rank: 1 != 2" --expect "error: 'sdy.sharding_constraint' op unknown axis name: \"z\"" --expect "error: 'sdy.sharding_constraint' op duplicate axis ref: \"x\"" --expect "error: 'sdy.reshard' op dim 1 is empty and closed but has a priority" --expect "error: 'sdy.reshard' op replicated axes are not ordered w.r.t. mesh" --expect "error: 'sdy.reshard' op two consecutive sub-axes can be merged: \"x\":(1)2, \"x\":(2)2" --expect "error: 'sdy.reshard' op both sub-axis and full-axis are used for axis name: \"x\"" --expect "error: 'sdy.reshard' op sub-axis pre-size must be at least 1: \"x\":(0)2" --expect "error: 'sdy.reshard' op sub-axis sizes must be greater than 1: \"x\":(1)1" --expect "error: 'sdy.reshard' op sub-axis next pre-size 3 doesn't divide the size of the full axis 4: \"x\":(1)3" --expect "error: 'sdy.reshard' op sub-axis size is equal to the full axis size: \"y\":(1)2" --expect "error: 'sdy.reshard' op unknown axis name: \"z\"" --expect "error: 'sdy.reshard' op only ranked tensors can have a sharding. type: 'tensor<*xf32>'" --expect "error: 'stablehlo.abs' op result shardings don't match number of values: 2 shardings vs 1 values" --expect "error: 'stablehlo.abs' op result - sharding doesn't match tensor rank: 1 != 2" --expect "error: 'stablehlo.optimization_barrier' op result 1 - sharding doesn't match tensor rank: 1 != 2" --expect "error: 'stablehlo.abs' op should have a sharding attribute of type TensorShardingPerValueAttr" --expect "error: 'func.func' op arg 0 - sharding doesn't match tensor rank: 1 != 2" --expect "error: 'func.func' op arg 0 - should have a sharding attribute of type TensorShardingAttr" --expect "error: 'stablehlo.abs' op operand - mapping rank must match: 1 != 2" --expect "error: 'stablehlo.abs' op number of operands and mappings must match: 1 != 2" --expect "error: 'stablehlo.abs' op operand - expecting factor indices to be within 0<=...<num_factors; received: 2, num_factors: 2" --expect "error: 'sdy.propagation_barrier' op cannot specify `BOTH` as the direction. Not blocking propagation direction makes the op redundant." --expect "error: 'sdy.manual_computation' op operand shape, corresponding sharding, and region operand shape at index 0 must match. Expected local shape 'tensor<2x16xf32>', actual local shape 'tensor<8x16xf32>'" --expect "error: 'sdy.manual_computation' op operand shardings don't match number of values: 2 shardings vs 1 values" --expect "error: 'sdy.manual_computation' op operand sharding at index 0 must have all manual axes come before free axes in its dimension sharding at index 0. Saw manual axis \"x\" after free axis \"y\"" --expect "error: 'sdy.manual_computation' op result shape, corresponding sharding, and region result shape at index 0 must match. Expected local shape 'tensor<2x16xf32>', actual local shape 'tensor<8x16xf32>'" --expect "error: 'sdy.manual_computation' op operand dimension size 6 is not divisible by the manual axes size 4" --expect "error: 'sdy.reshard' op operates on axis \"x\" which is already bound by a parent sdy.manual_computation op" --expect "expected the type of the 0'th block argument to match the type of the corresponding operand: 'tensor<4x4xf32>' vs 'tensor<8x16xf32>'" --expect "error: 'sdy.mesh' op axis size must be at least 1, got: 0" --expect "error: 'sdy.mesh' op duplicate axis name: \"x\"" --expect "error: 'sdy.mesh' op device id must be non-negative, got: -1" --expect "error: 'sdy.mesh' op axes is empty and device_ids has more than one element" --expect "error: 'sdy.mesh' op total product of axis sizes must match total number of device ids, got: 2 != 4" --expect "error: 'sdy.mesh' op sorted device ids must be iota(product(axes)), got: 1, 2" --expect "redefinition of symbol named 'm'" --expect "error: 'sdy.reshard' op requires the same type for all operands and results" --expect "error: 'sdy.reshard' op requires attribute 'sharding'"
// EXIT: 1
// Meshes, and shardings that do not fit their mesh or their value. The messages are those of Shardy.
sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.sharding_constraint %a <@n, [{}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.sharding_constraint %a <@m, [{}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.sharding_constraint %a <@m, [{"z"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.sharding_constraint %a <@m, [{"x"}, {"x"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{}, {}p1]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{}, {}], replicated={"y", "x"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"x":(1)2, "x":(2)2}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"x":(1)2}, {"x"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"x":(0)2}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"x":(1)1}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"x":(1)3}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"y":(1)2}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.reshard %a <@m, [{}, {}], unreduced={"x", "z"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<*xf32>) {
  %0 = sdy.reshard %a <@m, []> : tensor<*xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>, <@m, [{}, {}]>]>} : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>, <@m, [{"y"}]>]>} %a, %a : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = stablehlo.abs %a {sdy.sharding = 1 : i32} : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32> {sdy.sharding = "x"}) {
  
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = stablehlo.abs %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j]) {i=8, j=16}>} : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = stablehlo.abs %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}>} : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = stablehlo.abs %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, j]) {i=8, j=16}>} : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x16xf32>) {
    sdy.return %b : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>, <@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x16xf32>) {
    sdy.return %b : tensor<2x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", "x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x16xf32>) {
    sdy.return %b : tensor<2x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x16xf32>) {
    sdy.return %b : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<6xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%b: tensor<1xf32>) {
    sdy.return %b : tensor<1xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x16xf32>) {
    %c = sdy.reshard %b <@m, [{"x"}, {}]> : tensor<2x16xf32>
    sdy.return %c : tensor<2x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = sdy.named_computation<"n">(%a) (%b: tensor<4x4xf32>) {
    sdy.return %b : tensor<4x4xf32>
  } : (tensor<8x16xf32>) -> tensor<4x4xf32>
  return
}

// -----

sdy.mesh @m = <["x"=0]>

// -----

sdy.mesh @m = <["x"=2, "x"=2]>

// -----

sdy.mesh @m = <["x"=2], device_ids=[0, -1]>

// -----

sdy.mesh @m = <[], device_ids=[0, 1]>

// -----

sdy.mesh @m = <["x"=2], device_ids=[3, 2, 1, 0]>

// -----

sdy.mesh @m = <["x"=2], device_ids=[1, 2]>

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @m = <["x"=2]>

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = "sdy.reshard"(%a) {sharding = #sdy.sharding<@m, [{}, {}]>} : (tensor<8x16xf32>) -> tensor<8x16xf64>
  return
}

// -----

sdy.mesh @m = <["x"=4, "y"=2]>
func.func @f(%a: tensor<8x16xf32>) {
  %0 = "sdy.reshard"(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}
