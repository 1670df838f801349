// RUN: verify --expect "5:8: error: 'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type" --expect "6:8: error: 'scf.for' op expected induction variable to be same type as bounds and step" --expect "7:8: error: 'scf.for' op different number of inits and region iter_args: 1 != 0" --expect "8:8: error: 'scf.for' op along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'i64' should match successor input type #0 'i32'" --expect "9:8: error: 'scf.for' op different number of region iter_args and yielded values: 1 != 0" --expect "10:3: error: 'scf.for' op mismatch in number of loop-carried values and defined values" --expect "11:8: error: 'shape.assuming' op along control flow edge from Operation shape.assuming_yield to parent: successor operand type #0 'i32' should match successor input type #0 'i64'" --expect "12:3: error: 'shape.assuming' op along control flow edge from Operation shape.assuming_yield to parent: region branch point has 1 operands, but region successor needs 0 inputs" --expect "13:8: error: 'shape.assuming' op operand #0 must be witness, but got 'i32'" --expect "14:8: error: 'shape.assuming' op expects regions to end with 'shape.assuming_yield', found 'stablehlo.return'"
// EXIT: 1
// Ops of MLIR with regions agree with what their terminators return.
func.func @main(%i: i32, %l: i64, %x: index, %w: !shape.witness) {
  %0 = "scf.for"(%x, %x, %i, %i) ({ ^bb0(%k: index, %c: i32): "scf.yield"(%c) : (i32) -> () }) : (index, index, i32, i32) -> i32
  %1 = "scf.for"(%x, %x, %x, %i) ({ ^bb0(%k: i32, %c: i32): "scf.yield"(%c) : (i32) -> () }) : (index, index, index, i32) -> i32
  %2 = "scf.for"(%x, %x, %x, %i) ({ ^bb0(%k: index): "scf.yield"(%i) : (i32) -> () }) : (index, index, index, i32) -> i32
  %3 = "scf.for"(%x, %x, %x, %i) ({ ^bb0(%k: index, %c: i32): "scf.yield"(%l) : (i64) -> () }) : (index, index, index, i32) -> i32
  %4 = "scf.for"(%x, %x, %x, %i) ({ ^bb0(%k: index, %c: i32): "scf.yield"() : () -> () }) : (index, index, index, i32) -> i32
  "scf.for"(%x, %x, %x, %i) ({ ^bb0(%k: index, %c: i32): "scf.yield"(%c) : (i32) -> () }) : (index, index, index, i32) -> ()
  %5 = "shape.assuming"(%w) ({ "shape.assuming_yield"(%i) : (i32) -> () }) : (!shape.witness) -> i64
  "shape.assuming"(%w) ({ "shape.assuming_yield"(%i) : (i32) -> () }) : (!shape.witness) -> ()
  %6 = "shape.assuming"(%i) ({ "shape.assuming_yield"(%i) : (i32) -> () }) : (i32) -> i32
  %7 = "shape.assuming"(%w) ({ "stablehlo.return"() : () -> () }) : (!shape.witness) -> i32
  return
}
