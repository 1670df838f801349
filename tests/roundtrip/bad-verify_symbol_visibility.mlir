// RUN: verify --expect "5:1: error: 'func.func' op symbol declaration cannot have public visibility" --expect "6:1: error: 'func.func' op visibility expected to be one of" --expect "10:3: error: 'func.func' op symbol's parent must have the SymbolTable trait"
// EXIT: 1
// A function that others can see has a body, and is in a module.

func.func @declared(i32)
"func.func"() <{sym_name = "hidden", sym_visibility = "hidden", function_type = () -> ()}> ({
  func.return
}) : () -> ()
func.func @outer() {
  func.func @inner() {
    return
  }
  return
}
