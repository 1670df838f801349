// RUN: verify --expect "'func.call' op 'outer' does not reference a valid function"
// A module does not see the symbols around it.
module {
  func.func @outer() {
    return
  }
  module @nested {
    func.func @inner() {
      call @outer() : () -> ()
      return
    }
  }
}
