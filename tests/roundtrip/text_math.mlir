// RUN: convert
// RUN: roundtrip
// Every op of math in its assembly form; the expected text is MLIR's.
module {
func.func @m(%a: f32, %v: vector<4xf32>, %i: i32, %t: tensor<2xf64>) {
  %0 = math.absf %a : f32
  %1 = math.absi %i : i32
  %2 = math.atan2 %a, %a : f32
  %3 = math.cbrt %a fastmath<fast> : f32
  %4 = math.copysign %a, %a : f32
  %5 = math.ctlz %i : i32
  %6 = math.ctpop %i : i32
  %7 = math.cttz %i : i32
  %8 = math.fma %a, %a, %a : f32
  %9 = math.fpowi %a, %i : f32, i32
  %10 = math.ipowi %i, %i : i32
  %11 = math.isfinite %a : f32
  %12 = math.isnan %v : vector<4xf32>
  %13 = math.powf %t, %t : tensor<2xf64>
  %14 = math.roundeven %a : f32
  %15 = math.tanh %a {k} : f32
  %s, %c = math.sincos %a : f32
  %17 = math.exp2 %a : f32
  return
}
}

// -----

module {
func.func @m(%a: f32) {
  %0 = math.clampf %a to [%a, %a] : f32
  return
}
}

// -----

module {
func.func @m(%a: f32) {
  %8 = math.fma %a, %a, %a to_nearest_even fastmath<fast> : f32
  return
}
}
