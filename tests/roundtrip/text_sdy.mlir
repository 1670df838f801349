// RUN: convert
// RUN: roundtrip
// Every op of sdy in its assembly form; the expected text is MLIR's.
module {
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
sdy.mesh @e = <[]>
sdy.mesh @d = <["x"=4], device_ids=[3, 2, 1, 0]>
sdy.mesh @one = <[], device_ids=[2]>
func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}, %b: tensor<8x16xf32>) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {"y":(1)2}p0], replicated={"z"}>}) {
  %0 = sdy.sharding_constraint %a <@m, [{"x"}, {}]> : tensor<8x16xf32>
  %1 = sdy.reshard %0 <@m, [{}, {"y"}], unreduced={"x"}> : tensor<8x16xf32>
  %2 = sdy.manual_computation(%a, %b) in_shardings=[<@m, [{"x"}, {?}]>, <@m, [{}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%arg0: tensor<4x16xf32>, %arg1: tensor<8x16xf32>) {
    sdy.return %arg0 : tensor<4x16xf32>
  } : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = sdy.named_computation<"foo">(%a) in_shardings=[<@m, [{"x"}, {?}]>] out_shardings=[<@m, [{"x"}, {?}]>] (%arg0: tensor<8x16xf32>) {
    sdy.return %arg0 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = sdy.named_computation<"bar">(%a) (%arg0: tensor<8x16xf32>) {
    sdy.return %arg0 : tensor<8x16xf32>
  } {k = 1 : i32} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = sdy.propagation_barrier %a allowed_direction=FORWARD : tensor<8x16xf32>
  sdy.sharding_group %a group_id=21 : tensor<8x16xf32>
  %6 = sdy.constant dense<1.0> : tensor<8x16xf32>
  %7 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}, custom>} : tensor<8x16xf32>
  %8 = sdy.data_flow_edge %7 sharding=<@m, [{"x"}, {}]> : tensor<8x16xf32>
  %10 = sdy.all_slice [{"y"}, {}] %a out_sharding=<@m, [{"x", "y"}, {}]> : tensor<8x16xf32>
  %11 = sdy.all_gather [{"y"}, {}] %10 out_sharding=<@m, [{"x"}, {}]> : tensor<8x16xf32>
  %12 = sdy.all_to_all [{"x"}: 0->1] %11 out_sharding=<@m, [{}, {"x"}]> : tensor<8x16xf32>
  %13 = sdy.collective_permute %11 out_sharding=<@m, [{"z"}, {}]> : tensor<8x16xf32>
  %14 = sdy.all_reduce {"y"} %11 out_sharding=<@m, [{"x"}, {}]> : tensor<8x16xf32>
  %15 = sdy.replicated_to_unreduced {"y"} %11 out_sharding=<@m, [{"x"}, {}], unreduced={"y"}> : tensor<8x16xf32>
  %17 = sdy.sharded_to_unreduced [{"x"}, {}] %11 out_sharding=<@m, [{}, {}], unreduced={"x"}> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
}

// -----

module {
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
func.func public @main(%a: tensor<8x16xf32>) {
  %0 = sdy.reduce_scatter [{"y"}, {}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x16xf32>
  return
}
}

// -----

module {
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
func.func public @main(%a: tensor<8x16xf32>) {
  %1 = sdy.reduce_scatter max [{"y"}, {}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x16xf32>
  return
}
}

// -----

module {
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
func.func public @main(%a: tensor<8x16xf32>) attributes {a = #sdy.mesh<["x"=2]>, b = #sdy.mesh<[], device_ids=[0]>, c = #sdy<manual_axes{"x", "y"}>, d = #sdy<manual_axes{}>, e = #sdy<axis_ref_list{"x"}>, f = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, g = #sdy<all_to_all_param_list[{"x"}: 0->1]>, h = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>, i = #sdy.op_sharding_rule<([ij, z_1k])->([]) {i=2,j=2,k=3,l=1,m=1,n=1,o=1,p=1,q=1,r=1,s=1,t=1,u=1,v=1,w=1,x=1,y=1,z=2,z_1=4} reduction={i} need_replication={j} permutation={k} blocked_propagation={z}>, j = #sdy.sharding_per_value<[]>, k = #sdy<axis_ref"x":(1)2>, l = #sdy<dimension_sharding{"x", ?}p3>, m = #sdy<mesh_axis"x"=2>, n=#sdy<sub_axis_info(1)2>, p = #sdy<tensor_mapping[i, j]>, q = #sdy<all_to_all_param{"x"}: 0->1>, r = #sdy.sharding<@m, []>} {
  return
}
}

// -----

module {
func.func public @main(%a: tensor<8x16xf32>) attributes {a = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} {
  return
}
}

// -----

#closed = #sdy.sharding<@m, [{"x"}, {}]>
#list = #sdy.sharding_per_value<[#closed, #sdy.sharding<@m,[{ "y" , ? }p1,{}]>]>
module {
sdy.mesh @m=<["x"=2,"y"=2], device_ids=[0,1,2,3]>
sdy.mesh @"a b" = <["q\22"=2]>
func.func @aliases(%a: tensor<4x4xf32> {sdy.sharding = #closed}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@"a b", [{"q\22"}]>}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #list} %a, %a : tensor<4x4xf32>, tensor<4x4xf32>
  %1 = sdy.sharding_constraint %0#0 <mesh<["z"=4]>, [{"z":(1)2}, {"z":(2)2}]> {k = 1 : i32} : tensor<4x4xf32>
  return %0#0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
}
