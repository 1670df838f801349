// RUN: verify --expect "got 1 operands and 2 types"
// EXIT: 3
%0 = "t.def"() : () -> i32
"t.use"(%0) : (i32, i32) -> ()
