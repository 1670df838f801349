// RUN: verify --expect "1 operand(s), but its type has 2"
// EXIT: 3
%0 = "t.def"() : () -> i32
"t.use"(%0) : (i32, i32) -> ()
