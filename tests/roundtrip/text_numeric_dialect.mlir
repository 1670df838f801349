// RUN: roundtrip
// #127.x would be the alias #127: what a dialect with such a name has stays in brackets.
"t.a"() {a = #127<true>, b = #127<p<1>>, c = #d127<true>} : () -> ()
