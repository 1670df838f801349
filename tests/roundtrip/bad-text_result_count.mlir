// RUN: verify --expect "2 result(s), but 1"
// EXIT: 3
%0 = "t.def"() : () -> (i32, i32)
