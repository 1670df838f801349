// RUN: convert
// RUN: roundtrip
// Every op of scf in its assembly form; the expected text is MLIR's.
module {
func.func @w(%a: i32, %b: f32, %c: i1, %lb: index) -> (i32, f32) {
  %0:2 = scf.while (%x = %a, %y = %b) : (i32, f32) -> (i32, f32) {
    %1 = arith.cmpi slt, %x, %a : i32
    scf.condition(%1) %x, %y : i32, f32
  } do {
  ^bb0(%x: i32, %y: f32):
    scf.yield %x, %y : i32, f32
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %2 = scf.while (%x = %a) : (i32) -> f32 {
    scf.condition(%c) %b : f32
  } do {
  ^bb0(%y: f32):
    scf.yield %a : i32
  } attributes {k = 1 : i32}
  %3 = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  scf.if %c {
    %z = arith.addi %a, %a : i32
  }
  scf.if %c {
    %z = arith.addi %a, %a : i32
  } else {
    %z = arith.addi %a, %a : i32
  } {k = 2 : i32}
  %4:2 = scf.if %c -> (i32, f32) {
    scf.yield %a, %b : i32, f32
  } else {
    scf.yield %a, %b : i32, f32
  }
  scf.for %i = %lb to %lb step %lb {
    %z = arith.addi %a, %a : i32
  }
  %5 = scf.for %i = %lb to %lb step %lb iter_args(%acc = %a) -> (i32) {
    scf.yield %acc : i32
  }
  %6:2 = scf.for %i = %a to %a step %a iter_args(%acc = %a, %w = %b) -> (i32, f32) : i32 {
    scf.yield %acc, %w : i32, f32
  } {k}
  scf.for unsigned %i = %a to %a step %a : i32 {
  }
  %7 = scf.execute_region -> i32 {
    scf.yield %a : i32
  }
  scf.execute_region {
    cf.br ^bb1
  ^bb1:
    scf.yield
  }
  %8 = scf.index_switch %lb -> i32
  case 2 {
    scf.yield %a : i32
  }
  case 5 {
    scf.yield %a : i32
  }
  default {
    scf.yield %a : i32
  }
  scf.index_switch %lb
  default {
    scf.yield
  }
  scf.parallel (%i, %j) = (%lb, %lb) to (%lb, %lb) step (%lb, %lb) {
    scf.reduce
  }
  %9 = scf.parallel (%i) = (%lb) to (%lb) step (%lb) init (%b) -> f32 {
    scf.reduce(%b : f32) {
    ^bb0(%l: f32, %r: f32):
      %q = arith.addf %l, %r : f32
      scf.reduce.return %q : f32
    }
  }
  return %0#0, %0#1 : i32, f32
}
}

// -----

module {
func.func @fa(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  scf.forall (%i, %j) in (%n, 8) {
  }
  scf.forall (%i) = (0) to (%n) step (2) {
  }
  return %0 : tensor<4xf32>
}
}

// -----

module {
func.func @no_inline(%a: i32) -> i32 {
  %7 = scf.execute_region -> i32 no_inline {
    scf.yield %a : i32
  }
  return %7 : i32
}
}
