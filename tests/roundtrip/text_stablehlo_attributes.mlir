// RUN: roundtrip
// StableHLO's attributes where nothing normalizes them: as discardable ones.
"t.enums"() {
  a = #stablehlo<comparison_direction EQ>, b = #stablehlo<comparison_type TOTALORDER>, c = #stablehlo<fft_type IRFFT>,
  d = #stablehlo<precision HIGHEST>, e = #stablehlo<rng_algorithm PHILOX>, f = #stablehlo<rng_distribution NORMAL>,
  g = #stablehlo<transpose ADJOINT>, h = #chlo<comparison_direction LT>, i = #chlo<precision HIGH>,
  j = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>,
  k = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>
} : () -> ()
"t.structs"() {
  a = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = []>,
  b = #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>,
  c = #stablehlo.mesh_axis<name = "x", size = 4>,
  d = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>,
  e = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#t<axis>, 1 : i64]>
} : () -> ()
