// RUN: convert
// RUN: roundtrip
// Every op of complex, cf, func and ub in its assembly form; the expected text is MLIR's.
module {
func.func @c(%a: complex<f32>, %r: f32, %t: tensor<2xcomplex<f32>>) {
  %0 = complex.add %a, %a : complex<f32>
  %1 = complex.abs %a : complex<f32>
  %2 = complex.create %r, %r : complex<f32>
  %3 = complex.re %a : complex<f32>
  %4 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %5 = complex.eq %a, %a : complex<f32>
  %6 = complex.exp %a fastmath<fast> : complex<f32>
  %7 = complex.pow %a, %a : complex<f32>
  %8 = complex.bitcast %a : complex<f32> to i64
  %9 = complex.angle %a : complex<f32>
  %10 = complex.neq %a, %a : complex<f32>
  %11 = complex.conj %a : complex<f32>
  return
}
}

// -----

module {
func.func @cf(%c: i1, %a: i32, %f: f32) {
  cf.assert %c, "message"
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  cf.br ^bb3(%x, %f : i32, f32)
^bb2:
  cf.cond_br %c weights([1, 2]), ^bb1(%a : i32), ^bb4 {k}
^bb3(%y: i32, %z: f32):
  cf.switch %y : i32, [
    default: ^bb4,
    42: ^bb1(%y : i32),
    43: ^bb5
  ]
^bb4:
  return
^bb5:
  cf.br ^bb4
}
}

// -----

module {
func.func @i(%f: (i32) -> i32, %a: i32) -> i32 {
  %g = constant @h : (i32) -> i32
  %0 = call_indirect %f(%a) : (i32) -> i32
  %1 = func.call_indirect %g(%a) {k} : (i32) -> i32
  return %0 : i32
}
func.func private @h(i32) -> i32
}

// -----

module {
func.func @u() {
  ub.unreachable
}
}

// -----

module {
func.func @v(%a: i32) -> (i32 {x.y = 1 : i32}) attributes {llvm.emit_c_interface, no_inline} {
  %0 = call @w(%a) : (i32) -> i32
  %1:2 = func.call @z() : () -> (i32, f32)
  return %0 : i32
}
func.func private @w(i32 {x.y}) -> i32
func.func nested @z() -> (i32, f32) { %a = arith.constant 1 : i32 
 %b = arith.constant 1.0 : f32
 return %a, %b : i32, f32 }
func.func private @dec(tensor<2xf32>, index)
}
