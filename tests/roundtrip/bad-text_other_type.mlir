// RUN: verify --expect "expects different type than prior uses: 'i64' vs 'i32'"
// EXIT: 3
%0 = "t.def"() : () -> i32
"t.use"(%0) : (i64) -> ()
