// RUN: verify --expect "%0"
// EXIT: 3
%0 = "t.def"() : () -> i32
%0 = "t.def"() : () -> i32
