// RUN: roundtrip
// Ops, types and attributes of dialects without rows are kept as they are written.
%0 = "a.b"() {x = #foo.bar<1, [2], "3">, y = #foo<baz>} : () -> !foo.type<4x!foo.inner>
"a.\22quoted\22"(%0) : (!foo.type<4x!foo.inner>) -> ()
%1:2 = "a.two"() : () -> (i32, !foo<opaque 1>)
"a.use"(%1#1, %1#0) ({
  %2 = "a.inner"() : () -> i64
}) : (!foo<opaque 1>, i32) -> ()
