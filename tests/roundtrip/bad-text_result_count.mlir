// RUN: verify --expect "operation defines 2 results but was provided 1 to bind"
// EXIT: 3
%0 = "t.def"() : () -> (i32, i32)
