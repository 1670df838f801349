// RUN: convert
// RUN: roundtrip
// Every op of shape in its assembly form; the expected text is MLIR's.
module {
func.func @s(%t: tensor<?x4xf32>, %sh: !shape.shape, %e: tensor<?xindex>, %e2: tensor<2xindex>, %sz: !shape.size, %i: index, %w: !shape.witness, %vs: !shape.value_shape, %c: i1) {
  %0 = shape.add %i, %i : index, index -> index
  %1 = shape.add %sz, %i : !shape.size, index -> !shape.size
  %2 = shape.any %sh, %sh : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.assuming_all %w, %w
  %4 = shape.assuming %w -> (i32) {
    %q = arith.constant 1 : i32
    shape.assuming_yield %q : i32
  }
  shape.assuming %w {
  }
  %5 = shape.broadcast %sh, %sh : !shape.shape, !shape.shape -> !shape.shape
  %6 = shape.broadcast %e, %e2 : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  %7 = shape.concat %e, %e : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %8 = shape.const_shape [1, 2, 3] : !shape.shape
  %9 = shape.const_shape [] : tensor<0xindex>
  %10 = shape.const_size 3
  %11 = shape.const_witness true
  %12 = shape.cstr_broadcastable %sh, %sh : !shape.shape, !shape.shape
  %13 = shape.cstr_eq %e, %e : tensor<?xindex>, tensor<?xindex>
  %14 = shape.cstr_require %c, "message"
  %16 = shape.dim %t, %i : tensor<?x4xf32>, index -> index
  %17 = shape.div %sz, %sz : !shape.size, !shape.size -> !shape.size
  %18 = shape.from_extent_tensor %e : tensor<?xindex>
  %19 = shape.from_extents %i, %i : index, index
  %20 = shape.get_extent %e, %i : tensor<?xindex>, index -> index
  %21 = shape.index_to_size %i
  %22 = shape.is_broadcastable %sh, %sh : !shape.shape, !shape.shape
  %23 = shape.max %sh, %sh : !shape.shape, !shape.shape -> !shape.shape
  %24 = shape.meet %sh, %sh : !shape.shape, !shape.shape -> !shape.shape
  %25 = shape.meet %sh, %sh, error = "x" : !shape.shape, !shape.shape -> !shape.shape
  %26 = shape.min %sz, %sz : !shape.size, !shape.size -> !shape.size
  %27 = shape.mul %i, %i : index, index -> index
  %28 = shape.num_elements %e : tensor<?xindex> -> index
  %29 = shape.rank %sh : !shape.shape -> !shape.size
  %30 = shape.shape_eq %e, %e : tensor<?xindex>, tensor<?xindex>
  %31 = shape.shape_of %t : tensor<?x4xf32> -> tensor<2xindex>
  %32 = shape.shape_of %vs : !shape.value_shape -> !shape.shape
  %33 = shape.size_to_index %sz : !shape.size
  %34:2 = "shape.split_at"(%e, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %35 = shape.to_extent_tensor %sh : !shape.shape -> tensor<?xindex>
  %36 = shape.value_as_shape %e : tensor<?xindex> -> !shape.shape
  %37 = shape.value_of %vs : tensor<?x4xf32>
  %38 = shape.with_shape %t, %sh : tensor<?x4xf32>, !shape.shape
  %39 = shape.reduce(%e, %i) : tensor<?xindex> -> index {
    ^bb0(%n: index, %x: index, %acc: index):
      %m = shape.mul %acc, %x : index, index -> index
      shape.yield %m : index
  }
  return
}
}

// -----

module {
shape.function_library @lib {
  func.func @f(%arg: !shape.value_shape) -> !shape.shape {
    %0 = shape.shape_of %arg : !shape.value_shape -> !shape.shape
    return %0 : !shape.shape
  }
} mapping {
  chlo.conj = @f
}
}
