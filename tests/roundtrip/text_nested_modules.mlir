// RUN: roundtrip
// Modules inside modules, with names of their own.
module @outer {
  module @inner attributes {a.b = 1 : i32} {
    func.func @f() {
      return
    }
  }
  module {
  }
  func.func @f() {
    return
  }
}
