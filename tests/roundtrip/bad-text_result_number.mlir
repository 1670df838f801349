// RUN: verify --expect "%0#2"
// EXIT: 3
%0:2 = "t.def"() : () -> (i32, i32)
"t.use"(%0#2) : (i32) -> ()
