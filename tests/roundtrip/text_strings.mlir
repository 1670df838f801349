// RUN: roundtrip
// Strings and names with quotes, backslashes, control characters, UTF-8 and no characters at all.
"t.strings"() {a = "", b = "quote \22 and \" backslash \\ newline \0A tab \09", c = "gr\C3\BC\C3\9Fe", "key with spaces" = "x", "1st" = 1 : i32, d = "\00\FF"} : () -> ()
func.func private @"name with \22quotes\22"(tensor<f32>)
func.func private @"1st"()
func.func private @plain.name$1()
func.func @calls(%arg0: tensor<f32>) {
  func.call @"name with \22quotes\22"(%arg0) : (tensor<f32>) -> ()
  func.call @"1st"() : () -> ()
  func.call @plain.name$1() : () -> ()
  return
}
