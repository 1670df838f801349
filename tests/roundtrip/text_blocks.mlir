// RUN: roundtrip
// Several blocks: labels, arguments, branches back and forth, a block that nothing leads to.
func.func @f(%arg0: i1, %arg1: i32) -> i32 {
  "cf.cond_br"(%arg0, %arg1, %arg1)[^bb1, ^bb2] : (i1, i32, i32) -> ()
^bb1(%0: i32):
  %1 = "a.next"(%0) : (i32) -> i32
  "cf.br"(%1)[^bb2] : (i32) -> ()
^bb2(%2: i32):
  %3 = "a.more"(%2) : (i32) -> i1
  "cf.cond_br"(%3, %2)[^bb1, ^bb3] : (i1, i32) -> ()
^bb3:
  return %2 : i32
^bb4:
  "cf.br"()[^bb3] : () -> ()
}
