// RUN: verify --expect "redefinition of block '^bb1'"
// EXIT: 3
func.func @f() {
  "cf.br"()[^bb1] : () -> ()
^bb1:
  return
^bb1:
  return
}
