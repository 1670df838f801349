// RUN: convert
// RUN: roundtrip
// Every op of arith in its assembly form; the expected text is MLIR's.
module {
func.func @i(%a: i32, %b: i32, %i: index, %v: vector<4xi32>, %t: tensor<?x2xi64>, %c: i1) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b overflow<nsw> : i32
  %2 = arith.subi %t, %t {x = 1 : i32} : tensor<?x2xi64>
  %3 = arith.muli %v, %v overflow<nsw, nuw> : vector<4xi32>
  %4 = arith.divsi %a, %b : i32
  %5 = arith.divui %a, %b : i32
  %6 = arith.ceildivsi %a, %b : i32
  %7 = arith.ceildivui %i, %i : index
  %8 = arith.floordivsi %a, %b : i32
  %9 = arith.remsi %a, %b : i32
  %10 = arith.remui %a, %b : i32
  %11 = arith.andi %a, %b : i32
  %12 = arith.ori %c, %c : i1
  %13 = arith.xori %a, %b : i32
  %14 = arith.shli %a, %b overflow<nuw> : i32
  %15 = arith.shrui %a, %b : i32
  %16 = arith.shrsi %a, %b : i32
  %17 = arith.maxsi %a, %b : i32
  %18 = arith.maxui %a, %b : i32
  %19 = arith.minsi %a, %b : i32
  %20 = arith.minui %a, %b : i32
  %21, %22 = arith.addui_extended %a, %b : i32, i1
  %23:2 = arith.mulsi_extended %a, %b : i32
  %low, %high = arith.mului_extended %v, %v : vector<4xi32>
  %24 = arith.extui %a : i32 to i64
  %25 = arith.extui %a nneg : i32 to i64
  %26 = arith.extsi %a : i32 to i64
  %27 = arith.trunci %a : i32 to i8
  %28 = arith.trunci %a overflow<nsw> : i32 to i8
  %29 = arith.index_cast %i : index to i32
  %30 = arith.index_castui %i : index to i32
  %31 = arith.cmpi slt, %a, %b : i32
  %32 = arith.cmpi ugt, %v, %v : vector<4xi32>
  %33 = arith.select %c, %a, %b : i32
  %34 = arith.select %c, %v, %v : vector<4xi32>
  %35 = arith.uitofp %a : i32 to f32
  %36 = arith.sitofp %a : i32 to f32
  %37 = arith.bitcast %a : i32 to f32
  %39 = arith.divui %a, %b exact : i32
  %40 = arith.shrsi %a, %b exact : i32
  %41 = arith.uitofp %a nneg : i32 to f32
  %42 = arith.index_castui %i nneg : index to i32
  %43 = arith.index_cast %t : tensor<?x2xi64> to tensor<?x2xindex>
  return
}
}

// -----

module {
func.func @f(%a: f32, %b: f32, %v: vector<4xf32>, %t: tensor<?x2xf64>, %h: f16) {
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %a, %b fastmath<nnan,ninf> : f32
  %2 = arith.subf %t, %t {x = 1 : i32} : tensor<?x2xf64>
  %3 = arith.mulf %v, %v fastmath<fast> : vector<4xf32>
  %4 = arith.divf %a, %b : f32
  %5 = arith.remf %a, %b : f32
  %6 = arith.maximumf %a, %b : f32
  %7 = arith.minimumf %a, %b : f32
  %8 = arith.maxnumf %a, %b : f32
  %9 = arith.minnumf %a, %b fastmath<contract> : f32
  %10 = arith.negf %a : f32
  %11 = arith.negf %a fastmath<nsz> {y} : f32
  %12 = arith.extf %h : f16 to f32
  %13 = arith.extf %h fastmath<fast> : f16 to f32
  %14 = arith.truncf %a : f32 to f16
  %15 = arith.truncf %a to_nearest_even : f32 to bf16
  %16 = arith.fptosi %a : f32 to i32
  %17 = arith.fptoui %a : f32 to i32
  %18 = arith.cmpf olt, %a, %b : f32
  %19 = arith.cmpf une, %a, %b fastmath<nnan> : f32
  %20 = arith.cmpf true, %t, %t : tensor<?x2xf64>
  %21 = arith.bitcast %v : vector<4xf32> to vector<4xi32>
  return
}
}

// -----

module {
func.func @c() {
  %0 = arith.constant 1 : i32
  %1 = arith.constant -7 : index
  %2 = arith.constant 1.5 : f32
  %3 = arith.constant true
  %4 = arith.constant dense<[1, 2]> : tensor<2xi32>
  %5 = arith.constant dense<1.0> : vector<4xf32>
  %6 = arith.constant {x = "y"} 3 : i8
  %7 = arith.constant false
  return
}
}

// -----

module {
func.func @r(%a: f32, %b: f32, %h: f16) {
  %4 = arith.truncf %a upward fastmath<fast> : f32 to f16
  return
}
}

// -----

module {
func.func @r(%a: f32, %b: f32, %h: f16) {
  %2 = arith.convertf %h : f16 to bf16
  %3 = arith.convertf %h to_nearest_even fastmath<fast> : f16 to bf16
  return
}
}

// -----

module {
func.func @r(%a: f32, %b: f32, %h: f16) {
  %4 = arith.flush_denormals %a : f32
  return
}
}

// -----

module {
func.func @s(%a: f8E5M2, %s: f8E8M0FNU, %f: f32) {
  %0 = arith.scaling_extf %a, %s : f8E5M2, f8E8M0FNU to f32
  %1 = arith.scaling_truncf %f, %s : f32, f8E8M0FNU to f8E5M2
  return
}
}

// -----

module {
func.func @s(%a: i32, %b: i32) {
  %0, %1 = arith.subui_extended %a, %b : i32, i1
  return
}
}
