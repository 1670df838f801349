// RUN: verify --expect "another type than it is defined with"
// EXIT: 3
%0 = "t.def"() : () -> i32
"t.use"(%0) : (i64) -> ()
